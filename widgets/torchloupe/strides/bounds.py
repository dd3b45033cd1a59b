"""The range PyTorch allows for each argument, where it is known before asking."""

from __future__ import annotations

from collections.abc import Callable

from .record import StridesRecord

Range = tuple[int | None, int | None]
Bounds = Callable[[StridesRecord, list[int]], list[Range]]
_FREE: Range = (None, None)


def none(record: StridesRecord, numbers: list[int]) -> list[Range]:
    """No range is known."""
    return [_FREE for _ in numbers]


def axes(record: StridesRecord, numbers: list[int]) -> list[Range]:
    """Every argument names an axis, from the end when negative."""
    rank = max(len(record.shape), 1)
    return [(-rank, rank - 1) for _ in numbers]


def new_axis(record: StridesRecord, numbers: list[int]) -> list[Range]:
    """The place of a new axis: one more than the axes there are."""
    rank = len(record.shape)
    return [(-rank - 1, rank) for _ in numbers]


def sizes(record: StridesRecord, numbers: list[int]) -> list[Range]:
    """Sizes of a view: -1 lets PyTorch work one out."""
    return [(-1, record.numel) for _ in numbers]


def select(record: StridesRecord, numbers: list[int]) -> list[Range]:
    """An axis and a place along it."""
    length = _length(record, numbers)
    return [*axes(record, numbers[:1]), (-length, length - 1) if length else _FREE]


def narrow(record: StridesRecord, numbers: list[int]) -> list[Range]:
    """An axis, a start and a length that ends on the axis."""
    length = _length(record, numbers)
    if length is None or len(numbers) != 3:
        return axes(record, numbers)
    start = min(max(numbers[1], 0), length)
    taken = min(max(numbers[2], 0), length)
    return [*axes(record, numbers[:1]), (0, length - taken), (0, length - start)]


def unfold(record: StridesRecord, numbers: list[int]) -> list[Range]:
    """An axis, a window that fits on it, a step of at least 1."""
    length = _length(record, numbers)
    return [*axes(record, numbers[:1]), (0, length), (1, max(length or 1, 1))]


def expand(record: StridesRecord, numbers: list[int]) -> list[Range]:
    """A new axis takes any size; an old one keeps its size (or -1) unless it is 1."""
    new = len(numbers) - len(record.shape)
    kept: list[Range] = [(-1, None) if size == 1 else (-1, size) for size in record.shape]
    fresh: list[Range] = [(0, None)] * new
    return [*fresh, *kept] if new >= 0 else none(record, numbers)


def as_strided(record: StridesRecord, numbers: list[int]) -> list[Range]:
    """Sizes, strides, offset: each as large as the storage allows while the others stay."""
    rank = len(numbers) // 2
    if len(numbers) != 2 * rank + 1 or min(numbers, default=0) < 0 or 0 in numbers[:rank]:
        return [(0, None) for _ in numbers]
    shape, stride, offset = numbers[:rank], numbers[rank : 2 * rank], numbers[-1]
    last = record.storage_cells - 1
    used = [(n - 1) * s for n, s in zip(shape, stride, strict=True)]
    rest = [last - offset - sum(used) + own for own in used]
    by_size: list[Range] = [
        (1, None if s == 0 else max(r, 0) // s + 1) for s, r in zip(stride, rest, strict=True)
    ]
    by_stride: list[Range] = [
        (0, None if n == 1 else max(r, 0) // (n - 1)) for n, r in zip(shape, rest, strict=True)
    ]
    return [*by_size, *by_stride, (0, max(last - sum(used), 0))]


def _length(record: StridesRecord, numbers: list[int]) -> int | None:
    rank = len(record.shape)
    return record.shape[numbers[0]] if numbers and -rank <= numbers[0] < rank else None
