"""What stands between a module and its nodes when there are many: folds, chains and sections.

Works on one group at a time, whose children stand in running order. Every group made here is an interval of
them, so that collapsing it can never make a cycle.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .mixing import Hashes, mix, of, summed

LONGEST_PERIOD = 64
FEWEST = 3
"""Instances in a fold, and nodes in a chain, at least."""
FEW = 24
"""Up to so many children a group is read as it is: only modules are folded in it."""
MOST = 64
"""Children that are drawn at most."""
LOST = 2
"""Edges that may be cut rather than leave an instance out of a fold."""

Ids = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Planned(NamedTuple):
    """A group to be made of the children `first` to `last - 1`."""

    kind: str
    first: int
    last: int
    shape: int


@dataclass(frozen=True, slots=True, eq=False)
class Children:
    """The children of one group, and the edges between them, ascending by source."""

    sig: Hashes
    """Per child: equal for identical ones."""
    module: Flags
    """Per child: whether it is a module."""
    link: Flags
    """Per child: whether it and the next are nodes of a chain."""
    source: Ids
    """Per edge: the child it leaves."""
    target: Ids
    """Per edge: the child it arrives at."""
    ends: Hashes
    """Per edge: which output and input, of which node inside."""

    def whole(self, first: int, last: int) -> int:
        """The structure of an interval of children."""
        edges = slice(*np.searchsorted(self.source, [first, last]).tolist())
        inside = self.target[edges] < last
        within = mix(
            self.source[edges][inside] - first, self.target[edges][inside] - first, self.ends[edges][inside]
        )
        nodes = mix(self.sig[first:last], np.arange(last - first))
        return of(int(nodes.sum(dtype=np.uint64)), int(within.sum(dtype=np.uint64)))

    def each(self, first: int, period: int, count: int) -> Hashes:
        """The structure of each of `count` intervals of `period` children."""
        last = first + period * count
        edges = slice(*np.searchsorted(self.source, [first, last]).tolist())
        source, target = self.source[edges] - first, self.target[edges] - first
        inside = (target < last - first) & (source // period == target // period)
        source, target = source[inside], target[inside]
        hashes = mix(source % period, target % period, self.ends[edges][inside])
        return summed(hashes, source // period, count)


def plan(children: Children, chains: bool) -> list[Planned]:
    """Groups to be made of `children`, each an interval; those that touch are nested.

    Args:
        children: of one group.
        chains: whether chains of nodes are to be made one.
    """
    count = len(children.sig)
    folded = np.zeros(count, bool)
    planned = list[Planned]()
    tops = list[tuple[int, int]]()
    for first, period, times, within in _folds(children):
        folded[first : first + period * times] = True
        planned += _fold(children, first, period, times, within, chains)
        tops.append((first, first + period * times))
    if chains:
        for first, last in _chains(children.link & ~folded & ~np.append(folded[1:], True)):
            if (first, last) != (0, count):
                planned.append(Planned("chain", first, last, of(1, children.whole(first, last))))
                planned += _sections(children, [(at, at + 1) for at in range(first, last)])
                tops.append((first, last))
    covered = np.zeros(count, bool)
    for first, last in tops:
        covered[first:last] = True
    tops += [(at, at + 1) for at in np.flatnonzero(~covered).tolist()]
    return planned + _sections(children, sorted(tops))


def _fold(
    children: Children, first: int, period: int, times: int, within: int, chains: bool
) -> list[Planned]:
    last = first + period * times
    nodes = mix(children.sig[first : first + period], np.arange(period)).sum(dtype=np.uint64)
    one = of(2, int(nodes), within)
    planned = [Planned("fold", first, last, of(3, one, times))]
    if period == 1:
        return planned
    inner = list[tuple[int, int]]()
    if chains:
        links: Flags = np.logical_and.reduce(children.link[first:last].reshape(times, period))
        links[-1] = False
        inner = [run for run in _chains(links) if run != (0, period)]
    shapes = [of(1, children.whole(first + begin, first + end)) for begin, end in inner]
    for at in range(first, last, period):
        planned.append(Planned("repeat", at, at + period, one))
        planned += [
            Planned("chain", at + begin, at + end, shape)
            for (begin, end), shape in zip(inner, shapes, strict=True)
        ]
    return planned


def _chains(link: Flags) -> list[tuple[int, int]]:
    """Intervals of at least `FEWEST` children that are linked one to the next."""
    edge = np.flatnonzero(np.diff(np.concatenate([[0], link.astype(np.int8), [0]])))
    return [(a, b + 1) for a, b in edge.reshape(-1, 2).tolist() if b + 1 - a >= FEWEST]


def _sections(children: Children, tops: list[tuple[int, int]]) -> list[Planned]:
    """Cut what would be more than `MOST` into even sections, and those again."""
    planned = list[Planned]()
    while len(tops) > MOST:
        cuts = np.linspace(0, len(tops), -(-len(tops) // MOST) + 1).astype(int).tolist()
        tops = [(tops[a][0], tops[b - 1][1]) for a, b in pairwise(cuts)]
        planned += [Planned("section", a, b, of(4, children.whole(a, b))) for a, b in tops]
    return planned


def _folds(children: Children) -> list[tuple[int, int, int, int]]:
    """Disjoint folds: first child, period, instances, and the structure between an instance's children."""
    sig = children.sig
    if len(sig) < FEWEST or len(np.unique(sig)) > len(sig) - FEWEST + 1:
        return []
    free = np.ones(len(sig), bool)
    cross = _crossing(children)
    found = list[tuple[int, int, int, int]]()
    for first, last, period in _candidates(children):
        for a, b in _free_runs(free, first, last):
            if b - a >= FEWEST * period:
                for fold in _instances(children, a, b, period, cross):
                    free[fold[0] : fold[0] + period * fold[2]] = False
                    found.append(fold)
    return sorted(found)


def _candidates(children: Children) -> list[tuple[int, int, int]]:
    """Stretches in which children recur after `period`, those that cover most first, then short periods."""
    found = list[tuple[int, int, int, int]]()
    sig, count = children.sig, len(children.sig)
    modules = np.concatenate([[0], np.cumsum(children.module)])
    for period in range(1, min(LONGEST_PERIOD, count // FEWEST) + 1):
        same = (sig[period:] == sig[:-period]).astype(np.int8)
        runs = np.flatnonzero(np.diff(np.concatenate([[0], same, [0]]))).reshape(-1, 2)
        runs = runs[runs[:, 1] - runs[:, 0] >= (FEWEST - 1) * period]
        for first, end in runs.tolist():
            if count > FEW or modules[first + period] - modules[first] == 1:
                last = end + period
                found.append(((last - first) // period * period, period, first, last))
    found.sort(key=lambda run: (-run[0], run[1], run[2]))
    return [(first, last, period) for _, period, first, last in found]


def _free_runs(free: Flags, first: int, last: int) -> list[tuple[int, int]]:
    part = free[first:last]
    if part.all():
        return [(first, last)]
    if not part.any():
        return []
    edge = np.flatnonzero(np.diff(np.concatenate([[0], part.astype(np.int8), [0]]))) + first
    return [(a, b) for a, b in edge.reshape(-1, 2).tolist()]


def _crossing(children: Children) -> Ids:
    """Per child: how many edges pass the gap before it."""
    steps = np.zeros(len(children.sig) + 1, np.int64)
    np.add.at(steps, children.source + 1, 1)
    np.add.at(steps, np.minimum(children.target + 1, len(children.sig)), -1)
    return np.cumsum(steps)[:-1]


def _instances(
    children: Children, first: int, last: int, period: int, cross: Ids
) -> list[tuple[int, int, int, int]]:
    """Cut a stretch where the fewest edges are cut; keep the instances that are identical inside."""
    most = (last - first) // period

    def cost(shift: int) -> tuple[int, int]:
        count = (last - first - shift) // period
        return int(cross[first + shift + count // 2 * period]) + LOST * (most - count), shift

    shifts = [s for s in range(period) if (last - first - s) // period >= max(FEWEST, most - 1)]
    start = first + min(shifts, key=cost)
    within = children.each(start, period, (last - start) // period)
    cuts = [0, *(np.flatnonzero(within[1:] != within[:-1]) + 1).tolist(), len(within)]
    return [(start + a * period, period, b - a, int(within[a])) for a, b in pairwise(cuts) if b - a >= FEWEST]
