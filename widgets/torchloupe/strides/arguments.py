"""Arguments as a person types them, read into numbers: never evaluated, only parsed."""

from __future__ import annotations

import ast
from typing import Any

import torch

from ..core.words import Sentence


class ArgumentError(Exception):
    """A typed argument that PyTorch could not even be asked about; holds the sentence that says why."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence.id)
        self.sentence = sentence


def split(texts: list[str]) -> list[str]:
    """One text per number: `["2, 0", "1"]` → `["2", "0", "1"]`."""
    pieces = [piece.strip() for text in texts for piece in text.strip().strip("()").split(",")]
    return [piece for piece in pieces if piece]


def integers(texts: list[str]) -> list[int]:
    """Read whole numbers; `1_000` and a typographic minus are understood.

    Raises:
        ArgumentError: if one is not a whole number of at most 63 bits.
    """
    return [_integer(text) for text in split(texts)]


def _integer(text: str) -> int:
    try:
        number = int(text.replace("−", "-"))
    except ValueError:
        raise ArgumentError(Sentence("error.not_a_number", {"text": text[:40]})) from None
    if abs(number) >= 1 << 63:
        raise ArgumentError(Sentence("error.not_a_number", {"text": text[:40]}))
    return number


def index(text: str) -> tuple[Any, ...]:
    """Read what stands between the brackets of `x[…]`: integers, slices, `...` and `None`, nothing else.

    Raises:
        ArgumentError: if it holds anything else, such as a list (which would copy) or a name.
    """
    try:
        node = ast.parse(f"x[{text.replace('−', '-')}]", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ArgumentError(Sentence("error.not_an_index", {"text": text[:40]})) from None
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        raise ArgumentError(Sentence("error.not_an_index", {"text": text[:40]}))
    items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    found = tuple(_item(item, text) for item in items)
    if found.count(Ellipsis) > 1:
        raise ArgumentError(Sentence("error.two_ellipses"))
    return found


def _item(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.Slice):
        return slice(*(_bound(part, text) for part in (node.lower, node.upper, node.step)))
    if isinstance(node, ast.Constant) and (node.value is Ellipsis or node.value is None):
        return node.value
    return _bound(node, text)


def _bound(node: ast.expr | None, text: str) -> int | None:
    if node is None:
        return None
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1
    if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 1 << 62:
        return sign * node.value
    if sign == 1 and isinstance(node, ast.Constant) and node.value is None:
        return None
    raise ArgumentError(Sentence("error.not_an_index", {"text": text[:40]}))


def dtype(text: str) -> torch.dtype:
    """Read `torch.int32` or `int32`.

    Raises:
        ArgumentError: if torch has no dtype of that name.
    """
    found = getattr(torch, text.strip().removeprefix("torch."), None)
    if not isinstance(found, torch.dtype):
        raise ArgumentError(Sentence("error.not_a_dtype", {"text": text[:40]}))
    return found


def not_negative(sizes: list[int]) -> None:
    """Let sizes below 0 through to nobody: `as_strided` takes some of them and gives nonsense.

    Raises:
        ArgumentError: if one is below 0.
    """
    if any(size < 0 for size in sizes):
        raise ArgumentError(Sentence("error.negative_size"))


def exactly(count: int, numbers: list[int], form: str) -> list[int]:
    """`numbers`, if there are `count` of them.

    Raises:
        ArgumentError: if there are not.
    """
    if len(numbers) != count:
        raise ArgumentError(
            Sentence("error.argument_count", {"form": form, "count": count, "given": len(numbers)})
        )
    return numbers
