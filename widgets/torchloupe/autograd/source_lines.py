"""The person's line behind each operation, recorded as it runs."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.overrides import TorchFunctionMode

from . import native
from .explain_lines import lines as source_of
from .explain_lines import person, place
from .sequence_number import next_number
from .values import number

MOST_LINES = 200_000
"""Operations remembered for each trace; older ones go."""
MOST_VALUES = 4
LONGEST = 80


class Line(NamedTuple):
    """Where a node comes from."""

    text: str
    """The piece of code, `x**2`, in one line."""
    value: str
    """What came out, `4` or `[1, 2]`, when it has at most four elements and is on the CPU; else empty."""
    place: str
    """`In[3]` for a cell, else the file's name; empty when there is no source."""
    number: int
    """Line number in it, from 1."""


@dataclass(frozen=True, slots=True)
class _Made:
    """Nodes numbered `first` to `last - 1`, made by one operation."""

    thread: int
    first: int
    last: int
    code: CodeType
    instruction: int
    line: int
    value: str


class LineLog:
    """The operations that one trace saw; holds code and numbers, no frame and no tensor."""

    def __init__(self) -> None:
        self.made: list[_Made] = []

    def lines(self, sequences: NDArray[np.int64]) -> list[Line | None] | None:
        """The line behind each sequence number of this thread; None when there is none at all."""
        here = threading.get_ident()
        made = [operation for operation in list(self.made) if operation.thread == here]
        if not made:
            return None
        first = np.array([operation.first for operation in made], np.int64)
        last = np.array([operation.last for operation in made], np.int64)
        at = np.searchsorted(first, sequences, side="right") - 1
        inside = (sequences >= 0) & (at >= 0) & (sequences < last[at])
        if not inside.any():
            return None
        return [
            _line(made[operation], int(sequence)) if within else None
            for operation, sequence, within in zip(at.tolist(), sequences.tolist(), inside, strict=True)
        ]


class SourceLines(TorchFunctionMode):
    """While active, notes in `log` which line of code made which nodes."""

    def __init__(self, log: LineLog) -> None:
        super().__init__()
        self._made = log.made

    def __torch_function__(
        self, func: Callable[..., Any], types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Run `func` as it would have run, then note what it made."""
        first = next_number()
        out = func(*args, **(kwargs or {}))
        last = next_number()
        if last > first:
            frame = person(sys._getframe(1))  # noqa: SLF001
            if frame is not None:
                made = self._made
                if len(made) >= MOST_LINES:
                    del made[: MOST_LINES // 2]
                here = threading.get_ident()
                made.append(
                    _Made(here, first, last, frame.f_code, frame.f_lasti, frame.f_lineno, _value(out))
                )
        return out


def _value(out: Any) -> str:
    """The value as text. Anything that is not plain memory on the CPU is left alone: reading would wait."""
    if type(out) is not torch.Tensor or not out.is_cpu or out.layout is not torch.strided:
        return ""
    if out.numel() > MOST_VALUES or out.is_quantized:
        return ""
    try:
        with native.without_overrides():
            return _text(out.tolist())
    except (RuntimeError, NotImplementedError, TypeError, ValueError):
        return ""


def _text(value: Any) -> str:
    return f"[{', '.join(map(_text, value))}]" if isinstance(value, list) else number(value)


def _line(made: _Made, sequence: int) -> Line:
    text, where = _source(made.code, made.instruction)
    # Of several nodes made by one function the last made its result.
    return Line(text, made.value if sequence == made.last - 1 else "", where, made.line)


@lru_cache(maxsize=4096)
def _source(code: CodeType, instruction: int) -> tuple[str, str]:
    return _fragment(code, instruction), place(code.co_filename)


def _fragment(code: CodeType, instruction: int) -> str:
    """The piece of source the instruction was compiled from; positions are columns of UTF-8 bytes."""
    first, last, begin, end = list(code.co_positions())[instruction // 2]
    source = source_of(code.co_filename)
    if first is None or last is None or begin is None or end is None or last > len(source):
        return ""
    rows = [row.encode() for row in source[first - 1 : last]]
    rows[-1] = rows[-1][:end]
    rows[0] = rows[0][begin:]
    return _short(" ".join(b" ".join(rows).decode("utf-8", "replace").split()))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
