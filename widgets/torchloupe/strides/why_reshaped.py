"""Refusals of view, reshape, flatten, unsqueeze and squeeze: sizes that do not fit, and steps that differ."""

from __future__ import annotations

from math import log, prod

from .amount import sizes
from .arguments import integers
from .operations import Texts
from .record import StridesRecord
from .walk import completed, refused_walk, steps
from .why import Out, Why, say, texts, times
from .why_reordered import axis_range


def view(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """Wrong sizes, or no strides that keep the order."""
    target = integers(typed)
    return _misfit(record, target, "view", name) or _uneven(record, target, name)


def reshape(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """Wrong sizes."""
    return _misfit(record, integers(typed), "reshape", name)


def flatten(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """An axis that is not there, or an end before the start."""
    numbers = integers(typed)
    if found := axis_range(record, numbers, "flatten", name):
        return found
    return Why(
        say("refused.flatten", name=name),
        say("refused.flatten.detail"),
        [Out("flatten", texts(numbers[::-1]))],
    )


def unsqueeze(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """A place for the new axis that is not there."""
    return axis_range(record, integers(typed), "unsqueeze", name, extra=1)


def squeeze(record: StridesRecord, typed: Texts, name: str) -> Why | None:
    """An axis that is not there."""
    return axis_range(record, integers(typed), "squeeze", name)


def fitting(numel: int, like: list[int], most: int = 3) -> list[list[int]]:
    """Shapes of as many axes as `like` that hold `numel` elements, nearest first.

    Near means a small sum of |log(size / wished size)|.
    """
    known = prod(size for size in like if size > 0)
    wished = [max(size, 1) if size >= 0 else max(numel / known, 1) for size in like]
    found = _factorings(numel, min(len(wished), 4), 400)
    if len(wished) > 4:
        found = [[*shape, *[1] * (len(wished) - 4)] for shape in found]
    return sorted(found, key=lambda shape: sum(abs(log(a / b)) for a, b in zip(shape, wished, strict=True)))[
        :most
    ]


def _misfit(record: StridesRecord, target: list[int], operation: str, name: str) -> Why | None:
    numel, free = record.numel, [size for size in target if size < 0]
    if len(free) > 1:
        kept = [
            size if size >= 0 or place == target.index(free[0]) else 1 for place, size in enumerate(target)
        ]
        return Why(say("refused.two_free"), say("refused.two_free.detail"), _outs(record, operation, kept))
    if any(size < -1 for size in target):
        return Why(
            say("refused.negative_size", size=free[0]),
            say("refused.negative_size.detail"),
            [Out(operation, ["-1"])],
        )
    known = prod(size for size in target if size >= 0)
    if (free and known and numel % known == 0) or (not free and known == numel):
        return None
    shape = sizes(target)
    if free:
        heading = say("refused.no_multiple", name=name, count=numel, known=known)
        detail = say(
            "refused.no_multiple.detail",
            product=times([s for s in target if s >= 0]),
            known=known,
            count=numel,
        )
    else:
        heading = say("refused.misfit", name=name, count=numel, shape=shape)
        detail = say("refused.misfit.detail", product=times(target), known=known, name=name, count=numel)
    return Why(heading, detail, _outs(record, operation, target))


def _outs(record: StridesRecord, operation: str, target: list[int]) -> list[Out]:
    if record.numel == 0 or not target:
        return [Out(operation, ["-1"])]
    outs = [Out(operation, texts(shape)) for shape in fitting(record.numel, target)]
    return outs or [Out(operation, ["-1"])]


def _factorings(numel: int, rank: int, most: int) -> list[list[int]]:
    if rank <= 1:
        return [[numel]]
    found = []
    for size in _divisors(numel):
        for rest in _factorings(numel // size, rank - 1, most):
            found.append([size, *rest])
            if len(found) >= most:
                return found
    return found


def _divisors(number: int) -> list[int]:
    small = [d for d in range(1, min(int(number**0.5), 4096) + 1) if number % d == 0]
    return sorted({*small, *(number // d for d in small)})


def _uneven(record: StridesRecord, target: list[int], name: str) -> Why | None:
    whole = completed(target, record.numel)
    walk = refused_walk(record, whole, name)
    if walk is None:
        return None
    outs = [Out("reshape", texts(target)), Out("contiguous+view", ["|", *texts(target)])]
    if len(whole) == 1:
        heading, detail = (
            say("refused.uneven", name=name),
            say("refused.uneven.detail", name=name, steps=steps(walk)),
        )
    elif walk.axis >= 0:
        heading = say("refused.uneven_axis", name=name, axis=walk.axis, size=whole[walk.axis])
        detail = say("refused.uneven_axis.detail", axis=walk.axis, name=name, steps=steps(walk))
    else:
        heading = say("refused.uneven_shape", name=name, shape=sizes(whole))
        detail = say("refused.uneven_shape.detail", name=name, steps=steps(walk))
    return Why(heading, detail, outs, walk.points)


EXPLAINERS = {
    "view": view,
    "reshape": reshape,
    "flatten": flatten,
    "unsqueeze": unsqueeze,
    "squeeze": squeeze,
}
