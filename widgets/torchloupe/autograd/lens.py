"""The autograd lens: puts a record and its backward into frames, answers the view, passes its clicks on."""

from __future__ import annotations

import base64
import dataclasses
import itertools
from collections.abc import Callable
from typing import Any, ClassVar

from ..core.lens import Lens
from ..core.picture import Picture
from ..core.view import SCRIPT, STYLE, built
from ..core.words import Sentence, Words, sentence_ids
from . import cards, once, told
from .frames import Frames, phase_of
from .hierarchy import hierarchy
from .ledger import Ledger
from .reading import code_for, writable
from .record import GraphRecord
from .report import words
from .state import Explanation
from .stepping import Stepping
from .tables_of import ORDER, GraphTables, no_groups

_epochs = itertools.count(1)


def _run_on(stepping: Stepping) -> Callable[[Any], None]:
    """For a comm that the page closed: nobody can press Step any more."""
    return lambda _message: stepping.run_on()


class AutogradLens(Lens):
    """A live picture of a backward graph. Made by `show` and `backward`.

    It holds numbers and names; no tensor, no gradient and no node is kept alive.

    Args:
        record: the graph.
        stepping: its backward, or None when the graph is only looked at.
        title: what was looked at, as written.
        before: per leaf what `.grad` was before, as text.
        explanation: why a backward of this graph failed.

    Attributes:
        record: the `GraphRecord`.
    """

    room = "autograd"
    words: ClassVar[Words] = words
    _esm = built(__file__, SCRIPT)
    _css = built(__file__, STYLE)

    def __init__(
        self,
        record: GraphRecord,
        stepping: Stepping | None = None,
        *,
        title: str = "",
        before: tuple[str, ...] = (),
        explanation: Explanation | None = None,
    ) -> None:
        self.record = record
        self._stepping = stepping
        self._hierarchy = hierarchy(record) if len(record.columns.type) else no_groups(record)
        self._tables = GraphTables(record, self._hierarchy, self.ledger, before)
        self._epoch = next(_epochs)
        self._frames = Frames(
            record, self._hierarchy, self._tables, stepping, self._epoch, title or record.name, explanation
        )
        self._displayed = once.Once()
        super().__init__(self._frames.frame(self._notes()))
        self._shown = self._state()
        if stepping is not None and self.comm is not None:
            self.comm.on_close(_run_on(stepping))

    @property
    def ledger(self) -> Ledger | None:
        """What the backward did, step by step, in numbers; None when the graph was only looked at."""
        return None if self._stepping is None else self._stepping.ledger

    def on_message(self, message: dict[str, Any]) -> None:
        """Pull rows, ask for a card, code or a file, or act on the engine that waits."""
        kind = message["type"]
        if kind == "pull":
            self._pull(int(message["epoch"]), str(message["table"]), int(message["from"]))
        elif kind == "card":
            self._card(int(message["node"]))
        elif kind == "look_at":
            text = code_for(self.record, int(message["node"]), str(message["slot"]), self._written())
            self.reply({"type": "code", "text": text})
        elif kind == "export":
            self._export(str(message["format"]))
        elif not self._act(kind, message):
            raise ValueError(f"The autograd lens knows no message {kind!r}.")

    def _act(self, kind: str, message: dict[str, Any]) -> bool:
        stepping = self._stepping
        if kind not in ("step", "step_out", "run_to", "run", "stop"):
            return False
        if stepping is None:
            return True
        if kind == "step":
            stepping.step()
        elif kind == "step_out":
            stepping.step_out()
        elif kind == "run_to":
            stepping.run_to(int(message["node"]))
        elif kind == "run":
            stepping.run_on()
        else:
            stepping.stop()
        return True

    def _pull(self, epoch: int, name: str, start: int) -> None:
        if epoch != self._epoch or name not in ORDER:
            return
        rows, buffers = self._tables.table(name).piece(max(0, start))
        self.reply({"type": "rows", "epoch": epoch, "table": name, **rows}, buffers)

    def _card(self, node: int) -> None:
        if not 0 <= node < len(self.record.columns.type):
            self.reply({"type": "card", "node": node, "card": None, "words": {}})
            return
        card = dataclasses.asdict(cards.card(self.record, node, self.ledger, self._written()))
        entries = self.words.entries(sentence_ids(card))
        self.reply({"type": "card", "node": node, "card": card, "words": entries})

    def _export(self, format: str) -> None:
        if format == "dot":
            text = self.record.dot()
        elif format == "svg":
            text = self.picture().svg()
        elif format == "png":
            text = base64.b64encode(self.picture().png()).decode("ascii")
        else:
            raise ValueError(f"The autograd lens exports no {format!r}.")
        self.reply({"type": "export", "format": format, "text": text})

    def _written(self) -> str:
        """How the output can be written in code; a name read from a call such as `model(x)` cannot."""
        one = len(self.record.roots) == 1 and self.record.roots[0].name == self.record.name
        return writable(self.record.name) if one else ""

    def update_frame(self) -> None:
        """Show the backward as it is now. Called by the engine's thread."""
        self.post(self._frames.frame(self._notes()))

    def display_now(self) -> None:
        """Show it in the running cell, at once; it is then not shown again as the cell's result."""
        from IPython.display import display

        if not self._displayed.here():
            display(self)  # type: ignore[no-untyped-call]
            self._displayed.displayed()

    def _ipython_display_(self) -> None:
        if not self._displayed.is_result():
            raise NotImplementedError  # IPython goes on to the mime bundle

    def refresh(self) -> None:
        """Look at the graph again; say when it was freed or the name stands for another tensor."""
        if (now := self._state()) != self._shown:
            self._shown = now
            self.update_frame()

    def _state(self) -> tuple[str, bool]:
        return phase_of(self.record, self._stepping), self._rebound()

    def _rebound(self) -> bool:
        return self._stepping is None and told.rebound(self.record)

    def _notes(self) -> list[Sentence]:
        return [Sentence("note.rebound", {"name": self.record.name})] if self._rebound() else []

    def picture(self) -> Picture:
        """The first picture, with gradients where there are."""
        from .picture import picture
        from .picture_flows import played

        frame = self._frames.frame(self._notes())
        return picture(frame, played(self.record, frame.first, self.ledger))

    def text(self) -> str:
        """One short fact a line: the graph, then the steps of its backward."""
        return told.text(self.record, self._stepping)

    def close(self) -> None:
        """Close the widget; an engine that waits goes on to its end."""
        if self._stepping is not None:
            self._stepping.run_on()
        super().close()
