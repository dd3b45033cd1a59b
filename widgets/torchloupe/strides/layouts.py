"""Tensors that are not simply strided: what each is made of, or why it has no picture."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import torch
from torch.nn.parameter import UninitializedBuffer, UninitializedParameter

from ..core import safe
from ..core.words import Sentence
from . import native
from .native import Base, functorch
from .record import Part, Quantisation, StridesRecord, Wrapped
from .strided import numbers, strided, without_strides

Capture = Callable[[torch.Tensor], StridesRecord]

_layout = Base.layout.__get__
_is_nested = Base.is_nested.__get__
_is_quantised = Base.is_quantized.__get__
_is_mkldnn = Base.is_mkldnn.__get__
_is_meta = Base.is_meta.__get__
_shape = Base.shape.__get__
_wrapped = functorch.is_functorch_wrapped_tensor
_MOST_SCALES = 64

_COMPRESSED: dict[torch.layout, tuple[str, str]] = {
    torch.sparse_csr: ("crow_indices", "col_indices"),
    torch.sparse_csc: ("ccol_indices", "row_indices"),
    torch.sparse_bsr: ("crow_indices", "col_indices"),
    torch.sparse_bsc: ("ccol_indices", "row_indices"),
}


def is_plain(x: torch.Tensor) -> bool:
    """Whether `x` has strides and memory of its own, and nothing special about it."""
    return (
        _layout(x) is torch.strided
        and not _wrapped(x)
        and not _is_nested(x)
        and not _is_quantised(x)
        and not _is_meta(x)
        and not native.is_zero_tensor(x)
    )


def components(x: torch.Tensor) -> list[tuple[str, torch.Tensor]]:
    """The tensors that hold what `x` holds, with how to reach each; empty for a tensor with its own memory.

    Sparse and nested components share memory with `x`; they are read without autograd and are not copies.
    """
    with native.without_overrides(), torch.no_grad():
        if Base.is_sparse.__get__(x):
            mark = "" if Base.is_coalesced(x) else "_"
            return [(f"{mark}indices()", native.indices(x)), (f"{mark}values()", native.sparse_values(x))]
        if _layout(x) in _COMPRESSED:
            names = _COMPRESSED[_layout(x)]
            return [(f"{name}()", getattr(Base, name)(x)) for name in (*names, "values")]
        if type(x) is torch.Tensor and _is_nested(x):
            return [("values()", Base.values(x).detach())]
        return _held_by(x)


def read(x: torch.Tensor, capture: Capture) -> StridesRecord:
    """Record a tensor that `is_plain` does not accept, or of a subclass."""
    kind = "" if type(x) is torch.Tensor else safe.one_line(type(x).__name__)
    if _wrapped(x):
        return _transformed(x, capture)
    if issubclass(type(x), (UninitializedParameter, UninitializedBuffer)):
        return without_strides(x, Sentence("note.uninitialised"), shape=(), numel=0, kind=kind)
    if _is_mkldnn(x):
        return without_strides(x, Sentence("note.opaque", {"layout": "mkldnn"}), kind=kind)
    if type(x) is torch.Tensor and _is_nested(x) and _layout(x) is torch.strided:
        return _nested(x, capture)
    if _layout(x) is not torch.strided and not _jagged(x):
        return _sparse(x, kind, capture)
    return _with_strides(x, kind, capture)


def _with_strides(x: torch.Tensor, kind: str, capture: Capture) -> StridesRecord:
    parts = _parts(x, capture)
    sizes = numbers(_shape(x))
    if _jagged(x):
        held = parts[0].record.numel if parts else 0
        return without_strides(x, Sentence("note.ragged"), shape=sizes, numel=held, kind=kind, parts=parts)
    if any(type(size) is not int for size in _shape(x)):
        return without_strides(x, Sentence("note.symbolic"), shape=sizes, numel=0, kind=kind)
    if _is_quantised(x):
        return strided(x, kind, (Sentence("note.quantised"),), quantisation=_quantisation(x))
    if native.is_zero_tensor(x):
        return strided(x, kind, (Sentence("note.zero_tensor"),), address=0)
    notes = (Sentence("note.meta"),) if _is_meta(x) else ()
    record = strided(x, kind, notes, parts)
    if record.address or not record.storage_nbytes or record.device.type == "meta":
        return record
    if kind in ("FakeTensor", "FunctionalTensor"):
        return strided(x, kind, (Sentence("note.fake"),))
    return without_strides(x, Sentence("note.wrapper", {"kind": kind}), kind=kind, parts=parts)


def _jagged(x: torch.Tensor) -> bool:
    return _layout(x) is torch.jagged


def _parts(x: torch.Tensor, capture: Capture) -> tuple[Part, ...]:
    return tuple(Part(name, capture(part)) for name, part in components(x))


def _held_by(x: torch.Tensor) -> list[tuple[str, torch.Tensor]]:
    """Tensors among the attributes of a wrapper without memory; no code of its class runs."""
    if type(x) is torch.Tensor or type(x).__name__ in ("FakeTensor", "FunctionalTensor"):
        return []
    if native.address(x) or not Base.untyped_storage(x).nbytes():
        return []
    held: dict[str, Any] = object.__getattribute__(x, "__dict__")
    found = [(str(name), value) for name, value in held.items() if issubclass(type(value), torch.Tensor)]
    if not found and type(x).__name__ == "DTensor":
        found = [("_local_tensor", object.__getattribute__(x, "_local_tensor"))]
    return [(name, value) for name, value in found if value is not x][:8]


def _sparse(x: torch.Tensor, kind: str, capture: Capture) -> StridesRecord:
    layout = str(_layout(x)).removeprefix("torch.")
    if _layout(x) is not torch.sparse_coo and _layout(x) not in _COMPRESSED:
        return without_strides(x, Sentence("note.opaque", {"layout": layout}), kind=kind)
    parts = _parts(x, capture)
    reason = Sentence("note.sparse", {"layout": layout, "stored": parts[-1].record.shape[0]})
    return without_strides(x, reason, kind=kind, parts=parts)


def _nested(x: torch.Tensor, capture: Capture) -> StridesRecord:
    rows: list[list[int]] = native.nested_sizes(x).tolist()
    columns = zip(*rows, strict=True)
    shape = (len(rows), *(sizes[0] if len(set(sizes)) == 1 else -1 for sizes in columns))
    numel = sum(prod(row) for row in rows)
    parts = _parts(x, capture)
    return without_strides(x, Sentence("note.ragged"), shape=shape, numel=numel, kind="nested", parts=parts)


def _quantisation(x: torch.Tensor) -> Quantisation:
    scheme = Base.qscheme(x)
    if scheme in (torch.per_tensor_affine, torch.per_tensor_symmetric):
        return Quantisation(Base.q_scale(x), Base.q_zero_point(x), None)
    scales = Base.q_per_channel_scales(x)[:_MOST_SCALES].tolist()
    points = Base.q_per_channel_zero_points(x)[:_MOST_SCALES].tolist()
    return Quantisation(tuple(scales), tuple(points), Base.q_per_channel_axis(x))


def _transformed(x: torch.Tensor, capture: Capture) -> StridesRecord:
    inner: torch.Tensor = functorch.get_unwrapped(x)
    batched = functorch.is_batchedtensor(x)
    level = functorch.maybe_get_level(x)
    if level < 0:
        return without_strides(x, Sentence("note.transform_over"), stride=None)
    batch_dim = functorch.maybe_get_bdim(x) if batched else None
    wrapped = Wrapped("vmap" if batched else "grad", level, batch_dim, capture(inner))
    real = wrapped.record
    while real.wrapped is not None:
        real = real.wrapped.record
    shape = "(" + ", ".join(map(str, real.shape)) + ("," if len(real.shape) == 1 else "") + ")"
    reason = Sentence("note.vmap" if batched else "note.grad_transform", {"shape": shape})
    return without_strides(x, reason, stride=tuple(Base.stride(x)), wrapped=wrapped)
