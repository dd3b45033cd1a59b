"""Where a loop stands in its loader: the epoch, and how many of its batches were given out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final, Generic, TypeVar

import torch

from ..core.words import Sentence, Words
from .rng import Randomness, generators_of

T = TypeVar("T")
_WORDS = Words(__package__)


class End:
    """There is no batch left."""


END: Final = End()


@dataclass(frozen=True)
class Position:
    """A place that can be gone back to."""

    epoch: int
    index: int
    began: Randomness | None
    """The random numbers before the epoch's iterator was made; None when it is not made yet."""
    generators: tuple[torch.Generator, ...]


class Place(Generic[T]):
    """The batches of some epochs of a loader, one after the other.

    Args:
        loader: anything that can be iterated once an epoch.
        epochs: how often.
    """

    def __init__(self, loader: Iterable[T], epochs: int) -> None:
        self.loader = loader
        self.epochs = epochs
        self.epoch = 0
        self._index = 0
        self._given = False
        self._iterator: Iterator[T] | None = None
        self._began: Randomness | None = None
        self._generators = generators_of(loader)

    @property
    def total(self) -> int | None:
        """Batches of all epochs, None when the loader does not know its length."""
        try:
            return len(self.loader) * self.epochs  # type: ignore[arg-type]
        except TypeError:
            return None

    @property
    def refusal(self) -> Sentence | None:
        """Why its batches cannot come again, None when they can."""
        if hasattr(self.loader, "__next__"):
            return Sentence("rewind.iterator")
        # Such workers keep their own random numbers from one epoch to the next.
        if getattr(self.loader, "persistent_workers", False):
            return Sentence("rewind.workers")
        return None

    @property
    def position(self) -> Position:
        """Where it stands."""
        return Position(self.epoch, self._index, self._began, self._generators)

    def next(self) -> T | End:
        """The next batch, of the next epoch where one has ended.

        Raises:
            ValueError: if a later epoch has no batches at all: the loader was an iterator.
        """
        while self.epoch < self.epochs:
            if self._iterator is None:
                self._began = Randomness.now(self._generators)
                self._iterator = iter(self.loader)
            for batch in self._iterator:
                self._index += 1
                self._given = True
                return batch
            if not self._index and self._given:
                raise ValueError(_WORDS("error.used_up", epoch=self.epoch + 1))
            self.epoch, self._index, self._iterator, self._began = self.epoch + 1, 0, None, None
        return END

    def go_back(self, position: Position) -> None:
        """Stand where it stood: the epoch's iterator is made again with the same random numbers.

        Batches before are fetched and dropped. The random numbers are whatever that leaves.
        """
        self.epoch, self._index, self._began = position.epoch, position.index, position.began
        self._iterator = None
        if position.began is not None:
            position.began.restore()
            self._iterator = iter(self.loader)
            for _ in islice(self._iterator, position.index):
                pass
