"""One tensor on a bench: a person's, held weakly, or one imagined from another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch

from . import layouts
from .capture import capture
from .record import CaptureError, StridesRecord
from .sample import UNKNOWN, Value
from .state import Carry


@dataclass(slots=True)
class Entry:
    """One tensor of the bench."""

    id: int
    name: str
    record: StridesRecord
    home: int
    """The entry whose storage it lives in: itself, unless it is a view made on the bench."""
    base: int | None = None
    """The entry that is its `_base`."""
    whole: Callable[[], torch.Tensor | None] | None = None
    """For a person's tensor (a weak reference to it, or to the tensor it is a component of)."""
    component: str = ""
    """Its place in the whole, such as `values()`."""
    part_of: int | None = None
    """The entry whose report tells of it: the sparse matrix it is a component of."""
    fate: str = ""
    """Empty while it is as it was shown, else `freed`, `moved` or `resized`."""
    passing: bool = False
    """Whether it was gone when the cell that showed it ended: a value no name held, not a loss."""
    made_from: int | None = None
    carry: Carry = "cell"
    flipped: tuple[int, ...] = ()
    known: dict[int, Value] = field(default_factory=dict)
    """Values seen so far, for when the tensor is gone."""

    @property
    def root(self) -> bool:
        """Whether it is a person's tensor."""
        return self.whole is not None

    def tensor(self) -> torch.Tensor | None:
        """The person's tensor while it lives."""
        whole = self.whole() if self.whole is not None else None
        if whole is None or not self.component:
            return whole
        return dict(layouts.components(whole)).get(self.component)

    def remember(self, places: Sequence[int], values: Sequence[Value]) -> None:
        """Keep at most a screenful of values."""
        if len(self.known) < 8192:
            self.known.update(zip(places, values, strict=True))

    def recall(self, places: Sequence[int]) -> list[Value]:
        """Values seen before; empty text for the others."""
        return [self.known.get(place, UNKNOWN) for place in places]


def look(entry: Entry) -> bool:
    """Set what happened to a person's tensor since it was recorded; True when only its values did."""
    x = entry.tensor()
    if entry.passing:
        return False
    if x is None:
        entry.fate = "freed"
        return False
    try:
        now, then = capture(x), entry.record
    except CaptureError:
        entry.fate = "moved"
        return False
    if now.shape != then.shape or now.storage_nbytes != then.storage_nbytes:
        entry.fate = "resized"
    elif _memory(now) != _memory(then):
        entry.fate = "moved"
    else:
        entry.fate = ""
        entry.record = now
        return now.version != then.version
    return False


def _memory(record: StridesRecord) -> tuple[object, ...]:
    return (
        record.storage_id,
        record.address,
        record.stride,
        record.storage_offset,
        record.dtype,
        record.layout,
    )
