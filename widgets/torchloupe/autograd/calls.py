"""Calls of modules as intervals of sequence numbers: whichever node was made inside belongs to the call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ..core.safe import one_line


def shown(path: str) -> str:
    """A path fit to show; ordinary ones, of which there are many, at once."""
    return path if len(path) <= 200 and path.isascii() and path.isprintable() else one_line(path, 200)


@dataclass(frozen=True, slots=True)
class Span:
    """One call of a module: the nodes with `first <= sequence < last` were made inside."""

    first: int
    last: int
    path: str
    """Where the module stands in the traced model; empty for that model itself."""
    cls: str
    call: int
    """How many calls of the same module came before, in the same record."""


@dataclass(frozen=True, eq=False)
class Calls(Sequence[Span]):
    """Calls in the order in which they began, as columns; an item is made a `Span` when it is asked for.

    Without a trace it holds one call of no node for each module of the model, so that classes are known.
    """

    first: NDArray[np.int64]
    last: NDArray[np.int64]
    module: NDArray[np.int32]
    """Place in `paths` and `classes`."""
    paths: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.first)

    @overload
    def __getitem__(self, place: int) -> Span: ...
    @overload
    def __getitem__(self, place: slice) -> list[Span]: ...
    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(len(self)))]
        at = range(len(self))[place]
        module = int(self.module[at])
        earlier = int((self.module[:at] == module).sum())
        return Span(
            int(self.first[at]), int(self.last[at]), self.paths[module], self.classes[module], earlier
        )

    def __iter__(self) -> Iterator[Span]:
        seen = Counter[int]()
        columns = (self.first.tolist(), self.last.tolist(), self.module.tolist())
        for first, last, module in zip(*columns, strict=True):
            yield Span(first, last, self.paths[module], self.classes[module], seen[module])
            seen[module] += 1

    @cached_property
    def parents(self) -> NDArray[np.int64]:
        """Per call: the call it was made in, or -1."""
        parents = np.empty(len(self), np.int64)
        open_calls = list[int]()
        lasts = self.last.tolist()
        for call, (first, last) in enumerate(zip(self.first.tolist(), lasts, strict=True)):
            while open_calls and (lasts[open_calls[-1]] <= first < last or lasts[open_calls[-1]] < last):
                open_calls.pop()
            parents[call] = open_calls[-1] if open_calls else -1
            open_calls.append(call)
        return parents

    def innermost(self, sequence: NDArray[np.int64]) -> NDArray[np.int64]:
        """The innermost call that made each node, or -1: one sweep over all beginnings and ends.

        Args:
            sequence: sequence numbers, -1 for leaves, in any order.
        """
        calls = np.flatnonzero(self.first < self.last)
        if not len(calls):
            return np.full(len(sequence), -1, np.int64)
        count = len(calls)
        at = np.concatenate([self.first[calls], self.last[calls]])
        ends = np.repeat([1, 0], count)  # at one number, calls end before others begin
        inner = np.concatenate([calls, -calls])  # an outer call begins before an inner one and ends after it
        order = np.lexsort((inner, ends, at))
        inside = np.concatenate([calls, self.parents[calls]])[order]
        place = np.searchsorted(at[order], sequence, side="right") - 1
        return np.where(place >= 0, inside[np.maximum(place, 0)], -1)


NO_CALLS = Calls(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.int32))
"""Nothing was traced and no model is known."""
