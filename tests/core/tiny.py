"""The smallest lens, and a comm that keeps what was sent over it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from comm.base_comm import BaseComm

from torchloupe.core.lens import Lens
from torchloupe.core.picture import Picture
from torchloupe.core.words import Sentence, Words


@dataclass(frozen=True)
class Frame:
    points: list[float] = field(default_factory=list)
    nested: dict[str, dict[str, int]] = field(default_factory=dict)
    notes: list[Sentence] = field(default_factory=list)


class TinyLens(Lens):
    room = "tiny"
    words: ClassVar[Words] = Words("tests.core")
    _esm = "export default { render() {} }"
    _css = ".torchloupe-tiny { color: red }"

    def __init__(self, frame: Frame | None = None, **traits: Any) -> None:
        super().__init__(Frame() if frame is None else frame, **traits)
        self.heard: list[dict[str, Any]] = []
        self.looked = 0

    def on_message(self, message: dict[str, Any]) -> None:
        self.heard.append(message)
        if message["type"] == "fail":
            raise message.get("error", ValueError("one\ntwo"))

    def picture(self) -> Picture:
        title = self.words("tiny.title")
        picture = Picture(60, 30, title, title)
        picture.text(4, 20, title, 14, "#000000")
        return picture

    def text(self) -> str:
        return self.words("tiny.title")

    def refresh(self) -> None:
        self.looked += 1


class Wire(BaseComm):
    """A comm to nowhere."""

    def __init__(self, *args: Any, **keywords: Any) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []
        super().__init__(*args, **keywords)

    def publish_msg(
        self, msg_type: str, data: Any = None, metadata: Any = None, buffers: Any = None, **keys: Any
    ) -> None:
        self.sent.append((msg_type, data or {}))

    def hear(self, content: object) -> None:
        """A custom message of the front end."""
        self.handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})

    @property
    def frames(self) -> list[dict[str, Any]]:
        """The frames sent after the first."""
        states = [
            data["state"] for kind, data in self.sent if kind == "comm_msg" and data["method"] == "update"
        ]
        return [state["frame"] for state in states if "frame" in state]

    @property
    def replies(self) -> list[dict[str, Any]]:
        return [
            data["content"] for kind, data in self.sent if kind == "comm_msg" and data["method"] == "custom"
        ]


def wire(lens: Lens) -> Wire:
    assert isinstance(lens.comm, Wire)
    return lens.comm
