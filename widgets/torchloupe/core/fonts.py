"""Text in PNG pictures: finds a font on the machine, and has one of its own when there is none."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw as Draw
    from PIL.ImageFont import FreeTypeFont, ImageFont

_FACES: dict[tuple[bool, bool], tuple[str, ...]] = {
    (False, False): ("DejaVuSans.ttf", "Arial.ttf", "LiberationSans-Regular.ttf", "NotoSans-Regular.ttf"),
    (True, False): ("DejaVuSans-Bold.ttf", "Arial Bold.ttf", "arialbd.ttf", "LiberationSans-Bold.ttf"),
    (False, True): ("DejaVuSansMono.ttf", "Menlo.ttc", "consola.ttf", "LiberationMono-Regular.ttf"),
    (True, True): ("DejaVuSansMono-Bold.ttf", "consolab.ttf", "LiberationMono-Bold.ttf"),
}
_CHINESE = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansSC-Regular.otf",
    "PingFang.ttc",
    "Hiragino Sans GB.ttc",
    "msyh.ttc",
    "wqy-microhei.ttc",
    "SourceHanSansSC-Regular.otf",
    "simhei.ttf",
)
_PLAIN = str.maketrans(
    {
        "→": ">", "⋮": ":", "⋯": "-", "…": "-", "−": "-", "≥": ">", "≤": "<", "×": "x",
        "²": "2", "³": "3", "σ": "s", "′": "'", "▲": "^", "▼": "v", "▽": "v", "△": "^",
    }
)  # fmt: skip


def chinese_available() -> bool:
    """Whether a font with Chinese characters is installed; without one, PNG pictures are in English."""
    return _chinese() is not None


def write(
    draw: Draw,
    x: float,
    y: float,
    string: str,
    size: float,
    fill: str,
    *,
    bold: bool,
    mono: bool,
    anchor: Literal["start", "middle", "end"],
) -> None:
    """Write one line with its baseline at `y`, in pixels of the image."""
    horizontal = {"start": "l", "middle": "m", "end": "r"}[anchor]
    font, own = _font(string, round(size), bold, mono)
    draw.text((x, y), string.translate(_PLAIN) if own else string, fill, font, anchor=f"{horizontal}s")


def width(string: str, size: float, *, bold: bool, mono: bool) -> float:
    """How wide `write` writes one line, in pixels of the image."""
    font, own = _font(string, round(size), bold, mono)
    return font.getlength(string.translate(_PLAIN) if own else string)


def _font(string: str, size: int, bold: bool, mono: bool) -> tuple[FreeTypeFont | ImageFont, bool]:
    from PIL import ImageFont

    chinese = _chinese() if any(character > "\u2e7f" for character in string) else None
    face = chinese or _face(bold, mono)
    if face is None:
        return ImageFont.load_default(size), True
    return _sized(face, size), False


@cache
def _sized(face: str, size: int) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(face, size)


@cache
def _chinese() -> str | None:
    return _first(_CHINESE)


@cache
def _face(bold: bool, mono: bool) -> str | None:
    return _first(_FACES[bold, mono])


def _first(names: tuple[str, ...]) -> str | None:
    for name in names:
        try:
            _sized(name, 12)
        except OSError:
            continue
        return name
    return None
