"""Groups of a graph from the innermost modules outwards, each level in one sweep.

Nodes here are those that are no leaves, counted in running order, and groups are intervals of them. Groups of
equal structure are planned once (`folds`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .folds import FEWEST, Children, Planned, plan
from .intervals import Contexts, Level
from .mixing import Hashes, mix, summed

Ids = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Inner:
    """A graph without its leaves."""

    sig: Hashes
    """Per node: its type and which of its slots go where."""
    source: Ids
    """Per edge, ascending."""
    target: Ids
    ends: Hashes
    """Per edge: its slot and input."""
    link: Flags
    """Per node: whether it and the next are nodes of a chain."""
    chains: bool
    """Whether chains are to be made one."""
    leaf_first: Ids
    """Per drawn leaf: its first consumer."""
    leaf_last: Ids
    leaf_edge: Ids
    """Per edge to a drawn leaf: the leaf."""
    leaf_source: Ids
    leaf_slot: Ids


@dataclass(slots=True)
class Groups:
    """What was found, in no order."""

    kind: list[str] = field(default_factory=list)
    start: list[Ids] = field(default_factory=list)
    end: list[Ids] = field(default_factory=list)
    context: list[Ids] = field(default_factory=list)
    shape: list[Hashes] = field(default_factory=list)

    def add(self, kind: str, start: Ids, end: Ids, context: Ids, shape: Hashes) -> None:
        """Add groups of one kind."""
        self.kind.append(kind)
        self.start.append(start)
        self.end.append(end)
        self.context.append(context)
        self.shape.append(shape)


@dataclass(slots=True)
class _Items:
    """The children to be grouped next, as intervals of nodes."""

    start: Ids
    end: Ids
    sig: Hashes
    group: Flags
    module: Flags


def grouped(inner: Inner, found: Contexts, levels: list[Level], names: Ids) -> Groups:
    """All groups but the root.

    Args:
        inner: the graph.
        found: the contexts of `levels`.
        levels: module groups of each depth.
        names: per context, what identical siblings have in common: pattern of the path and class.
    """
    count = len(inner.sig)
    groups = Groups()
    if not count:
        return groups
    at = np.arange(count)
    items = _Items(at, at + 1, inner.sig.copy(), np.zeros(count, bool), np.zeros(count, bool))
    whole = Level(np.zeros(count, np.int64), np.zeros(1, np.int64), np.array([count]), np.array([-1]))
    edges = _edges_by_level(inner, [whole, *levels])
    for depth in range(len(levels), -1, -1):
        level = levels[depth - 1] if depth else whole
        items = _level(
            inner, level, items, edges[depth], _leaves_at(inner, [whole, *levels], depth), names, groups
        )
    return groups


def _edges_by_level(inner: Inner, levels: list[Level]) -> list[Ids]:
    """Per level: the edges whose ends it is the last to hold in one group."""
    alive = np.arange(len(inner.source))
    out = []
    for deeper in levels[1:]:
        ends = deeper.group[inner.source[alive]], deeper.group[inner.target[alive]]
        stay = (ends[0] == ends[1]) & (ends[0] >= 0)
        out.append(alive[~stay])
        alive = alive[stay]
    return [*out, alive]


def _leaves_at(inner: Inner, levels: list[Level], depth: int) -> Flags:
    """Per edge to a drawn leaf: whether the leaf is drawn in a group of this level."""

    def within(level: Level) -> Flags:
        group = level.group[inner.leaf_first]
        held: Flags = (group >= 0) & (group == level.group[inner.leaf_last])
        return held

    here = within(levels[depth])
    if depth + 1 < len(levels):
        here &= ~within(levels[depth + 1])
    return here[inner.leaf_edge] if len(here) else np.zeros(0, bool)


def _level(
    inner: Inner, level: Level, items: _Items, edges: Ids, leaves: Flags, names: Ids, groups: Groups
) -> _Items:
    of_group = level.group[items.start]
    inside = np.flatnonzero(of_group >= 0)
    count = len(level.start)
    first = inside[np.searchsorted(of_group[inside], np.arange(count))]
    size = np.bincount(of_group[inside], minlength=count)

    item_of = np.repeat(np.arange(len(items.start)), items.end - items.start)
    source, target = inner.source[edges], inner.target[edges]
    group = level.group[source]
    begin = level.start[group]
    key = summed(mix(items.sig[inside], inside - first[of_group[inside]]), of_group[inside], count)
    key += summed(mix(source - begin, target - begin, inner.ends[edges]), group, count)
    key += _wells(inner, level, leaves, count)
    key = mix(key, size)

    module = level.context >= 0
    wrapper = module & (size == 1) & items.group[first]
    folded = _planned(inner, level, items, (first, size, key), (source, target, item_of, edges), groups)
    made = module & ~wrapper & ~folded
    groups.add("module", level.start[made], level.end[made], level.context[made], key[made])
    return _collapsed(items, level, of_group, inside, first, wrapper, key, names)


def _wells(inner: Inner, level: Level, leaves: Flags, count: int) -> Hashes:
    """Per group: which of its nodes share the leaves drawn in it."""
    if not leaves.any():
        return np.zeros(count, np.uint64)
    source, leaf = inner.leaf_source[leaves], inner.leaf_edge[leaves]
    group = level.group[source]
    each = summed(mix(source - level.start[group], inner.leaf_slot[leaves]), leaf, len(inner.leaf_first))
    used, at = np.unique(leaf, return_index=True)
    return summed(mix(each[used]), group[at], count)


def _planned(
    inner: Inner,
    level: Level,
    items: _Items,
    of: tuple[Ids, Ids, Hashes],
    between: tuple[Ids, Ids, Ids, Ids],
    groups: Groups,
) -> Flags:
    """Plan each structure once, make its groups wherever it occurs; says where one fold is all of it."""
    first, size, key = of
    source, target, item_of, edges = between
    folded = np.zeros(len(first), bool)
    large = np.flatnonzero(size >= FEWEST)
    if not len(large):
        return folded
    _, one, which = np.unique(key[large], return_index=True, return_inverse=True)
    plain_link = inner.link[items.start] & ~items.group & ~np.append(items.group[1:], True)
    order = np.argsort(which, kind="stable")
    cuts = np.searchsorted(which[order], np.arange(len(one) + 1)).tolist()
    for place, at in enumerate(large[one].tolist()):
        same = large[order[cuts[place] : cuts[place + 1]]]
        a, b = int(first[at]), int(first[at] + size[at])
        link = plain_link[first[same][:, None] + np.arange(b - a)].all(axis=0)
        begin = slice(*np.searchsorted(source, [level.start[at], level.end[at]]).tolist())
        from_item, to_item = item_of[source[begin]], item_of[target[begin]]
        children = Children(
            items.sig[a:b],
            items.module[a:b],
            link,
            from_item - a,
            to_item - a,
            mix(
                source[begin] - items.start[from_item],
                target[begin] - items.start[to_item],
                inner.ends[edges[begin]],
            ),
        )
        planned = plan(children, inner.chains)
        folded[same] = _make(planned, items, first[same], level.context[same], b - a, groups)
    return folded


def _make(planned: list[Planned], items: _Items, first: Ids, context: Ids, size: int, groups: Groups) -> bool:
    """Make what was planned wherever it occurs; says whether one fold is a whole module and stands for it."""
    by_kind: dict[tuple[str, bool], list[Planned]] = {}
    for group in planned:
        whole = group.kind == "fold" and group.last - group.first == size and bool(context[0] >= 0)
        by_kind.setdefault((group.kind, whole), []).append(group)
    for (kind, whole), same in by_kind.items():
        start = items.start[first[:, None] + np.array([group.first for group in same])]
        end = items.end[first[:, None] + np.array([group.last - 1 for group in same])]
        shape = np.tile(np.array([group.shape for group in same], np.uint64), len(first))
        contexts = context if whole else np.full(len(shape), -1, np.int64)
        groups.add(kind, start.ravel(), end.ravel(), contexts, shape)
    return ("fold", True) in by_kind


def _collapsed(
    items: _Items,
    level: Level,
    of_group: Ids,
    inside: Ids,
    first: Ids,
    wrapper: Flags,
    key: Hashes,
    names: Ids,
) -> _Items:
    keep = of_group < 0
    keep[first] = True
    start, end, sig = items.start.copy(), items.end.copy(), items.sig.copy()
    group, module = items.group.copy(), items.module.copy()
    new = first[~wrapper]
    end[first] = level.end
    if level.context[0] >= 0:
        sig[new] = mix(key, names[level.context])[~wrapper]
    group[new], module[new] = True, True
    return _Items(start[keep], end[keep], sig[keep], group[keep], module[keep])
