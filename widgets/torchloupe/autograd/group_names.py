"""What groups are called: modules by their path seen from the group around them, folds by what their members
have in common. Other groups have no name; a view names them after what they hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from .group_tree import GROUP_KINDS, Tree
from .intervals import Contexts

_NUMBER = re.compile(r"\d+")
_LAST_NUMBER = re.compile(r"[._]?\d+$")

Places = NDArray[np.int32]
Label = tuple[str, str]
"""Name and class."""


def patterns(paths: Iterable[str]) -> dict[str, int]:
    """Equal numbers for paths that differ in numbers only: `h.11.attn` and `h.0.attn` are the same place."""
    places: dict[tuple[int, str], int] = {}
    parts: dict[str, str] = {}
    found = {"": -1}

    def place(path: str) -> int:
        known = found.get(path)
        if known is None:
            outer, _, name = path.rpartition(".")
            if name not in parts:
                parts[name] = _NUMBER.sub("#", name)
            known = found[path] = places.setdefault((place(outer), parts[name]), len(places))
        return known

    for path in paths:
        place(path)
    return found


def named(strings: list[str], tree: Tree, found: Contexts) -> tuple[list[str], Places, Places]:
    """Name the groups of `tree`; gives `strings` with the names after them, and name and class per group."""
    labels = _labels(tree, found)
    known = {string: place for place, string in enumerate(strings)}
    known[""] = -1
    different = dict[Label, tuple[int, int]]()
    for label in labels:
        if label not in different:
            name, cls = (known.setdefault(text, len(known) - 1) for text in label)
            different[label] = name, cls
    places = [different[label] for label in labels]
    del known[""]
    name_of, cls_of = np.array(places, np.int32).reshape(-1, 2).T
    return [*strings, *list(known)[len(strings) :]], name_of.copy(), cls_of.copy()


def _labels(tree: Tree, found: Contexts) -> list[Label]:
    kinds = [GROUP_KINDS[kind] for kind in tree.kind.tolist()]
    parents, context = tree.parent.tolist(), tree.context.tolist()
    around = _around(kinds, parents, context, found)
    first, last, modules = _inside(kinds, parents)
    labels = [("", "")] * len(kinds)
    for group in range(len(kinds) - 1, 0, -1):
        kind = kinds[group]
        if kind == "module":
            labels[group] = _module(context[group], around[group], found)
        elif kind == "repeat" and len(modules[group]) == 1:
            labels[group] = labels[modules[group][0]]
        elif kind == "fold":
            label = _series(labels[first[group]], labels[last[group]]) if first[group] >= 0 else ("", "")
            labels[group] = label if any(label) else _module(context[group], around[group], found)
    return labels


def _around(kinds: list[str], parents: list[int], context: list[int], found: Contexts) -> list[str]:
    """Per group: the path of the module around it."""
    around, own = list[str](), list[str]()
    for kind, parent, at in zip(kinds, parents, context, strict=True):
        around.append(own[parent] if parent >= 0 else "")
        own.append(found.paths[at] if kind == "module" else around[-1])
    return around


def _inside(kinds: list[str], parents: list[int]) -> tuple[list[int], list[int], list[list[int]]]:
    """Per group: its first and last group, and those in it that are modules or folds."""
    first, last = [-1] * len(kinds), [-1] * len(kinds)
    modules: list[list[int]] = [[] for _ in kinds]
    for group, parent in enumerate(parents):
        if parent >= 0:
            first[parent] = group if first[parent] < 0 else first[parent]
            last[parent] = group
            if kinds[group] in ("module", "fold"):
                modules[parent].append(group)
    return first, last, modules


def _module(context: int, around: str, found: Contexts) -> Label:
    """`attn` in `h.6`; a module without a path of its own goes by its class."""
    if context < 0:
        return "", ""
    path, cls = found.paths[context], found.classes[context]
    name = path.removeprefix(f"{around}.") if around else path
    return (name, cls) if name and name != around else (cls, "")


def _series(first: Label, last: Label) -> Label:
    """What `h.11` to `h.0` are called together: `h`; members that only have numbers go by their class."""
    name = first[0] if first[0] == last[0] else _LAST_NUMBER.sub("", first[0])
    return (name, first[1]) if name else (first[1], "")
