"""A number as it is shown: short, and exact enough to recognise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch


def short(tensor: torch.Tensor) -> str:
    """The value of a tensor with one element, such as `0.6931`; empty for others and where it has none."""
    try:
        if tensor.numel() != 1 or tensor.device.type == "meta":
            return ""
        value = tensor.detach().reshape(()).item()
    except (RuntimeError, NotImplementedError, TypeError, ValueError):
        return ""
    return number(value)


def sizes(shape: Iterable[Any]) -> tuple[int, ...]:
    """Lengths of axes; -1 for one that is ragged or a symbol, which is not made a number."""
    return tuple([size if type(size) is int else -1 for size in shape])


def number(value: complex | float | bool) -> str:
    """At most six significant digits; integers and booleans whole."""
    if isinstance(value, complex):
        return f"{value:.4g}"
    return str(value) if isinstance(value, bool | int) else f"{value:.6g}"
