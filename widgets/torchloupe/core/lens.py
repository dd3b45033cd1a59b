"""The base of every lens: a widget whose output is live here and still a picture everywhere else."""

from __future__ import annotations

import base64
import dataclasses
import threading
from collections.abc import Callable
from typing import Any, ClassVar

import anywidget
import traitlets

from . import fonts, front_end, language, safe, watch
from .control import answer_while_busy
from .flow import Flow
from .picture import Picture
from .words import Sentence, Words, sentence_ids

MIME = "application/vnd.torchloupe.lens+json"
_WIDGET_MIME = "application/vnd.jupyter.widget-view+json"


class Lens(anywidget.AnyWidget):
    """A live picture of a record.

    A subclass sets `room`, `words`, `_esm` and `_css` (`core.view.built`) and answers `on_message`,
    `picture`, `text` and `refresh`. The browser always gets a whole frame, so a late or second view needs
    no history.

    Args:
        frame: the first frame, a dataclass of the room's `state.py`.
        **traits: other synced traits.

    Raises:
        TypeError: if a keyword is not one the lens has.
    """

    room: ClassVar[str]
    words: ClassVar[Words]

    frame = traitlets.Dict().tag(sync=True)
    """The latest frame as JSON, its `number`, which a view acknowledges, and the `words` of its sentences."""
    spoken = traitlets.Unicode().tag(sync=True)
    """The kernel's language, for hosts that do not tell the page theirs."""

    def __init__(self, frame: Any, **traits: Any) -> None:
        unknown = sorted(name for name in traits if name not in self.class_trait_names())
        if unknown:
            raise TypeError(f"{type(self).__name__} has no {unknown[0]!r}. It takes no such keyword.")
        self._latest = frame
        self._lock = threading.RLock()
        self._seen = threading.Event()
        self._flow = Flow(self._send_frame)
        super().__init__(frame=self._as_json(frame, 0), spoken=language.current(), **traits)
        answer_while_busy(self.comm)
        self.on_msg(Lens._receive)
        watch.add(self)

    # What a room answers.

    def on_message(self, message: dict[str, Any]) -> None:
        """Act on a message of the view. May run on another thread while a cell is busy."""
        raise NotImplementedError

    def picture(self) -> Picture:
        """The static picture, worded in the language in force."""
        raise NotImplementedError

    def text(self) -> str:
        """The plain text form, worded in the language in force."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Look at the objects again; called after each cell."""

    # What a room uses.

    def post(self, frame: Any) -> None:
        """Show `frame` as soon as the flow allows; an unseen older one is dropped."""
        self._latest = frame
        if self._seen.is_set():
            self._flow.push()

    def wait_for_view(self, patience_s: float) -> bool:
        """Wait until a view has spoken, at most `patience_s`; whether one has. Interrupt ends the wait."""
        return self._seen.wait(patience_s)

    def reply_sentence(self, kind: str, sentence: Sentence) -> None:
        """Answer the views with a sentence and its words."""
        words = self.words.entries({sentence.id})
        self.reply({"type": kind, "sentence": dataclasses.asdict(sentence), "words": words})

    def reply(self, message: dict[str, Any], buffers: list[bytes] | None = None) -> None:
        """Answer the views at once, outside the flow of frames."""
        if self.comm is not None:
            self.send(message, buffers)

    def close(self) -> None:
        """Close the widget and let everything it holds go."""
        if self.comm is None:  # closed before, or never made whole: `__del__` closes too
            return
        watch.remove(self)
        self._flow.close()
        layout = self.layout
        super().close()
        if layout is not None:
            layout.close()

    def look_again(self) -> None:
        """Refresh, after a cell; a fault is shown in the lens, never in the person's cell."""
        self._guarded(self.refresh)

    def _send_frame(self, number: int) -> None:
        if self.comm is not None:
            self.frame = self._as_json(self._latest, number)

    # `on_msg` calls this with the lens first: a plain function, so that no bound method keeps it alive.
    def _receive(self, message: Any, _buffers: list[memoryview]) -> None:
        self._guarded(lambda: self._dispatch(message))

    def _guarded(self, act: Callable[[], None]) -> None:
        try:
            with self._lock:
                act()
        except Exception as error:
            fault = f"{type(error).__name__}: {safe.one_line(error, 300)}"
            self.reply({"type": "fault", "text": fault})

    def _dispatch(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        # Any message proves a view; its hello may wait on the main shell for a busy cell to end.
        self._seen.set()
        front_end.saw_a_view()
        if kind == "ack":
            self._flow.acknowledge(int(message["number"]))
        elif kind == "hello":
            language.report(str(message["language"]))
            self._flow.push()
        elif kind == "language":
            language.report(str(message["language"]))
        else:
            self.on_message(message)

    def __repr__(self) -> str:
        return self.text()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:  # type: ignore[override]
        with self._lock:
            picture = printed = self.picture()
            if language.current() != "en" and not fonts.chinese_available():
                with language.worded_in("en"):
                    printed = self.picture()
            return {
                MIME: {"model_id": self.model_id, "room": self.room},
                _WIDGET_MIME: {"version_major": 2, "version_minor": 0, "model_id": self.model_id},
                "image/svg+xml": picture.svg(),
                "image/png": base64.b64encode(printed.png()).decode("ascii"),
                "text/plain": self.text(),
            }

    def _as_json(self, frame: Any, number: int) -> dict[str, Any]:
        state = dataclasses.asdict(frame)
        words = self.words.entries(sentence_ids(state))
        return {**state, "number": number, "words": words}
