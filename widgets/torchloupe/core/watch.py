"""Looks at open lenses again after each cell, so that none shows what is no longer true."""

from __future__ import annotations

import weakref
from typing import Protocol


class Watched(Protocol):
    """A lens that can look at its objects again."""

    def look_again(self) -> None:
        """Compare with what was shown, and say so if it changed; never raises."""


_watched: weakref.WeakSet[Watched] = weakref.WeakSet()
_listening = False


def add(lens: Watched) -> None:
    """Look at `lens` after each cell while it lives; holds it weakly."""
    _watched.add(lens)
    _listen()


def remove(lens: Watched) -> None:
    """Stop looking at `lens`."""
    _watched.discard(lens)


def _listen() -> None:
    global _listening
    if _listening:
        return
    from IPython.core.getipython import get_ipython

    if shell := get_ipython():
        shell.events.register("post_run_cell", _after_cell)
        _listening = True


def _after_cell(_result: object) -> None:
    for lens in list(_watched):
        lens.look_again()
