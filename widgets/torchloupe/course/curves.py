"""A function of one variable over its derivative, with the tangent at a point."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from ..core import palette
from ..core.picture import Picture
from ..core.record import Record
from ..core.words import Words

_WORDS = Words("torchloupe.course")
_POINTS = 241
_WIDE, _HIGH, _LEFT, _TOP, _GAP = 460.0, 150.0, 52.0, 30.0, 34.0


@dataclass(frozen=True, slots=True)
class Curve(Record):
    """Samples of a function and of its derivative. Made by `curve`."""

    x: tuple[float, ...]
    value: tuple[float, ...]
    """`f(x)` at each sample."""
    slope: tuple[float, ...]
    """`f'(x)` at each sample, by autograd."""
    at: float | None
    """Where the tangent touches, or None."""
    value_at: float
    slope_at: float

    def text(self) -> str:
        """The range, and value and slope at the point."""
        ends = {"low": _short(self.x[0]), "high": _short(self.x[-1])}
        lines = [_WORDS("curve.range", **ends)]
        if self.at is not None:
            point = {"at": _short(self.at), "value": _short(self.value_at), "slope": _short(self.slope_at)}
            lines.append(_WORDS("curve.point", **point))
        return "\n".join(lines)

    def picture(self) -> Picture:
        """The function with its tangent above, the derivative below, over the same axis."""
        size = (_LEFT + _WIDE + 20, _TOP + 2 * _HIGH + _GAP + 26)
        picture = Picture(*size, _WORDS("curve.title"), self.text())
        upper = _Panel(self.x, self.value, _TOP)
        lower = _Panel(self.x, self.slope, _TOP + _HIGH + _GAP)
        title = _WORDS("curve.value") if self.at is None else _WORDS("curve.tangent")
        upper.draw(picture, title, palette.hue(0))
        lower.draw(picture, _WORDS("curve.slope"), palette.hue(1))
        if self.at is not None:
            upper.tangent(picture, self.at, self.value_at, self.slope_at)
            lower.point(picture, self.at, self.slope_at, palette.hue(1))
        for x in _ticks(self.x[0], self.x[-1]):
            place = upper.across(x)
            picture.text(place, size[1] - 8, _short(x), 11, palette.light()["ink2"], anchor="middle")
        return picture


def curve(function: Callable[[Tensor], Tensor], low: float, high: float, at: float | None = None) -> Curve:
    """Draw an elementwise function over its derivative.

    Args:
        function: takes and returns a float64 tensor of shape (n,), element by element.
        low: the first x.
        high: the last x.
        at: where to draw the tangent.

    Returns:
        A record: its picture in a notebook, its text in a terminal.

    Raises:
        ValueError: if `low` is not below `high`.

    Example:
        >>> from torchloupe.course.curves import curve
        >>> print(curve(lambda x: x**2 + 3 * x + 1, -5, 4, at=2.0).slope_at)
        7.0
    """
    if not low < high:
        raise ValueError(_WORDS("curve.empty", low=low, high=high))
    value, slope = _sampled(function, torch.linspace(low, high, _POINTS, dtype=torch.double))
    x = torch.linspace(low, high, _POINTS, dtype=torch.double)
    at_value, at_slope = ([math.nan], [math.nan])
    if at is not None:
        at_value, at_slope = _sampled(function, torch.tensor([at], dtype=torch.double))
    return Curve(tuple(x.tolist()), tuple(value), tuple(slope), at, at_value[0], at_slope[0])


def _sampled(function: Callable[[Tensor], Tensor], x: Tensor) -> tuple[list[float], list[float]]:
    x = x.clone().requires_grad_()
    with torch.enable_grad():
        value = function(x)
        (slope,) = torch.autograd.grad(value.sum(), x)
    return value.tolist(), slope.tolist()


class _Panel:
    """One plot: samples over x between `top` and `top + _HIGH`."""

    def __init__(self, x: Sequence[float], y: Sequence[float], top: float) -> None:
        self._x, self._y, self._top = x, y, top
        finite = [value for value in y if math.isfinite(value)] or [0.0]
        low, high = min(0.0, *finite), max(0.0, *finite)
        margin = (high - low or 1.0) * 0.08
        self._low, self._high = low - margin, high + margin

    def across(self, x: float) -> float:
        return _LEFT + (x - self._x[0]) / (self._x[-1] - self._x[0]) * _WIDE

    def down(self, y: float) -> float:
        return self._top + (self._high - y) / (self._high - self._low) * _HIGH

    def draw(self, picture: Picture, title: str, hue: str) -> None:
        ink, rule = palette.light()["ink2"], palette.light()["rule"]
        picture.text(_LEFT, self._top - 8, title, 12, palette.light()["ink"], bold=True)
        for y in _ticks(self._low, self._high):
            picture.line([(_LEFT, self.down(y)), (_LEFT + _WIDE, self.down(y))], rule)
            picture.text(_LEFT - 8, self.down(y) + 4, _short(y), 11, ink, anchor="end")
        for x in _ticks(self._x[0], self._x[-1]):
            picture.line([(self.across(x), self._top), (self.across(x), self._top + _HIGH)], rule)
        picture.line([(_LEFT, self.down(0)), (_LEFT + _WIDE, self.down(0))], palette.light()["edge"])
        for run in self._runs():
            picture.line(run, hue, 2)

    def _runs(self) -> Iterator[list[tuple[float, float]]]:
        """Pieces without NaN and without the vertical strokes of a jump."""
        run = list[tuple[float, float]]()
        for x, y in zip(self._x, self._y, strict=True):
            here = (self.across(x), self.down(y)) if math.isfinite(y) else None
            if run and (here is None or abs(here[1] - run[-1][1]) > 0.3 * _HIGH):
                yield run
                run = []
            if here is not None:
                run.append(here)
        if len(run) > 1:
            yield run

    def tangent(self, picture: Picture, at: float, value: float, slope: float) -> None:
        ends = []
        for x in (self._x[0], self._x[-1]):
            y = min(max(value + slope * (x - at), self._low), self._high)
            ends.append((self.across(at + (y - value) / slope if slope else x), self.down(y)))
        picture.line(ends, palette.hue(1), 1.5, (6, 4))
        self.point(picture, at, value, palette.hue(0))

    def point(self, picture: Picture, at: float, value: float, hue: str) -> None:
        x, y = self.across(at), self.down(value)
        picture.rect(x - 4, y - 4, 8, 8, hue, palette.light()["paper"], 4)
        label = f"({_short(at)}, {_short(value)})"
        right = x < _LEFT + _WIDE - 90
        ink = palette.light()["ink"]
        picture.text(x + (10 if right else -10), y + 14, label, 12, ink, anchor="start" if right else "end")


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers between `low` and `high`, about five."""
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= rough)
    first = math.ceil(low / step)
    return [count * step for count in range(first, math.floor(high / step) + 1)]


def _short(number: float) -> str:
    return f"{number:.4g}".replace("-", "−")
