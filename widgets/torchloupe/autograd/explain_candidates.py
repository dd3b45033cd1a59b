"""After the fact: which lines of the code could have changed a tensor, read from the code alone."""

from __future__ import annotations

import ast
import traceback
from dataclasses import dataclass

import torch

from .explain_changes import key_of
from .explain_lines import lines, person


@dataclass(frozen=True, slots=True)
class Candidates:
    """Lines that write into a tensor, by name. Whether they ran is not known."""

    file: str
    names: list[str]
    """The person's variables over the tensor's storage."""
    lines: list[int]


def candidates(error: BaseException, key: int | None) -> Candidates | None:
    """Look for writes into the storage `key` in the frames the error passed through."""
    if key is None:
        return None
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        if person(frame) is not frame:
            continue
        names = [
            name
            for name, value in list(frame.f_locals.items())
            if isinstance(value, torch.Tensor) and not name.startswith("_") and key_of(value) == key
        ]
        if names:
            code = frame.f_code
            found = writes("\n".join(lines(code.co_filename)), set(names), code.co_firstlineno, code.co_name)
            return Candidates(code.co_filename, names, found)
    return None


def writes(source: str, names: set[str], first: int, function: str) -> list[int]:
    """Numbers of the lines that change one of `names` in place, in the function that starts at `first`."""
    try:
        tree: ast.AST = ast.parse(source)
    except (SyntaxError, ValueError):
        return []
    if function != "<module>":
        own = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function)
        tree = next((node for node in own if first <= node.lineno <= first + 8), tree)
    return sorted({node.lineno for node in ast.walk(tree) if _writes(node, names)})  # type: ignore[attr-defined]


def _writes(node: ast.AST, names: set[str]) -> bool:
    if isinstance(node, ast.AugAssign):
        return _root(node.target) in names
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Subscript) and _root(target) in names for target in node.targets)
    if not isinstance(node, ast.Call):
        return False
    for keyword in node.keywords:
        if keyword.arg == "out" and _root(keyword.value) in names:
            return True
        if keyword.arg == "inplace" and node.args and _root(node.args[0]) in names:
            return True
    func = node.func
    if not isinstance(func, ast.Attribute) or not func.attr.endswith("_") or func.attr.startswith("_"):
        return False
    return _root(func.value) in names or bool(node.args and _root(node.args[0]) in names)


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
