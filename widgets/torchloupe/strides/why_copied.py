"""Refusals of memory formats, and of writing in place where elements share a cell."""

from __future__ import annotations

from .operations import Texts
from .places import cell
from .record import StridesRecord
from .state import Point
from .why import Out, Why, say


def channels_last(record: StridesRecord, _typed: Texts, name: str) -> Why:
    """The format orders four axes: N, C, H, W."""
    rank = len(record.shape)
    outs = [Out("unsqueeze+channels_last", ["0"])] if rank == 3 else []
    return Why(say("refused.channels_last", name=name, axes=rank), say("refused.channels_last.detail"), outs)


def channels_last_3d(record: StridesRecord, _typed: Texts, name: str) -> Why:
    """The format orders five axes: N, C, D, H, W."""
    rank = len(record.shape)
    outs = [Out("unsqueeze+channels_last_3d", ["0"])] if rank == 4 else []
    return Why(
        say("refused.channels_last_3d", name=name, axes=rank), say("refused.channels_last_3d.detail"), outs
    )


def add_(record: StridesRecord, _typed: Texts, name: str) -> Why:
    """More than one element would write the same cell."""
    assert record.stride is not None
    axis = next(
        k for k, (n, s) in enumerate(zip(record.shape, record.stride, strict=True)) if n > 1 and s == 0
    )
    stops = range(min(record.shape[axis], 7))
    elements = [[k if place == axis else 0 for place in range(len(record.shape))] for k in stops]
    walk = [Point(label=f"{name}[{','.join(map(str, e))}]", cell=cell(record, e)) for e in elements]
    return Why(
        say("refused.written", name=name),
        say("refused.written.detail", axis=axis, size=record.shape[axis]),
        [Out("clone", [])],
        walk,
    )


EXPLAINERS = {"channels_last": channels_last, "channels_last_3d": channels_last_3d, "add_": add_}
