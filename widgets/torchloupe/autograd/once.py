"""A lens that a cell has displayed is not shown again as that cell's result."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from .explain_lines import shell


class Once:
    """Remembers in which cell a lens was displayed."""

    def __init__(self) -> None:
        self._cell: object = None

    def displayed(self) -> None:
        """It has just been displayed."""
        self._cell = _cell()

    def here(self) -> bool:
        """Whether the running cell has displayed it."""
        return self._cell is not None and self._cell == _cell()

    def is_result(self) -> bool:
        """Whether it is asked for as the result of the very cell that displayed it."""
        return self.here() and _asked_by_displayhook()


def _cell() -> object:
    running = shell()
    return None if running is None else running.execution_count


def _asked_by_displayhook() -> bool:
    running: Any = shell()
    code = None if running is None else type(running.displayhook).__call__.__code__
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001
    while frame is not None:
        if frame.f_code is code:
            return True
        frame = frame.f_back
    return False
