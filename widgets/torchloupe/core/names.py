"""The names a person gave, read from the call they wrote: `show(x, x.T)` → `["x", "x.T"]`."""

from __future__ import annotations

import ast
import inspect
from types import FrameType

import executing


def argument_names(depth: int = 1) -> list[str] | None:
    """Source text of the positional arguments of the call `depth` frames up.

    Args:
        depth: 1 for the caller of the function that asks.

    Returns:
        One string per positional argument, or None when the source is not known or holds a `*` argument.
    """
    frame = inspect.currentframe()
    for _ in range(depth + 1):
        frame = frame.f_back if frame else None
    if frame is None:
        return None
    try:
        return _names_at(frame)
    except (OSError, SyntaxError, ValueError, AssertionError):
        return None


def _names_at(frame: FrameType) -> list[str] | None:
    found = executing.Source.executing(frame)
    call = found.node or _call_among(found.statements or set(), frame)
    if not isinstance(call, ast.Call) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    return [" ".join(ast.unparse(argument).split()) for argument in call.args]


def _call_among(statements: set[ast.stmt], frame: FrameType) -> ast.Call | None:
    """The call a frame stands at, in a notebook line of several statements, where `executing` finds none."""
    at = inspect.getframeinfo(frame, context=0).positions
    if at is None or len(statements) < 2:
        return None
    nodes = [node for statement in statements for node in ast.walk(statement) if isinstance(node, ast.Call)]
    calls = [
        node for node in nodes if (node.end_lineno, node.end_col_offset) == (at.end_lineno, at.end_col_offset)
    ]
    return calls[0] if len(calls) == 1 else None
