"""Refusals of indexing, select, narrow, as_strided, view(dtype), expand and unfold."""

from __future__ import annotations

from . import arguments
from .amount import sizes
from .arguments import integers
from .operations import Texts
from .reach import span
from .record import StridesRecord
from .why import Out, Why, say, texts
from .why_reordered import axis_range, fixed_strides


def index(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """A negative step, a place outside, or more indices than axes."""
    items = arguments.index(typed[0])
    named = [item for item in items if item is not None and item is not Ellipsis]
    if len(named) > len(record.shape):
        heading = say("refused.many_indices", name=name, axes=len(record.shape))
        return Why(heading, say("refused.many_indices.detail", given=len(named), axes=len(record.shape)))
    for axis, item in _by_axis(items, len(record.shape)):
        if isinstance(item, slice) and item.step is not None and item.step <= 0:
            return _backwards(axis, item)
        if isinstance(item, int) and not -record.shape[axis] <= item < record.shape[axis]:
            return _outside(record, name, axis, item, [])
    return None


def select(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """An axis or a place that is not there."""
    axis, place = integers(typed)
    if not record.shape:
        return _scalar(name)
    if found := axis_range(record, [axis], "select", name):
        return Why(found.heading, found.detail, [Out("select", [found.outs[0].texts[0], str(place)])])
    size = record.shape[axis] if record.shape else 0
    outs = [Out("select", texts(axis, min(max(place, -size), size - 1)))] if size else []
    return _outside(record, name, axis % max(len(record.shape), 1), place, outs)


def narrow(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """A start and a length that leave the axis."""
    axis, start, length = integers(typed)
    if not record.shape:
        return _scalar(name)
    if found := axis_range(record, [axis], "narrow", name):
        return Why(
            found.heading, found.detail, [Out("narrow", [found.outs[0].texts[0], *texts(start, length)])]
        )
    size = record.shape[axis]
    begin = start + size if -size <= start < 0 else min(max(start, 0), size)
    left = size - begin
    detail = say("refused.narrow.detail", start=start, left=left, length=length)
    return Why(
        say("refused.narrow", axis=axis, size=size),
        detail,
        [Out("narrow", texts(axis, begin, max(min(length, left), 0)))],
    )


def as_strided(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """A negative stride or offset, or a last element beyond the storage."""
    if found := fixed_strides(record, typed, name):
        return found
    numbers = integers(typed)
    rank = len(numbers) // 2
    shape, stride, offset = numbers[:rank], numbers[rank : 2 * rank], numbers[-1]
    if any(size < 0 for size in shape) or offset < 0:
        mended = [max(n, 0) for n in shape], stride, max(offset, 0)
        return Why(
            say("refused.negative"), say("refused.negative.detail"), [Out("as_strided", texts(*mended))]
        )
    if any(step < 0 for step in stride):
        flips = [axis for axis, step in enumerate(stride) if step < 0 and axis < len(record.shape)]
        outs = [Out("flip", texts(flips))] if flips else []
        return Why(say("refused.backwards", step=min(stride)), say("refused.backwards.detail"), outs)
    last = offset + span(tuple(shape), tuple(stride)) - 1
    end = record.storage_cells - 1
    detail = say(
        "refused.beyond.detail", last_byte=(last + 1) * record.itemsize, held=record.storage_nbytes or 0
    )
    return Why(say("refused.beyond", last=last, end=end), detail, _largest(shape, stride, offset, end))


def expand(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """Only an axis of length 1 repeats."""
    if found := fixed_strides(record, typed, name):
        return found
    wished, shape = integers(typed), list(record.shape)
    new = len(wished) - len(shape)
    if new < 0:
        return Why(
            say("refused.expand_few", name=name, axes=len(shape)),
            say("refused.expand_few.detail"),
            [Out("expand", texts(shape))],
        )
    if any(size < 0 for size in wished[:new]):
        return Why(
            say("refused.expand_free"),
            say("refused.expand_free.detail"),
            [Out("expand", texts([1] * new, wished[new:]))],
        )
    if least := next((size for size in wished if size < -1), None):
        kept = [old if size < -1 else size for old, size in zip([1] * new + shape, wished, strict=True)]
        heading = say("refused.negative_size", size=least)
        return Why(heading, say("refused.expand_negative.detail"), [Out("expand", texts(kept))])
    for axis, (size, wish) in enumerate(zip(shape, wished[new:], strict=True)):
        if size not in (1, wish) and wish != -1:
            times = wish if wish > 1 else 2
            outs = [Out("unsqueeze+expand", ["0", "|", *texts(times, shape)])]
            heading = say("refused.expand", axis=axis, size=size, wish=wish)
            return Why(heading, say("refused.expand.detail", size=size), outs)
    return None


def unfold(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """A window longer than the axis, or a step that does not move."""
    axis, window, step = integers(typed)
    if found := axis_range(record, [axis], "unfold", name):
        return Why(
            found.heading, found.detail, [Out("unfold", [found.outs[0].texts[0], *texts(window, step)])]
        )
    size = record.shape[axis] if record.shape else 1
    mended = [Out("unfold", texts(axis, min(max(window, 0), size), max(step, 1)))]
    if window > size or window < 0:
        return Why(
            say("refused.window", axis=axis, size=size, window=window), say("refused.window.detail"), mended
        )
    if step < 1:
        return Why(say("refused.window_step", step=step), say("refused.window_step.detail"), mended)
    return fixed_strides(record, typed, name)


def view_dtype(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """Bytes of the last axis do not divide, or are not next to each other."""
    if record.is_conj or record.is_neg:
        return Why(say("refused.dtype_lazy", name=name), say("refused.dtype_lazy.detail"))
    dtype = arguments.dtype(typed[0])
    if not record.shape:
        return Why(
            say("refused.dtype_scalar", name=name),
            say("refused.dtype_scalar.detail"),
            [Out("unsqueeze", ["0"])],
        )
    sentence: dict[str, str | int | float] = {
        "name": name,
        "dtype": str(dtype),
        "own": record.itemsize,
        "new": dtype.itemsize,
    }
    if record.stride and record.stride[-1] != 1:
        return Why(
            say("refused.dtype_stride", **sentence),
            say("refused.dtype_stride.detail", stride=record.stride[-1]),
            [Out("contiguous+view_dtype", ["|", typed[0]])],
        )
    return Why(
        say("refused.dtype_size", **sentence),
        say("refused.dtype_size.detail", size=record.shape[-1], offset=record.storage_offset),
    )


def _scalar(name: str) -> Why:
    return Why(say("refused.scalar", name=name), say("refused.scalar.detail"), [Out("unsqueeze", ["0"])])


def _by_axis(items: tuple[object, ...], rank: int) -> list[tuple[int, object]]:
    named = [item for item in items if item is not None]
    if Ellipsis not in named:
        return list(enumerate(named))
    cut = named.index(Ellipsis)
    after = named[cut + 1 :]
    return [*enumerate(named[:cut]), *enumerate(after, rank - len(after))]


def _backwards(axis: int, item: slice) -> Why:
    if item.step == 0:
        return Why(say("refused.still"), say("refused.still.detail"))
    return Why(
        say("refused.backwards_step", step=item.step),
        say("refused.backwards.detail"),
        [Out("flip", [str(axis)])],
    )


def _outside(record: StridesRecord, name: str, axis: int, place: int, outs: list[Out]) -> Why:
    size = record.shape[axis] if record.shape else 0
    heading = say("refused.outside", name=name, axis=axis, place=place)
    return Why(
        heading,
        say("refused.outside.detail", axis=axis, size=size, last=size - 1, shape=sizes(record.shape)),
        outs,
    )


def _largest(shape: list[int], stride: list[int], offset: int, end: int) -> list[Out]:
    """Shrink whichever axis reaches furthest, by half of what is over, until the last element is inside."""
    sized = list(shape)
    while offset <= end and (over := offset + span(tuple(sized), tuple(stride)) - 1 - end) > 0:
        axis = max(range(len(sized)), key=lambda k: (sized[k] - 1) * stride[k])
        sized[axis] -= max(1, over // (2 * stride[axis]))
    within = min(offset, end)
    outs = [Out("as_strided", texts(sized, stride, offset))] if offset <= end else []
    room = end - (span(tuple(shape), tuple(stride)) - 1)
    if 0 <= room < offset:
        outs.append(Out("as_strided", texts(shape, stride, room)))
    return outs or ([Out("as_strided", texts([1] * len(shape), stride, within))] if within >= 0 else [])


EXPLAINERS = {
    "index": index,
    "select": select,
    "narrow": narrow,
    "as_strided": as_strided,
    "view_dtype": view_dtype,
    "expand": expand,
    "unfold": unfold,
}
