"""Why something cannot be captured, in a sentence that says what would work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from ..core.safe import one_line
from ..core.words import Words
from .record import CaptureError

words = Words("torchloupe.autograd")


def refusal(output: Any) -> str:
    """Why `output`, in which no tensor was found, has no backward graph."""
    kind = one_line(output.__name__ if isinstance(output, type) else type(output).__name__, 60)
    if output is None:
        return words("refuse.none")
    if isinstance(output, type):
        return words("refuse.class", kind=kind)
    if isinstance(output, torch.nn.Module):
        return words("refuse.module", kind=kind)
    if isinstance(output, bool | int | float | complex):
        return words("refuse.number", kind=kind)
    if isinstance(output, np.ndarray | np.generic):
        return words("refuse.array", kind=kind)
    if isinstance(output, Mapping | list | tuple):
        return words("refuse.no_tensor", kind=kind)
    if isinstance(output, Callable):  # type: ignore[arg-type]
        return words("refuse.callable", kind=kind)
    return words("refuse.other", kind=kind)


def check_model(model: Any) -> None:
    """Refuse a `model` that has no parameters to name.

    Raises:
        CaptureError: if it is no module, no mapping of tensors by name, and not None.
    """
    if model is None or isinstance(model, torch.nn.Module | Mapping):
        return
    raise CaptureError(words("refuse.model", kind=one_line(type(model).__name__, 60)))
