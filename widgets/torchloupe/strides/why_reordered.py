"""Refusals of transpose, permute, T, mT and flip."""

from __future__ import annotations

from .arguments import integers
from .operations import Texts
from .record import StridesRecord
from .why import Out, Why, say, texts


def axis_range(
    record: StridesRecord, numbers: list[int], operation: str, name: str, extra: int = 0
) -> Why | None:
    """An axis that is not there; the ways out name the nearest one."""
    rank = max(len(record.shape) + extra, 1)
    wrong = next((n for n in numbers if not -rank <= n < rank), None)
    if wrong is None:
        return None
    near = [min(max(n, -rank), rank - 1) for n in numbers]
    detail = say("refused.axis.detail", name=name, axes=len(record.shape), last=rank - 1, first=rank)
    return Why(say("refused.axis", name=name, axis=wrong), detail, [Out(operation, texts(near))])


def permute(record: StridesRecord, typed: Texts, name: str) -> Why:
    """Each axis must be named once."""
    numbers, rank = integers(typed), len(record.shape)
    if len(numbers) == rank and (found := axis_range(record, numbers, "permute", name)):
        return found
    kept = list(dict.fromkeys(n % rank for n in numbers if -rank <= n < rank)) if rank else []
    whole = [*kept, *(axis for axis in range(rank) if axis not in kept)]
    heading = say("refused.permute", name=name, axes=rank)
    detail = say("refused.permute.detail", given=len(numbers), axes=rank)
    return Why(heading, detail, [Out("permute", texts(whole))])


def flip(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """An axis is not there, or is named twice."""
    numbers, rank = integers(typed), len(record.shape)
    if found := axis_range(record, numbers, "flip", name):
        return found
    if record.quantisation is not None:
        return fixed_strides(record, typed, name)
    once = list(dict.fromkeys(n % max(rank, 1) for n in numbers))
    return Why(say("refused.flip_twice"), say("refused.flip_twice.detail"), [Out("flip", texts(once))])


def transpose(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """An axis is not there."""
    return axis_range(record, integers(typed), "transpose", name) or fixed_strides(record, typed, name)


def matrix(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """`mT` swaps the last two axes, so there must be two."""
    if found := fixed_strides(record, typed, name):
        return found
    heading = say("refused.matrix", name=name, axes=len(record.shape))
    return Why(
        heading, say("refused.matrix.detail"), [Out("unsqueeze", ["0"])] if len(record.shape) == 1 else []
    )


def fixed_strides(record: StridesRecord, _typed: Texts, name: str) -> Why | None:
    """A tensor quantised per channel keeps the strides it has."""
    if record.quantisation is None or record.quantisation.axis is None:
        return None
    return Why(
        say("refused.per_channel", name=name),
        say("refused.per_channel.detail", axis=record.quantisation.axis),
    )


EXPLAINERS = {"transpose": transpose, "permute": permute, "T": matrix, "mT": matrix, "flip": flip}
