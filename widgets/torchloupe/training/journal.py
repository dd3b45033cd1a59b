"""Writes the runs of a process to disk, twice a second, on one thread of its own."""

from __future__ import annotations

import atexit
import os
import sys
import threading
from typing import Protocol

INTERVAL_S = 0.5


class Written(Protocol):
    """What the journal writes."""

    def write(self) -> None:
        """Write what is new; never raises. Called on the journal's thread, and on others to flush."""


_lock = threading.Lock()
_writers = set[Written]()
_wanted = threading.Event()
_thread: threading.Thread | None = None


def add(writer: Written) -> None:
    """Write this from now on, and once more when the process ends."""
    global _thread
    with _lock:
        _writers.add(writer)
        ending = sys.is_finalizing()  # a thread that is started then never begins
        if not ending and (_thread is None or not _thread.is_alive()):
            _thread = threading.Thread(target=_run, name="torchloupe-journal", daemon=True)
            _thread.start()
    _wanted.set()


def remove(writer: Written) -> None:
    """Write this no more; the last of it is written by whoever removes it."""
    with _lock:
        _writers.discard(writer)


def _run() -> None:
    pause = threading.Event()
    while True:
        _wanted.wait()
        pause.wait(INTERVAL_S)
        for writer in _present():
            writer.write()


def _present() -> list[Written]:
    with _lock:
        if not _writers:
            _wanted.clear()
        return list(_writers)


@atexit.register
def _at_exit() -> None:
    for writer in _present():
        writer.write()


def _after_fork() -> None:
    """A forked process (a DataLoader's worker) has the runs but not the thread, and must not write them."""
    global _thread, _lock
    _thread, _lock = None, threading.Lock()
    _writers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
