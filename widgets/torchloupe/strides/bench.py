"""What a lens has on its bench: the person's tensors, held weakly, and what is tried on them."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, count

import torch

from . import layouts
from .arguments import split
from .capture import capture
from .perform import SEPARATOR, carry_of, links, perform
from .record import CaptureError, StridesRecord
from .sample import UNKNOWN, Value
from .state import Carry
from .twin import Trial

LETTERS = "xyzwuvstrqpnmabcdefgh"


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
    whole: weakref.ref[torch.Tensor] | None = None
    """For a person's tensor (a weak reference to it, or to the tensor it is a component of)."""
    component: str = ""
    """Its place in the whole, such as `values()`."""
    part_of: int | None = None
    """The entry whose report tells of it: the sparse matrix it is a component of."""
    fate: str = ""
    """Empty while it is as it was shown, else `freed`, `moved` or `resized`."""
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


@dataclass(frozen=True, slots=True)
class Tried:
    """One operation that was tried."""

    operation: str
    texts: list[str]
    source: int
    result: int
    """-1 when refused."""
    trial: Trial


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
        for x, name in zip(tensors, names, strict=True):
            self._put(x, name)
        self._link_bases(tensors)
        drawn = [entry.id for entry in self.entries.values() if entry.record.reason is None]
        self.active = drawn[0] if drawn else 0

    def roots(self) -> list[Entry]:
        """The person's tensors, and the components of those that have no strides."""
        return [entry for entry in self.entries.values() if entry.root]

    def apply(self, operation: str, texts: list[str], source: int | None = None) -> Tried:
        """Try an operation on an entry (the active one by default); its result becomes active.

        Raises:
            arguments.Illegal: if an argument cannot be read.
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
            arguments.Illegal: if it cannot be read; nothing changes then.
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
            entry for entry in self.entries.values()
            if (entry.root or entry.id in results) and entry.record.reason is None
        ]

    def look_again(self) -> list[Entry]:
        """Compare the person's tensors with what was recorded, and set what became of each.

        Returns:
            Those that were written to since.
        """
        written = [entry for entry in self.roots() if _look(entry)]
        for entry in self.roots():
            if entry.fate == "freed" and entry.record.storage_id is not None and self.living(entry) is not None:
                entry.fate = ""
        return written

    def living(self, entry: Entry) -> torch.Tensor | None:
        """A living tensor over the storage of a person's tensor: itself, or another shown one.

        An argument such as `x.T` is gone when the call ends, but its cells are still those of `x`.
        """
        sharing = [entry, *(other for other in self.roots() if other.record.storage_id == entry.record.storage_id)]
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

    def _root(self, name: str, record: StridesRecord, x: torch.Tensor, component: str, whole: int | None) -> int:
        id = next(self._ids)
        self.entries[id] = Entry(id, name, record, id, whole=weakref.ref(x), component=component, part_of=whole)
        return id

    def _link_bases(self, tensors: Sequence[torch.Tensor]) -> None:
        by_object = {id(x): entry.id for x in tensors for entry in self.roots() if entry.tensor() is x}
        for entry in self.roots():
            x = entry.tensor()
            if x is not None and entry.record.base_shape is not None:
                entry.base = by_object.get(id(torch._C.TensorBase._base.__get__(x)))

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


def flipped(operation: str, texts: list[str], rank: int) -> tuple[int, ...]:
    """The axes a flip reverses, counted from 0."""
    return tuple(int(text) % max(rank, 1) for text in links(operation, texts)[0][1]) if operation == "flip" else ()


def edited(operation: str, texts: list[str], place: int, text: str) -> list[str]:
    """`texts` with argument `place`, counted without separators, replaced by what was typed."""
    shown = [own for _, own in links(operation, texts)]
    for group in shown:
        if place < len(group):
            group[place : place + 1] = [text]
            break
        place -= len(group)
    if operation == "as_strided":
        shown = [_restrided(shown[0], place)]
    joined = shown[0]
    for group in shown[1:]:
        joined = [*joined, SEPARATOR, *group]
    return joined


def _restrided(texts: list[str], place: int) -> list[str]:
    """Sizes typed into or taken out of `as_strided` bring or take their strides along."""
    rank = len(texts) // 2
    change = len(split([texts[place]])) - 1
    if place >= rank or change == 0:
        return texts
    twin = rank + place
    strides = [texts[twin]] if change > 0 else []
    return [*texts[:twin], *strides, *["1"] * change, *texts[twin + 1 :]]


def _innermost(x: torch.Tensor) -> torch.Tensor:
    functorch = torch._C._functorch
    while functorch.is_functorch_wrapped_tensor(x):
        x = functorch.get_unwrapped(x)
    return x


def _look(entry: Entry) -> bool:
    """Set what happened to a person's tensor since it was recorded; True when only its values did."""
    x = entry.tensor()
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
    return record.storage_id, record.address, record.stride, record.storage_offset, record.dtype, record.layout
