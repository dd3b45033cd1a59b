"""Hears how the code around a loop ended.

A generator in a `for` loop is only told that it was left: by `break`, or by an exception in the loop's body.
Which of the two it was, and which exception, is known when the cell, the script or the thread has ended.
"""

from __future__ import annotations

import atexit
import dis
import sys
import threading
import weakref
from collections.abc import Callable
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple, Protocol

Offsets = dict[CodeType, int]
"""Where in their bytecode the frames stood that asked a loop for its first batch."""
_DEEPEST = 32


class Place(NamedTuple):
    """Where a frame stood when a loop was left."""

    code: CodeType
    line: int
    began: int
    """Where it stood in its bytecode when it asked for the first batch: at its `for`; -1 if it did not."""


Left = list[Place]
"""The frames that a loop was left in, the innermost first."""


class Heard(Protocol):
    """A run that wants to know."""

    thread: int
    """The ident of the thread its loop runs on."""

    def heard(self, error: BaseException | None, *, dies: bool = False) -> None:
        """The cell, script or thread of its loop has ended, with an exception or without."""

    def exit(self) -> None:
        """The process ends."""


class Stopped(BaseException):
    """Raised at the end of a step when a person pressed Stop; no `except Exception` holds it up.

    `with run:` around the loop ends quietly with it. In a cell or a script it prints one line.
    """

    def _render_traceback_(self) -> list[str]:
        """What IPython prints in place of a traceback."""
        return [str(self)]


_runs: weakref.WeakSet[Heard] = weakref.WeakSet()
_shells: weakref.WeakSet[Any] = weakref.WeakSet()
_hooked = False


def listen(run: Heard) -> None:
    """Tell this run from now on; it is held weakly."""
    global _hooked
    _runs.add(run)
    # IPython is there already or it is not wanted: nothing that captures imports it.
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is not None and shell not in _shells:
        _shells.add(shell)
        shell.events.register("post_run_cell", _after_cell)
    if not _hooked:
        _hooked = True
        sys.excepthook = _around(sys.excepthook)
        threading.excepthook = _around_thread(threading.excepthook)
        atexit.register(_at_exit)


def tell(error: BaseException | None, thread: int, *, dies: bool = False) -> None:
    """The code on a thread has ended; with it perhaps the process."""
    for run in list(_runs):
        if run.thread == thread:
            run.heard(error, dies=dies)


def offsets(frame: FrameType | None) -> Offsets:
    """Where a frame and those that called it are in their bytecode."""
    found: Offsets = {}
    while frame is not None and len(found) < _DEEPEST:
        found.setdefault(frame.f_code, frame.f_lasti)
        frame = frame.f_back
    return found


def left(frame: FrameType | None, began: Offsets) -> Left:
    """Where a frame and those that called it stand now that a loop is left.

    Args:
        frame: the one that held the loop.
        began: what `offsets` said when the loop began.
    """
    found: Left = []
    while frame is not None and len(found) < _DEEPEST:
        found.append(Place(frame.f_code, frame.f_lineno, began.get(frame.f_code, -1)))
        frame = frame.f_back
    return found


def left_by(error: BaseException, left: Left) -> bool:
    """Whether it was this exception that left a loop which was left at these places.

    The innermost frame that both know decides: the exception came out of the `for` loop in it, or passed the
    line where the loop was left.
    """
    passed = list[TracebackType]()
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        passed.append(trace)
        trace = trace.tb_next
    for place in left:
        here = [trace for trace in passed if trace.tb_frame.f_code is place.code]
        if here:
            inside = _for_loop(place)
            return any(trace.tb_lasti in inside or trace.tb_lineno == place.line for trace in here)
    return False


def _for_loop(place: Place) -> range:
    """The bytecode of the `for` loop that asked for the batches."""
    for instruction in dis.get_instructions(place.code):
        if instruction.offset == place.began and instruction.opname.startswith("FOR_ITER"):
            return range(place.began, int(instruction.argval))
    return range(0)


def _after_cell(result: Any) -> None:
    error = getattr(result, "error_in_exec", None) or getattr(result, "error_before_exec", None)
    tell(error, threading.get_ident())


def _around(before: Callable[..., Any]) -> Callable[..., Any]:
    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        tell(error, threading.get_ident(), dies=True)
        if isinstance(error, Stopped):
            sys.stderr.write(f"{error}\n")
        else:
            before(kind, error, trace)

    return hook


def _around_thread(before: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def hook(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and args.thread is not None and args.thread.ident is not None:
            tell(args.exc_value, args.thread.ident)
        if isinstance(args.exc_value, Stopped):
            sys.stderr.write(f"{args.exc_value}\n")
        else:
            before(args)

    return hook


def _at_exit() -> None:
    for run in list(_runs):
        run.exit()
