"""Operations run on a twin: a tensor of the same layout on the `meta` device, which has no memory.

Shapes, strides, view or copy and PyTorch's own message are what the real tensor would give; the real one
is never touched and nothing is allocated, whatever its size.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count

import torch

from . import native
from .capture import capture
from .quiet import quiet
from .record import StridesRecord
from .state import OutcomeKind

Call = Callable[[torch.Tensor], torch.Tensor]

_CODES = {
    torch.quint8: torch.uint8,
    torch.qint8: torch.int8,
    torch.qint32: torch.int32,
    torch.quint4x2: torch.uint8,
    torch.quint2x4: torch.uint8,
}
REFUSALS = (RuntimeError, IndexError, ValueError, TypeError, NotImplementedError)
_imagined = count(-1, -1)


@dataclass(frozen=True, slots=True)
class Trial:
    """What an operation would give: the layout of its result, or the message PyTorch refuses with."""

    outcome: OutcomeKind
    record: StridesRecord | None
    error: str
    """As a traceback ends, `RuntimeError: …`; empty unless refused."""


def attempt(source: StridesRecord, call: Call) -> Trial:
    """Run `call` on the twin of `source`."""
    with quiet(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = twin(source)
        try:
            y = call(x)
        except REFUSALS as error:
            return Trial("refused", None, message(error))
        outcome = _outcome(x, y)
        return Trial(outcome, source if y is x else _result(source, y, outcome == "view"), "")


def outcomes(source: StridesRecord, calls: list[Call]) -> list[OutcomeKind]:
    """Only whether each of `calls` would be a view, a copy, the tensor itself or refused."""
    found: list[OutcomeKind] = []
    with quiet(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x = twin(source)
        for call in calls:
            try:
                found.append(_outcome(x, call(x)))
            except REFUSALS:
                found.append("refused")
    return found


def _outcome(x: torch.Tensor, y: torch.Tensor) -> OutcomeKind:
    return "same" if y is x else "view" if native.storage_id(x) == native.storage_id(y) else "copy"


def twin(record: StridesRecord) -> torch.Tensor:
    """A tensor without memory that has the layout of `record`."""
    dtype = _CODES.get(record.dtype, record.dtype)
    memory = torch.empty(record.storage_cells, dtype=dtype, device="meta")
    x = memory.as_strided(record.shape, record.stride or (), record.storage_offset)
    x = x.conj() if record.is_conj else x
    negative: torch.Tensor = native.neg_view(x) if record.is_neg else x
    return negative


def message(error: Exception) -> str:
    """An error as the last line of a traceback shows it."""
    return f"{type(error).__name__}: {error}".strip()


def _result(source: StridesRecord, y: torch.Tensor, shares: bool) -> StridesRecord:
    found = capture(y)
    quantised = source.quantisation is not None and found.dtype is _CODES.get(source.dtype)
    differentiable = found.dtype.is_floating_point or found.dtype.is_complex
    requires_grad = source.requires_grad and differentiable
    return replace(
        found,
        dtype=source.dtype if quantised else found.dtype,
        quantisation=source.quantisation if quantised else None,
        device=source.device,
        storage_id=source.storage_id if shares else next(_imagined),
        storage_nbytes=source.storage_nbytes if shares else found.storage_nbytes,
        address=source.address if shares else 0,
        is_view=shares,
        base_shape=(source.base_shape or source.shape) if shares else None,
        version=source.version if shares else 0,
        requires_grad=requires_grad,
        is_leaf=not requires_grad,
        is_inference=source.is_inference,
        kind="",
        notes=(),
    )
