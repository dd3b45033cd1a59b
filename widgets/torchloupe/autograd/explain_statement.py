"""The statement a call stands in, as a syntax tree and as text that can be edited."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache

from .explain_lines import Spot, lines

_MOST_LINES = 3
_BRANCHING = (ast.Lambda, ast.IfExp, ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Edit = tuple[tuple[int, int], tuple[int, int], str]
"""From and to a line and byte column, and what stands there instead."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of at most three lines, and the expression in it that the call is."""

    source: tuple[str, ...]
    """All lines of the file or cell."""
    node: ast.AST
    parents: tuple[ast.AST, ...]
    """From the module down to the statement; the expressions around `node` follow it."""
    at: int
    """Place of the statement in `parents`."""

    @property
    def statement(self) -> ast.stmt:
        """The innermost statement around the call."""
        found = self.parents[self.at]
        assert isinstance(found, ast.stmt)
        return found

    @property
    def scope(self) -> ast.AST:
        """The function it stands in, else the module."""
        return next(
            (up for up in reversed(self.parents[: self.at]) if isinstance(up, _FUNCTIONS)), self.parents[0]
        )

    @property
    def in_function(self) -> bool:
        """Whether it stands in a function."""
        return isinstance(self.scope, _FUNCTIONS)

    @property
    def looped(self) -> bool:
        """Whether a loop around it, in the same function, runs it again."""
        around = self.parents[: self.at]
        start = around.index(self.scope)
        return any(isinstance(up, ast.For | ast.While) for up in around[start:])

    @property
    def unconditional(self) -> bool:
        """Whether the call always runs, once, when its statement does."""
        return not any(isinstance(up, _BRANCHING) for up in self.parents[self.at + 1 :])

    @property
    def alone(self) -> bool:
        """Whether nothing else stands on its lines."""
        first, last = self.statement.lineno, self.statement.end_lineno or 0
        head = self.source[first - 1].encode()[: self.statement.col_offset]
        tail = self.source[last - 1].encode()[self.statement.end_col_offset or 0 :].decode().strip()
        return not head.strip() and (not tail or tail.startswith("#"))

    def segment(self, node: ast.AST) -> str:
        """The text of a node."""
        return ast.get_source_segment("\n".join(self.source), node) or ""

    def old(self) -> str:
        """The lines of the statement as written, without their common indent."""
        return self.edited([])

    def edited(self, edits: list[Edit]) -> str:
        """Those lines with some stretches replaced."""
        first, last = self.statement.lineno, self.statement.end_lineno or self.statement.lineno
        rows = [row.encode() for row in self.source[first - 1 : last]]
        for (top, left), (bottom, right), words in sorted(edits, reverse=True):
            joined = rows[top - first][:left] + words.encode() + rows[bottom - first][right:]
            rows[top - first : bottom - first + 1] = [joined]
        indent = len(rows[0]) - len(rows[0].lstrip())
        return "\n".join(row.decode()[min(indent, len(row) - len(row.lstrip())) :] for row in rows).rstrip()

    def led(self, before: str, edits: list[Edit]) -> str:
        """The edited lines with another statement before this one."""
        if self.alone:
            return f"{before}\n{self.edited(edits)}"
        start = (self.statement.lineno, self.statement.col_offset)
        return self.edited([*edits, (start, start, f"{before}; ")])

    def unused(self, name: str) -> str:
        """`name`, or it with a number, whichever the source does not use yet."""
        taken = {node.id for node in ast.walk(self.parents[0]) if isinstance(node, ast.Name)}
        return next(free for free in (name, *(f"{name}{n}" for n in range(2, 1000))) if free not in taken)

    def loads_before(self, name: str) -> bool:
        """Whether this statement reads `name` before it comes to the call."""
        assert isinstance(self.node, ast.expr)
        start = (self.node.lineno, self.node.col_offset)
        return any(
            node.id == name and (node.lineno, node.col_offset) < start
            for node in ast.walk(self.statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        )

    def loads_after(self, name: str) -> bool:
        """Whether `name` may be read after the call; at the level of a cell another cell may do so."""
        if not self.in_function or self.looped:
            return True
        assert isinstance(self.node, ast.expr)
        last = (self.node.end_lineno or 0, self.node.end_col_offset or 0)
        for node in ast.walk(self.statement):
            if isinstance(node, ast.Name) and node.id == name and (node.lineno, node.col_offset) >= last:
                return True
        end = self.statement.end_lineno or 0
        return any(
            isinstance(node, ast.Name) and node.id == name and node.lineno > end
            for node in ast.walk(self.scope)
        )


def whole(node: ast.AST, words: str) -> Edit:
    """An edit that replaces a node."""
    assert isinstance(node, ast.expr | ast.stmt)
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0), words


def statement(spot: Spot | None) -> Statement | None:
    """The statement at a spot, or None when its source is not kept, is long, or has changed."""
    if spot is None or spot.span is None:
        return None
    source = tuple(lines(spot.file))
    tree = _parsed(source)
    if tree is None:
        return None
    found = _path(tree, spot.span)
    if found is None:
        return None
    at = max(place for place, node in enumerate(found) if isinstance(node, ast.stmt))
    holder = found[at]
    assert isinstance(holder, ast.stmt)
    if (holder.end_lineno or 0) - holder.lineno >= _MOST_LINES:
        return None
    return Statement(source, found[-1], tuple(found), at)


@lru_cache(maxsize=32)
def _parsed(source: tuple[str, ...]) -> ast.Module | None:
    try:
        return ast.parse("\n".join(source))
    except (SyntaxError, ValueError):
        return None


def _path(tree: ast.AST, span: tuple[int, int, int, int]) -> list[ast.AST] | None:
    """The nodes from the module down to the one with this very span."""
    path, node = [tree], tree
    first, last, left, right = span
    while True:
        inside = None
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr | ast.stmt | ast.keyword | ast.withitem | ast.excepthandler):
                continue
            if isinstance(child, ast.withitem):
                child = child.context_expr
            begin = (child.lineno, child.col_offset)
            end = (child.end_lineno or 0, child.end_col_offset or 0)
            if begin <= (first, left) and (last, right) <= end:
                inside = child
                break
        if inside is None:
            break
        path.append(inside)
        node = inside
    here = path[-1]
    if not isinstance(here, ast.expr | ast.stmt):
        return None
    exact = (here.lineno, here.end_lineno, here.col_offset, here.end_col_offset) == span
    return path if exact else None
