"""Static pictures: one scene of a few primitives, written as SVG and as PNG.

A notebook that is reopened without its kernel, a page on a code host, an exported file: each shows this
picture. It needs no network, no theme and no system program. The SVG is self-contained; the PNG is drawn
with Pillow at twice the size, for places that hide SVG.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Literal
from xml.sax.saxutils import escape

from PIL import Image, ImageColor, ImageDraw

from . import fonts, palette

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw as Draw

Anchor = Literal["start", "middle", "end"]
_SCALE = 2
_MOST_COLOURS = 256
_SANS = "'Helvetica Neue',Arial,'Noto Sans','Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif"
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters XML 1.0 cannot hold."""
_MONO = "Menlo,Consolas,'DejaVu Sans Mono',monospace"


@dataclass(frozen=True, slots=True)
class _Rect:
    x: float
    y: float
    w: float
    h: float
    fill: str | None
    stroke: str | None
    radius: float
    width: float

    @property
    def paints(self) -> tuple[str | None, ...]:
        return self.fill, self.stroke


@dataclass(frozen=True, slots=True)
class _Text:
    x: float
    y: float
    string: str
    size: float
    fill: str
    bold: bool
    mono: bool
    italic: bool
    anchor: Anchor
    tail: tuple[str, float, str] | None


@dataclass(frozen=True, slots=True)
class _Line:
    points: tuple[tuple[float, float], ...]
    stroke: str
    width: float
    dash: tuple[float, float] | None
    fill: str | None

    @property
    def paints(self) -> tuple[str | None, ...]:
        return self.stroke, self.fill


@dataclass(slots=True)
class Picture:
    """A scene in CSS pixels, y down, on an opaque background.

    Args:
        width, height: size in CSS pixels.
        title: what it is, for screen readers.
        desc: what it shows, in a sentence or more.
    """

    width: float
    height: float
    title: str
    desc: str
    _items: list[_Rect | _Text | _Line] = field(default_factory=list)

    def rect(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        fill: str | None,
        stroke: str | None = None,
        radius: float = 0,
        width: float = 1,
    ) -> None:
        """A rectangle, filled and/or outlined."""
        self._items.append(_Rect(x, y, w, h, fill, stroke, radius, width))

    def text(
        self,
        x: float,
        y: float,
        string: str,
        size: float,
        fill: str,
        *,
        bold: bool = False,
        mono: bool = False,
        italic: bool = False,
        anchor: Anchor = "start",
        tail: tuple[str, float, str] | None = None,
    ) -> None:
        """One line of text; `y` is the baseline.

        Right after it, wherever the font makes it end, stands `tail`: text, size and colour, not bold.
        """
        self._items.append(_Text(x, y, string, size, fill, bold, mono, italic, anchor, tail))

    def line(
        self,
        points: list[tuple[float, float]],
        stroke: str,
        width: float = 1,
        dash: tuple[float, float] | None = None,
        fill: str | None = None,
    ) -> None:
        """A polyline; `fill` fills the shape between its ends, such as the head of an arrow."""
        self._items.append(_Line(tuple(points), stroke, width, dash, fill))

    def hatch(self, x: float, y: float, w: float, h: float, stroke: str) -> None:
        """Diagonal lines that fill a rectangle: bytes no known view reaches."""
        for start in range(-int(h), int(w), 7):
            left, right = max(start, 0), min(start + h, w)
            if right > left:
                self.line([(x + left, y + h - (left - start)), (x + right, y + h - (right - start))], stroke)

    def svg(self) -> str:
        """The scene as a self-contained SVG document."""
        size = f'width="{self.width:g}" height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}"'
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{_SANS}">',
            f"<title>{_written(self.title)}</title><desc>{_written(self.desc)}</desc>",
            f'<rect width="100%" height="100%" fill="{palette.light()["paper"]}"/>',
            *(_svg(item) for item in self._items),
            "</svg>",
        ]
        return "".join(parts)

    def png(self) -> bytes:
        """The scene as PNG, twice the size, at most 256 colours so that notebooks stay small."""
        size = (round(self.width * _SCALE), round(self.height * _SCALE))
        image = Image.new("RGB", size, palette.light()["paper"])
        draw = ImageDraw.Draw(image)
        for item in self._items:
            _paint(draw, item)
        exact = Image.new("P", (1, 1))
        exact.putpalette(self._colours())
        buffer = io.BytesIO()
        image.quantize(palette=exact, dither=Image.Dither.NONE).save(buffer, "PNG")
        return buffer.getvalue()

    def _colours(self) -> list[int]:
        """Every colour of the scene exactly, and steps between text and paper for smooth letters."""
        paper = ImageColor.getrgb(palette.light()["paper"])
        texts = [item for item in self._items if isinstance(item, _Text)]
        inks = {item.fill for item in texts} | {item.tail[2] for item in texts if item.tail is not None}
        shapes = [item for item in self._items if not isinstance(item, _Text)]
        flat = {colour for shape in shapes for colour in shape.paints if colour is not None}
        exact = [ImageColor.getrgb(colour) for colour in sorted(inks | flat)]
        steps = [
            tuple(round(a + (b - a) * share) for a, b in zip(ImageColor.getrgb(ink), paper, strict=True))
            for ink in sorted(inks)
            for share in (0.2, 0.4, 0.6, 0.8)
        ]
        colours = list(dict.fromkeys([paper, *exact, *steps]))[:_MOST_COLOURS]
        return [channel for colour in colours for channel in colour[:3]]


def _written(string: str) -> str:
    return escape(_ILLEGAL.sub("", string))


def _svg(item: _Rect | _Text | _Line) -> str:
    if isinstance(item, _Rect):
        stroke = f' stroke="{item.stroke}" stroke-width="{item.width:g}"' if item.stroke else ""
        radius = f' rx="{item.radius:g}"' if item.radius else ""
        box = f'x="{item.x:g}" y="{item.y:g}" width="{item.w:g}" height="{item.h:g}"'
        return f'<rect {box}{radius} fill="{item.fill or "none"}"{stroke}/>'
    if isinstance(item, _Line):
        dash = f' stroke-dasharray="{item.dash[0]:g} {item.dash[1]:g}"' if item.dash else ""
        points = " ".join(f"{x:g},{y:g}" for x, y in item.points)
        style = f'stroke="{item.stroke}" stroke-width="{item.width:g}" stroke-linejoin="round"'
        return f'<polyline points="{points}" fill="{item.fill or "none"}" {style}{dash}/>'
    weight = ' font-weight="bold"' if item.bold else ""
    slant = ' font-style="italic"' if item.italic else ""
    anchor = f' text-anchor="{item.anchor}"' if item.anchor != "start" else ""
    family = f' font-family="{_MONO}"' if item.mono else ""
    where = f'x="{item.x:g}" y="{item.y:g}" font-size="{item.size:g}" fill="{item.fill}"'
    string = _written(item.string)
    if item.tail is not None:
        after, size, fill = item.tail
        style = f'font-size="{size:g}" fill="{fill}" font-weight="normal"'
        string += f"<tspan {style}>{_written(after)}</tspan>"
    return f'<text {where}{family}{weight}{slant}{anchor} xml:space="preserve">{string}</text>'


def _paint(draw: Draw, item: _Rect | _Text | _Line) -> None:
    if isinstance(item, _Rect):
        box = [
            item.x * _SCALE,
            item.y * _SCALE,
            (item.x + item.w) * _SCALE - 1,
            (item.y + item.h) * _SCALE - 1,
        ]
        width = round(item.width * _SCALE)
        draw.rounded_rectangle(box, item.radius * _SCALE, item.fill, item.stroke, width if item.stroke else 0)
    elif isinstance(item, _Line):
        points = [(x * _SCALE, y * _SCALE) for x, y in item.points]
        if item.fill is not None:
            draw.polygon(points, item.fill)
        width = max(1, round(item.width * _SCALE))
        if item.dash is None:
            draw.line(points, item.stroke, width, joint="curve")
        for start, end in _dashes(points, item.dash) if item.dash is not None else []:
            draw.line([start, end], item.stroke, width)
    else:
        fonts.write(
            draw,
            item.x * _SCALE,
            item.y * _SCALE,
            item.string,
            item.size * _SCALE,
            item.fill,
            bold=item.bold,
            mono=item.mono,
            anchor=item.anchor,
        )
        if item.tail is not None:
            after, size, fill = item.tail
            wide = fonts.width(item.string, item.size * _SCALE, bold=item.bold, mono=item.mono)
            x, y = item.x * _SCALE + wide, item.y * _SCALE
            fonts.write(draw, x, y, after, size * _SCALE, fill, bold=False, mono=item.mono, anchor="start")


def _dashes(
    points: list[tuple[float, float]], dash: tuple[float, float]
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    pairs = list(pairwise(points))
    on, off = dash[0] * _SCALE, dash[1] * _SCALE
    pieces = []
    for (x0, y0), (x1, y1) in pairs:
        length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
        at = 0.0
        while at < length:
            a, b = at / length, min(at + on, length) / length
            pieces.append(
                ((x0 + (x1 - x0) * a, y0 + (y1 - y0) * a), (x0 + (x1 - x0) * b, y0 + (y1 - y0) * b))
            )
            at += on + off
    return pieces
