"""A custom Function whose backward gave the wrong thing, or raised."""

from __future__ import annotations

import ast
import re
from types import CodeType
from typing import Any

from ..core import safe
from ..core.words import Argument, Sentence
from .explain_graph import nodes_of, roots_of
from .explain_lines import Spot, lines
from .explain_outline import failed_at, outline
from .explain_recording import Recording, call_of
from .state import Explanation

NAMED = re.compile(r"[Ff]unction (\w+) returned an (?:invalid gradient|incorrect number)")
_SHAPE = re.compile(r"at index (\d+) - got \[([\d, ]*)\] but expected shape compatible with \[([\d, ]*)\]")
_COUNT = re.compile(r"\(expected (\d+), got (\d+)\)")
_OTHER = re.compile(r"at index (\d+) - expected (.+?) but got (\S+)")


def custom(error: BaseException, recording: Recording | None) -> Explanation | None:
    """Explain what PyTorch found wrong with the gradients a Function returned."""
    named = NAMED.search(str(error))
    if named is None:
        return None
    title = named[1]
    found = [(place, node) for place, node in enumerate(nodes_of(roots_of(error))) if node.name() == title]
    code = _backward_of(found[0][1]) if found else None
    call = call_of(recording.calls, found[0][1]._sequence_nr()) if recording and found else None  # noqa: SLF001
    place = found[0][0] if found else -1
    return outline(
        "custom", error, _heading(str(error), title), _detail(str(error)), _returning(code),
        keeper=call.spot if call else None, way=_way(str(error)), title=title, node=place,
    )  # fmt: skip


def raised(error: BaseException) -> Explanation | None:
    """Explain an error that a Function's own backward raised, or None when it was not raised in one."""
    at = failed_at(error)
    if at is None or at.code.co_name != "backward" or not roots_of(error):
        return None
    title = at.code.co_qualname.rpartition(".")[0].rpartition(".")[2]
    args: dict[str, Argument] = {"function": title, "error": type(error).__name__, "line": at.line}
    heading = Sentence("explain.custom.raised", args)
    return outline("custom", error, heading, Sentence("explain.custom.raised.detail"), at, title=title)


def _backward_of(node: Any) -> CodeType | None:
    function = getattr(type(node), "_forward_cls", None)
    return getattr(getattr(function, "backward", None), "__code__", None)


def _returning(code: CodeType | None) -> Spot | None:
    """The line where a function returns, else where it begins."""
    if code is None:
        return None
    line = code.co_firstlineno
    try:
        tree = ast.parse("\n".join(lines(code.co_filename)))
    except (SyntaxError, ValueError):
        return Spot(code, 0, line)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.FunctionDef)
            and node.name == code.co_name
            and line
            in range(min([node.lineno, *(mark.lineno for mark in node.decorator_list)]), node.lineno + 1)
        ):
            returns = [inner.lineno for inner in ast.walk(node) if isinstance(inner, ast.Return)]
            return Spot(code, 0, returns[-1] if returns else node.lineno)
    return Spot(code, 0, line)


def _heading(message: str, title: str) -> Sentence:
    function = safe.one_line(title.removesuffix("Backward"), 40)
    args: dict[str, Argument] = {"function": function}
    if shape := _SHAPE.search(message):
        return Sentence(
            "explain.custom.shape",
            args | {"index": shape[1], "got": f"({shape[2]})", "wanted": f"({shape[3]})"},
        )
    if count := _COUNT.search(message):
        return Sentence("explain.custom.count", args | {"wanted": int(count[1]), "got": int(count[2])})
    if other := _OTHER.search(message):
        return Sentence(
            "explain.custom.other", args | {"index": other[1], "wanted": other[2], "got": other[3]}
        )
    return Sentence("explain.custom.invalid", args)


def _detail(message: str) -> Sentence:
    return Sentence(
        "explain.custom.count.detail" if _COUNT.search(message) else "explain.custom.shape.detail"
    )


def _way(message: str) -> Sentence:
    return Sentence("explain.custom.count.way" if _COUNT.search(message) else "explain.custom.shape.way")
