"""The menu: sensible first arguments of each operation for a layout, with the outcome said beforehand."""

from __future__ import annotations

from .operations import OPERATIONS
from .perform import form, preview
from .record import StridesRecord
from .state import MenuEntry


def menu(record: StridesRecord) -> list[MenuEntry]:
    """Every operation that makes sense on `record`, with arguments to start from and what it would do."""
    if record.reason is not None or record.stride is None:
        return []
    entries = _suggested(record)
    return [
        MenuEntry(
            family=OPERATIONS[name].family,
            operation=name,
            arguments=texts,
            label=form(name, texts).removeprefix("."),
            outcome=outcome,
        )
        for (name, texts), outcome in zip(entries, preview(record, entries), strict=True)
    ]


def _suggested(record: StridesRecord) -> list[tuple[str, list[str]]]:
    shape = record.shape
    rank = len(shape)
    entries: list[tuple[str, list[int] | list[str]]] = []
    if rank >= 2:
        entries += [("transpose", [0, rank - 1]), ("permute", [*range(1, rank), 0])]
        entries += [("T", [])] if rank == 2 else []
        entries += [("mT", [])]
    if rank:
        entries += [("flip", [0])]
    entries += [("view", [-1]), ("reshape", [-1]), ("flatten", [0, -1] if rank else [])]
    entries += [("unsqueeze", [0]), ("squeeze", [shape.index(1)] if 1 in shape else [])]
    if rank:
        entries += _picked(record)
    entries += _repeated(record)
    entries += [("contiguous", []), ("clone", [])]
    if rank == 5:
        entries += [("channels_last_3d", [])]
    elif rank in (3, 4):
        entries += [("channels_last", [])]
    return [(name, [str(argument) for argument in chosen]) for name, chosen in entries]


def _picked(record: StridesRecord) -> list[tuple[str, list[int] | list[str]]]:
    shape, rank = record.shape, len(record.shape)
    longest = max(range(rank), key=lambda axis: shape[axis])
    half = max(shape[longest] // 2, min(shape[longest], 1))
    step = "::2" if rank == 1 else "..., ::2"
    entries: list[tuple[str, list[int] | list[str]]] = [("index", [step])]
    if shape[0]:
        entries += [("select", [0, 0])]
    entries += [("narrow", [longest, 0, half])]
    cells = record.storage_cells - record.storage_offset
    if cells > 1:
        width = min(3, cells - 1)
        entries += [("as_strided", [min(4, cells - width + 1), width, 1, 1, record.storage_offset])]
    return entries


def _repeated(record: StridesRecord) -> list[tuple[str, list[int] | list[str]]]:
    shape, rank = record.shape, len(record.shape)
    grown = (
        [4 if axis == shape.index(1) else n for axis, n in enumerate(shape)] if 1 in shape else [2, *shape]
    )
    entries: list[tuple[str, list[int] | list[str]]] = [("expand", grown)]
    if rank and shape[-1]:
        entries += [("unfold", [rank - 1, min(2, shape[-1]), 1])]
    return entries
