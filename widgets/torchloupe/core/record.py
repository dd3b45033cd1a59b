"""The contract of a record: what a lens captured, frozen, with a text form and a static picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .picture import Picture


class Record:
    """Base of every record. A subclass is a frozen dataclass and holds no tensor and no Jupyter.

    A record shown by a notebook is its picture and its text; `print(record)` is its text. Both are worded in
    the language in force.
    """

    __slots__ = ()

    def text(self) -> str:
        """One short fact a line, for a terminal and for a screen reader."""
        raise NotImplementedError

    def picture(self) -> Picture:
        """A self-contained drawing of what was captured."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"image/svg+xml": self.picture().svg(), "text/plain": self.text()}
