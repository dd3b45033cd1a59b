"""Colour arithmetic from its published definitions, for the tests."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

import torchloupe.core.palette as palette

# Björn Ottosson, "A perceptual color space for image processing": XYZ (D65) to LMS, and LMS' to Lab.
M1 = np.array(
    [
        [0.8189330101, 0.3618667424, -0.1288597137],
        [0.0329845436, 0.9293118715, 0.0361456387],
        [0.0482003018, 0.2643662691, 0.6338517070],
    ]
)
M2 = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
# IEC 61966-2-1: linear sRGB to XYZ (D65).
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency"
# (2009), full strength, on linear sRGB.
BLINDNESS = {
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def channels(colour: str) -> np.ndarray:
    assert re.fullmatch("#[0-9a-f]{6}", colour)
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=float)


def linear(colour: str) -> np.ndarray:
    encoded = channels(colour) / 255
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def oklab(colour: str) -> np.ndarray:
    return M2 @ np.cbrt(M1 @ XYZ @ linear(colour))


def seen(colour: str, blindness: str | None) -> np.ndarray:
    """OKLab of a colour as someone with a colour vision deficiency sees it."""
    if blindness is None:
        return oklab(colour)
    simulated = np.clip(BLINDNESS[blindness] @ linear(colour), 0, 1)
    return M2 @ np.cbrt(M1 @ XYZ @ simulated)


def from_oklab(lab: np.ndarray) -> np.ndarray:
    """The 8-bit channels of a colour, not rounded."""
    light = np.linalg.inv(M1 @ XYZ) @ (np.linalg.inv(M2) @ lab) ** 3
    return 255 * np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.abs(light) ** (1 / 2.4) - 0.055)


def contrast(one: str, other: str) -> float:
    """WCAG 2.2's contrast ratio."""
    bright, dark = sorted(
        (float(np.array([0.2126, 0.7152, 0.0722]) @ linear(c)) for c in (one, other)), reverse=True
    )
    return (bright + 0.05) / (dark + 0.05)


def blocks() -> dict[str, dict[str, str]]:
    """The tokens of `palette.css` by theme: light, dark, forced."""
    css = Path(palette.__file__).with_name("palette.css").read_text("utf-8")
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    found: dict[str, dict[str, str]] = {}
    for before, body in re.findall(r"([^{}]*(?:\{[^{}]*)?)\{([^{}]*)\}", css):
        theme = (
            "forced" if "forced-colors" in before else "dark" if 'theme-light="false"' in before else "light"
        )
        assert theme not in found
        found[theme] = dict(re.findall(r"--tl-([\w-]+):\s*([^;]+);", body))
    return found


# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency", IEEE TVCG 2009: severity 1, on linear sRGB.
BLINDNESS = {
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def seen_with(blindness: str, colour: str) -> np.ndarray:
    """CIE L*a*b* (1976, D65) of a colour as a person with that colour blindness sees it."""
    ratio = (XYZ @ np.clip(BLINDNESS[blindness] @ linear(colour), 0, 1)) / XYZ.sum(axis=1)
    edge = 6 / 29
    f = np.where(ratio > edge**3, np.cbrt(ratio), ratio / (3 * edge**2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])
