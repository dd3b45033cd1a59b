"""The backward graph: `capture` records it, `show` makes it a live picture, `backward` steps through it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .backward import backward
from .capture import capture
from .explain import ChangedBehindAutogradWarning, explain
from .reading import saved_tensor
from .record import CaptureError, GraphRecord
from .showing import show
from .stepping import BackwardStopped
from .tracing import trace

if TYPE_CHECKING:
    from .lens import AutogradLens

__all__ = [
    "AutogradLens",
    "BackwardStopped",
    "CaptureError",
    "ChangedBehindAutogradWarning",
    "GraphRecord",
    "backward",
    "capture",
    "explain",
    "saved_tensor",
    "show",
    "trace",
]


def __getattr__(name: str) -> object:
    if name == "AutogradLens":
        from .lens import AutogradLens

        return AutogradLens
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}.")
