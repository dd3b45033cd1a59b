"""Values by bounded samples: a few cells of a storage are copied, nothing else is read or changed."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from .label import label
from .native import Base
from .quiet import quiet
from .record import Quantisation, StridesRecord

MOST = 4096
"""Cells one request may copy."""

_FLOAT8 = {dtype for name, dtype in vars(torch).items() if name.startswith("float8_")}


@dataclass(frozen=True, slots=True)
class Value:
    """One cell as a tensor reads it."""

    label: str
    full: str


UNKNOWN = Value("", "")


def cells(x: torch.Tensor, record: StridesRecord, places: list[int]) -> torch.Tensor | None:
    """Copy the bytes of some cells of the storage of `x` to the CPU.

    A view of the storage as bytes is made afresh, so that no version counter, hook or subclass of `x` takes
    part; from a device only the sample is copied.

    Args:
        x: the tensor whose storage is read.
        record: its record, in whose items `places` count.
        places: cells of the storage, at most `MOST`.

    Returns:
        uint8 of shape (len(places), itemsize), or None when there is no memory behind the tensor.

    Raises:
        ValueError: if more than `MOST` cells are asked for.
    """
    if len(places) > MOST:
        raise ValueError(f"A sample holds at most {MOST} cells; {len(places)} were asked for.")
    if not record.has_values:
        return None
    width = record.itemsize
    with quiet(), torch.inference_mode(False):
        storage = Base.untyped_storage(x)
        count = storage.nbytes() // width
        if any(not 0 <= place < count for place in places):
            raise ValueError(f"The storage has {count} cells; a cell outside was asked for.")
        flat = torch.empty(0, dtype=torch.uint8, device=storage.device)
        flat.set_(storage, 0, (count, width), (width, 1))
        chosen = torch.tensor(places, dtype=torch.int64, device=storage.device)
        return flat.index_select(0, chosen).cpu()


def values(
    raw: torch.Tensor, record: StridesRecord, elements: list[tuple[int, ...] | None] | None = None
) -> list[Value]:
    """Word sampled bytes as a tensor of this record reads them.

    Args:
        raw: uint8 of shape (n, itemsize), as `cells` gives it.
        record: dtype, quantisation and lazy bits to read with.
        elements: for one scale per channel, the index of the element each cell belongs to.
    """
    with quiet(), torch.inference_mode(False):
        if record.quantisation is not None:
            return _quantised(raw, record, elements)
        try:
            read = raw.contiguous().view(record.dtype).reshape(-1)
            read = read.conj() if record.is_conj else read
            read = torch.neg(read) if record.is_neg else read
            found = read.tolist()
        except (RuntimeError, NotImplementedError):
            return [_bits(row) for row in raw.tolist()]
    if record.dtype in _FLOAT8:
        codes = raw.reshape(-1).tolist()
        return [Value(label(v), f"{v!r} (code {code})") for v, code in zip(found, codes, strict=True)]
    return [Value(label(v), repr(v)) for v in found]


def _quantised(
    raw: torch.Tensor, record: StridesRecord, elements: list[tuple[int, ...] | None] | None
) -> list[Value]:
    scheme = record.quantisation
    assert scheme is not None
    dtype = {torch.qint8: torch.int8, torch.qint32: torch.int32}.get(record.dtype, torch.uint8)
    if dtype is torch.uint8 and record.dtype is not torch.quint8:
        return [_bits(row) for row in raw.tolist()]
    codes: list[int] = raw.contiguous().view(dtype).reshape(-1).tolist()
    found = []
    for place, code in enumerate(codes):
        real = _dequantised(code, scheme, elements[place] if elements else None)
        found.append(Value(str(code), f"code {code}" if real is None else f"code {code} → {real:.6g}"))
    return found


def _dequantised(code: int, scheme: Quantisation, element: tuple[int, ...] | None) -> float | None:
    if isinstance(scheme.scale, float) and isinstance(scheme.zero_point, int):
        return (code - scheme.zero_point) * scheme.scale
    if element is None or not isinstance(scheme.scale, tuple) or not isinstance(scheme.zero_point, tuple):
        return None
    channel = element[scheme.axis or 0]
    return (
        (code - scheme.zero_point[channel]) * scheme.scale[channel] if channel < len(scheme.scale) else None
    )


def _bits(row: list[int]) -> Value:
    text = "".join(f"{byte:02x}" for byte in reversed(row))
    return Value(text if len(text) <= 7 else text[:6] + "…", f"0x{text}")


def resolved(raw: torch.Tensor, record: StridesRecord) -> torch.Tensor:
    """The bytes a copy would hold where the source is read through a lazy conjugate or negative."""
    with quiet(), torch.inference_mode(False):
        read = raw.contiguous().view(record.dtype)
        read = torch.conj_physical(read) if record.is_conj else read
        read = -read if record.is_neg else read
        return read.contiguous().view(torch.uint8).reshape(raw.shape)
