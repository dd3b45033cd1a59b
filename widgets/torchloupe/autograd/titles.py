"""What is written on a box; the view words its boxes by the same rules (`titles.ts`, `chips.ts`)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from .group_tree import GROUP_KINDS
from .hierarchy import Hierarchy
from .record import GraphRecord

_TYPE = re.compile(r"(.+?)(Backward\d*)")
MOST_NAMED = 3


def split(type_: str) -> tuple[str, str]:
    """`PowBackward0` as a name and the part that is dimmed."""
    found = _TYPE.fullmatch(type_)
    return (found[1], found[2]) if found else (type_, "")


def title(record: GraphRecord, hierarchy: Hierarchy, group: int) -> tuple[str, str]:
    """Name and class of a group; one without a name is called after what it holds: `View, Transpose`."""
    strings = hierarchy.strings
    name = strings[hierarchy.name[group]] if hierarchy.name[group] >= 0 else ""
    suffix = strings[hierarchy.cls[group]] if hierarchy.cls[group] >= 0 else ""
    if name:
        return name, suffix
    inner = np.flatnonzero(record.columns.kind != 1)
    children = _children(hierarchy, group)
    if GROUP_KINDS[hierarchy.kind[group]] == "fold":
        return _title(record, hierarchy, inner, children[0])[0], suffix
    few = len(children) <= MOST_NAMED
    shown = children if few else [children[0], children[-1]]
    titles = [_title(record, hierarchy, inner, child) for child in shown]
    tails = {tail for _, tail in titles}
    tail = next(iter(tails)) if len(tails) == 1 else ""
    joined = (", " if few else " … ").join(name for name, _ in titles)
    return joined, suffix or (tail if tail.startswith("Backward") else "")


def _children(hierarchy: Hierarchy, group: int) -> list[tuple[int, int]]:
    """Children in running order, as (first node without leaves, group or -1)."""
    start, end = int(hierarchy.start[group]), int(hierarchy.end[group])
    groups = np.flatnonzero(hierarchy.parent == group)
    free = np.ones(end - start, bool)
    for inner in groups.tolist():
        free[hierarchy.start[inner] - start : hierarchy.end[inner] - start] = False
    nodes = [(start + at, -1) for at in np.flatnonzero(free).tolist()]
    return sorted([*nodes, *((int(hierarchy.start[inner]), inner) for inner in groups.tolist())])


def _title(
    record: GraphRecord, hierarchy: Hierarchy, inner: np.typing.NDArray[np.int64], child: tuple[int, int]
) -> tuple[str, str]:
    place, group = child
    if group >= 0:
        name, suffix = title(record, hierarchy, group)
        fold = GROUP_KINDS[hierarchy.kind[group]] == "fold"
        return (f"{name} × {len(_children(hierarchy, group))}" if fold else name), suffix
    return split(record.columns.strings[record.columns.type[inner[place]]])


def inside(names: Sequence[str], scope: str) -> str:
    """Names of one parameter as seen inside a module: its own name there first, and short."""
    prefix = f"{scope}."
    own = [name.removeprefix(prefix) for name in names if scope and name.startswith(prefix)]
    return " = ".join([*own, *(name for name in names if not scope or not name.startswith(prefix))])
