"""The text form of a record: short lines, one fact each, for a terminal, a log and a screen reader."""

from __future__ import annotations

from ..core.words import Words
from . import amount
from .record import Quantisation, StridesRecord

words = Words("torchloupe.strides")


def report(record: StridesRecord, name: str = "") -> str:
    """Word `record` in the language in force.

    Args:
        record: what `capture` returned.
        name: the tensor's name, put first when there is one.
    """
    return "\n".join(_lines(record, name))


def _lines(record: StridesRecord, name: str) -> list[str]:
    lines = [f"{name}: {_headline(record)}" if name else _headline(record)]
    lines.append(words("text.shape", shape=amount.sizes(record.shape)))
    if record.reason is None and record.stride is not None:
        stride = amount.sizes(record.stride)
        lines.append(words("text.stride", stride=stride, offset=record.storage_offset))
    if record.reason is not None:
        lines.append(words.say(record.reason))
    else:
        lines += [_memory(record), _reach(record), _order(record)]
    lines += _state(record)
    lines += [words.say(note) for note in record.notes]
    if record.quantisation is not None:
        lines.append(_scale(record.quantisation))
    if record.wrapped is not None:
        lines += _indented(report(record.wrapped.record, words("text.real")))
    for part in record.parts:
        lines += _indented(report(part.record, part.name))
    return [line for line in lines if line]


def _headline(record: StridesRecord) -> str:
    kind = record.kind or "Tensor"
    layout = str(record.layout).removeprefix("torch.")
    dtype = str(record.dtype).removeprefix("torch.")
    return words("text.headline", kind=kind, dtype=dtype, device=str(record.device), layout=layout)


def _memory(record: StridesRecord) -> str:
    held, own = record.storage_nbytes or 0, record.nbytes
    return words(
        "text.memory",
        cells=f"{record.storage_cells:,}",
        itemsize=record.itemsize,
        held=amount.exact(held),
        own=amount.exact(own),
    )


def _reach(record: StridesRecord) -> str:
    count = record.distinct_cells
    if count is None:
        return words("text.reach_unknown", numel=f"{record.numel:,}")
    line = words("text.reach", count=f"{count:,}", numel=f"{record.numel:,}")
    return line + (" " + words("text.overlaps") if record.overlaps else "")


def _order(record: StridesRecord) -> str:
    if not record.memory_formats:
        return words("text.not_contiguous")
    return words("text.contiguous", formats=", ".join(record.memory_formats))


def _state(record: StridesRecord) -> list[str]:
    view = "text.not_view"
    base = ""
    if record.base_shape is not None:
        view, base = "text.view", amount.sizes(record.base_shape)
    elif record.is_view:
        view = "text.view_unnamed"
    grad = "text.grad_leaf" if record.is_leaf else "text.grad"
    version = "" if record.version is None else words("text.version", version=record.version)
    bits = [words("note.conj")] if record.is_conj else []
    bits += [words("note.neg")] if record.is_neg else []
    bits += [words("note.inference")] if record.is_inference else []
    return [words(view, base=base), version, words(grad) if record.requires_grad else "", *bits]


def _scale(quantisation: Quantisation) -> str:
    if quantisation.axis is None:
        return words("text.scale", scale=f"{quantisation.scale:.6g}", zero=str(quantisation.zero_point))
    return words("text.scales", axis=quantisation.axis)


def _indented(text: str) -> list[str]:
    return ["  " + line for line in text.splitlines()]
