"""The static picture of a frame: the first picture of the graph, for saved notebooks, pages and exports."""

from __future__ import annotations

import re

from ..core import palette
from ..core.picture import Picture
from .picture_bodies import Scale, extent
from .picture_boxes import draw_boxes
from .picture_flows import Played
from .picture_legend import draw_legend, legend_height
from .picture_scene import Scene, scene
from .picture_still import still
from .picture_strands import draw_roots, draw_strands, roots_height
from .record import GraphRecord
from .report import words
from .state import Frame

WIDTH = 760
PADDING = 20
_HEAD = 42.0
_LINE = 18.0


def picture(shown: Frame | GraphRecord, told: Played | None = None) -> Picture:
    """Draw the first picture, root on top, with its legend and what is worth saying of it.

    Args:
        shown: what the view is told, or a record by itself; at most 64 boxes are drawn.
        told: what a backward tells of each edge. Without it an edge shows what arrived below it.

    Returns:
        A self-contained drawing, 760 CSS pixels wide or as wide as its widest layer.

    Example:
        >>> import torch, torchloupe as loupe
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> picture(loupe.autograd.capture(x**2 + 3 * x + 1)).width
        760
    """
    frame = shown if isinstance(shown, Frame) else still(shown)
    told = told or Played()
    if frame.why_empty is not None or not frame.first.boxes:
        return _empty(frame)
    found = scene(frame)
    width = max(WIDTH, round(found.width) + 2 * PADDING)
    notes = _notes(frame, width - 2 * PADDING)
    above = _HEAD + roots_height(frame)
    below = 24 + legend_height(frame, found) + _LINE * len(notes) + (10 if notes else 0)
    height = round(above + found.height + below)
    drawing = Picture(width, height, words("picture.title", name=frame.name), _description(frame))
    ink = palette.light()
    drawing.rect(0.5, 0.5, width - 1, height - 1, ink["paper"], ink["rule"], 6)
    _draw_head(drawing, frame, width)
    left = _left(found, width)
    scale = Scale.of([box.norm for box in frame.first.boxes if box.look == 1 and box.norm is not None])
    draw_roots(drawing, frame, found, (left, above))
    draw_strands(drawing, frame, found, (left, above), told)
    draw_boxes(drawing, frame, found, (left, above), scale, told)
    bottom = above + found.height + 24
    draw_legend(drawing, frame, found, (PADDING, bottom), scale, told)
    bottom += legend_height(frame, found)
    for line, (text, paint, bold) in enumerate(notes):
        drawing.text(PADDING, bottom + 12 + _LINE * line, text, 12, ink[paint], bold=bold)
    return drawing


def _left(found: Scene, width: float) -> float:
    """The main way in the middle of the picture while everything fits, else everything in the middle."""
    middle = found.corners[0][0] + found.bodies[0].w / 2
    return min(max(width / 2 - middle, PADDING), width - PADDING - found.width)


def _draw_head(drawing: Picture, frame: Frame, width: float) -> None:
    ink = palette.light()
    drawing.text(PADDING, 26, "Autograd", 13, ink["ink"], bold=True)
    drawing.text(PADDING + 82, 26, frame.name[:60], 13, ink["ink2"], mono=True)
    counts = words("picture.counts", nodes=f"{frame.nodes:,}", n=frame.nodes, drawn=len(frame.first.boxes))
    drawing.text(width - PADDING, 26, counts, 12, ink["ink2"], anchor="end")
    drawing.line([(1, _HEAD - 4), (width - 1, _HEAD - 4)], ink["rule"])


def _notes(frame: Frame, room: float) -> list[tuple[str, str, bool]]:
    """Lines under the picture: why it failed first."""
    lines: list[tuple[str, str, bool]] = []
    if frame.failure is not None:
        lines += [(line, "refused", True) for line in folded(words.say(frame.failure.heading), 12, room)]
        lines += [(line, "ink", False) for line in folded(frame.failure.error, 12, room)[:3]]
    if frame.explanation is not None:
        lines += [(line, "refused", True) for line in folded(words.say(frame.explanation.heading), 12, room)]
        lines += [(line, "ink", False) for line in folded(words.say(frame.explanation.detail), 12, room)]
    for note in frame.notes[:4]:
        lines += [(line, "ink", False) for line in folded(words.say(note), 12, room)]
    return lines


def _empty(frame: Frame) -> Picture:
    """Why there is no graph, and one line that would give it one."""
    ink, room = palette.light(), WIDTH - 2 * PADDING
    why = "" if frame.why_empty is None else words.say(frame.why_empty)
    lines = folded(why, 13, room)
    way = "" if frame.way_out is None else words.say(frame.way_out)
    ways = folded(way, 12, room)
    height = round(_HEAD + 18 + 20 * len(lines) + (8 + _LINE * len(ways) if ways else 0) + 8)
    drawing = Picture(WIDTH, height, words("picture.title", name=frame.name), why)
    drawing.rect(0.5, 0.5, WIDTH - 1, height - 1, ink["paper"], ink["rule"], 6)
    drawing.text(PADDING, 26, "Autograd", 13, ink["ink"], bold=True)
    drawing.text(PADDING + 82, 26, frame.name[:60], 13, ink["ink2"], mono=True)
    drawing.line([(1, _HEAD - 4), (WIDTH - 1, _HEAD - 4)], ink["rule"])
    y = _HEAD + 22
    for line in lines:
        drawing.text(PADDING, y, line, 13, ink["ink"])
        y += 20
    for line in ways:
        drawing.text(PADDING, y + 8, line, 12, ink["ink2"])
        y += _LINE
    return drawing


def _description(frame: Frame) -> str:
    boxes = ", ".join(box.title for box in frame.first.boxes)
    return words("picture.described", name=frame.name, nodes=f"{frame.nodes:,}", n=frame.nodes, boxes=boxes)


def folded(text: str, size: float, width: float) -> list[str]:
    """Break a sentence into lines that fit; Chinese breaks anywhere, the rest between words."""
    lines, line, used = list[str](), "", 0.0
    for piece in re.findall(r"[\u2e80-\uffef]|[^\s\u2e80-\uffef]+\s*|\s+", text):
        wide = extent(piece, size)
        if used + wide > width and line:
            lines.append(line.rstrip())
            line, used = "", 0.0
        line += piece
        used += wide
    return [*lines, line.rstrip()] if line else lines
