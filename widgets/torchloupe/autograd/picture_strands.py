"""The lines of the static picture, the gradients on them, and the names of the roots."""

from __future__ import annotations

from ..core import palette
from ..core.picture import Picture
from .picture_bodies import anatomy, arrived, extent
from .picture_flows import Played
from .picture_marks import NONE, NOT_RUN, pill, pill_width, strand
from .picture_scene import Point, Route, Scene
from .state import Frame, Root

_NAMES = 20.0
_LEAD = {"near": 48.0, "middle": 24.0}


def resting(frame: Frame) -> bool:
    """Whether no backward is shown: nothing has run, and nothing is about to."""
    return frame.mode == "look" and not frame.rows.steps and all(box.look == 0 for box in frame.first.boxes)


def roots_height(frame: Frame) -> float:
    """Room for the names over the first layer, and for a pill below them."""
    return _NAMES + _LEAD["middle" if resting(frame) else anatomy(frame)]


def draw_roots(drawing: Picture, frame: Frame, found: Scene, origin: Point) -> None:
    """Name the outputs, each over the box its gradient enters."""
    ink = palette.light()
    over: dict[int, list[Root]] = {}
    for root in frame.roots:
        if root.node >= 0:
            over.setdefault(_entered(frame, root), []).append(root)
    for box, roots in over.items():
        x, y = found.corners[box]
        x, y = origin[0] + x + found.bodies[box].w / 2, origin[1] + y
        names = ", ".join(root.name for root in roots)
        value = f" = {roots[0].value}" if len(roots) == 1 and roots[0].value else ""
        wide = extent(names, 14, mono=True, bold=True)
        whole = wide + extent(value, 14, mono=True)
        top = min(y, origin[1]) - roots_height(frame) + 14
        drawing.text(x - whole / 2, top, names, 14, ink["ink"], bold=True, mono=True)
        drawing.text(x - whole / 2 + wide, top, value, 14, ink["ink2"], mono=True)
        own = frame.first.boxes[box]
        line = [(x, top + 8), (x, y - 1)]
        strand(drawing, line, own.look, still=resting(frame), wide=found.anatomy == "near")
        if found.anatomy == "near" and own.look != NOT_RUN and _alone(frame, box):
            pill(drawing, (x, (top + y) / 2 - 1), own.look, arrived(own))


def _entered(frame: Frame, root: Root) -> int:
    """The box a root's gradient enters: its own node, else the first that nothing leads to."""
    boxes = frame.first.boxes
    for at, box in enumerate(boxes):
        if box.kind in ("node", "leaf") and box.id == root.node:
            return at
    led = {edge.target for edge in frame.first.edges}
    return next((at for at, box in enumerate(boxes) if at not in led and box.kind not in ("node", "leaf")), 0)


def _alone(frame: Frame, box: int) -> bool:
    return all(edge.target != box for edge in frame.first.edges)


def draw_strands(drawing: Picture, frame: Frame, found: Scene, origin: Point, told: Played) -> None:
    """Draw every edge. With few boxes, what went along it stands on it, where that is known."""
    near = found.anatomy == "near"
    dx, dy = origin
    pills: list[tuple[Point, int, str]] = []
    for at, route in enumerate(found.routes):
        flow = told.flows.get(at)
        look, text = _guessed(frame, route) if flow is None else (flow.look, arrived(flow))
        passed = frame.first.boxes[route.source].look != NOT_RUN and look == NOT_RUN and not told.flows
        points = [(x + dx, y + dy) for x, y in route.points]
        points[-1] = (points[-1][0], points[-1][1] - 1)
        strand(drawing, points, look, still=passed or resting(frame), wide=near)
        if near and text:
            x, y = route.middle
            aside = route.lane * max(pill_width(text) / 2 - 16, 0)
            pills.append(((x + dx + aside, y + dy), look, text))
    for where, look, text in pills:
        pill(drawing, where, look, text)


def _guessed(frame: Frame, route: Route) -> tuple[int, str]:
    """What an edge carried, from what arrived below it: certain when it is the only one there."""
    box = frame.first.boxes[route.target]
    if frame.first.boxes[route.source].look == NOT_RUN:
        return NOT_RUN, ""
    if sum(edge.target == route.target for edge in frame.first.edges) == 1:
        return box.look, arrived(box)
    return (NOT_RUN if box.look == NONE else box.look), ""
