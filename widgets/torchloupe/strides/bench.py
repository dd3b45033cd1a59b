"""What a lens has on its bench: the person's tensors, held weakly, and what is tried on them."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count

import torch

from . import native
from .capture import capture
from .editing import edited, flipped
from .entry import Entry, look
from .native import functorch
from .perform import carry_of, links, perform
from .record import StridesRecord
from .twin import Trial

LETTERS = "xyzwuvstrqpnmabcdefgh"


@dataclass(frozen=True, slots=True)
class Tried:
    """One operation that was tried."""

    operation: str
    texts: list[str]
    source: int
    result: int
    """-1 when refused."""
    trial: Trial


def _gone() -> None:
    """A reference to a tensor that is not there."""


class Bench:
    """The person's tensors and a chain of operations tried on their layouts.

    Args:
        tensors: the tensors to put on it.
        names: one name for each.
    """

    def __init__(self, tensors: Sequence[torch.Tensor], names: Sequence[str]) -> None:
        self._ids = count()
        self.entries: dict[int, Entry] = {}
        self.done: list[Tried] = []
        self.undone: list[Tried] = []
        self._looked = False
        for x, name in zip(tensors, names, strict=True):
            self._put(x, name)
        self._link_bases(tensors)
        drawn = [entry.id for entry in self.entries.values() if entry.record.reason is None]
        self.active = drawn[0] if drawn else 0

    @classmethod
    def of_record(cls, record: StridesRecord, name: str) -> Bench:
        """A bench with a record on it that stands for a tensor that is not there."""
        bench = cls([], [])
        bench.entries = {0: Entry(0, name, record, 0, whole=_gone)}
        return bench

    def roots(self) -> list[Entry]:
        """The person's tensors, and the components of those that have no strides."""
        return [entry for entry in self.entries.values() if entry.root]

    def apply(self, operation: str, texts: list[str], source: int | None = None) -> Tried:
        """Try an operation on an entry (the active one by default); its result becomes active.

        Raises:
            arguments.ArgumentError: if an argument cannot be read.
            KeyError: if there is no such operation or entry.
        """
        entry = self.entries[self.active if source is None else source]
        tried = self._try(entry, operation, texts)
        if self.done and self.done[-1].result < 0:
            self.done.pop()
        self.done.append(tried)
        self.undone.clear()
        self._prune()
        self.active = entry.id if tried.result < 0 else tried.result
        return tried

    def edit(self, place: int, text: str) -> Tried:
        """Replace one argument of the last operation; several numbers may be typed into one.

        Raises:
            arguments.ArgumentError: if it cannot be read; nothing changes then.
        """
        last = self.done[-1]
        texts = edited(last.operation, last.texts, place, text)
        links(last.operation, texts)
        self.done.pop()
        return self.apply(last.operation, texts, last.source)

    def undo(self) -> None:
        """Take the last operation back."""
        if self.done:
            tried = self.done.pop()
            self.undone.append(tried)
            self.active = tried.source

    def redo(self) -> None:
        """Do again what was taken back."""
        if self.undone:
            tried = self.undone.pop()
            self.done.append(tried)
            self.active = tried.source if tried.result < 0 else tried.result

    def act_on(self, id: int) -> None:
        """Make an entry the one that operations act on.

        Raises:
            KeyError: if it is no candidate.
        """
        if id not in {entry.id for entry in self.candidates()}:
            raise KeyError(id)
        self.active = id

    def candidates(self) -> list[Entry]:
        """Entries operations can act on: the person's and the results of what is done."""
        results = {tried.result for tried in self.done}
        return [
            entry
            for entry in self.entries.values()
            if (entry.root or entry.id in results) and entry.record.reason is None
        ]

    def look_again(self) -> list[Entry]:
        """Compare the person's tensors with what was recorded, and set what became of each.

        Returns:
            Those that were written to since.
        """
        first, self._looked = not self._looked, True
        written = [entry for entry in self.roots() if look(entry)]
        for entry in self.roots():
            if entry.fate != "freed":
                continue
            shared = entry.record.storage_id is not None and self.living(entry) is not None
            entry.passing = first and not shared
            if first or shared:
                entry.fate = ""
        return written

    def living(self, entry: Entry) -> torch.Tensor | None:
        """A living tensor over the storage of a person's tensor: itself, or another shown one.

        An argument such as `x.T` is gone when the call ends, but its cells are still those of `x`.
        """
        sharing = [
            entry,
            *(other for other in self.roots() if other.record.storage_id == entry.record.storage_id),
        ]
        for other in sharing:
            if not other.fate and (x := other.tensor()) is not None:
                return x
        return None

    def _put(self, x: torch.Tensor, name: str) -> None:
        record = capture(x)
        whole = self._root(name, record, x, "", None)
        for part in record.parts:
            self._root(f"{name}.{part.name}", part.record, x, part.name, whole)
        inner = record.wrapped
        while inner is not None and inner.record.wrapped is not None:
            inner = inner.record.wrapped
        if inner is not None:
            self._root(f"{name} (real)", inner.record, _innermost(x), "", whole)

    def _root(
        self, name: str, record: StridesRecord, x: torch.Tensor, component: str, whole: int | None
    ) -> int:
        id = next(self._ids)
        self.entries[id] = Entry(
            id, name, record, id, whole=weakref.ref(x), component=component, part_of=whole
        )
        return id

    def _link_bases(self, tensors: Sequence[torch.Tensor]) -> None:
        by_object = {id(x): entry.id for x in tensors for entry in self.roots() if entry.tensor() is x}
        for entry in self.roots():
            x = entry.tensor()
            if x is not None and entry.record.base_shape is not None:
                entry.base = by_object.get(id(native.base_of(x)))

    def _try(self, entry: Entry, operation: str, texts: list[str]) -> Tried:
        trial = perform(entry.record, operation, texts)
        if trial.record is None:
            return Tried(operation, texts, entry.id, -1, trial)
        made = Entry(next(self._ids), self.free_name(), trial.record, entry.home)
        if trial.outcome == "copy":
            made.home = made.id
            made.made_from = entry.id
            made.carry = carry_of(operation)
            made.flipped = flipped(operation, texts, len(entry.record.shape))
        else:
            made.base = entry.base if entry.record.is_view else entry.id
        self.entries[made.id] = made
        return Tried(operation, texts, entry.id, made.id, trial)

    def _prune(self) -> None:
        kept = {tried.result for tried in self.done}
        self.entries = {id: entry for id, entry in self.entries.items() if entry.root or id in kept}

    def free_name(self) -> str:
        """The name the next result gets: one the person does not use."""
        kept = {tried.result for tried in self.done}
        taken = {entry.name for entry in self.entries.values() if entry.root or entry.id in kept}
        names = chain(LETTERS, (f"r{number}" for number in count(1)))
        return next(name for name in names if name not in taken)


def _innermost(x: torch.Tensor) -> torch.Tensor:
    while functorch.is_functorch_wrapped_tensor(x):
        x = functorch.get_unwrapped(x)
    return x
