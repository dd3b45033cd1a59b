"""Operations as lines of Python, in pieces that the view colours and lets a person edit."""

from __future__ import annotations

import ast

from . import bounds
from .bench import Bench, Tried
from .entry import Entry
from .operations import OPERATIONS, ranges
from .perform import links, pieces
from .record import StridesRecord
from .state import Argument, Token


def tokens(
    operation: str, texts: list[str], source: Entry, result: str = "", result_id: int = -1
) -> list[Token]:
    """The line `result = source.operation(…)`, or without the first half when `result` is empty."""
    line = [_plain(result, result_id), _plain(" = ")] if result else []
    line.append(_plain(receiver(source.name), source.id))
    place = 0
    for name, own in links(operation, texts):
        before, _, after = OPERATIONS[name].form.partition("{}")
        line.append(_plain(before))
        for text, index in pieces(name, own):
            line.append(Token(text=text, tensor=-1, argument=-1 if index < 0 else place + index))
        line += [_plain(after)] if after else []
        place += len(own)
    return line


def text(line: list[Token]) -> str:
    """The tokens as one string."""
    return "".join(token.text for token in line)


def arguments(operation: str, texts: list[str], source: StridesRecord) -> list[Argument]:
    """Each argument with its legal range; in a chain only the first operation's ranges are known."""
    found: list[Argument] = []
    for place, (name, own) in enumerate(links(operation, texts)):
        known = ranges(name, source, own) if place == 0 else bounds.none(source, [0] * len(own))
        found += [Argument(text=t, low=low, high=high) for t, (low, high) in zip(own, known, strict=True)]
    return found


def script(bench: Bench) -> str:
    """The lines that lead from the person's tensors to the last result."""
    needed: set[int] = {bench.done[-1].source if bench.done and bench.done[-1].result < 0 else bench.active}
    lines: list[str] = []
    for tried in reversed(bench.done):
        if tried.result in needed:
            lines.append(line(bench, tried))
            needed.add(tried.source)
    return "\n".join(reversed(lines))


def line(bench: Bench, tried: Tried) -> str:
    """One step as Python."""
    return text(line_tokens(bench, tried))


def line_tokens(bench: Bench, tried: Tried) -> list[Token]:
    """One step as tokens; a refused one shows the name its result would have had."""
    result = bench.entries[tried.result].name if tried.result >= 0 else bench.free_name()
    return tokens(tried.operation, tried.texts, bench.entries[tried.source], result, tried.result)


def receiver(name: str) -> str:
    """A name, in parentheses when a method call would otherwise bind to part of it: `(a + b)`."""
    try:
        node = ast.parse(name, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return name
    simple = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
    return name if isinstance(node, simple) else f"({name})"


def _plain(string: str, tensor: int = -1) -> Token:
    return Token(text=string, tensor=tensor, argument=-1)
