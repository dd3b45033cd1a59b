"""The boxes of the static picture."""

from __future__ import annotations

from ..core import palette
from ..core.picture import Picture
from .picture_bodies import TILE, Body, Scale, arrived, extent, shortened
from .picture_flows import Played
from .picture_marks import BAD, DASHES, NOT_RUN, VALUE, badge, chip, outline, pill, pill_width, tile
from .picture_scene import Point, Scene
from .picture_strands import resting
from .report import words
from .state import FirstBox, Frame


def draw_boxes(
    drawing: Picture, frame: Frame, found: Scene, origin: Point, scale: Scale, told: Played
) -> None:
    """Draw every box with its chips."""
    for at, (body, (x, y)) in enumerate(zip(found.bodies, found.corners, strict=True)):
        corner = (origin[0] + x, origin[1] + y)
        state = _state(frame, body)
        _chips(drawing, body, corner)
        _frame(drawing, body, corner, state, near=found.anatomy == "near")
        if found.anatomy == "near":
            several = sum(edge.target == at for edge in frame.first.edges) > 1
            several &= body.box.kind == "leaf" or not told.flows
            step = told.steps.get(body.box.id, body.step)
            _near(drawing, body, corner, (state, step), several=several)
        else:
            _middle(drawing, body, corner, scale, quiet=resting(frame))


def _state(frame: Frame, body: Body) -> str:
    box = body.box
    if frame.failure is not None and body.step and frame.failure.node == box.id:
        return "failed"
    if body.step and frame.first_bad == box.id:
        return "born"
    if resting(frame):
        return "still"
    if frame.phase == "waiting" and body.step and frame.next == box.id:
        return "next"
    return "not_run" if box.look == NOT_RUN else "done"


def _frame(drawing: Picture, body: Body, corner: Point, state: str, *, near: bool) -> None:
    ink = palette.light()
    (x, y), size = corner, (body.w, body.face)
    if body.box.kind == "fold":
        for off in (8, 4):
            drawing.rect(x + off, y + off, *size, ink["paper"], ink["edge"], 5, 1.2)
    if state == "next":
        drawing.rect(x - 5, y - 5, body.w + 10, body.face + 10, ink["here-field"], radius=9)
        drawing.text(x, y - 10, words("picture.next"), 12, ink["here"], bold=True)
    if state in ("failed", "born"):
        drawing.rect(x - 5, y - 5, body.w + 10, body.face + 10, ink["refused-field"], radius=9)
        told = words("picture.fault" if state == "failed" else "picture.born")
        drawing.text(x + body.reach + 14, y + body.face / 2 + 4, told, 12, ink["refused"], bold=True)
    stroke, width = {
        "next": (ink["here"], 2.5),
        "failed": (ink["refused"], 2.5),
        "born": (ink["refused"], 2.5),
        "done": (ink["ink" if near else "edge"], 1.3),
    }.get(state, (ink["edge"], 1.3))
    if state == "not_run":
        drawing.rect(x, y, *size, ink["paper"], radius=5)
        outline(drawing, corner, size, 5, stroke, width, DASHES)
    else:
        drawing.rect(x, y, *size, ink["paper"], stroke, 5, width)


def _near(drawing: Picture, body: Body, corner: Point, ran: tuple[str, int], *, several: bool) -> None:
    """A node with its badge, name and code; where several gradients meet, their sum stands on it."""
    ink, box = palette.light(), body.box
    (x, y), (state, step) = corner, ran
    colour = "ink2" if state == "not_run" else "ink"
    badge(drawing, (x + 20, y + body.face / 2), str(step), state)
    second = box.text or ("AccumulateGrad" if box.kind == "leaf" and box.title != "AccumulateGrad" else "")
    line = y + (20 if second else body.h / 2 + 5)
    right = body.w - 8
    if several and box.look != NOT_RUN:
        text = arrived(box)
        wide = pill_width(text)
        pill(drawing, (x + body.w - 12 - wide / 2, y + body.face / 2), box.look, text)
        right = body.w - 20 - wide
    _titled(drawing, box, (x + 40, line), (right - 40, 14), colour)
    code = shortened(second, right - 40, 12, mono=bool(box.text))
    drawing.text(
        x + 40, y + 37, code, 12 if box.text else 11, ink[colour if box.text else "ink2"], mono=bool(box.text)
    )


def _middle(drawing: Picture, body: Body, corner: Point, scale: Scale, *, quiet: bool) -> None:
    """A row: tile with the norm, name, class, how many nodes it holds."""
    ink, box = palette.light(), body.box
    x, y = corner
    left = 12.0
    if not quiet:
        tile(drawing, (x + 4, y + 4), (TILE, body.face - 8), box.look, arrived(box), (scale, box.norm))
        left = TILE + 12
    base, right = y + body.face / 2 + 4.5, body.w - 10
    if box.nodes > 1:
        count = f"{box.nodes:,}"
        drawing.text(x + right, base, count, 11, ink["ink2"], anchor="end")
        right -= extent(count, 11) + 8
    _titled(drawing, box, (x + left, base), (right - left, 13), "ink")


def _titled(drawing: Picture, box: FirstBox, at: Point, room: Point, colour: str) -> None:
    """The name of a box, and dimmed what is cut first: `Backward0`, the class of a module."""
    ink, (wide, size) = palette.light(), room
    mono = box.kind == "leaf"
    times = f" × {box.members:,}" if box.kind == "fold" else ""
    name = shortened(box.title, wide - extent(times, size, bold=True), size, bold=True, mono=mono) + times
    between = "" if box.kind == "node" else " "
    left = wide - extent(name, size, bold=True, mono=mono)
    suffix = shortened(between + box.suffix, left, 11.5) if box.suffix else ""
    tail = (suffix, 11.5, ink["ink2"]) if suffix.strip() else None
    drawing.text(*at, name, size, ink[colour], bold=True, mono=mono, tail=tail)


def _chips(drawing: Picture, body: Body, corner: Point) -> None:
    """Parameters at the right; their dots are warm when the gradient that goes to them is known to be one."""
    ink, (x, y) = palette.light(), corner
    if not body.chips:
        return
    beside = 8 if body.box.kind == "fold" else 0
    middle = y + body.face / 2
    drawing.line([(x + body.w + beside, middle), (x + body.chips[0].x, middle)], ink["edge"], 1.2)
    paint = ink["edge"]
    if body.box.look == VALUE:
        paint = ink["warm-line"]
    elif body.box.look == BAD:
        paint = ink["ink"]
    for each in body.chips:
        chip(drawing, (x + each.x, middle - 10), each.w, each.text, paint)
