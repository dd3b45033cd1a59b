"""Which cells a first picture needs: the elements it draws, and a stretch of each storage."""

from __future__ import annotations

from itertools import product

from .places import cell
from .record import StridesRecord

FACET, HEAD, TAIL, FACETS, STRIP, MOST = 8, 4, 3, 6, 64, 1024


def shown(size: int) -> list[int]:
    """Indices drawn of an axis: all up to 8, else the first 4 and the last 3."""
    return list(range(size)) if size <= FACET else [*range(HEAD), *range(size - TAIL, size)]


def facets(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Indices of the leading axes that are drawn: all up to 6, else the first."""
    leading = shape[:-2]
    count = 1
    for size in leading:
        count *= size
    return list(product(*map(range, leading))) if count <= FACETS else [(0,) * len(leading)]


def drawn(record: StridesRecord) -> list[int]:
    """Cells of the elements that the first picture of `record` shows, sorted, each once."""
    if record.stride is None or record.numel == 0:
        return []
    faces = [shown(size) for size in record.shape[-2:]]
    return sorted(
        {cell(record, (*front, *face)) for front in facets(record.shape) for face in product(*faces)}
    )


def stretch(record: StridesRecord) -> list[int]:
    """Up to 64 cells of the storage from the first one reached, or from 0 when all fit."""
    total = record.storage_cells
    first = 0 if total <= STRIP else max(0, min(record.storage_offset, total - STRIP))
    return list(range(first, min(total, first + STRIP)))


def first_cells(record: StridesRecord, room: int) -> list[int]:
    """Both together, at most `room` cells, none outside the storage."""
    both = dict.fromkeys([*drawn(record), *stretch(record)])
    return sorted([place for place in both if place < record.storage_cells][:room])
