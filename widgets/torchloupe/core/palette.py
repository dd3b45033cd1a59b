"""The data colours, read from `palette.css` so that they are defined once.

Static pictures carry their own opaque colours (the light ones), because they are shown as images on any
theme.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

HUES = 5


@cache
def light() -> dict[str, str]:
    """The light tokens, `{"1": "#0069a8", "ramp0": "#f2f5f8", …}`, hexadecimal ones only."""
    css = files(__package__).joinpath("palette.css").read_text("utf-8")
    first_block = css[: css.index("}")]
    return dict(re.findall(r"--tl-([\w-]+): (#[0-9a-f]{6});", first_block))


def hue(index: int) -> str:
    """The light hue of the tensor at `index`; a sixth tensor takes the first hue again."""
    return light()[str(index % HUES + 1)]


def ramp(place: float) -> str:
    """The slate of a place in storage: 0 for its first byte, 1 for the last one reached.

    Mixed in OKLab (Björn Ottosson, "A perceptual color space for image processing", 2020), as the
    browser's `color-mix(in oklab, …)` does.
    """
    place = min(max(place, 0.0), 1.0)
    low, high = (_oklab(light()[name]) for name in ("ramp0", "ramp1"))
    return _hexadecimal([a + (b - a) * place for a, b in zip(low, high, strict=True)])


_TO_LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
_FROM_LAB = (
    (1.0, 0.3963377774, 0.2158037573),
    (1.0, -0.1055613458, -0.0638541728),
    (1.0, -0.0894841775, -1.2914855480),
)
_FROM_LMS = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)


def _times(matrix: tuple[tuple[float, ...], ...], vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _oklab(colour: str) -> list[float]:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return _times(_TO_LAB, [value ** (1 / 3) for value in _times(_TO_LMS, linear)])


def _hexadecimal(lab: list[float]) -> str:
    linear = _times(_FROM_LMS, [value**3 for value in _times(_FROM_LAB, lab)])
    channels = [12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in linear]
    return "#" + "".join(f"{round(min(max(c, 0.0), 1.0) * 255):02x}" for c in channels)
