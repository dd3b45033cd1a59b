"""Why a view is refused: the steps a new axis would have to take through the storage are not all equal."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import gcd, prod

from .places import cell, unravel
from .record import StridesRecord
from .state import Point

MOST_POINTS = 7


@dataclass(frozen=True, slots=True)
class Walk:
    """Stops along the axis that cannot have one stride."""

    axis: int
    """The axis of the result, or -1 when two of its axes are in each other's way."""
    points: list[Point]
    hops: list[int]
    """Cells from each stop to the next."""
    whole: bool
    """Whether the points are all the stops there are."""


def completed(shape: tuple[int, ...] | list[int], numel: int) -> list[int]:
    """`shape` with its -1 worked out, when the sizes fit."""
    known = prod(size for size in shape if size >= 0)
    return [numel // known if size < 0 and known else size for size in shape]


def refused_walk(record: StridesRecord, target: list[int], name: str) -> Walk | None:
    """Walk the first axis of `target`, from the right, that needs unequal steps; None when all are even.

    The rule is that of ATen's `computeStride`: axes of the source that follow each other without a gap form
    a block, and each block must be cut whole.
    """
    found = _uneven(record, target)
    if found is None:
        return None
    axis, bound = found
    inner = prod(target[axis + 1 :])
    step = gcd(inner, bound)
    count = target[axis] * inner // step
    start = max(0, min(bound // step - 3, count - MOST_POINTS))
    stops = range(start, min(start + MOST_POINTS, count))
    elements = [unravel(record.shape, stop * step) for stop in stops]
    points = [Point(label=f"{name}[{','.join(map(str, e))}]", cell=cell(record, e)) for e in elements]
    hops = [after.cell - before.cell for before, after in pairwise(points)]
    return Walk(axis if step == inner else -1, points, hops, start == 0 and len(points) == count)


def steps(walk: Walk) -> str:
    """`+12, −8, +12, …`."""
    signed = [f"+{hop}" if hop >= 0 else f"−{-hop}" for hop in walk.hops]
    return ", ".join(signed) + ("" if walk.whole else ", …")


def _uneven(record: StridesRecord, target: list[int]) -> tuple[int, int] | None:
    """The axis of `target` that cannot have one stride, and the row-major position where its steps change."""
    bounds = _block_bounds(record)
    right = 1
    for axis in range(len(target) - 1, -1, -1):
        left = right * target[axis]
        inside = [bound for bound in bounds if right < bound < left]
        if inside:
            return axis, inside[0]
        right = left
    return None


def _block_bounds(record: StridesRecord) -> list[int]:
    """Row-major positions where one block of evenly walked axes ends and the next begins, from the right."""
    assert record.stride is not None
    moving = [(n, s) for n, s in zip(record.shape, record.stride, strict=True) if n != 1]
    bounds, size = [], 1
    for place in range(len(moving) - 1, -1, -1):
        size *= moving[place][0]
        if place and moving[place - 1][1] != moving[place][1] * moving[place][0]:
            bounds.append(size)
    return bounds
