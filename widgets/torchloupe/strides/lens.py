"""The strides lens: puts what is on the bench into frames and passes the view's actions to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import torch

from ..core.lens import Lens
from ..core.picture import Picture
from ..core.view import SCRIPT, STYLE, built
from ..core.words import Sentence, Words
from . import frames, picture, report
from .arguments import ArgumentError
from .bench import Bench


class StridesLens(Lens):
    """A live picture of shape, stride and storage, with operations to try. Made by `show`.

    It holds the tensors weakly: when one is freed, moved or resized, the lens says so and keeps its last
    picture. Operations are worked out from the layout alone; the tensors are never modified.

    Args:
        tensors: the tensors to show.
        names: one name for each.
    """

    room = "strides"
    words: ClassVar[Words] = report.words
    _esm = built(__file__, SCRIPT)
    _css = built(__file__, STYLE)

    def __init__(self, tensors: Sequence[torch.Tensor], names: Sequence[str]) -> None:
        self._bench = Bench(tensors, names)
        super().__init__(frames.frame(self._bench))

    def on_message(self, message: dict[str, Any]) -> None:
        """Sample cells, apply or edit an operation, undo, redo, or act on another tensor."""
        if message["type"] == "sample":
            cells = frames.cells(
                self._bench, int(message["tensor"]), [int(place) for place in message["cells"]]
            )
            self.reply({"type": "cells", **frames.plain(cells)})
            return
        try:
            self._act(message)
        except ArgumentError as illegal:
            self.reply_sentence("invalid", illegal.sentence)
            return
        self.post(frames.frame(self._bench))

    def _act(self, message: dict[str, Any]) -> None:
        kind, bench = message["type"], self._bench
        if kind == "apply":
            bench.apply(
                str(message["operation"]),
                [str(text) for text in message["arguments"]],
                int(message["tensor"]),
            )
        elif kind == "edit":
            bench.edit(int(message["index"]), str(message["text"]))
        elif kind == "act_on":
            bench.act_on(int(message["tensor"]))
        elif kind == "undo":
            bench.undo()
        elif kind == "redo":
            bench.redo()
        else:
            raise ValueError(f"The strides lens knows no message {kind!r}.")

    def refresh(self) -> None:
        """Look at the tensors again; say when one was freed, moved, resized or written to."""
        before = [(entry.record, entry.fate, entry.passing) for entry in self._bench.roots()]
        written = self._bench.look_again()
        if before == [(entry.record, entry.fate, entry.passing) for entry in self._bench.roots()]:
            return
        status = Sentence("note.written", {"name": written[0].name}) if written else None
        self.post(frames.frame(self._bench, status))

    def picture(self) -> Picture:
        """Tables, facets and storage strips of the tensors, at rest."""
        return picture.picture(frames.frame(self._bench))

    def text(self) -> str:
        """One short fact a line: each tensor, then what was tried."""
        return frames.text(self._bench)
