"""A person in front of a live backward: sees each frame that waits, and presses what a script says."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.core.tiny import wire
from torchloupe.autograd import lens as room
from torchloupe.autograd.state import Frame
from torchloupe.core import front_end

Press = dict[str, Any] | Callable[[room.AutogradLens], None]


class Person:
    """Presses one thing of `script` at each frame that waits, and Run when it is over.

    Attributes:
        frames: every frame that waited.
        lens: the lens, once there is one.
    """

    def __init__(self, script: list[Press]) -> None:
        self.script = list(script)
        self.frames: list[Frame] = []
        self.lens: room.AutogradLens | None = None
        self.failed: BaseException | None = None
        self._waiting: queue.Queue[Frame | None] = queue.Queue()
        self._thread = threading.Thread(target=self._act, daemon=True)

    @property
    def nodes(self) -> list[int]:
        """Nodes at which the engine waited."""
        return [frame.next for frame in self.frames]

    def see(self, lens: room.AutogradLens) -> None:
        """A frame came."""
        self.lens = lens
        if lens._latest.phase == "waiting":
            self._waiting.put(lens._latest)

    def _act(self) -> None:
        while (frame := self._waiting.get()) is not None:
            assert self.lens is not None
            self.frames.append(frame)
            press = self.script.pop(0) if self.script else {"type": "run"}
            try:
                if callable(press):
                    press(self.lens)
                else:
                    wire(self.lens).hear(press)
            except BaseException as error:  # raised where the test is
                self.failed = error
                self.lens.on_message({"type": "run"})


@contextmanager
def before_a_person(monkeypatch: pytest.MonkeyPatch, *script: Press) -> Iterator[Person]:
    """While it is open, a live backward waits for a `Person`."""
    module = sys.modules["torchloupe.autograd.backward"]
    person = Person(list(script))
    shown = room.AutogradLens.update_frame

    def update(lens: room.AutogradLens) -> None:
        shown(lens)
        person.see(lens)

    with monkeypatch.context() as patched:
        patched.setattr(front_end, "present", lambda: True)
        patched.setattr(module, "subshells_supported", lambda: True)
        patched.setattr(room.AutogradLens, "wait_for_view", lambda lens, patience: True)
        patched.setattr(room.AutogradLens, "display_now", lambda lens: None)
        patched.setattr(room.AutogradLens, "update_frame", update)
        person._thread.start()
        try:
            yield person
        finally:
            person._waiting.put(None)
            person._thread.join(10)
    if person.failed is not None:
        raise person.failed
