"""What nodes saved for the backward pass: shapes and bytes, read without unpacking anything.

A tensor saved under hooks (checkpoint, offload, the person's own `saved_tensors_hooks`) is never unpacked:
that would re-run the model or copy the tensor back. Only the hook itself is looked at.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import chain, compress
from math import prod
from operator import attrgetter
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from . import native
from .slots import Slots, handle, is_released, slots_of
from .values import sizes
from .walk import Walk

TENSOR, NONE, FREED, HOOKED, CHECKPOINTED, OPAQUE = range(6)
"""What a slot holds: a tensor, nothing, a tensor a backward has freed, one that hooks have packed, one a
checkpoint computes again, one without plain memory."""
NODE, SLOT, ITEM, FOUND, FACT, STORAGE, VERSION = range(7)
"""Columns of `SavedTensors.rows`."""
_PLAIN = {torch.Tensor, torch.nn.Parameter}
_opened = attrgetter("data", "unpack_hook")
_facts = attrgetter("shape", "dtype")
_version = attrgetter("_version")
AT_ONCE = 512
"""Nodes whose saved tensors are held at the same time."""


@dataclass(frozen=True, slots=True)
class SavedTensors:
    """Everything the nodes of a graph saved, without a tensor."""

    slots: list[str]
    """Slot names, those of each node class after the other."""
    facts: list[tuple[torch.Size, torch.dtype]]
    """Shape and dtype; each combination once."""
    rows: NDArray[np.int64]
    """One row a tensor, ascending by node: node, place in `slots`, place in a list of tensors or -1, what was
    found, place in `facts` or -1, identity of the storage or 0, version or -1."""
    plain: dict[int, Any]
    """Per node: the values of its class' plain slots, alone when there is one slot."""
    segments: list[NDArray[np.int64]]
    """Per checkpointed segment: nodes that saved something in it."""

    def of(self, node: int) -> NDArray[np.int64]:
        """The rows of one node."""
        start, end = np.searchsorted(self.rows[:, NODE], [node, node + 1])
        return self.rows[start:end]

    def nbytes(self, nodes: int) -> NDArray[np.int64]:
        """Per node: bytes of its saved tensors; those that share a storage count once, as the largest."""
        rows = self.rows[self.rows[:, FOUND] == TENSOR]
        sizes = np.array([nbytes(*fact) for fact in self.facts] or [0], np.int64)[rows[:, FACT]]
        order = np.lexsort((-sizes, rows[:, STORAGE], rows[:, NODE]))
        rows, sizes = rows[order], sizes[order]
        again = (np.diff(rows[:, NODE], prepend=-1) == 0) & (np.diff(rows[:, STORAGE], prepend=-1) == 0)
        return np.bincount(rows[~again, NODE], sizes[~again], minlength=nodes).astype(np.int64)


NOTHING = SavedTensors([], [], np.empty((0, 7), np.int64), {}, [])


def nbytes(shape: torch.Size, dtype: torch.dtype) -> int:
    """Bytes of a dense tensor; 0 when a size is no number."""
    return max(0, prod(sizes(shape))) * dtype.itemsize


def read(walk: Walk) -> SavedTensors:
    """Look at every slot of every node of `walk`."""
    reading = _Reading(walk.nodes)
    for place, cls in enumerate(walk.classes):
        slots = slots_of(cls)
        if slots.tensors or slots.plain:
            nodes = np.flatnonzero(walk.type == place)
            if slots.tensors:
                reading.tensors(slots, nodes)
            if slots.plain:
                reading.plain_slots(slots, nodes.tolist())
    return reading.done()


class _Reading:
    """The rows as they are read: many at once for what almost every slot holds, the others one by one."""

    def __init__(self, nodes: list[Any]) -> None:
        self.nodes = nodes
        self.slots: list[str] = []
        self.facts: dict[tuple[torch.Size, torch.dtype], int] = {}
        self.many: list[NDArray[np.int64]] = []
        self.odd = array("q")
        self.plain: dict[int, Any] = {}
        self.segments: dict[Any, list[int]] = {}

    def done(self) -> SavedTensors:
        odd = np.frombuffer(self.odd, np.int64).reshape(-1, 7)
        rows = np.concatenate([*self.many, odd])
        order = np.argsort(rows[:, NODE] << 32 | rows[:, SLOT] << 20 | rows[:, ITEM] + 1, kind="stable")
        return SavedTensors(
            slots=self.slots,
            facts=list(self.facts),
            rows=rows[order],
            plain=self.plain,
            segments=[np.array(nodes) for nodes in self.segments.values()],
        )

    def plain_slots(self, slots: Slots, nodes: list[int]) -> None:
        read, plain, all_nodes = slots.read_plain, self.plain, self.nodes
        for node in nodes:
            try:
                plain[node] = read(all_nodes[node])
            except RuntimeError:
                continue

    def tensors(self, slots: Slots, nodes: NDArray[np.int64]) -> None:
        first = len(self.slots)
        self.slots += slots.tensors
        count = len(slots.tensors)
        for start in range(0, len(nodes), AT_ONCE):
            piece = nodes[start : start + AT_ONCE]
            try:
                held = list(map(slots.read_tensors, map(self.nodes.__getitem__, piece.tolist())))
                handles = held if count == 1 else list(chain.from_iterable(held))
                left = self._all(handles, piece, first, count)
            except (AttributeError, RuntimeError, NotImplementedError):
                self._one_by_one(slots, first, piece.tolist())
            else:
                for place in left:
                    self._item(int(piece[place // count]), first + place % count, -1, handles[place])

    def _all(self, handles: list[Any], nodes: NDArray[np.int64], first: int, count: int) -> list[int]:
        """Add a row for every plain tensor; gives the places of the handles that hold something else.

        Raises:
            AttributeError: when a slot holds a list.
            RuntimeError: when a tensor does not tell all of itself; then no row was added.
        """
        opened = list(map(_opened, handles))
        plain = [type(tensor) in _PLAIN and hook is None for tensor, hook in opened]
        tensors = [tensor for tensor, _ in compress(opened, plain)]
        known, storages, versions = self.facts, map(native.storage_id, tensors), map(_version, tensors)
        rows = np.empty((len(tensors), 7), np.int64)
        place = np.flatnonzero(plain)
        rows[:, NODE], rows[:, SLOT] = nodes[place // count], first + place % count
        rows[:, ITEM], rows[:, FOUND] = -1, TENSOR
        rows[:, FACT] = [known.setdefault(fact, len(known)) for fact in map(_facts, tensors)]
        rows[:, STORAGE], rows[:, VERSION] = list(storages), list(versions)
        self.many.append(rows)
        return [] if len(tensors) == len(handles) else [at for at, fast in enumerate(plain) if not fast]

    def _one_by_one(self, slots: Slots, first: int, nodes: list[int]) -> None:
        """Lists, lists that were freed, tensors that do not tell all of themselves."""
        for node in nodes:
            for place, name in enumerate(slots.tensors, first):
                try:
                    held = handle(self.nodes[node], name)
                except RuntimeError:
                    self._put(node, place, -1, FREED)
                    continue
                if type(held) is tuple:
                    for item, inner in enumerate(held):
                        self._item(node, place, item, inner)
                else:
                    self._item(node, place, -1, held)

    def _put(self, node: int, place: int, item: int, found: int, fact: int = -1) -> None:
        self.odd.extend((node, place, item, found, fact, 0, -1))

    def _item(self, node: int, place: int, item: int, raw: Any) -> None:
        tensor, hook = _opened(raw)
        if hook is not None:
            again = getattr(hook, "__module__", "") == "torch.utils.checkpoint"
            if again:
                self.segments.setdefault(hook, []).append(node)
            self._put(node, place, item, CHECKPOINTED if again else HOOKED)
        elif tensor is None:
            freed = item < 0 and is_released(self.nodes[node], self.slots[place])
            self._put(node, place, item, FREED if freed else NONE)
        elif isinstance(tensor, torch.Tensor):
            self._tensor(node, place, item, tensor)
        else:
            self._put(node, place, item, OPAQUE)

    def _tensor(self, node: int, place: int, item: int, tensor: torch.Tensor) -> None:
        """Also a subclass, a tensor without strides, one inside a transform: as much as it tells."""
        base = native.Base
        try:
            key = base.shape.__get__(tensor), base.dtype.__get__(tensor)
            fact = self.facts.setdefault(key, len(self.facts))
        except (RuntimeError, NotImplementedError):
            return self._put(node, place, item, OPAQUE)
        try:
            storage, version = native.storage_id(tensor), base._version.__get__(tensor)  # noqa: SLF001
        except (RuntimeError, NotImplementedError):
            return self._put(node, place, item, OPAQUE, fact)
        self.odd.extend((node, place, item, TENSOR, fact, storage, version))
        return None
