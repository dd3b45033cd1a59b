"""Writes the line that does the same without changing a saved tensor, only when it surely does the same."""

from __future__ import annotations

import ast
from dataclasses import dataclass

import torch

from ..core.words import Sentence
from .explain_changes import Change
from .explain_statement import Edit, Statement, statement, whole

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript)
_PRODUCTS = (ast.Mult, ast.Div, ast.MatMult, ast.FloorDiv, ast.Mod, ast.Pow)
_MODULES = ("torch", "F", "functional", "nn")
_KEEPING_NOTHING = ("add_", "sub_", "zero_", "fill_", "masked_fill_")
_LIKE = {"zero_": "torch.zeros_like({0})", "fill_": "torch.full_like({0}, {1})"}


@dataclass(frozen=True, slots=True)
class Fix:
    """What stands there, what to write instead, and what that does."""

    line: int
    old: str
    new: str
    way: Sentence


def fix(change: Change) -> Fix | None:
    """A line that leaves the saved tensor alone, or None when none is sure to do the same.

    None where another variable shares the memory (it would no longer follow), for parameters, under `no_grad`
    (a new tensor would have no graph), for a change of dtype, and where the source is not known.
    """
    found = statement(change.spot)
    if found is None or change.leaf or change.cut or change.optimizer or change.behind:
        return None
    node = found.node
    if isinstance(node, ast.AugAssign) and not isinstance(node.target, ast.Subscript):
        return _augmented(found, node, change)
    if isinstance(node, ast.AugAssign | ast.Subscript):
        return _element(found, change)
    return _called(found, node, change) if isinstance(node, ast.Call) else None


def _augmented(found: Statement, node: ast.AugAssign, change: Change) -> Fix | None:
    """`a += 1` becomes `a = a + 1`."""
    name = _holder(node.target)
    if name is None or change.promotes or not _only(name, found, change):
        return None
    sign, value = _OPERATORS[type(node.op)], found.segment(node.value)
    if not _safe_beside(node.op, node.value):
        value = f"({value})"
    return _fix(
        found, found.edited([whole(node, f"{name} = {name} {sign} {value}")]), "explain.way.rebind", name
    )


def _safe_beside(sign: ast.operator, value: ast.expr) -> bool:
    if isinstance(value, _ATOMS):
        return True
    product = isinstance(value, ast.BinOp) and isinstance(value.op, _PRODUCTS)
    return product and isinstance(sign, ast.Add | ast.Sub)


def _element(found: Statement, change: Change) -> Fix | None:
    """`a[0] = 1` becomes `a = a.clone()` and `a[0] = 1`; a value that may read `a` is computed first."""
    written = found.statement
    if isinstance(written, ast.Assign) and len(written.targets) == 1:
        target, words = written.targets[0], found.segment(written.value)
    elif isinstance(written, ast.AugAssign):
        target, value = written.target, found.segment(written.value)
        around = value if _safe_beside(written.op, written.value) else f"({value})"
        words = f"{found.segment(target)} {_OPERATORS[type(written.op)]} {around}"
    else:
        return None
    if isinstance(written.value, ast.Constant) or not isinstance(target, ast.Subscript):
        return _cloned(found, target, change)
    fresh = found.unused("value")
    name = _holder(_below(target))
    if name is None or not _only(name, found, change) or not found.alone or change.promotes:
        return None
    lines = [f"{fresh} = {words}", f"{name} = {name}.clone()", f"{found.segment(target)} = {fresh}"]
    return _fix(found, "\n".join(lines), "explain.way.clone", name)


def _cloned(found: Statement, target: ast.AST, change: Change) -> Fix | None:
    name = _holder(_below(target))
    if name is None or not _only(name, found, change) or not found.unconditional:
        return None
    return _fix(found, found.led(f"{name} = {name}.clone()", []), "explain.way.clone", name)


def _below(target: ast.AST) -> ast.AST:
    """`a` of `a[0][1]`."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target


def _called(found: Statement, call: ast.Call, change: Change) -> Fix | None:
    """`x.add_(1)` becomes `x = x.add(1)`; `torch.relu_(x)`, `inplace=True` and `out=` likewise."""
    func = call.func
    if (
        isinstance(func, ast.Attribute)
        and not _is_module(func)
        and _holder(func.value) is None
        and change.aliases
    ):
        return _cloned(found, _base(func.value), change) if _keeps_nothing(call) else None
    written = _out_of_place(found, call, change)
    if written is None or change.promotes:
        return None
    target, edits = written
    name = _holder(target)
    if name is None:
        return None if change.aliases else _fix(found, found.edited(edits), "explain.way.new", "")
    if not _only(name, found, change):
        return None
    return _assigned(found, call, name, edits)


def _assigned(found: Statement, call: ast.Call, name: str, edits: list[Edit]) -> Fix | None:
    """The new tensor takes the name the old one had."""
    holder = found.statement
    start = (call.lineno, call.col_offset)
    if isinstance(holder, ast.Expr) and holder.value is call:
        return _fix(found, found.edited([*edits, (start, start, f"{name} = ")]), "explain.way.rebind", name)
    same = isinstance(holder, ast.Assign) and [_holder(target) for target in holder.targets] == [name]
    if found.loads_before(name):
        return None
    if same or not found.loads_after(name):
        return _fix(found, found.edited(edits), "explain.way.new", name)
    simple = isinstance(holder, ast.Assign | ast.AnnAssign | ast.Expr)
    if not simple or not found.unconditional or "\n" in found.old() or not found.alone:
        return None
    left = call.col_offset
    right = call.end_col_offset or 0
    inside = found.edited(edits).encode()
    indent = holder.col_offset
    grown = len(inside) - len(found.old().encode())
    written = inside[left - indent : right - indent + grown].decode()
    return _fix(found, found.led(f"{name} = {written}", [whole(call, name)]), "explain.way.rebind", name)


def _out_of_place(found: Statement, call: ast.Call, change: Change) -> tuple[ast.expr, list[Edit]] | None:
    """The expression that is changed, and the edits that make the call return a new tensor."""
    for keyword in call.keywords:
        if keyword.arg == "out":
            return keyword.value, [_without(call, keyword)]
        if keyword.arg == "inplace" and call.args:
            return call.args[0], [_without(call, keyword)]
    func = call.func
    if not isinstance(func, ast.Attribute) or not func.attr.endswith("_") or func.attr != change.name:
        return None
    if _is_module(func.value):
        if not call.args or not hasattr(torch.nn.functional, func.attr[:-1]) | hasattr(torch, func.attr[:-1]):
            return None
        return call.args[0], [_renamed(func)]
    return _method(found, call, func)


def _method(found: Statement, call: ast.Call, func: ast.Attribute) -> tuple[ast.expr, list[Edit]] | None:
    if func.attr in _LIKE and "torch" in {
        node.id for node in ast.walk(found.parents[0]) if isinstance(node, ast.Name)
    }:
        words = [found.segment(func.value), *(found.segment(value) for value in call.args)]
        return func.value, [whole(call, _LIKE[func.attr].format(*words))]
    if not hasattr(torch.Tensor, func.attr[:-1]):
        return None
    return func.value, [_renamed(func)]


def _is_module(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in _MODULES


def _renamed(func: ast.Attribute) -> Edit:
    line, end = func.end_lineno or 0, func.end_col_offset or 0
    return (line, end - 1), (line, end), ""


def _without(call: ast.Call, keyword: ast.keyword) -> Edit:
    """The edit that removes a keyword with the comma before it."""
    others = [*call.args, *(other.value for other in call.keywords if other is not keyword)]
    before = [
        value for value in others if (value.lineno, value.col_offset) < (keyword.lineno, keyword.col_offset)
    ]
    end = (keyword.value.end_lineno or 0, keyword.value.end_col_offset or 0)
    last = max(before, key=lambda value: (value.end_lineno or 0, value.end_col_offset or 0))
    return (last.end_lineno or 0, last.end_col_offset or 0), end, ""


def _keeps_nothing(call: ast.Call) -> bool:
    """Whether the call surely saves no tensor that it then changes itself."""
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    plain = all(isinstance(value, ast.Constant) for value in values)
    return plain or (
        name in _KEEPING_NOTHING and not any(isinstance(n, ast.Name) for v in values for n in ast.walk(v))
    )


def _base(node: ast.AST) -> ast.AST:
    """`a` of `a.view(-1)[0]`."""
    while True:
        if isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        else:
            return node


def _holder(node: ast.AST) -> str | None:
    """`a` or `self.a`: something a new tensor can be assigned to."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return f"{node.value.id}.{node.attr}"
    return None


def _only(name: str, found: Statement, change: Change) -> bool:
    """Whether no other variable shares the memory, so that a new tensor under this name does the same."""
    if set(change.aliases) - {name}:
        return False
    returns = any(isinstance(node, ast.Return) and node.value is not None for node in ast.walk(found.scope))
    return not change.outside or returns


def _fix(found: Statement, new: str, way: str, name: str) -> Fix:
    return Fix(found.statement.lineno, found.old(), new, Sentence(way, {"name": name} if name else {}))
