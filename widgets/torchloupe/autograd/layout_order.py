"""Left to right in each layer, depth first, then swept: twin of `layout_order.ts` and `layout_sides.ts`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from .layout_layers import LONGEST, Weave

SWEEPS = 4
_WIDEST = 32

Rows = list[list[int]]
"""Items of each layer, left to right."""


def ordered(weave: Weave) -> tuple[Rows, int]:
    """The order of every layer, and how many segments cross in it."""
    rows = _depth_first(weave)
    best, crossings = [list(row) for row in rows], _crossings(weave, rows)
    for sweep in range(SWEEPS):
        if not crossings:
            break
        tries: list[bool] = []
        if sweep == SWEEPS // 2:
            rows = [list(row) for row in best]
            _switch_sides(weave, rows)
            tries.append(True)
        for tried in [*tries, False]:
            if not tried and not _sweep(weave, rows, downwards=sweep % 3 == 0):
                continue
            found = _crossings(weave, rows)
            if found < crossings:
                best, crossings = [list(row) for row in rows], found
    return best, crossings


def places(weave: Weave, rows: Rows) -> list[int]:
    """Each item's place in its layer."""
    place = [0] * len(weave.layer)
    for row in rows:
        for at, item in enumerate(row):
            place[item] = at
    return place


def lanes(weave: Weave, row: list[int]) -> int:
    """How many ends of lanes stand leftmost in a layer."""
    return sum(weave.kind[item] == "lane" for item in row)


def _depth_first(weave: Weave) -> Rows:
    """Ends of lanes first, the longest leftmost; the others in the order a walk from the top meets them."""
    rows: Rows = [[] for _ in range(weave.layers)]
    long = [edge for edge, span in enumerate(weave.span) if span > LONGEST]
    for edge in sorted(long, key=lambda edge: -weave.span[edge]):
        for item in (weave.dummy[edge], weave.dummy[edge] + 1):
            rows[weave.layer[item]].append(item)
    met: dict[int, None] = {}
    items = [item for item in range(len(weave.layer)) if weave.kind[item] != "lane"]
    fed = {item for item in items if any(weave.kind[other] != "lane" for other in weave.up[item])}
    for root in items:
        stack = [root] if weave.kind[root] == "box" and root not in fed else []
        while stack:
            item = stack.pop()
            if item in met:
                continue
            met[item] = None
            stack += [
                other
                for other in reversed(weave.down[item])
                if other not in met and weave.kind[other] != "lane"
            ]
    for item in [*met, *(item for item in items if item not in met)]:
        rows[weave.layer[item]].append(item)
    return rows


def _sweep(weave: Weave, rows: Rows, *, downwards: bool) -> bool:
    """Sort each layer by the mean place of its neighbours above (or below); whether anything moved."""
    near, place, changed = weave.up if downwards else weave.down, places(weave, rows), False
    for step in range(1, weave.layers):
        row = rows[step if downwards else weave.layers - 1 - step]
        first = lanes(weave, row)
        moving = [item for item in row[first:] if near[item]]
        mean = {item: sum(place[other] for other in near[item]) / len(near[item]) for item in moving}
        settled = sorted(moving, key=mean.__getitem__)
        if settled == moving:
            continue
        changed = True
        then = iter(settled)
        row[first:] = [next(then) if near[item] else item for item in row[first:]]
        for at, item in enumerate(row):
            place[item] = at
    return changed


def _crossings(weave: Weave, rows: Rows) -> int:
    place = places(weave, rows)
    return sum(
        place[lower] < place[other]
        for row in rows[:-1]
        for at, upper in enumerate(row)
        for lower in weave.down[upper]
        for before in row[:at]
        for other in weave.down[before]
    )


def _switch_sides(weave: Weave, rows: Rows) -> None:
    """Move each passing edge that crosses others to the far side where it crosses no more than now."""
    for edge, first in enumerate(weave.dummy):
        source, target, span = weave.source[edge], weave.target[edge], weave.span[edge]
        top = weave.layer[source]
        if first < 0 or span > LONGEST or max(map(len, rows[top : top + span + 1])) > _WIDEST:
            continue
        chain = [source, *range(first, first + span - 1), target]
        place = places(weave, rows)
        now = _crossed(weave, rows, place, chain, place.__getitem__)
        if not now:
            continue
        start = {item: lanes(weave, rows[weave.layer[item]]) - 0.5 for item in chain}
        left = _crossed(weave, rows, place, chain, start.__getitem__)
        right = _crossed(weave, rows, place, chain, lambda _: float("inf"))
        if min(left, right) > now:
            continue
        is_left = 2 * place[first] < len(rows[weave.layer[first]])
        for item in chain[1:-1]:
            row = rows[weave.layer[item]]
            row.remove(item)
            row.insert(len(row) if right < left or (right == left and is_left) else lanes(weave, row), item)


def _crossed(weave: Weave, rows: Rows, place: list[int], chain: list[int], at: Callable[[int], float]) -> int:
    """How many segments the edge would cross with its dummies at the places that `at` gives."""
    where = [float(place[chain[0]]), *(at(item) for item in chain[1:-1]), float(place[chain[-1]])]
    crossings = 0
    for step, (own, following) in enumerate(pairwise(chain)):
        for upper in rows[weave.layer[own]]:
            if upper == own:
                continue
            for lower in weave.down[upper]:
                crosses = (place[upper] > where[step]) != (place[lower] > where[step + 1])
                apart = place[upper] != where[step] and place[lower] != where[step + 1]
                crossings += lower != following and crosses and apart
    return crossings
