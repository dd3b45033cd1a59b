"""What the `ctx` of a custom Function holds, as text: never a tensor, never the person's code."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from ..core.safe import one_line
from . import native
from .walk import Walk

MOST = 32
"""Attributes listed per node."""


def contexts(walk: Walk) -> dict[int, tuple[str, ...]]:
    """By node, for every custom Function: attributes in the order they were set, and `needs_input_grad`."""
    custom = np.array([issubclass(cls, native.FunctionBase) for cls in walk.classes], bool)
    return {node: _context(walk.nodes[node]) for node in np.flatnonzero(custom[walk.type]).tolist()}


def _context(node: Any) -> tuple[str, ...]:
    held = list(vars(node).items())[:MOST]
    needs = node.needs_input_grad
    return (
        *(f"{one_line(name, 60)} = {told(value)}" for name, value in held),
        *([f"needs_input_grad = {needs}"] if needs is not None else []),
    )


def told(value: Any) -> str:
    """A value in a few characters: numbers and strings as they are, a tensor by dtype and shape."""
    if isinstance(value, torch.Tensor):
        base = native.Base
        shape = ", ".join(str(size) for size in base.shape.__get__(value))
        return f"{type(value).__name__} {str(base.dtype.__get__(value)).removeprefix('torch.')} [{shape}]"
    if value is None or isinstance(value, bool | int | float | complex | torch.dtype | torch.device):
        return one_line(value, 60)
    if isinstance(value, str):
        return one_line(repr(value[:80]), 60)
    if isinstance(value, list | tuple | set | dict):
        if isinstance(value, list | tuple) and len(value) <= 8 and all(type(v) in _SIMPLE for v in value):
            return one_line(value, 80)
        return f"{type(value).__name__} ({len(value)})"
    name = getattr(value, "__qualname__", "") if callable(value) else ""
    return one_line(name, 60) if isinstance(name, str) and name else type(value).__name__


_SIMPLE = {bool, int, float, type(None)}
