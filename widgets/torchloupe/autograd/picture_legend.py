"""The legend of the static picture: only what is in it."""

from __future__ import annotations

from ..core import palette
from ..core.picture import Picture
from .picture_bodies import Scale, extent
from .picture_flows import Played
from .picture_marks import BAD, NONE, NOT_RUN, VALUE, ZERO, pill, tile
from .picture_scene import Point, Scene
from .picture_strands import resting
from .report import words
from .state import Frame

_SAMPLES = {VALUE: "4", ZERO: "0", NONE: "None", BAD: "NaN"}
_NAMES = {VALUE: "value", ZERO: "zero", NONE: "unused", BAD: "nan", NOT_RUN: "not_run"}


def legend_height(frame: Frame, found: Scene) -> float:
    """How much room it needs; none when nothing has run."""
    if resting(frame):
        return 0
    return 40 if found.anatomy == "near" else 58


def draw_legend(
    drawing: Picture, frame: Frame, found: Scene, corner: Point, scale: Scale, told: Played
) -> None:
    """Draw the looks that occur, and the steps of the ramp."""
    if resting(frame):
        return
    seen = {box.look for box in frame.first.boxes} | {flow.look for flow in told.flows.values()}
    looks = sorted(seen, key=[VALUE, ZERO, NONE, BAD, NOT_RUN].index)
    left, top = corner
    if found.anatomy == "near":
        _edges(drawing, looks, left, top)
    else:
        _ramp(drawing, looks, left, top, scale)


def _edges(drawing: Picture, looks: list[int], left: float, top: float) -> None:
    ink = palette.light()
    heading = words("picture.edge")
    drawing.text(left, top + 20, heading, 12, ink["ink2"])
    x, y = left + extent(heading, 12) + 24, top + 16
    for look in looks:
        x = _sample(drawing, look, x, y) + 10
        name = words(f"picture.{_NAMES[look]}")
        drawing.text(x, y + 4, name, 12, ink["ink"])
        x += extent(name, 12) + 26


def _sample(drawing: Picture, look: int, x: float, y: float) -> float:
    """A short line from left to right in one of the looks; returns where it ends."""
    ink = palette.light()
    if look == NOT_RUN:
        drawing.line([(x, y), (x + 56, y)], ink["edge"], 1.5, (2, 4))
        return x + 56
    if look == NONE:
        for a, bar in ((x, x + 8), (x + 64, x + 56)):
            drawing.line([(a, y), (bar, y)], ink["ink2"], 1.2)
            drawing.line([(bar, y - 6), (bar, y + 6)], ink["ink2"], 1.5)
        pill(drawing, (x + 32, y), NONE, "None")
        return x + 64
    paint = ink["ink"] if look == BAD else ink["warm-line"]
    drawing.line([(x, y), (x + 54, y)], paint, {VALUE: 3, ZERO: 1.2, BAD: 5}[look])
    if look == BAD:
        drawing.line([(x, y), (x + 54, y)], ink["paper"], 2, (3, 3))
    fill = ink["paper"] if look == ZERO else paint
    drawing.line([(x + 54, y - 5), (x + 62, y), (x + 54, y + 5), (x + 54, y - 5)], paint, 1.2, fill=fill)
    pill(drawing, (x + 27, y), look, _SAMPLES[look])
    return x + 62


def _ramp(drawing: Picture, looks: list[int], left: float, top: float, scale: Scale) -> None:
    ink, wide = palette.light(), 27.0
    heading = words("picture.norm")
    drawing.text(left, top + 16, heading, 12, ink["ink"], bold=True)
    x = left + extent(heading, 12, bold=True) + 24
    for step in range(7):
        drawing.rect(x + step * wide, top + 4, wide, 15, ink[f"warm{step}"], ink["warm-line"], 0, 0.8)
    for at, text in scale.ticks():
        drawing.text(x + at * wide, top + 33, text, 11, ink["ink2"], anchor="middle")
    x += 7 * wide + 28
    for look in looks:
        if look == VALUE:
            continue
        text = "" if look == NOT_RUN else _SAMPLES[look]
        tile(drawing, (x, top + 4), (34, 16), look, text, (scale, None))
        name = words(f"picture.{_NAMES[look]}")
        drawing.text(x + 41, top + 16, name, 12, ink["ink"])
        x += 41 + extent(name, 12) + 20
