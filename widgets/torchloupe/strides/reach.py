"""Which cells a layout reaches, counted from shape and stride alone."""

from __future__ import annotations

from functools import lru_cache, reduce
from itertools import combinations
from math import gcd, prod

_Axis = tuple[int, int]
"""Stride and size of an axis that moves: both positive, size at least 2."""

_WIDEST = 1 << 24
"""Three or more entangled axes are counted one bit per cell, up to this many cells (2 MiB of bits)."""
_LONGEST = 1 << 14
"""Readers per cell of three or more entangled axes are counted one by one, up to this many elements."""


@lru_cache(maxsize=512)
def distinct_cells(shape: tuple[int, ...], stride: tuple[int, ...]) -> int | None:
    """Count the different cells `offset + sum(i * s)` over all indices.

    Nested and merging axes are counted by algebra, two axes that overlap by a closed form, three or more
    with a bit set of at most 2**24 cells. Beyond that the answer is None.

    Args:
        shape: lengths of the axes.
        stride: strides in elements, none negative (PyTorch has no negative strides).

    Returns:
        The exact count, or None.

    Example:
        >>> distinct_cells((1000, 3), (0, 1)), distinct_cells((4, 3), (1, 1))
        (3, 6)
    """
    if 0 in shape:
        return 0
    counts = [_count(group) for group in _groups(_merged(_moving(shape, stride)))]
    return None if None in counts else prod(count for count in counts if count is not None)


@lru_cache(maxsize=512)
def overlaps(shape: tuple[int, ...], stride: tuple[int, ...]) -> bool | None:
    """Whether two different indices share a cell; None when that cannot be decided without a search."""
    numel = prod(shape)
    if (count := distinct_cells(shape, stride)) is not None:
        return count < numel
    axes = _moving(shape, stride)
    if len(axes) < sum(size > 1 for size in shape) or numel > span(shape, stride):
        return True
    pairs = combinations(axes, 2)
    return True if any(_pair(low, high) < low[1] * high[1] for low, high in pairs) else None


def span(shape: tuple[int, ...], stride: tuple[int, ...]) -> int:
    """Cells from the first to the last one reached, both included; 0 for an empty tensor."""
    return 0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, stride, strict=True))


def most_readers(shape: tuple[int, ...], stride: tuple[int, ...]) -> int | None:
    """The largest number of elements that read one cell; None when counting would need a long search."""
    if 0 in shape:
        return 0
    most = [_most(group) for group in _groups(_moving(shape, stride))]
    repeats = prod(n for n, s in zip(shape, stride, strict=True) if s == 0)
    return None if None in most else repeats * prod(count for count in most if count is not None)


def _moving(shape: tuple[int, ...], stride: tuple[int, ...]) -> list[_Axis]:
    return sorted((s, n) for n, s in zip(shape, stride, strict=True) if n > 1 and s > 0)


def _merged(axes: list[_Axis]) -> list[_Axis]:
    """Join axes whose cells together form one arithmetic progression, until none does."""
    for low, high in combinations(axes, 2):
        if high[0] % low[0] == 0 and high[0] // low[0] <= low[1]:
            rest = list(axes)
            rest.remove(low)
            rest.remove(high)
            return _merged(sorted([*rest, (low[0], low[1] + high[0] // low[0] * (high[1] - 1))]))
    return axes


def _groups(axes: list[_Axis]) -> list[list[_Axis]]:
    """Split where everything below fits in the gaps of everything above: the counts then multiply."""
    groups: list[list[_Axis]] = []
    start = 0
    for cut in range(1, len(axes)):
        if _reach(axes[start:cut]) < _gap(axes[cut:]):
            groups.append(axes[start:cut])
            start = cut
    return [*groups, axes[start:]] if axes else []


def _reach(axes: list[_Axis]) -> int:
    return sum(s * (n - 1) for s, n in axes)


def _gap(axes: list[_Axis]) -> int:
    """A distance that two different cells of `axes` are never closer than."""
    common = reduce(gcd, (s for s, _ in axes))
    steps = [axes[index][0] - _reach(axes[:index]) for index in range(len(axes))]
    return max(common, min(steps))


def _count(axes: list[_Axis]) -> int | None:
    if len(axes) == 1:
        return axes[0][1]
    if len(axes) == 2:
        return _pair(*axes)
    common = reduce(gcd, (s for s, _ in axes))
    if _reach(axes) // common >= _WIDEST:
        return None
    cells = 1
    for step, size in axes:
        cells = _repeated(cells, step // common, size)
    return cells.bit_count()


def _pair(low: _Axis, high: _Axis) -> int:
    """a·s + b·t takes n·m values less the repeats a + t/g, b - s/g that stay inside n by m."""
    (s, n), (t, m) = low, high
    g = gcd(s, t)
    return n * m - max(0, n - t // g) * max(0, m - s // g)


def _repeated(cells: int, step: int, size: int) -> int:
    """The union of `cells` shifted by 0, step, … (size - 1)·step, by doubling."""
    done = 1
    while done < size:
        more = min(done, size - done)
        cells |= cells << (more * step)
        done += more
    return cells


def _most(axes: list[_Axis]) -> int | None:
    if len(axes) == 1:
        return 1
    if len(axes) == 2:
        (s, n), (t, m) = axes
        g = gcd(s, t)
        return min(-(-n * g // t), -(-m * g // s))
    if prod(n for _, n in axes) > _LONGEST:
        return None
    readers = {0: 1}
    for step, size in axes:
        grown: dict[int, int] = {}
        for cell, count in readers.items():
            for place in range(cell, cell + size * step, step):
                grown[place] = grown.get(place, 0) + count
        readers = grown
    return max(readers.values())


def reads(shape: tuple[int, ...], stride: tuple[int, ...], distance: int) -> bool:
    """Whether some element lies `distance` cells after the first one.

    Nested axes answer at once; entangled ones by a search along the axes, largest stride first.
    """
    if 0 in shape or distance < 0:
        return False
    return _reads(tuple(sorted(_moving(shape, stride), reverse=True)), distance)


@lru_cache(maxsize=65536)
def _reads(axes: tuple[_Axis, ...], distance: int) -> bool:
    if distance == 0:
        return True
    if not axes:
        return False
    (step, size), rest = axes[0], axes[1:]
    below = _reach(list(rest))
    most = min(size - 1, distance // step)
    least = max(0, -(-(distance - below) // step))
    return any(_reads(rest, distance - index * step) for index in range(most, least - 1, -1))
