"""The boxes of the static picture: how large they are, and what is written on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from .first_picture import Arrived
from .report import words
from .state import FirstBox, Frame

Anatomy = Literal["near", "middle"]

NEAR_BOXES = 24
"""Graphs of at most so many nodes are drawn near, with code and badges; larger ones as rows with a tile."""
TILE = 56.0
_CHIP_GAP = 14.0
_STACK = 8.0
_WIDE = 0x2E7F
"""Characters above this are as wide as high."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A parameter beside its consumer, or several of them."""

    text: str
    x: float
    """From the left side of the body."""
    w: float


@dataclass(frozen=True, slots=True)
class Body:
    """A box, with its chips at the right."""

    box: FirstBox
    w: float
    h: float
    face: float
    """Height without the siblings that peek out below a fold."""
    reach: float
    """Width with its chips."""
    chips: list[Chip]
    step: int
    """Its place in the predicted order of running, 1 first; 0 where the box holds several nodes."""


def anatomy(frame: Frame) -> Anatomy:
    """Whether all boxes are single nodes and few."""
    single = all(box.kind in ("node", "leaf") for box in frame.first.boxes)
    return "near" if single and len(frame.first.boxes) <= NEAR_BOXES else "middle"


def bodies(frame: Frame) -> list[Body]:
    """Measure every box of the first picture."""
    near = anatomy(frame) == "near"
    return [_body(box, near=near) for box in frame.first.boxes]


def _body(box: FirstBox, *, near: bool) -> Body:
    step = box.id + 1 if box.kind in ("node", "leaf") else 0
    if near:
        title = 40 + extent(box.title, 14, bold=True) + extent(box.suffix, 11.5) + 12
        least = 204.0 if box.kind == "leaf" else 172.0
        w, h = min(max(least, title, 52 + extent(box.text, 12, mono=True)), 236.0), 48.0
    else:
        w, h = 252.0, 28.0
    chips, x = list[Chip](), w + _CHIP_GAP
    for text in _chip_texts(box):
        wide = 24 + extent(text, 11)
        chips.append(Chip(text, x, wide))
        x += wide + 6
    stack = _STACK if box.kind == "fold" else 0.0
    return Body(box, w, h + stack, h, x - 6 if chips else w, chips, step)


def _chip_texts(box: FirstBox) -> list[str]:
    count = len(box.parameters) + box.more_parameters
    if not box.more_parameters and sum(map(len, box.parameters)) <= 30:
        return [shortened(name, 180, 11) for name in box.parameters]
    return [words("picture.parameters", n=count)]


def extent(text: str, size: float, *, bold: bool = False, mono: bool = False) -> float:
    """Width of a line of text in pixels, at most: of the widest of the usual fonts."""
    if mono:
        return size * sum(1.0 if ord(c) > _WIDE else 0.602 for c in text)
    return size * (1.12 if bold else 1.0) * sum(_ems(c) for c in text)


def _ems(character: str) -> float:
    if ord(character) > _WIDE:
        return 1.0
    if character in "ijlI.,:;|'()[] ":
        return 0.33
    if character in "frt":
        return 0.42
    if character in "mwMW×=…":
        return 0.93
    return 0.7 if character.isupper() or character.isdigit() else 0.61


def shortened(text: str, room: float, size: float, *, bold: bool = False, mono: bool = False) -> str:
    """The beginning of `text` that fits into `room`, with an ellipsis where it is cut."""
    if extent(text, size, bold=bold, mono=mono) <= room:
        return text
    while text and extent(text + "…", size, bold=bold, mono=mono) > room:
        text = text[:-1]
    return text + "…" if text else ""


def number(value: float) -> str:
    """A number in at most six signs: `0`, `4.2`, `37`, `2.4e−3`, `2e−18`."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Inf" if value > 0 else "−Inf"
    size = abs(value)
    if size == 0:
        return "0"
    if 0.95 <= size < 999.5:
        return f"{value:.{1 if size < 9.95 else 0}f}".replace("-", "−")
    digits = 0 if size >= 9.95e9 or size < 9.95e-10 else 1
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    return f"{mantissa}e{int(exponent)}".replace("-", "−")


def arrived(box: FirstBox | Arrived) -> str:
    """What a pill or tile says of the gradient that arrived: its value when it is short, else its norm."""
    value = box.value.replace(", ", ",").replace("-", "−")
    if box.look == 0:
        return ""
    if box.look == 2:
        return "0"
    if box.look == 3:
        return "None"
    if 0 < len(value) <= 7:
        return value
    if box.look == 4:
        return "Inf" if box.norm is not None and math.isinf(box.norm) else "NaN"
    return number(box.norm) if box.norm is not None else ""


@dataclass(frozen=True, slots=True)
class Scale:
    """Seven logarithmic steps of gradient norm; the greatest norm stands in the last."""

    last: int
    per_decade: int

    @classmethod
    def of(cls, norms: list[float]) -> Scale:
        """Two steps per decade, one when the norms lie more than four decades apart."""
        seen = [norm for norm in norms if norm > 0 and math.isfinite(norm)] or [1.0]
        top = math.log10(max(seen))
        per_decade = 1 if top - math.log10(min(seen)) > 4 else 2
        return cls(math.floor(top * per_decade + 1e-6), per_decade)

    def step(self, norm: float) -> int:
        """The step of a norm, 0 to 6; -1 when it is below all."""
        if not math.isfinite(norm):
            return 6 if norm > 0 else -1
        if norm <= 0:
            return -1
        return max(-1, min(6, math.floor(math.log10(norm) * self.per_decade + 1e-6) - self.last + 6))

    def ticks(self) -> list[tuple[int, str]]:
        """Borders of steps, 0 to 7, that are whole decades, as text."""
        borders = [(at, self.last - 6 + at) for at in range(8)]
        # Every second border has room for its text.
        return [(at, _decade(e // self.per_decade)) for at, e in borders if e % 2 == 0]


def _decade(exponent: int) -> str:
    return f"{10.0**exponent:g}" if -1 <= exponent <= 3 else f"1e{exponent}".replace("-", "−")
