"""The shape of an explanation: what is in the way for these numbers, and lines that would work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..core.words import Argument, Sentence
from .state import Point


@dataclass(frozen=True, slots=True)
class Out:
    """A way out: an operation with arguments, on another entry when `tensor` says so."""

    operation: str
    texts: list[str]
    tensor: int | None = None
    price: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """Why PyTorch refuses, in words, as a walk through the storage where that shows it, and ways out."""

    heading: Sentence
    detail: Sentence
    outs: list[Out] = field(default_factory=list)
    walk: list[Point] = field(default_factory=list)


def say(id: str, **args: Argument) -> Sentence:
    """A sentence with its arguments by name."""
    return Sentence(id, dict(args))


def texts(*numbers: int | Sequence[int]) -> list[str]:
    """Numbers as arguments."""
    flat: list[int] = []
    for number in numbers:
        flat += [number] if isinstance(number, int) else list(number)
    return [str(number) for number in flat]


def times(sizes: Sequence[int]) -> str:
    """`2 × 3 × 4`."""
    return " × ".join(str(size) for size in sizes) or "1"
