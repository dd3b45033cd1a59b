"""The lens of a graph whose backward failed: the explanation above the graph, and alone at rest."""

from __future__ import annotations

from ..core.picture import Picture
from .explain_record import ExplanationRecord
from .lens import AutogradLens
from .record import GraphRecord
from .state import Explanation


class ExplainingLens(AutogradLens):
    """The explanation and, below it, the graph it speaks of.

    Args:
        graph: the graph backward went through.
        told: why it failed.
    """

    def __init__(self, graph: GraphRecord, told: Explanation) -> None:
        self.explained = ExplanationRecord(told)
        super().__init__(graph, title="loupe.autograd.explain()", explanation=told)

    def picture(self) -> Picture:
        """The explanation as a static picture."""
        return self.explained.picture()

    def text(self) -> str:
        """The explanation as text."""
        return self.explained.text()
