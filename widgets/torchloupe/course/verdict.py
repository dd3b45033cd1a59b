"""What a check says: one sentence, as a card in a notebook and as a line of text elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

from torch import Tensor

from ..core import language
from ..core.words import Sentence, Words

_WORDS = Words("torchloupe.course")

MIME = "application/vnd.torchloupe.check+json"

State = Literal["passed", "open", "wrong"]

_ICON: dict[State, str] = {"passed": "✓", "open": "○", "wrong": "✗"}
_EDGE: dict[State, str] = {
    "passed": "--jp-success-color1, #2e7d32",
    "open": "--jp-border-color1, #8a8a8a",
    "wrong": "--jp-warn-color1, #b26a00",
}


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """What a check found: shown as a card in a notebook, as a line of text elsewhere.

    Example:
        >>> from torchloupe.course import check
        >>> check.channels_first(lambda image: image.permute(2, 0, 1)).passed
        True
    """

    exercise: str
    state: State
    sentence: Sentence
    tensors: tuple[Tensor, ...] = ()
    """Tensors worth a picture: what the exercise gave, then the answer when it is a dense tensor."""
    names: tuple[str, ...] = ()
    """One name for each of `tensors`."""

    @property
    def passed(self) -> bool:
        """Whether the answer has every property the exercise asks for."""
        return self.state == "passed"

    def __repr__(self) -> str:
        return f"{_ICON[self.state]} {_WORDS('check.' + self.state)}: {_WORDS.say(self.sentence)}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {
            MIME: {"exercise": self.exercise, "passed": self.passed},
            "text/html": self._card(),
            "text/plain": repr(self),
        }

    def _card(self) -> str:
        told = re.sub(r"`([^`]*)`", r"<code>\1</code>", escape(_WORDS.say(self.sentence)))
        style = (
            f"border-left:4px solid var({_EDGE[self.state]});padding:8px 12px;margin:4px 0;"
            "background:var(--jp-layout-color1,Canvas);color:var(--jp-content-font-color1,CanvasText);"
            "font-family:var(--jp-ui-font-family,sans-serif);max-width:72ch"
        )
        return (
            f'<div class="torchloupe-check" data-state="{self.state}" role="status"'
            f' lang="{language.current()}" style="{style}">'
            f'<strong><span aria-hidden="true">{_ICON[self.state]}</span> '
            f"{escape(_WORDS('check.' + self.state))}</strong><br>{told}</div>"
        )
