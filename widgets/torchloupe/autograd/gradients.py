"""What is told of a gradient: a few numbers, read at once and without keeping the gradient.

Ways to read it differ by layout, dtype and device; each needs few passes over it, none leaves a trace: no
graph, no mode of the person, no random number and no version counter is touched.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, NamedTuple

import torch
from torch.utils._python_dispatch import _disable_current_modes

from . import native
from .values import number

NOT_RUN, VALUE, ZERO, NONE, BAD = range(5)
"""How a gradient looks: not run yet, a value, exactly zero, None (unused), with NaN or infinity."""
MOST_SHOWN = 4
"""Elements that are shown as numbers."""
UNKNOWN = math.nan
_SMALL = 64
_SMALLEST = 1e-15
"""Below this the squares of 32-bit floats lose digits."""


class Summary(NamedTuple):
    """One gradient in numbers; those not known are NaN."""

    look: int
    shape: tuple[int, ...] = ()
    dtype: str = ""
    numel: int = 0
    norm: float = UNKNOWN
    """L2 norm."""
    smallest: float = UNKNOWN
    largest: float = UNKNOWN
    mean: float = UNKNOWN
    zeros: float = UNKNOWN
    """Share of elements that are exactly zero, 0 to 1."""
    nonfinite: int = 0
    """Elements that are NaN or infinite."""
    text: str = ""
    """The gradient itself when it has at most four elements: `4`, `[1, 2]`."""


UNUSED = Summary(NONE)
"""No gradient: nothing arrives here."""


def summarise(gradient: torch.Tensor | None) -> Summary:
    """Read a gradient of any layout, dtype and device.

    A dense tensor takes four passes, none when it has at most four elements; from another device than the CPU
    the numbers come over in one transfer. Where nothing can be read (meta tensors, opaque layouts) they are
    NaN.

    Example:
        >>> import torch
        >>> summarise(torch.tensor([3.0, 0.0, -4.0])).norm
        5.0
    """
    if gradient is None:
        return UNUSED
    modes = torch._C._len_torch_dispatch_stack()  # noqa: SLF001
    recorded = torch.is_grad_enabled()
    torch._C._set_grad_enabled(False)  # noqa: SLF001
    try:
        with native.without_overrides(), _disable_current_modes() if modes else _AS_IT_IS:
            return _read(gradient)
    except Exception:  # a tensor subclass may raise anything, and looking must never break a backward
        return Summary(VALUE, _shape(gradient), _dtype(gradient), math.prod(_shape(gradient)))
    finally:
        torch._C._set_grad_enabled(recorded)  # noqa: SLF001


_AS_IT_IS: AbstractContextManager[Any] = nullcontext()


def _read(gradient: torch.Tensor) -> Summary:
    if gradient.device.type == "meta":
        return Summary(VALUE, tuple(gradient.shape), _dtype(gradient), gradient.numel())
    if gradient.layout is torch.strided:
        numel = gradient.numel()
        if numel <= MOST_SHOWN:
            return _few(gradient)
        small = numel <= _SMALL and gradient.is_cpu and gradient.is_floating_point()
        return _small(gradient, numel) if small else _many(gradient)
    if gradient.numel() <= MOST_SHOWN:
        return _few(gradient.to_dense())
    return _sparse(gradient)


def _few(gradient: torch.Tensor) -> Summary:
    rows = gradient.tolist()
    values = list(_flat(rows))
    bad = sum(not _finite(value) for value in values)
    zeros = sum(value == 0 for value in values)
    numel = len(values)
    real = [float(value) for value in values if not isinstance(value, complex)]
    ordered = not bad and 0 < numel == len(real)
    return Summary(
        BAD if bad else ZERO if zeros == numel else VALUE,
        tuple(gradient.shape),
        _dtype(gradient),
        numel,
        norm=UNKNOWN if bad else math.hypot(*(abs(value) for value in values)),
        smallest=min(real) if ordered else UNKNOWN,
        largest=max(real) if ordered else UNKNOWN,
        mean=math.fsum(real) / numel if ordered else UNKNOWN,
        zeros=zeros / numel if numel else UNKNOWN,
        nonfinite=bad,
        text=_told(rows),
    )


def _small(gradient: torch.Tensor, numel: int) -> Summary:
    """Python's own arithmetic is faster for a few numbers than five calls of PyTorch."""
    values = gradient.flatten().tolist()
    norm = math.hypot(*values)
    shape, dtype = tuple(gradient.shape), _dtype(gradient)
    zeros = values.count(0.0) / numel
    if not math.isfinite(norm) and (bad := sum(not math.isfinite(value) for value in values)):
        return Summary(BAD, shape, dtype, numel, zeros=zeros, nonfinite=bad)
    look = ZERO if zeros == 1 else VALUE
    low, high, mean = min(values), max(values), math.fsum(values) / numel
    return Summary(look, shape, dtype, numel, norm, low, high, mean, zeros)


def _many(gradient: torch.Tensor) -> Summary:
    numel, shape, dtype = gradient.numel(), tuple(gradient.shape), _dtype(gradient)
    if gradient.is_complex():
        return _complex(gradient, shape, dtype, numel)
    wide = gradient
    if not gradient.is_floating_point():
        wide = gradient.to(torch.float64 if gradient.device.type != "mps" else torch.float32)
    elif gradient.dtype.itemsize < 4:  # small floats overflow in a sum, and some have no such operation
        wide = gradient.to(torch.float32)
    low, high = torch.aminmax(wide)
    norm, smallest, largest, total, filled = _numbers(
        torch.linalg.vector_norm(wide), low, high, wide.sum(), torch.count_nonzero(wide)
    )
    if not (math.isfinite(smallest) and math.isfinite(largest)):
        bad = numel - int(torch.isfinite(wide).sum())
        return Summary(BAD, shape, dtype, numel, zeros=1 - filled / numel, nonfinite=bad)
    reach = max(-smallest, largest)
    if filled and not _SMALLEST < norm < math.inf:
        norm = float(torch.linalg.vector_norm(wide / reach).item()) * reach
    if not math.isfinite(total):
        total = float((wide / reach).sum().item()) * reach
    look = VALUE if smallest or largest else ZERO
    return Summary(look, shape, dtype, numel, norm, smallest, largest, total / numel, 1 - filled / numel)


def _complex(gradient: torch.Tensor, shape: tuple[int, ...], dtype: str, numel: int) -> Summary:
    """Complex numbers have no order and no one mean to show."""
    norm, filled, finite = _numbers(
        torch.linalg.vector_norm(gradient), torch.count_nonzero(gradient), torch.isfinite(gradient).sum()
    )
    bad = numel - int(finite)
    look = BAD if bad else VALUE if filled else ZERO
    return Summary(
        look, shape, dtype, numel, UNKNOWN if bad else norm, zeros=1 - filled / numel, nonfinite=bad
    )


def _sparse(gradient: torch.Tensor) -> Summary:
    """Of the whole tensor, with the zeros that are not stored."""
    held = gradient.coalesce() if gradient.layout is torch.sparse_coo else gradient
    values, numel = held.values(), gradient.numel()
    stored = values.numel()
    told = _many(values) if stored > MOST_SHOWN else _few(values)
    empty = numel - stored
    filled = 0 if stored == 0 else stored * (1 - told.zeros)
    extremes = [0.0] if empty else []
    ordered = told.look != BAD and not gradient.is_complex()
    return told._replace(
        shape=tuple(gradient.shape),
        numel=numel,
        smallest=min([told.smallest, *extremes] if stored else extremes) if ordered else UNKNOWN,
        largest=max([told.largest, *extremes] if stored else extremes) if ordered else UNKNOWN,
        mean=(told.mean * stored / numel if stored else 0.0) if ordered else UNKNOWN,
        zeros=1 - filled / numel,
        text="",
    )


def _numbers(*scalars: torch.Tensor) -> list[float]:
    """The values of 0-dimensional tensors; from another device in one transfer."""
    if scalars[0].device.type == "cpu":
        return [float(scalar.item()) for scalar in scalars]
    kind = torch.float32 if scalars[0].device.type == "mps" else torch.float64
    both: list[float] = torch.stack([scalar.to(kind) for scalar in scalars]).tolist()
    return both


def _flat(rows: Any) -> Iterator[Any]:
    if isinstance(rows, list):
        for row in rows:
            yield from _flat(row)
    else:
        yield rows


def _finite(value: Any) -> bool:
    return math.isfinite(abs(value)) if isinstance(value, complex) else math.isfinite(value)


def _told(rows: Any) -> str:
    if isinstance(rows, list):
        return f"[{', '.join(_told(row) for row in rows)}]"
    return number(rows).replace("nan", "NaN")


def _shape(gradient: torch.Tensor) -> tuple[int, ...]:
    try:
        return tuple(int(size) for size in native.Base.shape.__get__(gradient))
    except (RuntimeError, TypeError):
        return ()


def _dtype(gradient: torch.Tensor) -> str:
    return _name(native.Base.dtype.__get__(gradient))


@cache
def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
