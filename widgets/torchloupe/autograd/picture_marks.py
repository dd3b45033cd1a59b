"""What the static picture is drawn with: arrows and pills of the four looks, tiles, badges, chips."""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin

from ..core import palette
from ..core.picture import Picture
from .picture_bodies import Scale, extent
from .picture_scene import Point

NOT_RUN, VALUE, ZERO, NONE, BAD = range(5)
DOTS = (2.0, 4.0)
DASHES = (4.0, 3.0)
_HEAD = 8.0


def strand(
    scene: Picture, points: list[Point], look: int, *, still: bool, wide: bool, head: bool = True
) -> None:
    """A line in the look of its gradient; `still`: nothing has run and nothing is claimed."""
    ink = palette.light()
    end = points[-1]
    line = [*points[:-1], (end[0], end[1] - (_HEAD - 1 if head and look != NONE else 0))]
    if look == VALUE:
        scene.line(line, ink["warm-line"], 3 if wide else 2)
    elif look == ZERO:
        scene.line(line, ink["warm-line"], 1.2)
    elif look == BAD:
        scene.line(line, ink["ink"], 5)
        scene.line(line, ink["paper"], 2, (3.0, 3.0))
    elif look == NONE:
        _cut(scene, points)
        return
    elif still:
        scene.line(line, ink["edge"], 1.5)
    else:
        scene.line(points if not head else line, ink["edge"], 1.5, DOTS)
        return
    if head:
        paint = ink["warm-line"] if look in (VALUE, ZERO) else ink["ink"] if look == BAD else ink["edge"]
        arrow(scene, end, paint, hollow=look == ZERO)


def arrow(scene: Picture, tip: Point, paint: str, *, hollow: bool = False) -> None:
    """The head of a line that comes from above."""
    x, y = tip
    corner = [(x - 5, y - _HEAD), (x + 5, y - _HEAD), (x, y), (x - 5, y - _HEAD), (x + 5, y - _HEAD)]
    scene.line(corner, paint, 1.2, fill=palette.light()["paper"] if hollow else paint)


def _cut(scene: Picture, points: list[Point]) -> None:
    """A line cut by two bars: nothing will ever arrive."""
    ink = palette.light()["ink2"]
    first, last = _part(points, 0, 0.3), _part(points, 0.7, 1)
    for piece, at in ((first, first[-1]), (last, last[0])):
        scene.line(piece, ink, 1.2)
        scene.line([(at[0] - 7, at[1]), (at[0] + 7, at[1])], ink, 1.5)


def _part(points: list[Point], start: float, end: float) -> list[Point]:
    lengths = [((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5 for a, b in pairwise(points)]
    whole, walked, part = sum(lengths) or 1.0, 0.0, list[Point]()
    for (a, b), length in zip(pairwise(points), lengths, strict=True):
        low = max(start * whole - walked, 0) / (length or 1)
        high = min(end * whole - walked, length) / (length or 1)
        if low <= high:
            part += [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for t in (low, high)]
        walked += length
    return part or [points[0]]


def pill_width(text: str) -> float:
    """How wide a pill is, without the hatch of a fault."""
    return max(26.0, extent(text, 12, bold=True, mono=True) + 14)


def pill(scene: Picture, at: Point, look: int, text: str) -> None:
    """A gradient as text: round and filled, square and hollow when zero, no box for None."""
    ink = palette.light()
    x, y = at
    w = pill_width(text)
    if look == NONE:
        scene.rect(x - w / 2, y - 9, w, 18, ink["paper"])
        scene.text(x, y + 4, text, 12, ink["ink2"], italic=True, mono=True, anchor="middle")
        return
    if look == VALUE:
        scene.rect(x - w / 2, y - 10.5, w, 21, ink["warm-field"], ink["warm-line"], 10.5, 1.2)
    elif look == ZERO:
        scene.rect(x - w / 2, y - 10.5, w, 21, ink["paper"], ink["warm-line"], 2, 1.2)
    elif look == BAD:
        scene.rect(x - w / 2 - 5, y - 10.5, w + 10, 21, ink["paper"], ink["ink"], 3, 1.5)
        scene.hatch(x - w / 2 - 4, y - 9, w + 8, 18, ink["ink"])
        scene.rect(x - w / 2 + 3, y - 7.5, w - 6, 15, ink["paper"])
    colour = ink["ink"] if look == BAD else ink["warm-ink"]
    scene.text(x, y + 4.2, text, 12, colour, bold=True, mono=True, anchor="middle")


def tile(
    scene: Picture, corner: Point, size: Point, look: int, text: str, shade: tuple[Scale, float | None]
) -> None:
    """A gradient's norm on the colour of its step."""
    ink = palette.light()
    (x, y), (w, h) = corner, size
    scale, norm = shade
    if look == NOT_RUN:
        outline(scene, corner, size, 3, ink["edge"], 1, DASHES)
        return
    step = scale.step(norm) if look == VALUE and norm is not None else -1
    fill = ink[f"warm{step}"] if step >= 0 else ink["paper"]
    stroke = ink["ink"] if look == BAD else ink["edge"] if look == NONE else ink["warm-line"]
    scene.rect(x, y, w, h, fill, stroke, 3, 1)
    if look == BAD:
        scene.hatch(x + 1, y + 1, w - 2, h - 2, ink["ink"])
        wide = extent(text, 11, bold=True, mono=True) + 8
        scene.rect(x + (w - wide) / 2, y + 3, wide, h - 6, ink["paper"])
    colour = ink["on"] if step >= 5 else ink["ink2"] if look == NONE else ink["ink"]
    below = look == VALUE and step < 0
    written = f"▽ {text}" if below else text
    scene.text(
        x + w / 2, y + h / 2 + 4, written, 11, colour,
        bold=look != NONE, italic=look == NONE, mono=True, anchor="middle",
    )  # fmt: skip


def badge(scene: Picture, centre: Point, text: str, state: str) -> None:
    """The step of a node: filled when done, blue when next, a square with a cross when it failed."""
    ink = palette.light()
    x, y = centre
    if state == "failed":
        scene.rect(x - 10, y - 10, 20, 20, ink["refused"], radius=3)
        for way in ([(x - 4, y - 4), (x + 4, y + 4)], [(x - 4, y + 4), (x + 4, y - 4)]):
            scene.line(way, ink["on"], 2)
        return
    filled = state in ("done", "next", "born")
    if filled:
        scene.rect(x - 11, y - 11, 22, 22, ink["here" if state == "next" else "done"], radius=11)
    else:
        ring = [(x + 11 * cos(pi * at / 16), y + 11 * sin(pi * at / 16)) for at in range(33)]
        scene.line(ring, ink["edge"], 1.2, DASHES if state == "not_run" else None)
    colour = ink["on"] if filled else ink["ink2"]
    size = 12 if len(text) < 3 else 9.5
    scene.text(x, y + 4, text, size, colour, bold=filled, anchor="middle")


def chip(scene: Picture, corner: Point, w: float, text: str, paint: str) -> None:
    """A parameter: its gradient leaves its consumer at the right."""
    ink = palette.light()
    x, y = corner
    scene.rect(x, y, w, 20, ink["paper"], ink["edge"], 10, 1)
    scene.rect(x + 7, y + 6, 8, 8, paint, radius=4)
    scene.text(x + 19, y + 14, text, 11, ink["ink"])


def outline(
    scene: Picture, corner: Point, size: Point, radius: float, stroke: str, width: float,
    dash: tuple[float, float] | None,
) -> None:  # fmt: skip
    """The border of a rounded box, as a line that can be dashed."""
    (x, y), (w, h) = corner, size
    points: list[Point] = []
    for cx, cy, turn in (
        (x + w - radius, y + radius, -0.5),
        (x + w - radius, y + h - radius, 0.0),
        (x + radius, y + h - radius, 0.5),
        (x + radius, y + radius, 1.0),
    ):
        for at in range(4):
            angle = pi * (turn + at / 6)
            points.append((cx + radius * cos(angle), cy + radius * sin(angle)))
    scene.line([*points, points[0]], stroke, width, dash)
