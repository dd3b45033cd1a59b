"""The first picture: the graph collapsed to the children of its root, at most 64 boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from .group_tree import GROUP_KINDS
from .hierarchy import Hierarchy
from .record import GraphRecord
from .state import BoxKind, First, FirstBox, FirstEdge
from .titles import inside, split, title

MOST_NAMED = 3
"""Parameters named beside a box."""

Ids = NDArray[np.int64]


class Arrived(NamedTuple):
    """The gradient that arrived at a node."""

    look: int
    """0 not run, 1 value, 2 zero, 3 None, 4 NaN or infinite."""
    norm: float | None
    value: str
    """The gradient itself when it has at most four elements, else empty."""


NOT_RUN = Arrived(0, None, "")


@dataclass(frozen=True, slots=True)
class _Child:
    """A child of the root: a group, or a node."""

    node: int
    """Its first node in running order: where its gradient arrives."""
    group: int
    """-1 for a node."""


def first(
    record: GraphRecord, hierarchy: Hierarchy, gradients: Callable[[int], Arrived] | None = None
) -> First:
    """The children of the root as boxes, root first, and the edges between them, lifted.

    Args:
        record: the graph.
        hierarchy: of `record`.
        gradients: gives what arrived at a node; a group shows what arrived at its first node.
    """
    children = _children(record, hierarchy)
    box = _box_of(record, hierarchy, children)
    chips = _chips(record, hierarchy, box, len(children))
    boxes = [
        _box(record, hierarchy, child, chips[at], (gradients or _not_run)(child.node))
        for at, child in enumerate(children)
    ]
    return First(boxes=boxes, edges=_edges(record, box))


def _not_run(node: int) -> Arrived:
    return NOT_RUN


def _children(record: GraphRecord, hierarchy: Hierarchy) -> list[_Child]:
    inner = np.flatnonzero(record.columns.kind != 1)
    groups = np.flatnonzero(hierarchy.parent == 0).tolist()
    children = [_Child(int(inner[hierarchy.start[group]]), group) for group in groups]
    children += [_Child(node, -1) for node in np.flatnonzero(hierarchy.group == 0).tolist()]
    return sorted(children, key=lambda child: child.node)


def _box_of(record: GraphRecord, hierarchy: Hierarchy, children: Sequence[_Child]) -> Ids:
    """Per node: the box that holds it; -1 for parameters."""
    top = np.arange(len(hierarchy.parent))
    for group, parent in enumerate(hierarchy.parent.tolist()):
        if parent > 0:
            top[group] = top[parent]
    of_group = np.full(len(top), -1, np.int64)
    for place, child in enumerate(children):
        if child.group >= 0:
            of_group[child.group] = place
    inside_group = hierarchy.group > 0
    box = np.full(len(hierarchy.group), -1, np.int64)
    box[inside_group] = of_group[top[hierarchy.group[inside_group]]]
    for place, child in enumerate(children):
        if child.group < 0:
            box[child.node] = place
    return box


def _edges(record: GraphRecord, box: Ids) -> list[FirstEdge]:
    source, target = box[record.columns.source], box[record.columns.target]
    kept = (source != target) & (target >= 0)
    pairs, firsts, counts = np.unique(
        np.stack([source[kept], target[kept]]), axis=1, return_index=True, return_counts=True
    )
    # In the order of their slots, which is the order from left to right.
    order = np.lexsort((firsts, pairs[0]))
    return [
        FirstEdge(source=a, target=b, edges=count)
        for a, b, count in zip(*pairs[:, order].tolist(), counts[order].tolist(), strict=True)
    ]


def _chips(record: GraphRecord, hierarchy: Hierarchy, box: Ids, count: int) -> list[list[int]]:
    """Per box: the leaves beside it, each once, in the order in which its nodes use them."""
    columns = record.columns
    edges = np.flatnonzero((columns.kind[columns.target] == 1) & (box[columns.target] < 0))
    boxes, leaves = box[columns.source[edges]], columns.target[edges].astype(np.int64)
    _, firsts = np.unique(np.stack([boxes, leaves]), axis=1, return_index=True)
    chips: list[list[int]] = [[] for _ in range(count)]
    for at in np.sort(firsts).tolist():
        chips[boxes[at]].append(int(leaves[at]))
    return chips


def _box(
    record: GraphRecord, hierarchy: Hierarchy, child: _Child, chips: list[int], arrived: Arrived
) -> FirstBox:
    columns, strings = record.columns, hierarchy.strings
    names = {leaf.node: leaf.names for leaf in record.leaves}
    nodes, members, scope = 1, 1, _string(strings, int(columns.scope[child.node]))
    if child.group >= 0:
        kind = GROUP_KINDS[hierarchy.kind[child.group]]
        label = title(record, hierarchy, child.group)
        start, end = int(hierarchy.start[child.group]), int(hierarchy.end[child.group])
        nodes = end - start
        members = _members(hierarchy, child.group) if kind == "fold" else 1
        last = int(np.flatnonzero(columns.kind != 1)[end - 1])
        scope = _shared(scope, _string(strings, int(columns.scope[last])))
    elif child.node in names:
        kind, own = "leaf", names[child.node]
        label = (" = ".join(own), "") if own else split(_string(strings, int(columns.type[child.node])))
    else:
        kind, label = "node", split(_string(strings, int(columns.type[child.node])))
    return FirstBox(
        kind=cast(BoxKind, kind),
        id=child.node if child.group < 0 else child.group,
        title=label[0],
        suffix=label[1],
        nodes=nodes,
        members=members,
        parameters=[inside(names[leaf], scope) or "AccumulateGrad" for leaf in chips[:MOST_NAMED]],
        more_parameters=max(0, len(chips) - MOST_NAMED),
        look=arrived.look,
        norm=arrived.norm,
        value=arrived.value,
        text="" if child.group >= 0 else _string(strings, int(columns.text[child.node])),
    )


def _members(hierarchy: Hierarchy, fold: int) -> int:
    groups = int((hierarchy.parent == fold).sum())
    return groups or int((hierarchy.group == fold).sum())


def _string(strings: Sequence[str], place: int) -> str:
    return strings[place] if place >= 0 else ""


def _shared(one: str, other: str) -> str:
    parts = list[str]()
    for a, b in zip(one.split("."), other.split("."), strict=False):
        if a != b:
            break
        parts.append(a)
    return ".".join(parts)
