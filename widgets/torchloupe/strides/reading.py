"""Values of any entry of a bench: from the person's memory, or through the copies it was imagined from."""

from __future__ import annotations

import torch

from . import sample
from .bench import Bench
from .entry import Entry
from .places import element_at, origin
from .sample import Value


def read(bench: Bench, id: int, places: list[int]) -> list[Value]:
    """What entry `id` reads at some cells of its storage, counted in its own items.

    Cells of a tensor that is gone have the values last seen; those never seen have empty text.

    Raises:
        ValueError: if more than `sample.MOST` cells are asked for, or one is outside the storage.
    """
    if len(places) > sample.MOST:
        raise ValueError(f"A sample holds at most {sample.MOST} cells; {len(places)} were asked for.")
    entry = bench.entries[id]
    raw = _raw(bench, entry, places)
    if raw is None:
        return _recalled(bench, entry, places)
    scheme = entry.record.quantisation
    per_channel = scheme is not None and scheme.axis is not None
    elements = [element_at(entry.record, place) for place in places] if per_channel else None
    found = sample.values(raw, entry.record, elements)
    entry.remember(places, found)
    return found


def _raw(bench: Bench, entry: Entry, places: list[int]) -> torch.Tensor | None:
    home = bench.entries[entry.home]
    if not home.root:
        return _copied(bench, home, entry.record.itemsize, places)
    x = bench.living(home)
    return None if x is None else sample.cells(x, entry.record, places)


def _copied(bench: Bench, home: Entry, width: int, places: list[int]) -> torch.Tensor | None:
    """Bytes of an imagined storage, in items of `width` bytes."""
    own = home.record.itemsize
    if own == width:
        return _origins(bench, home, places)
    touched = sorted({byte // own for place in places for byte in range(place * width, (place + 1) * width)})
    pieces = [
        _origins(bench, home, touched[start : start + sample.MOST])
        for start in range(0, max(len(touched), 1), sample.MOST)
    ]
    known = [piece for piece in pieces if piece is not None]
    if len(known) < len(pieces):
        return None
    raw = torch.cat(known)
    row = {cell: index for index, cell in enumerate(touched)}
    picked = [
        [row[byte // own] * own + byte % own for byte in range(p * width, (p + 1) * width)] for p in places
    ]
    return raw.reshape(-1)[torch.tensor(picked, dtype=torch.int64).reshape(len(places), width)]


def _origins(bench: Bench, home: Entry, places: list[int]) -> torch.Tensor | None:
    """Bytes of an imagined copy's cells: those of the source elements, with lazy bits resolved."""
    source, places = _source(bench, home, places)
    raw = _raw(bench, source, places)
    if raw is None or not (source.record.is_conj or source.record.is_neg):
        return raw
    return sample.resolved(raw, source.record)


def _source(bench: Bench, home: Entry, places: list[int]) -> tuple[Entry, list[int]]:
    assert home.made_from is not None
    source = bench.entries[home.made_from]
    elements = [element_at(home.record, place) for place in places]
    return source, [
        origin(element, home.record, source.record, home.carry, home.flipped)
        for element in elements
        if element is not None
    ]


def _recalled(bench: Bench, entry: Entry, places: list[int]) -> list[Value]:
    home = bench.entries[entry.home]
    found = entry.recall(places)
    if home.root or all(value.label for value in found):
        if home is entry or home.record.dtype != entry.record.dtype:
            return found
        return [own if own.label else other for own, other in zip(found, home.recall(places), strict=True)]
    if home.record.dtype != entry.record.dtype:
        return found
    source, origins = _source(bench, home, places)
    return _recalled(bench, source, origins)
