"""From element to cell and back: `cell = offset + Σ indexₖ·strideₖ`."""

from __future__ import annotations

from collections.abc import Sequence

from .record import StridesRecord
from .state import Carry


def cell(record: StridesRecord, element: Sequence[int]) -> int:
    """The storage cell an element reads."""
    assert record.stride is not None
    return record.storage_offset + sum(i * s for i, s in zip(element, record.stride, strict=True))


def element_at(record: StridesRecord, place: int) -> tuple[int, ...] | None:
    """The element that reads a cell, for layouts whose axes nest; None when none is found."""
    assert record.stride is not None
    rest = place - record.storage_offset
    found = [0] * len(record.shape)
    for axis in sorted(range(len(found)), key=lambda axis: -record.stride[axis]):  # type: ignore[index]
        step = record.stride[axis]
        if step and record.shape[axis] > 1:
            found[axis] = min(max(rest, 0) // step, record.shape[axis] - 1)
            rest -= found[axis] * step
    return tuple(found) if rest == 0 and 0 not in record.shape else None


def unravel(shape: Sequence[int], position: int) -> tuple[int, ...]:
    """The element at a row-major position."""
    found = []
    for size in reversed(shape):
        position, place = divmod(position, size)
        found.append(place)
    return tuple(reversed(found))


def ravel(shape: Sequence[int], element: Sequence[int]) -> int:
    """The row-major position of an element."""
    position = 0
    for size, place in zip(shape, element, strict=True):
        position = position * size + place
    return position


def origin(
    element: tuple[int, ...],
    result: StridesRecord,
    source: StridesRecord,
    carry: Carry,
    flipped: Sequence[int],
) -> int:
    """The source cell that an element of a copy was read from."""
    if carry == "ravel":
        return cell(source, unravel(source.shape, ravel(result.shape, element)))
    if carry == "flip":
        turned = [
            n - 1 - i if axis in flipped else i
            for axis, (i, n) in enumerate(zip(element, source.shape, strict=True))
        ]
        return cell(source, turned)
    return cell(source, element)
