"""What a capture holds: the frozen facts of one tensor's layout, with none of its data."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import torch

from ..core.record import Record
from ..core.words import Sentence
from . import reach

if TYPE_CHECKING:
    from ..core.picture import Picture


class CaptureError(TypeError):
    """What was given has no tensor layout to show; `str(error)` says why and what would work."""


@dataclass(frozen=True, slots=True)
class Quantisation:
    """How stored integers stand for real numbers: `value = (code - zero_point) * scale`.

    Source: https://pytorch.org/docs/stable/quantization.html
    """

    scale: float | tuple[float, ...]
    """One number, or one per index of `axis` (at most 64 are kept)."""
    zero_point: int | tuple[int, ...] | tuple[float, ...]
    axis: int | None
    """The axis with its own scales, or None when one scale serves the whole tensor."""


@dataclass(frozen=True, slots=True)
class Part:
    """A tensor that holds some of another one, such as the `values()` of a sparse matrix."""

    name: str
    """How to reach it from the whole: `values()`, `_local_tensor`."""
    record: StridesRecord


@dataclass(frozen=True, slots=True)
class Wrapped:
    """The real tensor behind one that a `torch.func` transform passes to a function."""

    transform: str
    """`vmap` or `grad`."""
    level: int
    """Depth of the transform, the outermost is 1."""
    batch_dim: int | None
    """The axis of the real tensor that `vmap` hides, or None."""
    record: StridesRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class StridesRecord(Record):
    """The layout of one tensor: where its elements are in memory. Made by `capture`.

    Strides, offsets and cells count elements of the tensor's dtype, as PyTorch does; `…nbytes` count bytes.

    Example:
        >>> import torch, torchloupe as loupe
        >>> record = loupe.strides.capture(torch.arange(3.).expand(1000, 3))
        >>> record.stride, record.distinct_cells, record.storage_nbytes, record.nbytes
        ((0, 1), 3, 12, 12000)
    """

    shape: tuple[int, ...]
    """Lengths of the axes; -1 for a ragged or symbolic one."""
    stride: tuple[int, ...] | None
    """None when the layout has no strides (sparse, opaque, nested)."""
    storage_offset: int
    dtype: torch.dtype
    itemsize: int
    device: torch.device
    layout: torch.layout
    storage_id: int | None
    """Equal for tensors that share a storage while both live; None when there is no storage."""
    storage_nbytes: int | None
    address: int
    """Address of byte 0 of the storage, 0 when it has none (meta, fake, empty)."""
    numel: int
    is_view: bool
    base_shape: tuple[int, ...] | None
    """Shape of `x._base`, or None."""
    is_contiguous: bool
    memory_formats: tuple[str, ...]
    """Every format `x.is_contiguous(memory_format=…)` affirms. Axes of length 1 can make several true."""
    version: int | None
    """`x._version`; None for inference tensors, which keep none."""
    requires_grad: bool
    is_leaf: bool
    is_inference: bool = False
    is_conj: bool = False
    """Elements are read as the complex conjugate of what memory holds."""
    is_neg: bool = False
    """Elements are read as the negative of what memory holds."""
    quantisation: Quantisation | None = None
    kind: str = ""
    """Class name when it is not a plain `torch.Tensor`."""
    parts: tuple[Part, ...] = ()
    wrapped: Wrapped | None = None
    notes: tuple[Sentence, ...] = ()
    reason: Sentence | None = None
    """Why there is no stride picture, or None when there is one."""

    @property
    def nbytes(self) -> int:
        """Logical bytes, `numel * itemsize`: what a dense copy would need."""
        return self.numel * self.itemsize

    @property
    def storage_cells(self) -> int:
        """How many whole items of this dtype the storage holds; 0 when there is no storage."""
        return (self.storage_nbytes or 0) // self.itemsize

    @property
    def distinct_cells(self) -> int | None:
        """How many different cells the elements address; see `reach.distinct_cells` for when it is None."""
        return None if self.stride is None else reach.distinct_cells(self.shape, self.stride)

    @property
    def overlaps(self) -> bool | None:
        """Whether two elements share a cell; None without strides or when a search would be needed."""
        return None if self.stride is None else reach.overlaps(self.shape, self.stride)

    @property
    def has_values(self) -> bool:
        """Whether there is memory to read: not meta, fake, wrapped or without storage."""
        return self.reason is None and self.wrapped is None and (self.address != 0 or not self.storage_nbytes)

    def text(self) -> str:
        """One short fact a line, in the language in force."""
        from .report import report

        return report(self)

    def picture(self) -> Picture:
        """Its table, facets and storage strip, without values: a record holds no data."""
        from .frames import alone
        from .picture import picture

        return picture(alone(self))

    def __repr__(self) -> str:
        stride = (
            "" if self.stride is None else f", stride={self.stride}, storage_offset={self.storage_offset}"
        )
        storage = "" if self.storage_nbytes is None else f", storage_nbytes={self.storage_nbytes}"
        return f"StridesRecord(shape={self.shape}{stride}, dtype={self.dtype}, layout={self.layout}{storage})"


_FIELDS = tuple(field.name for field in fields(StridesRecord))
_PUTS = tuple(getattr(StridesRecord, name).__set__ for name in _FIELDS)


def filled(facts: dict[str, Any]) -> StridesRecord:
    """A record from all of its fields, in their order.

    The `__init__` of a frozen dataclass would take half of a capture.
    """
    assert tuple(facts) == _FIELDS
    record = object.__new__(StridesRecord)
    for put, value in zip(_PUTS, facts.values(), strict=True):
        put(record, value)
    return record
