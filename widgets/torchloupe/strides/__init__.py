"""Shape, stride and storage of tensors: `capture` records them, `show` makes them a live picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .capture import capture
from .record import CaptureError, StridesRecord
from .showing import show

if TYPE_CHECKING:
    from .lens import StridesLens

__all__ = ["CaptureError", "StridesLens", "StridesRecord", "capture", "show"]


def __getattr__(name: str) -> object:
    if name == "StridesLens":
        from .lens import StridesLens

        return StridesLens
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}.")
