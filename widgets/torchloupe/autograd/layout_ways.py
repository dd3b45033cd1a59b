"""How far each item is from an end, and where ways that join have parted: twin of `layout_ways.ts`."""

from __future__ import annotations

from dataclasses import dataclass

from .layout_layers import Weave
from .layout_order import Rows


@dataclass(frozen=True, slots=True)
class Ways:
    """Seen from each item towards the top, or towards the bottom."""

    far: list[int]
    """Most boxes on a way to an end, its own included."""
    farthest: list[int]
    """The most of that among the boxes next to an item on its other side."""
    gate: list[int]
    """The nearest item that every way passes but those that end soon (its dominator), or -1."""


def ways(weave: Weave, rows: Rows, *, up: bool) -> Ways:
    """Follow the graph in one direction."""
    near, back = (weave.up, weave.down) if up else (weave.down, weave.up)
    count = len(weave.layer)
    far, farthest, gate, depth = [0] * count, [0] * count, [-1] * count, [0] * count
    items = [item for row in rows for item in row]
    for item in items if up else reversed(items):
        following = near[item]
        if not following and weave.kind[item] == "lane":
            following = [item - 1 if up else item + 1]
        ahead = max((far[other] for other in following), default=0)
        far[item] = ahead + (weave.kind[item] == "box")
        gate[item] = _gate([other for other in following if 2 * far[other] >= ahead], gate, depth)
        depth[item] = 0 if gate[item] < 0 else depth[gate[item]] + 1
        if weave.kind[item] == "box":
            for other in back[item]:
                farthest[other] = max(farthest[other], far[item])
    return Ways(far, farthest, gate)


def _gate(following: list[int], gate: list[int], depth: list[int]) -> int:
    """Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001)."""
    if not following:
        return -1
    one = following[0]
    for two in following[1:]:
        other = two
        while one != other:
            if one < 0 or other < 0:
                return -1
            if depth[one] >= depth[other]:
                one = gate[one]
            else:
                other = gate[other]
        if one < 0:
            return -1
    return one
