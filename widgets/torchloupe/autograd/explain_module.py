"""The fix for a PyTorch module that was built with `inplace=True`."""

from __future__ import annotations

import ast

from ..core.words import Sentence
from .explain_changes import Change
from .explain_fix import Fix
from .explain_lines import lines


def inplace_module(change: Change) -> Fix | None:
    """The line that builds the module, when the same file or cell holds exactly one that could be it."""
    if change.spot is None:
        return None
    source = lines(change.spot.file)
    try:
        tree = ast.parse("\n".join(source))
    except (SyntaxError, ValueError):
        return None
    built = [
        (node, keyword)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == change.module
        for keyword in node.keywords
        if keyword.arg == "inplace"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is True
    ]
    if len(built) != 1:
        return None
    value = built[0][1].value
    row = source[value.lineno - 1].encode()
    new = (row[: value.col_offset] + b"False" + row[value.end_col_offset :]).decode()
    old = source[value.lineno - 1]
    way = Sentence("explain.way.module", {"module": change.module})
    return Fix(value.lineno, old.strip(), new.strip(), way)
