"""Where items stand: straight chains, no overlap: twin of `layout_place.ts` and `layout_lanes.ts`."""

from __future__ import annotations

from .layout_layers import LONGEST, Weave
from .layout_order import Rows, lanes, places
from .layout_ways import Ways, ways

YIELDING = 1e-8
"""Dummies yield to boxes: a box stays in line with its neighbour and pushes passing edges aside."""
ASIDE = 1e-5
"""So does a box that leads less far than others: the long way stays straight."""
SWEEPS = 3


class Placing:
    """The x of each item's line.

    Args:
        weave, rows: what stands in which layer, and in which order.
        left, right: how far each item reaches to both sides of its line.
        gap: least distance between neighbours.
    """

    def __init__(self, weave: Weave, rows: Rows, left: list[float], right: list[float], gap: float) -> None:
        self.x = [0.0] * len(weave.layer)
        self._weave, self._left, self._right, self._gap = weave, left, right, gap
        self._rows = [row[lanes(weave, row) :] for row in rows]
        self._above, self._below = ways(weave, rows, up=True), ways(weave, rows, up=False)
        for row in self._rows:
            offsets = self._offsets(row)
            for item, offset in zip(row, offsets, strict=True):
                self.x[item] = offset - offsets[-1] / 2
        for sweep in range(SWEEPS):
            self._sweep(downwards=sweep % 2 == 0, first=sweep == 0)
        self._straighten()
        self._place_lanes(rows)

    def _offsets(self, row: list[int]) -> list[float]:
        offsets = [0.0] * len(row)
        for at in range(1, len(row)):
            offsets[at] = offsets[at - 1] + self._distance(row[at - 1], row[at])
        return offsets

    def _distance(self, one: int, following: int) -> float:
        kind = self._weave.kind
        between = self._gap / 2 if kind[one] == kind[following] == "dummy" else self._gap
        return self._right[one] + between + self._left[following]

    def _sweep(self, *, downwards: bool, first: bool) -> None:
        behind = self._below if downwards else self._above
        rows = self._rows[1:] if downwards else self._rows[-2::-1]
        for row in rows:
            longest = max((behind.far[item] for item in row), default=0)
            offsets = self._offsets(row)
            wishes = [self._wish(item, longest, downwards=downwards, first=first) for item in row]
            fitted = fit([wish for wish, _ in wishes], offsets, [weight for _, weight in wishes])
            for item, x in zip(row, fitted, strict=True):
                self.x[item] = x

    def _wish(self, item: int, longest: int, *, downwards: bool, first: bool) -> tuple[float, float]:
        """Where an item would like to stand, and how much that matters."""
        kind, near = self._weave.kind, self._weave.up[item] if downwards else self._weave.down[item]
        beyond, behind = (self._above, self._below) if downwards else (self._below, self._above)
        dummies = [self.x[other] for other in near if kind[other] == "dummy"]
        boxes = [
            other for other in near if kind[other] == "box" and beyond.far[other] == beyond.farthest[item]
        ]
        passed = kind[item] == "dummy"
        weight = YIELDING if passed or not (boxes or dummies) else self._weight(item, boxes, longest, behind)
        if len(boxes) > 1 and beyond.gate[item] >= 0:
            return self.x[beyond.gate[item]], weight
        if boxes and (first or not passed):
            return sum(self.x[other] for other in boxes) / len(boxes), weight
        return (sum(dummies) / len(dummies) if dummies else self.x[item]), weight

    def _weight(self, item: int, boxes: list[int], longest: int, behind: Ways) -> float:
        followed = not boxes or any(behind.far[item] == behind.farthest[other] for other in boxes)
        return 1.0 if followed and 2 * behind.far[item] >= longest else ASIDE

    def _straighten(self) -> None:
        """Bring the dummies of one edge onto one line where nothing stands in between."""
        weave, infinite = self._weave, float("inf")
        place = places(weave, self._rows)
        for edge, first in enumerate(weave.dummy):
            if first < 0 or weave.span[edge] > LONGEST:
                continue
            chain = range(first, first + weave.span[edge] - 1)
            low, high = -infinite, infinite
            for item in chain:
                row, at = self._rows[weave.layer[item]], place[item]
                if at:
                    low = max(low, self.x[row[at - 1]] + self._distance(row[at - 1], item))
                if at + 1 < len(row):
                    high = min(high, self.x[row[at + 1]] - self._distance(item, row[at + 1]))
            if low <= high:
                mean = sum(self.x[item] for item in chain) / len(chain)
                for item in chain:
                    self.x[item] = min(max(mean, low), high)

    def _place_lanes(self, rows: Rows) -> None:
        """Short lanes inside, each left of all it passes."""
        weave = self._weave
        leftmost = [self.x[row[0]] - self._left[row[0]] if row else float("inf") for row in self._rows]
        edges = [edge for edge, span in enumerate(weave.span) if span > LONGEST]
        for edge in sorted(edges, key=lambda edge: weave.span[edge]):
            first = weave.dummy[edge]
            passed = slice(weave.layer[first], weave.layer[first + 1] + 1)
            x = min(leftmost[passed]) - self._gap / 2
            leftmost[passed] = [x] * len(leftmost[passed])
            self.x[first] = self.x[first + 1] = x


def fit(wishes: list[float], offsets: list[float], weights: list[float]) -> list[float]:
    """Least squares under given distances, by pooling those that would overlap (isotonic regression)."""
    pools: list[tuple[float, float, int]] = []
    for wish, offset, weight in zip(wishes, offsets, weights, strict=True):
        mean, heavy, count = wish - offset, weight, 1
        while pools and pools[-1][0] >= mean:
            other, own, more = pools.pop()
            mean = (mean * heavy + other * own) / (heavy + own)
            heavy, count = heavy + own, count + more
        pools.append((mean, heavy, count))
    means = [mean for mean, _, count in pools for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
