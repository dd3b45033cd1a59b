"""Which lines of the person's code to show, and the lines themselves."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable

from .explain_lines import lines
from .state import CodeLine

_WHOLE = 12
_AROUND = 1
_MOST = 18


def listing(file: str, marked: Iterable[int]) -> list[CodeLine]:
    """The marked lines of `file` with what stands around them; a short cell or file is shown whole.

    Blank lines are left out and the common indent is dropped. A jump in the numbers means lines between.
    """
    source = lines(file)
    marks = sorted({number for number in marked if 0 < number <= len(source)})
    if not marks:
        return []
    first, last = _function(source, marks)
    written = [number for number in range(first, last + 1) if source[number - 1].strip()]
    if len(written) > _WHOLE:
        near = [number for number in written if marks[0] - _AROUND <= number <= marks[-1] + _AROUND]
        close = {number + step for number in marks for step in range(-_AROUND, _AROUND + 1)}
        written = near if len(near) <= _WHOLE else [number for number in written if number in close]
    if len(written) > _MOST:
        written = [number for number in written if number in marks][:_MOST]
    texts = textwrap.dedent("\n".join(source[number - 1] for number in written)).split("\n")
    return [CodeLine(number=number, text=text) for number, text in zip(written, texts, strict=True)]


def _function(source: list[str], marks: list[int]) -> tuple[int, int]:
    """First and last line of the innermost function around all marks, else of the whole file."""
    try:
        tree = ast.parse("\n".join(source))
    except (SyntaxError, ValueError):
        return 1, len(source)
    around = [
        (node.lineno, node.end_lineno or node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.lineno <= marks[0]
        and marks[-1] <= (node.end_lineno or 0)
    ]
    return min(around, key=lambda lines: lines[1] - lines[0], default=(1, len(source)))
