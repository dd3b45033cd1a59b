"""Whose line is it: finds the person's code above a PyTorch call, and reads its source."""

from __future__ import annotations

import linecache
import re
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import torch

_LIBRARIES = (str(Path(torch.__file__).parent), str(Path(__file__).parents[1]))
_FRAME = re.compile(r'File "(.+?)", line (\d+)')
_INSTALLED = ("site-packages", "dist-packages")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in the person's code. It holds code, never a frame, so it keeps no variable alive."""

    code: CodeType
    instruction: int
    """Byte offset in the code, `frame.f_lasti`."""
    line: int

    @property
    def file(self) -> str:
        """The name Python compiled the code under."""
        return self.code.co_filename

    @property
    def span(self) -> tuple[int, int, int, int] | None:
        """First line, last line, first column, last column (in bytes) of the expression, where known."""
        at = list(self.code.co_positions())[self.instruction // 2]
        return None if None in at else (at[0], at[1], at[2], at[3])  # type: ignore[return-value]


def spot(frame: FrameType | None) -> Spot | None:
    """The nearest line of the person's own code at or above `frame`."""
    found = person(frame)
    return None if found is None else Spot(found.f_code, found.f_lasti, found.f_lineno)


def person(frame: FrameType | None) -> FrameType | None:
    """The nearest frame that is neither PyTorch nor us; installed packages only when there is none else."""
    installed = None
    while frame is not None:
        kind = _kind(frame.f_code.co_filename)
        if kind == "person":
            return frame
        if kind == "installed" and installed is None:
            installed = frame
        frame = frame.f_back
    return installed


@lru_cache(maxsize=4096)
def _kind(file: str) -> str:
    if file.startswith(_LIBRARIES) or file.startswith("<frozen"):
        return "library"
    return "installed" if any(name in file for name in _INSTALLED) else "person"


def written_in(stack: str) -> tuple[str, int] | None:
    """File and number of the person's line in a stack that anomaly mode wrote down."""
    found = [(file, int(number)) for file, number in _FRAME.findall(stack) if _kind(file) == "person"]
    return found[-1] if found else None


def lines(file: str) -> list[str]:
    """The source of a file or cell without line ends, or nothing when it is kept nowhere."""
    return [line.rstrip("\r\n") for line in linecache.getlines(file)]


def place(file: str) -> str:
    """`In[7]` for a cell, the file's name, or nothing."""
    running = shell()
    if running is not None:
        named = running.compile.format_code_name(file)
        if named is not None:
            return str(named[1])
    return "" if file.startswith("<") else Path(file).name


def shell() -> Any:
    """The IPython shell that runs this code, or None; IPython is never imported for it."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()
