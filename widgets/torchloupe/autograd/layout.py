"""Layered layout of a small graph, top to bottom: the twin of `layout.ts`, for static pictures.

Longest-path layers, dummies where an edge passes a layer, a depth-first order mended by a few sweeps
(Sugiyama, Tagawa and Toda, "Methods for Visual Understanding of Hierarchical System Structures", 1981),
straight chains. Both twins give the same layers, order and crossings; a test compares them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .layout_layers import LONGEST, weave
from .layout_order import ordered, places
from .layout_place import Placing


@dataclass(frozen=True, slots=True)
class Sized:
    """A box: its width, its height and how far its edges' line is from its left side, in CSS pixels."""

    w: float
    h: float
    axis: float


@dataclass(frozen=True, slots=True)
class Placed:
    """Where everything stands, in CSS pixels."""

    x: list[float]
    """Each box's line; the leftmost x of all is 0."""
    layer: list[int]
    """From the top, 0 first."""
    order: list[int]
    """Ascending from left to right in a layer; the numbers between belong to edges that pass."""
    passed: list[list[float]]
    """Per edge: its x in each layer between its ends, source first."""
    width: float
    crossings: int


def layered(boxes: Sequence[Sized], source: Sequence[int], target: Sequence[int], gap: float = 28) -> Placed:
    """Lay out `boxes` and the edges `source[i]` → `target[i]`, at most some hundred.

    Args:
        boxes: their sizes.
        source: index in `boxes` of the upper end of each edge.
        target: index of its lower end.
        gap: least distance between neighbours in a layer.

    Example:
        >>> square = Sized(10, 10, 5)
        >>> layered([square] * 3, [0, 0], [1, 2]).layer
        [0, 1, 1]
    """
    woven = weave(len(boxes), source, target)
    rows, crossings = ordered(woven)
    extra = [0.0] * (len(woven.layer) - len(boxes))
    left = [*(box.axis for box in boxes), *extra]
    right = [*(box.w - box.axis for box in boxes), *extra]
    x = Placing(woven, rows, left, right, gap).x
    least = min((own - before for own, before in zip(x, left, strict=True)), default=0)
    most = max((own + after for own, after in zip(x, right, strict=True)), default=0)
    x = [own - least for own in x]
    passed = []
    for first, span, back in zip(woven.dummy, woven.span, woven.swapped, strict=True):
        own = [x[first]] * (span - 1) if span > LONGEST else x[first : first + span - 1] if span > 1 else []
        passed.append(own[::-1] if back else own)
    count = len(boxes)
    return Placed(
        x[:count], woven.layer[:count], places(woven, rows)[:count], passed, most - least, crossings
    )
