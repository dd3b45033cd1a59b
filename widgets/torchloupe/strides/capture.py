"""Read a tensor's layout. Torch only: no notebook, no data, nothing kept alive, nothing changed."""

from __future__ import annotations

from typing import Any

import torch

from . import layouts, native, strangers
from .record import CaptureError, StridesRecord
from .strided import strided

_PLAIN = {torch.Tensor: "", torch.nn.Parameter: "Parameter"}


def capture(x: torch.Tensor) -> StridesRecord:
    """Record where the elements of `x` are in memory.

    Takes a few microseconds whatever the size of `x`: no data is read, nothing is allocated on a device, and
    neither the record nor anything behind it keeps `x` alive. Code of a tensor subclass is not run.

    Args:
        x: a tensor of any layout, dtype or device. One without strides (sparse, nested, opaque) gives a
            record with `stride=None`, the `reason`, and its strided `parts`. Inside `torch.func` transforms
            the record is what the function sees, with the real tensor under `wrapped`.

    Returns:
        A frozen record; `str(record)` is its text form.

    Raises:
        CaptureError: a `TypeError` that names the type of `x` and what would work, if `x` is not a tensor
            or its class hides its layout.

    Example:
        >>> import torch, torchloupe as loupe
        >>> loupe.strides.capture(torch.arange(6).view(2, 3).T).stride
        (1, 3)
    """
    kind: Any = type(x)
    if kind not in _PLAIN and not issubclass(kind, torch.Tensor):
        raise CaptureError(strangers.refusal(x))
    with native.without_overrides():
        if kind in _PLAIN and layouts.is_plain(x):
            return strided(x, _PLAIN[kind])
        return _unusual(x, kind)


native.never_compiled(capture)


def _unusual(x: torch.Tensor, kind: type) -> StridesRecord:
    try:
        return layouts.read(x, capture)
    except CaptureError:
        raise
    except Exception as error:
        raise CaptureError(strangers.hidden(kind, error)) from error
