"""A collapse tree as plain lists, and what must be true of every one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from torchloupe.autograd.first_picture import first
from torchloupe.autograd.hierarchy import GROUP_KINDS, hierarchy
from torchloupe.autograd.record import GraphRecord


class Drawn:
    """A record with its hierarchy, as plain lists: what the checks walk."""

    def __init__(self, record: GraphRecord) -> None:
        self.record, self.tree = record, hierarchy(record)
        self.parent = self.tree.parent.tolist()
        self.kind = [GROUP_KINDS[kind] for kind in self.tree.kind]
        self.children: dict[int, list[tuple[str, int]]] = defaultdict(list)
        self.leaf = [node.kind == "leaf" for node in record.nodes]
        for node, group in enumerate(self.tree.group.tolist()):
            if group >= 0:
                self.children[group].append(("node", node))
        for group, parent in enumerate(self.parent):
            if parent >= 0:
                self.children[parent].append(("group", group))
        self.edges = [(edge.source, edge.slot, edge.target, edge.input) for edge in record.edges]

    def name(self, group: int) -> str:
        place = int(self.tree.name[group])
        return self.tree.strings[place] if place >= 0 else ""

    def cls(self, group: int) -> str:
        place = int(self.tree.cls[group])
        return self.tree.strings[place] if place >= 0 else ""

    def nodes(self, group: int) -> list[int]:
        """All nodes inside, without leaves, ascending."""
        found = list[int]()
        for kind, child in self.children[group]:
            found += [child] if kind == "node" else self.nodes(child)
        return sorted(node for node in found if not self.leaf[node])

    def ancestors(self, node: int) -> list[int]:
        group, out = int(self.tree.group[node]), []
        while group >= 0:
            out.append(group)
            group = self.parent[group]
        return out[::-1]

    def members(self, fold: int) -> list[list[int]]:
        return [
            [child] if kind == "node" else self.nodes(child)
            for kind, child in sorted(self.children[fold], key=lambda child: self.place(*child))
        ]

    def place(self, kind: str, child: int) -> int:
        return child if kind == "node" else min(self.nodes(child))

    def level(self, group: int = 0) -> list[str]:
        """What is seen in a group, in running order."""
        out = []
        for kind, child in sorted(self.children[group], key=lambda child: self.place(*child)):
            if kind == "node":
                out.append(self.record.nodes[child].type)
            else:
                count = f" ×{len(self.children[child])}" if self.kind[child] == "fold" else ""
                out.append(f"{self.name(child) or self.kind[child]}{count}")
        return out


def structure(drawn: Drawn, nodes: list[int]) -> list[object]:
    """Types, and edges by where they go seen from the first node: to a node inside, a leaf, or outside."""
    place = {node: at for at, node in enumerate(nodes)}
    chips = {
        leaf.node for leaf, shown in zip(drawn.record.leaves, drawn.tree.drawn, strict=True) if not shown
    }
    ends = [
        (place[a], slot, place.get(b, "chip" if b in chips else "well" if drawn.leaf[b] else "outside"), i)
        for a, slot, b, i in drawn.edges
        if a in place
    ]
    inside = [(a, slot, b, i if isinstance(b, int) else 0) for a, slot, b, i in ends]
    return [[drawn.record.nodes[node].type for node in nodes], inside]


def check(record: GraphRecord) -> Drawn:
    drawn = Drawn(record)
    tree = drawn.tree
    every_node_has_one_group(drawn)
    assert tree.parent[0] == -1 and all(-1 < p < g for g, p in enumerate(drawn.parent) if g)
    for group in range(len(drawn.parent)):
        count = len(drawn.children[group])
        assert count or not record.nodes
        if drawn.kind[group] != "fold":
            assert count <= 64
        if drawn.kind[group] == "module":
            kinds = [kind for kind, _ in drawn.children[group]]
            assert kinds != ["group"], "a group with one group in it"
        if drawn.kind[group] == "fold":
            fold_members_are_identical(drawn, group)
        if drawn.kind[group] == "chain":
            chains_are_chains(drawn, group)
    shapes_tell_structures_apart(drawn)
    wells_stand_in_modules(drawn)
    return drawn


def every_node_has_one_group(drawn: Drawn) -> None:
    for node, leaf in enumerate(drawn.leaf):
        assert leaf or 0 <= drawn.tree.group[node] < len(drawn.parent)
    assert sorted(drawn.nodes(0)) == [node for node, leaf in enumerate(drawn.leaf) if not leaf]
    inner = np.flatnonzero(~np.array(drawn.leaf, bool))
    for group in range(len(drawn.parent)):
        start, end = int(drawn.tree.start[group]), int(drawn.tree.end[group])
        assert drawn.nodes(group) == inner[start:end].tolist()


def fold_members_are_identical(drawn: Drawn, fold: int) -> None:
    members = drawn.members(fold)
    assert len(members) >= 3
    expected = structure(drawn, members[0])
    assert all(structure(drawn, member) == expected for member in members)


def chains_are_chains(drawn: Drawn, chain: int) -> None:
    nodes = drawn.nodes(chain)
    assert len(nodes) >= 3
    for one, following in pairwise(nodes):
        assert [b for a, _, b, _ in drawn.edges if a == one] == [following]
        assert [a for a, _, b, _ in drawn.edges if b == following] == [one]


def shapes_tell_structures_apart(drawn: Drawn) -> None:
    known: dict[int, object] = {}
    for group, shape in enumerate(drawn.tree.shape.tolist()):
        if group:
            found = [drawn.kind[group], structure(drawn, drawn.nodes(group))]
            assert known.setdefault(shape, found) == found


def wells_stand_in_modules(drawn: Drawn) -> None:
    for leaf, shown in zip(drawn.record.leaves, drawn.tree.drawn.tolist(), strict=True):
        used = [a for a, _, b, _ in drawn.edges if b == leaf.node]
        group = int(drawn.tree.group[leaf.node])
        assert shown == (group >= 0)
        if shown:
            assert not leaf.parameter and 0 < len(used) <= 8
            assert drawn.kind[group] in ("root", "module")
            assert all(group in drawn.ancestors(node) for node in used)


def acyclic(drawn: Drawn, collapsed: set[int]) -> bool:
    """Whether the picture with these groups collapsed can be sorted topologically (Kahn)."""

    def box(node: int) -> object:
        if drawn.leaf[node] and drawn.tree.group[node] < 0:
            return None
        return next(
            (("group", group) for group in drawn.ancestors(node) if group in collapsed), ("node", node)
        )

    after: dict[object, set[object]] = defaultdict(set)
    waits: dict[object, int] = defaultdict(int)
    for source, _, target, _ in drawn.edges:
        a, b = box(source), box(target)
        if b is not None and a != b and b not in after[a]:
            after[a].add(b)
            waits[b] += 1
    boxes = {box(node) for node in range(len(drawn.leaf))} - {None}
    ready = [each for each in boxes if not waits[each]]
    seen = 0
    while ready:
        seen += 1
        for following in after[ready.pop()]:
            waits[following] -= 1
            if not waits[following]:
                ready.append(following)
    return seen == len(boxes)


def collapses(drawn: Drawn) -> Iterator[set[int]]:
    groups = range(1, len(drawn.parent))
    yield set(groups)
    for kind in GROUP_KINDS[1:]:
        yield {group for group in groups if drawn.kind[group] == kind}
    rng = np.random.default_rng(0)
    for _ in range(8):
        yield {group for group in groups if rng.random() < 0.5}


def assert_first_is_the_level(drawn: Drawn) -> None:
    """The first picture against lifting every edge by hand."""
    picture = first(drawn.record, drawn.tree)
    assert len(picture.boxes) == len(drawn.children[0]) <= 64
    ids = [("node" if box.kind in ("node", "leaf") else "group", box.id) for box in picture.boxes]
    assert sorted(ids) == sorted(drawn.children[0])
    place = {each: at for at, each in enumerate(ids)}

    def box(node: int) -> int | None:
        above = drawn.ancestors(node)
        if not above:
            return None
        return place[("group", above[1])] if len(above) > 1 else place[("node", node)]

    lifted: dict[tuple[int, int], int] = defaultdict(int)
    chips: dict[int, set[int]] = defaultdict(set)
    for source, _, target, _ in drawn.edges:
        a, b = box(source), box(target)
        assert a is not None
        if b is None:
            chips[a].add(target)
        elif a != b:
            lifted[a, b] += 1
    assert {(edge.source, edge.target): edge.edges for edge in picture.edges} == lifted
    for at, shown in enumerate(picture.boxes):
        assert len(shown.parameters) + shown.more_parameters == len(chips[at])
        assert shown.look == 0 and shown.norm is None
