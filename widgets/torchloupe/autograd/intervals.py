"""Modules as intervals of the running order: each maximal stretch of nodes made in one call is one group."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .calls import Calls
from .module_tree import CONTAINERS
from .record import GraphRecord

DEEPEST = 48
"""Modules within modules that become groups of their own."""

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Contexts:
    """Where nodes were made: calls of modules, or modules."""

    parent: Ids
    """Per context: the one around it, or -1; it comes before."""
    paths: list[str]
    """Per context."""
    classes: list[str]
    node: Ids
    """Per node that is no leaf: its context, or -1."""


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The modules of one depth; intervals of nodes that are no leaves, in running order."""

    group: Ids
    """Per node: its group at this depth, or -1."""
    start: Ids
    end: Ids
    context: Ids
    """Per group."""


def contexts(record: GraphRecord, inner: Ids) -> Contexts:
    """Read the modules of the nodes `inner` from calls, where a trace saw them, else from their scopes."""
    spans = record.spans
    if record.scopes == "traced" and isinstance(spans, Calls):
        return _from_calls(spans, record.columns.sequence[inner])
    return _from_scopes(record, inner)


def _from_calls(calls: Calls, sequence: Ids) -> Contexts:
    parents = calls.parents
    node = calls.innermost(sequence)
    own = np.array([not path for path in calls.paths], bool)[calls.module]
    if own[np.unique(_outermost(node, parents)[node >= 0])].sum() < 2:
        # One call of the model itself is the whole picture, not a box in it.
        parents = np.where(own[parents] & (parents >= 0), -1, parents)
        node = np.where(own[node] & (node >= 0), -1, node)
    paths, classes = calls.paths, calls.classes
    module = calls.module.tolist()
    return Contexts(parents, [paths[at] for at in module], [classes[at] for at in module], node)


def _outermost(node: Ids, parents: Ids) -> Ids:
    at = node
    while ((parents[at] >= 0) & (at >= 0)).any():
        at = np.where((at >= 0) & (parents[at] >= 0), parents[at], at)
    return at


def _from_scopes(record: GraphRecord, inner: Ids) -> Contexts:
    scope = record.columns.scope[inner]
    spans = record.spans
    known = zip(spans.paths, spans.classes, strict=True) if isinstance(spans, Calls) else ()
    classes = dict(known)
    places: dict[str, int] = {}
    paths, parent = list[str](), list[int]()

    def place(path: str) -> int:
        if not path:
            return -1
        if path not in places:
            outer = place(path.rpartition(".")[0])
            if classes.get(path) in CONTAINERS:
                return places.setdefault(path, outer)
            places[path] = len(paths)
            paths.append(path)
            parent.append(outer)
        return places[path]

    used, at = np.unique(scope, return_inverse=True)
    strings = record.columns.strings
    kept = np.array([-1 if string < 0 else place(strings[string]) for string in used.tolist()], np.int64)
    return Contexts(np.array(parent, np.int64), paths, [classes.get(path, "") for path in paths], kept[at])


def levels(found: Contexts) -> list[Level]:
    """The groups of every depth, outer ones first."""
    table = _ancestors(found)
    used, row = np.unique(found.node, return_inverse=True)
    rows = table[used] if len(used) else table
    bound = np.zeros(len(row), bool)
    bound[:1] = True
    out = []
    for depth in range(table.shape[1]):
        context = rows[row, depth]
        bound[1:] |= context[1:] != context[:-1]
        inside = context >= 0
        if not inside.any():
            break
        starts = np.flatnonzero(bound)
        ends = np.append(starts[1:], len(row))
        kept = inside[starts]
        number = np.where(kept, np.cumsum(kept) - 1, -1)
        group = number[np.cumsum(bound) - 1]
        out.append(Level(group, starts[kept], ends[kept], context[starts[kept]]))
    return out


def _ancestors(found: Contexts) -> Ids:
    """Per context: the one at each depth around it, down to itself; the last row, of no context, is -1."""
    depth = list[int]()
    for outer in found.parent.tolist():
        depth.append(0 if outer < 0 else depth[outer] + 1)
    depths = np.array(depth, np.int64)
    count = len(depths)
    table = np.full((count + 1, min(DEEPEST, max(depth, default=-1) + 1)), -1, np.int64)
    at = np.arange(count)
    alive = at >= 0
    while alive.any():
        rows = np.flatnonzero(alive & (depths[at] < table.shape[1])) if count else at
        table[rows, depths[at[rows]]] = at[rows]
        at = found.parent[at]
        alive &= at >= 0
        at = np.maximum(at, 0)
    return table
