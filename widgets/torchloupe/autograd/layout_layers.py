"""The layers of a small graph, and its edges as segments between them: twin of `layout_layers.ts`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

LONGEST = 8
"""An edge over more layers than this runs as a lane beside them."""

Kind = Literal["box", "dummy", "lane"]


@dataclass(frozen=True, slots=True)
class Weave:
    """Boxes, then dummies: one item for each layer an edge passes."""

    layers: int
    layer: list[int]
    kind: list[Kind]
    source: list[int]
    target: list[int]
    """Per edge, the layout's ends: those of an edge that closes a circle are swapped."""
    swapped: list[bool]
    span: list[int]
    dummy: list[int]
    """Per edge: its first dummy, or -1."""
    down: list[list[int]]
    up: list[list[int]]


def weave(boxes: int, source: Sequence[int], target: Sequence[int]) -> Weave:
    """Give each box a layer and cut the edges into segments."""
    down = _neighbours(boxes, source, target)
    rank = {box: place for place, box in enumerate(_topological(boxes, down))}
    swapped = [rank[a] > rank[b] for a, b in zip(source, target, strict=True)]
    tops = [b if back else a for a, b, back in zip(source, target, swapped, strict=True)]
    ends = [a if back else b for a, b, back in zip(source, target, swapped, strict=True)]
    ranks = _ranks(list(rank), _neighbours(boxes, tops, ends))
    span = [ranks[b] - ranks[a] for a, b in zip(tops, ends, strict=True)]
    layer, kind, dummy = list(ranks), list[Kind](["box"] * boxes), [-1] * len(span)
    for edge, own in enumerate(span):
        if own > 1:
            dummy[edge] = len(layer)
            top = ranks[tops[edge]]
            passed = [top + 1, top + own - 1] if own > LONGEST else list(range(top + 1, top + own))
            layer += passed
            kind += ["lane" if own > LONGEST else "dummy"] * len(passed)
    down, up = [[] for _ in layer], [list[int]() for _ in layer]
    for edge in sorted(range(len(span)), key=lambda edge: -min(span[edge], LONGEST + 1)):
        for upper, lower in _segments(tops[edge], ends[edge], span[edge], dummy[edge]):
            down[upper].append(lower)
            up[lower].append(upper)
    return Weave(max(ranks, default=-1) + 1, layer, kind, tops, ends, swapped, span, dummy, down, up)


def _segments(source: int, target: int, span: int, dummy: int) -> list[tuple[int, int]]:
    if span == 0:
        return []
    if span > LONGEST:
        return [(source, dummy), (dummy + 1, target)]
    chain = [source, *range(dummy, dummy + span - 1), target]
    return list(pairwise(chain))


def _neighbours(count: int, source: Sequence[int], target: Sequence[int]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(count)]
    for a, b in zip(source, target, strict=True):
        found[a].append(b)
    return found


def _topological(count: int, down: list[list[int]]) -> list[int]:
    """Sources before targets as far as that is possible: a circle is entered at its first box."""
    waiting = [0] * count
    for box, targets in enumerate(down):
        for target in targets:
            waiting[target] += target != box
    order = [box for box in range(count) if not waiting[box]]
    taken = set(order)
    for head in range(count):
        if head == len(order):
            order.append(next(box for box in range(count) if box not in taken))
            taken.add(order[-1])
        for target in down[order[head]]:
            waiting[target] -= 1
            if not waiting[target] and target not in taken:
                order.append(target)
                taken.add(target)
    return order


def _ranks(order: list[int], down: list[list[int]]) -> list[int]:
    """Longest path from the sources; then who feeds more than it is fed sinks to just above its consumer."""
    layer = [0] * len(order)
    fed = [0] * len(order)
    for box in order:
        for target in down[box]:
            if target != box:
                layer[target] = max(layer[target], layer[box] + 1)
                fed[target] += 1
    for box in reversed(order):
        below = [layer[target] for target in down[box] if target != box]
        if below and len(down[box]) > fed[box]:
            layer[box] = min(below) - 1
    return layer
