"""Walk a backward graph once: every node, every edge, in the order in which the engine will run them."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import native, sentinels
from .running_order import running_order

if TYPE_CHECKING:
    from .record import GraphRecord
MARK = "torchloupe.mark"
"""Where the mark of a captured graph stands in the `metadata` of a root's node."""


@dataclass(slots=True)
class Walk:
    """A graph as arrays, with its nodes. Hold it briefly: while it is there, so is the whole graph."""

    roots: list[int]
    """The node of each root it was asked to walk from."""
    nodes: list[Any]
    """PyTorch's nodes in running order; a place in this list is a node's id."""
    classes: list[type]
    """The classes that occur."""
    type: NDArray[np.int32]
    """Per node: place in `classes`."""
    leaf: NDArray[np.bool_]
    """Per node: whether it is an `AccumulateGrad`."""
    sequence: NDArray[np.int64]
    """Per node: `_sequence_nr()`, -1 for leaves. Numbers count per thread."""
    source: NDArray[np.int32]
    """Per edge, ascending: the node the gradient leaves."""
    slot: NDArray[np.int32]
    """Per edge: its place in `source.next_functions`; places without an edge are left out."""
    target: NDArray[np.int32]
    """Per edge: the node it arrives at."""
    input: NDArray[np.int32]
    """Per edge: which input of `target` it is added to."""


@contextmanager
def paused_gc() -> Iterator[None]:
    """No garbage collection inside: a walk makes many objects and no garbage. Puts back what was."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def walk(roots: Sequence[Any]) -> Walk:
    """Walk from `roots`, nodes of PyTorch's graph, to the leaves.

    Never recursive; afterwards the graph can be freed at any depth (`sentinels`), also when the walk is
    interrupted.

    Args:
        roots: `tensor.grad_fn` of each output; a node may come twice.
    """
    with paused_gc():
        nodes: list[Any] = list(dict.fromkeys(roots))
        following: list[Any] = []
        ids: dict[Any, int] = {node: id for id, node in enumerate(nodes)}
        try:
            _discover(nodes, following, ids)
            return _arranged([ids[node] for node in roots], nodes, following, ids)
        except BaseException:
            for node, next_functions in zip(nodes, following, strict=False):
                sentinels.keep(node, next_functions)
            raise


def _discover(nodes: list[Any], following: list[Any], ids: dict[Any, int]) -> None:
    """Fill the three breadth-first; `nodes` grows while it is walked."""
    ids[None] = -1
    append, follow = nodes.append, following.append
    for node in nodes:
        next_functions = node.next_functions
        follow(next_functions)
        for function, _ in next_functions:
            if function not in ids:
                ids[function] = len(nodes)
                append(function)


def _arranged(roots: list[int], nodes: list[Any], following: list[Any], ids: dict[Any, int]) -> Walk:
    count = len(nodes)
    slots = np.fromiter(map(len, following), np.int64, count)
    flat = list(chain.from_iterable(following))
    every_target = np.fromiter(map(ids.__getitem__, map(itemgetter(0), flat)), np.int64, len(flat))
    every_input = np.fromiter(map(itemgetter(1), flat), np.int64, len(flat))
    # Leaves have the highest number of 64 bits, which is -1 when read as signed.
    numbers = (node._sequence_nr() for node in nodes)  # noqa: SLF001
    sequence = np.fromiter(numbers, np.uint64, count).view(np.int64)
    starts = np.cumsum(slots) - slots
    real = every_target >= 0

    classes = {cls: place for place, cls in enumerate(dict.fromkeys(map(type, nodes)))}
    types = np.fromiter(map(classes.__getitem__, map(type, nodes)), np.int32, count)
    leaf = types == classes.get(native.AccumulateGrad, -1)
    order = running_order(sequence, leaf, np.repeat(np.arange(count), slots)[real], every_target[real])
    new = np.empty(count, np.int64)
    new[order] = np.arange(count)

    lengths = slots[order]
    ends = np.cumsum(lengths)
    shift = starts[order] - (ends - lengths)
    taken = np.arange(len(flat)) + np.repeat(shift, lengths)
    taken_real = real[taken]
    slot = (np.arange(len(flat)) - np.repeat(ends - lengths, lengths))[taken_real]
    taken = taken[taken_real]
    source = np.repeat(np.arange(count), lengths)[taken_real].astype(np.int32)
    target = new[every_target[taken]].astype(np.int32)

    places = order.tolist()
    arranged = [nodes[place] for place in places]
    sentinels.cut(arranged, _Reordered(following, places), source, target)
    return Walk(
        roots=new[roots].tolist(),
        nodes=arranged,
        classes=list(classes),
        type=types[order],
        leaf=leaf[order],
        sequence=sequence[order],
        source=source,
        slot=slot.astype(np.int32),
        target=target,
        input=every_input[taken].astype(np.int32),
    )


class _Reordered(Sequence[Any]):
    def __init__(self, items: list[Any], places: list[int]) -> None:
        self._items, self._places = items, places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, place: Any) -> Any:
        return self._items[self._places[place]]


def find(record: GraphRecord) -> list[Any] | None:
    """The nodes of `record`, by id, read again from its root tensors; None when they are gone.

    Hold the list briefly: while it is there, so is the whole graph.
    """
    roots = [root_node(record, place) for place, root in enumerate(record.roots) if root.node >= 0]
    if not roots or None in roots:
        return None
    nodes = walk(roots).nodes
    return nodes if len(nodes) == len(record.nodes) else None


def root_node(record: GraphRecord, place: int) -> Any | None:
    """The node of `record.roots[place]`, or None when its tensor is gone or belongs to another graph now."""
    tensor = record.origins[place]()
    if tensor is None:
        return None
    with native.without_overrides():
        node = tensor.grad_fn
    if node is None:
        return None
    return node if node.metadata.get(MARK) is record.remains.tokens[place]() else None
