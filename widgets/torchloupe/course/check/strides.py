"""Checks of chapter 01-strides: strides predicted, and views that copy nothing."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeGuard, cast

import torch
from torch import Tensor

from ...core.words import Argument, Sentence
from ..verdict import Verdict
from .answer import kind, state, told


def predict_stride(block: Tensor, piece: Tensor, stride: object, offset: object) -> Verdict:
    """Check a predicted stride and storage offset of `piece`, a slice of `block`.

    Args:
        block: the sliced tensor.
        piece: the slice.
        stride: the prediction, one whole number of elements per dimension; None while it is open.
        offset: the prediction, in elements; None while it is open.
    """
    exercise = "predict-stride"
    try:
        found = _stride_fault(block, piece, stride) or _offset_fault(piece, offset)
    except Exception as error:
        found = Sentence("check.incomparable", {"error": told(error)})
    if found is None:
        done = Sentence("check.predict-stride.passed")
        return Verdict(exercise, "passed", done, (block, piece), ("block", "piece"))
    return Verdict(exercise, state(found), found, (block,), ("block",))


def channels_first(function: object) -> Verdict:
    """Check a function that turns an image (H, W, C) into a view (C, H, W).

    Args:
        function: takes a tensor of shape (H, W, C), returns a view of shape (C, H, W).
    """
    crop = torch.arange(60.0).reshape(4, 5, 3)[1:, 1:4]
    cases = (
        _Case("channels_first(image)", torch.arange(24.0).reshape(2, 4, 3)),
        _Case("channels_first(photo[1:, 1:4])", crop),
    )
    return _check_view("channels-first", function, lambda image: image.permute(2, 0, 1), cases, "image")


def windows(function: object) -> Verdict:
    """Check a function that shows every window of a signal without copying it.

    Args:
        function: takes a 1-D tensor, a window size and a step; returns a view of shape (windows, size).
    """
    cases = (
        _Case("windows(signal, 3, 1)", torch.arange(6.0), (3, 1)),
        _Case("windows(torch.arange(10.), 4, 2)", torch.arange(10.0), (4, 2)),
        _Case("windows(torch.arange(12.)[1::2], 3, 1)", torch.arange(12.0)[1::2], (3, 1)),
    )
    return _check_view("windows", function, lambda tensor, *by: tensor.unfold(0, *by), cases, "signal")


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    call: str
    given: Tensor
    arguments: tuple[int, ...] = ()


def _check_view(
    exercise: str, function: object, oracle: Callable[..., Tensor], cases: Sequence[_Case], name: str
) -> Verdict:
    shown: tuple[Tensor, ...] = (cases[0].given,)
    names: tuple[str, ...] = (name,)
    if not callable(function):
        found = Sentence("check.not-a-function", {"kind": kind(function)})
        return Verdict(exercise, "wrong", found, shown, names)
    for position, case in enumerate(cases):
        expected = oracle(case.given, *case.arguments)
        answer, fault = _answer_fault(exercise, cast("Callable[..., object]", function), case, expected)
        if position == 0 and answer is not None:
            shown, names = (*shown, answer), (*names, case.call)
        if fault:
            return Verdict(exercise, state(fault), fault, shown, names)
    return Verdict(exercise, "passed", Sentence(f"check.{exercise}.passed"), shown, names)


def _answer_fault(
    exercise: str, function: Callable[..., object], case: _Case, expected: Tensor
) -> tuple[Tensor | None, Sentence | None]:
    kept, layout = case.given.clone(), (case.given.shape, case.given.stride())
    try:
        answer = function(case.given, *case.arguments)
    except Exception as error:
        return None, Sentence("check.raised", {"call": case.call, "error": told(error)})
    try:
        dense = answer if _is_dense(answer) else None
        if (case.given.shape, case.given.stride()) != layout or not torch.equal(case.given, kept):
            return dense, Sentence("check.changed", {"call": case.call})
        return dense, _view_fault(exercise, case, answer, expected)
    except Exception as error:
        return None, Sentence("check.incomparable", {"error": told(error)})


def _view_fault(exercise: str, case: _Case, answer: object, expected: Tensor) -> Sentence | None:
    call = case.call
    if answer is None:
        return Sentence(f"check.{exercise}.open", {"call": call})
    if not isinstance(answer, Tensor):
        return Sentence("check.not-a-tensor", {"call": call, "kind": kind(answer)})
    if answer.shape != expected.shape:
        shapes: dict[str, Argument] = {"got": str(tuple(answer.shape)), "want": str(tuple(expected.shape))}
        return Sentence("check.shape", {"call": call, **shapes})
    made = (answer.layout, answer.dtype, answer.device)
    if made != (expected.layout, expected.dtype, expected.device):
        return Sentence("check.converted", {"call": call, "kind": ", ".join(str(part) for part in made)})
    shares = answer.untyped_storage().data_ptr() == case.given.untyped_storage().data_ptr()
    if torch.equal(answer, expected):
        return None if shares else Sentence("check.copy", {"call": call})
    index = tuple((answer != expected).nonzero()[0].tolist())
    at: dict[str, Argument] = {
        "call": call,
        "at": ", ".join(map(str, index)),
        "got": answer[index].item(),
        "want": expected[index].item(),
    }
    if not case.given.is_contiguous():
        return Sentence("check.strided", {**at, "stride": str(case.given.stride())})
    return Sentence(f"check.{exercise}.walk" if shares else "check.values", at)


def _stride_fault(block: Tensor, piece: Tensor, stride: object) -> Sentence | None:
    if stride is None:
        return Sentence("check.predict-stride.open")
    got, want = _whole_numbers(stride), piece.stride()
    if got is None:
        return Sentence("check.stride.kind", {"kind": kind(stride)})
    if len(got) != len(want):
        return Sentence("check.stride.length", {"got": len(got), "want": len(want)})
    likely = {
        tuple(piece.itemsize * step for step in want): "bytes",
        torch.empty(piece.shape, device="meta").stride(): "of-a-copy",
        block.stride(): "of-the-block",
        want[::-1]: "reversed",
    }
    if got == want:
        return None
    if got in likely:
        return Sentence("check.stride." + likely[got], {"itemsize": piece.itemsize})
    wrong = next(dim for dim, step in enumerate(want) if got[dim] != step)
    return Sentence("check.stride.dimension", {"dim": wrong, "got": got[wrong]})


def _offset_fault(piece: Tensor, offset: object) -> Sentence | None:
    if offset is None:
        return Sentence("check.offset.open")
    got = _whole_numbers((offset,))
    if got is None:
        return Sentence("check.offset.kind", {"kind": kind(offset)})
    if got[0] == piece.storage_offset():
        return None
    in_bytes = got[0] == piece.storage_offset() * piece.itemsize
    return Sentence("check.offset.bytes" if in_bytes else "check.offset.wrong", {"itemsize": piece.itemsize})


def _whole_numbers(answer: object) -> tuple[int, ...] | None:
    if not isinstance(answer, tuple | list) or any(isinstance(number, bool) for number in answer):
        return None
    try:
        return tuple(operator.index(number) for number in answer)
    except TypeError:
        return None


def _is_dense(answer: object) -> TypeGuard[Tensor]:
    return isinstance(answer, Tensor) and answer.layout is torch.strided
