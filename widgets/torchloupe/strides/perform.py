"""Apply an operation, or a chain of them, to a record; and write it as code."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import torch

from . import native, reach
from .operations import OPERATIONS, Texts, texts_of
from .quiet import quiet
from .record import StridesRecord
from .state import Carry, OutcomeKind
from .twin import Trial, attempt, message, outcomes, twin

SEPARATOR = "|"
"""Between the arguments of chained operations: `contiguous+view` takes `["|", "-1"]`."""
_FIXED = "Setting strides is possible only on uniformly quantized tensor"
_RESTRIDING = {"transpose", "permute", "T", "mT", "flip", "expand", "unfold", "as_strided"}


def links(operation: str, texts: Texts) -> list[tuple[str, Texts]]:
    """A chain as its single operations, each with its own arguments as shown.

    Raises:
        KeyError: if there is no such operation.
        arguments.ArgumentError: if an argument cannot be read.
    """
    names = operation.split("+")
    groups: list[Texts] = [[]]
    for text in texts:
        groups.append([]) if text == SEPARATOR else groups[-1].append(text)
    groups += [[] for _ in range(len(names) - len(groups))]
    return [(name, texts_of(name, group)) for name, group in zip(names, groups, strict=True)]


def form(operation: str, texts: Texts) -> str:
    """The code after the tensor's name: `.contiguous().view(-1)`."""
    return "".join(OPERATIONS[name].form.format(inside(name, own)) for name, own in links(operation, texts))


def inside(name: str, texts: Texts) -> str:
    """What stands between the parentheses."""
    return "".join(text for text, _ in pieces(name, texts))


def pieces(name: str, texts: Texts) -> list[tuple[str, int]]:
    """The text between the parentheses in pieces, each with the index of the argument it is, or -1."""
    found: list[tuple[str, int]] = []
    for place, text in enumerate(texts):
        found.append((text, place))
        if place + 1 < len(texts):
            found.append((", ", -1))
    if name != "as_strided":
        return found
    rank = len(texts) // 2
    comma = "," if rank == 1 else ""
    sizes, strides = found[: 2 * rank - 1], found[2 * rank : 4 * rank - 1]
    return [
        ("(", -1),
        *sizes,
        (comma + "), (", -1),
        *strides,
        (comma + "), ", -1),
        (texts[-1], len(texts) - 1),
    ]


def perform(source: StridesRecord, operation: str, texts: Texts) -> Trial:
    """Try `operation`, one or a chain such as `contiguous+view`, on the twin of `source`.

    Raises:
        arguments.ArgumentError: if an argument cannot be read.
        KeyError: if there is no such operation.
    """
    record, copied, moved = source, False, False
    for name, own in links(operation, texts):
        trial = _single(record, name, own)
        if trial.record is None:
            return trial
        record = trial.record
        copied |= trial.outcome == "copy"
        moved |= trial.outcome == "view"
    return Trial("copy" if copied else "view" if moved else "same", record, "")


def preview(source: StridesRecord, entries: list[tuple[str, Texts]]) -> list[OutcomeKind]:
    """What each of some single operations would come to, `as_strided` within its storage."""
    if source.quantisation is not None:
        return [perform(source, name, texts).outcome for name, texts in entries]
    calls = [OPERATIONS["clone" if name == "flip" else name].call for name, _ in entries]  # see `_single`
    return outcomes(
        source, [partial(call, texts=texts) for call, (_, texts) in zip(calls, entries, strict=True)]
    )


def carry_of(operation: str) -> Carry:
    """How an element of a copy made by `operation` finds its source element."""
    names = operation.split("+")
    return OPERATIONS[names[0]].carry if len(names) == 1 else "ravel"


def _single(source: StridesRecord, name: str, texts: Texts) -> Trial:
    call = OPERATIONS[name].call
    if source.quantisation is not None:
        if source.quantisation.axis is not None and name in _RESTRIDING:
            return Trial("refused", None, f"RuntimeError: {_FIXED}")
        if name == "clone":
            return attempt(source, lambda x: x.clone(memory_format=torch.contiguous_format))
    if name == "add_":
        return _written(source)
    if name == "flip" and source.quantisation is None:
        # On meta, flip is decomposed, with other strides, and its first call imports sympy, half a second.
        # Its kernels refuse by the shape alone and give the strides a clone has.
        error = _as_on_cpu(source, name, texts)
        return Trial("refused", None, error) if error else attempt(source, torch.clone)
    trial = attempt(source, lambda x: call(x, texts))
    if name == "as_strided" and trial.record is not None:
        return _within_storage(source, trial, trial.record)
    if name in ("flip", "expand") and trial.record is None:
        return replace(trial, error=_as_on_cpu(source, name, texts) or trial.error)
    return trial


def _within_storage(source: StridesRecord, trial: Trial, result: StridesRecord) -> Trial:
    """The meta device does not check bounds; this is the check of ATen's `checkInBoundsForStorage`."""
    needed = (reach.span(result.shape, result.stride or ()) + result.storage_offset) * result.itemsize
    held = source.storage_nbytes or 0
    if result.numel == 0 or needed <= held:
        return trial
    sizes, strides = list(result.shape), list(result.stride or ())
    error = (
        f"RuntimeError: setStorage: sizes {sizes}, strides {strides}, storage offset "
        f"{result.storage_offset}, and itemsize {result.itemsize} requiring a storage size of {needed} are "
        f"out of bounds for storage of size {held}"
    )
    return Trial("refused", None, error)


def _written(source: StridesRecord) -> Trial:
    """The meta device does not check overlap; a tensor of one cell does, and words the refusal.

    Torch refuses where a stride is 0. Other overlaps are "too hard" for its flag, and run.
    """
    with quiet():
        if native.overlap_flag(twin(source)) != 1:
            return Trial("same", source, "")
        try:
            torch.empty(1).expand(2).add_(1)
        except RuntimeError as error:
            return Trial("refused", None, message(error))
    return Trial("same", source, "")


def _as_on_cpu(source: StridesRecord, name: str, texts: Texts) -> str:
    """The message as a CPU tensor words it, which depends on the shape only: one cell stands for all."""
    with quiet():
        x = torch.empty(1, dtype=source.dtype).as_strided(source.shape, [0] * len(source.shape))
        try:
            OPERATIONS[name].call(x, texts)
        except (RuntimeError, IndexError) as error:
            return message(error)
    return ""
