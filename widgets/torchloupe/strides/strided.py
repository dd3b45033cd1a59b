"""The record of a strided tensor, the quick path of every capture.

Attributes are read through `torch.Tensor`'s own descriptors, so that a subclass' overrides never run.
"""

from __future__ import annotations

from typing import Any

import torch

from ..core.words import Sentence
from . import native
from .native import Base
from .record import Part, StridesRecord, Wrapped, filled

_shape = Base.shape.__get__
_dtype = Base.dtype.__get__
_device = Base.device.__get__
_layout = Base.layout.__get__
_requires_grad = Base.requires_grad.__get__
_is_leaf = Base.is_leaf.__get__
_base_of = native.base_of
_version = native.version
_stride = Base.stride
_offset = Base.storage_offset
_itemsize = Base.element_size
_numel = Base.numel
_storage = Base.untyped_storage
_is_contiguous = Base.is_contiguous
_is_inference = Base.is_inference
_is_view = native.is_view
_is_conj = Base.is_conj
_is_neg = Base.is_neg
_storage_id = native.storage_id
_address = native.address
_BY_RANK = {4: ("channels_last", torch.channels_last), 5: ("channels_last_3d", torch.channels_last_3d)}


def strided(
    x: torch.Tensor,
    kind: str = "",
    notes: tuple[Sentence, ...] = (),
    parts: tuple[Part, ...] = (),
    quantisation: Any = None,
    wrapped: Wrapped | None = None,
    address: int | None = None,
) -> StridesRecord:
    """Read a tensor that has strides and a storage."""
    shape: Any = tuple(_shape(x))
    is_contiguous = _is_contiguous(x)
    formats: tuple[str, ...] = ("contiguous_format",) if is_contiguous else ()
    rank = len(shape)
    if rank in _BY_RANK and _is_contiguous(x, memory_format=_BY_RANK[rank][1]):
        formats += (_BY_RANK[rank][0],)
    is_inference = _is_inference(x)
    base = None if is_inference else _base_of(x)
    return filled(
        {
            "shape": shape,
            "stride": _stride(x),
            "storage_offset": _offset(x),
            "dtype": _dtype(x),
            "itemsize": _itemsize(x),
            "device": _device(x),
            "layout": _layout(x),
            "storage_id": _storage_id(x),
            "storage_nbytes": _storage(x).nbytes(),
            "address": _address(x) if address is None else address,
            "numel": _numel(x),
            "is_view": _is_view(x),
            "base_shape": None if base is None else numbers(_shape(base)),
            "is_contiguous": is_contiguous,
            "memory_formats": formats,
            "version": None if is_inference else _version(x),
            "requires_grad": _requires_grad(x),
            "is_leaf": _is_leaf(x),
            "is_inference": is_inference,
            "is_conj": _is_conj(x),
            "is_neg": _is_neg(x),
            "quantisation": quantisation,
            "kind": kind,
            "parts": parts,
            "wrapped": wrapped,
            "notes": notes,
            "reason": None,
        }
    )


def without_strides(
    x: torch.Tensor,
    reason: Sentence,
    *,
    shape: tuple[int, ...] | None = None,
    numel: int | None = None,
    kind: str = "",
    parts: tuple[Part, ...] = (),
    stride: tuple[int, ...] | None = None,
    wrapped: Wrapped | None = None,
    notes: tuple[Sentence, ...] = (),
) -> StridesRecord:
    """Read what can be read of a tensor that has no storage of its own."""
    is_inference = _is_inference(x)
    return StridesRecord(
        shape=numbers(_shape(x)) if shape is None else shape,
        stride=stride,
        storage_offset=0,
        dtype=_dtype(x),
        itemsize=_itemsize(x),
        device=_device(x),
        layout=_layout(x),
        storage_id=None,
        storage_nbytes=None,
        address=0,
        numel=_numel(x) if numel is None else numel,
        is_view=_is_view(x),
        base_shape=None,
        is_contiguous=stride is not None and _is_contiguous(x),
        memory_formats=(),
        version=None if is_inference else _version(x),
        requires_grad=_requires_grad(x),
        is_leaf=_is_leaf(x),
        is_inference=is_inference,
        kind=kind,
        parts=parts,
        wrapped=wrapped,
        notes=notes,
        reason=reason,
    )


def numbers(sizes: Any) -> tuple[int, ...]:
    """Sizes as ints; a symbolic or ragged one, which is no number, as -1."""
    return tuple(size if type(size) is int else -1 for size in sizes)
