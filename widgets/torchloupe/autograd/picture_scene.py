"""Where everything of the static picture stands."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from .layout import Placed, Sized, layered
from .picture_bodies import Anatomy, Body, anatomy, bodies
from .state import Frame

Point = tuple[float, float]

STRAIGHT: dict[Anatomy, float] = {"near": 48, "middle": 15}
BENT: dict[Anatomy, float] = {"near": 54, "middle": 30}
APART: dict[Anatomy, float] = {"near": 32, "middle": 28}
TRACK = 7.0
_ROUND = 7.0
_PILL = 50.0
"""Room for a gradient written beside a lane."""
_CURVE = 18


@dataclass(frozen=True, slots=True)
class Route:
    """The line of one edge."""

    points: list[Point]
    source: int
    target: int
    lane: int
    """-1 when it passes layers at the left of its source, 1 at the right, 0 when it passes none."""

    @property
    def middle(self) -> Point:
        """Where a pill stands: a little above half way."""
        length = sum(_distance(a, b) for a, b in zip(self.points, self.points[1:], strict=False))
        left = 0.46 * length
        for a, b in zip(self.points, self.points[1:], strict=False):
            step = _distance(a, b)
            if left <= step and step:
                return a[0] + (b[0] - a[0]) * left / step, a[1] + (b[1] - a[1]) * left / step
            left -= step
        return self.points[-1]


@dataclass(frozen=True, slots=True)
class Scene:
    """Boxes by their upper left corner, and lines, from a common corner."""

    anatomy: Anatomy
    bodies: list[Body]
    corners: list[Point]
    routes: list[Route]
    width: float
    height: float


def scene(frame: Frame) -> Scene:
    """Lay the first picture out, top to bottom."""
    kind, found = anatomy(frame), bodies(frame)
    edges = frame.first.edges
    placed = layered(
        [Sized(body.reach, body.h, body.w / 2) for body in found],
        [edge.source for edge in edges],
        [edge.target for edge in edges],
        APART[kind],
    )
    ways = [_Way(frame, placed, at) for at in range(len(edges))]
    _attach(ways, found)
    tracks = _tracks(ways)
    layers = max(placed.layer, default=-1) + 1
    heights = [0.0] * layers
    for body, layer in zip(found, placed.layer, strict=True):
        heights[layer] = max(heights[layer], body.h)
    tops, y = list[float](), 0.0
    for layer in range(layers):
        if layer:
            y += _gap(kind, layer, ways, tracks)
        tops.append(y)
        y += heights[layer]
    corners = [
        (x - body.w / 2, tops[layer] + (heights[layer] - body.h) / 2)
        for x, layer, body in zip(placed.x, placed.layer, found, strict=True)
    ]
    routes = [way.route(corners, found, tops, heights, tracks) for way in ways]
    lefts = [min(x for x, _ in route.points) for route in routes]
    shift = -min([0.0, *lefts]) + (_PILL if kind == "near" and any(each.lane < 0 for each in routes) else 0)
    return Scene(
        kind,
        found,
        [(x + shift, y) for x, y in corners],
        [replace(each, points=[(x + shift, y) for x, y in each.points]) for each in routes],
        placed.width + shift,
        y,
    )


class _Way:
    """An edge on its way: its x at the source, in each layer it passes, at the target."""

    def __init__(self, frame: Frame, placed: Placed, at: int) -> None:
        edge = frame.first.edges[at]
        self.at, self.source, self.target = at, edge.source, edge.target
        self.first = placed.layer[edge.source]
        self.xs = [placed.x[edge.source], *placed.passed[at], placed.x[edge.target]]

    def bends(self, step: int) -> bool:
        return abs(self.xs[step] - self.xs[step + 1]) >= 1

    def route(
        self,
        corners: list[Point],
        found: list[Body],
        tops: list[float],
        heights: list[float],
        tracks: dict[tuple[int, int], tuple[int, int]],
    ) -> Route:
        start = corners[self.source][1] + found[self.source].h
        end = corners[self.target][1]
        points = [(self.xs[0], start)]
        for step in range(len(self.xs) - 1):
            if not self.bends(step):
                continue
            above = self.first + step
            top, bottom = tops[above] + heights[above], tops[above + 1]
            place, count = tracks.get((self.at, step), (0, 0))
            if not count:
                points += _curve((self.xs[step], top), (self.xs[step + 1], bottom))
                continue
            y = top + (bottom - top) * (place + 1) / (count + 1)
            points += [(self.xs[step], y), (self.xs[step + 1], y)]
        points.append((self.xs[-1], end))
        if len(self.xs) == 2:
            return Route(points, self.source, self.target, 0)
        lane = -1 if self.xs[1] < self.xs[0] else 1
        return Route(_rounded(points), self.source, self.target, lane)


def _attach(ways: list[_Way], found: list[Body]) -> None:
    """Give each edge its own place on the lower side of its source and the upper side of its target."""
    for box, body in enumerate(found):
        leaving = sorted((way for way in ways if way.source == box), key=lambda way: way.xs[1])
        for way, offset in zip(
            leaving, _spread([way.xs[1] - way.xs[0] for way in leaving], body), strict=True
        ):
            way.xs[0] += offset
    for box, body in enumerate(found):
        arriving = sorted((way for way in ways if way.target == box), key=lambda way: way.xs[-2])
        far = [way.xs[-2] - way.xs[-1] for way in arriving]
        for way, offset in zip(arriving, _spread(far, body), strict=True):
            way.xs[-1] += offset


def _spread(far: list[float], body: Body) -> list[float]:
    """Places along a side for edges that lead to `far`, ascending: straight ones in the middle."""
    if len(far) < 2:
        return [0.0] * len(far)
    half = body.w / 2 - 20
    straight = [at for at, x in enumerate(far) if abs(x) < 1]
    if not straight:
        side = min(40.0 * (len(far) - 1), half)
        return [-side + 2 * side * at / (len(far) - 1) for at in range(len(far))]
    before, after = straight[0], len(far) - straight[-1] - 1
    left = [-half * 0.8 * (before - at) / before for at in range(before)]
    middle = [14.0 * (at - (len(straight) - 1) / 2) for at in range(len(straight))]
    right = [half * 0.8 * (at + 1) / after for at in range(after)]
    return [*left, *middle, *right]


def _tracks(ways: list[_Way]) -> dict[tuple[int, int], tuple[int, int]]:
    """Heights for the level pieces of edges that pass layers: place and count, by edge and step."""
    runs: dict[tuple[int, bool], list[tuple[float, int, int]]] = {}
    for way in ways:
        if len(way.xs) == 2:
            continue
        for step in range(len(way.xs) - 1):
            if way.bends(step):
                left = way.xs[step + 1] < way.xs[step]
                run = (way.xs[step] if left else -way.xs[step], way.at, step)
                runs.setdefault((way.first + step + 1, left), []).append(run)
    return {
        (at, step): (place, len(own))
        for own in runs.values()
        for place, (_, at, step) in enumerate(sorted(own))
    }


def _gap(
    kind: Anatomy, layer: int, ways: list[_Way], tracks: dict[tuple[int, int], tuple[int, int]]
) -> float:
    """Height of the gap above a layer."""
    gap = STRAIGHT[kind]
    for way in ways:
        step = layer - 1 - way.first
        if 0 <= step < len(way.xs) - 1 and way.bends(step):
            _, count = tracks.get((way.at, step), (0, 0))
            gap = max(gap, BENT[kind], TRACK * (count + 1))
    return gap


def _curve(start: Point, end: Point) -> list[Point]:
    """A cubic with vertical ends."""
    (x0, y0), (x1, y1) = start, end
    points = []
    for at in range(_CURVE + 1):
        t = at / _CURVE
        u = 1 - t
        bend = (y1 - y0) / 2
        x = u * u * (u + 3 * t) * x0 + t * t * (t + 3 * u) * x1
        y = u**3 * y0 + 3 * u * u * t * (y0 + bend) + 3 * u * t * t * (y1 - bend) + t**3 * y1
        points.append((x, y))
    return points


def _rounded(points: list[Point]) -> list[Point]:
    """The same way with its corners cut round."""
    found = points[:1]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        radius = min(_ROUND, _distance(before, corner) / 2, _distance(corner, after) / 2)
        a, b = _towards(corner, before, radius), _towards(corner, after, radius)
        for at in range(7):
            t = at / 6
            found.append(
                (
                    (1 - t) ** 2 * a[0] + 2 * t * (1 - t) * corner[0] + t * t * b[0],
                    (1 - t) ** 2 * a[1] + 2 * t * (1 - t) * corner[1] + t * t * b[1],
                )
            )
    return [*found, points[-1]]


def _distance(a: Point, b: Point) -> float:
    return math.hypot(a[0] - b[0], a[1] - b[1])


def _towards(a: Point, b: Point, length: float) -> Point:
    whole = _distance(a, b) or 1.0
    return a[0] + (b[0] - a[0]) * length / whole, a[1] + (b[1] - a[1]) * length / whole
