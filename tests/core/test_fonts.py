"""Text in PNG pictures, on a machine with fonts and on one without."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFont

import torchloupe
from torchloupe.core import fonts

PACKAGE = Path(torchloupe.__file__).parent
SIGNS = "→⋮⋯…−≥≤×·’“”"


def drawn(text: str, size: float = 32, **style: object) -> Image.Image:
    image = Image.new("L", (400, 60), 255)
    chosen = {"bold": False, "mono": False, "anchor": "start"} | style
    fonts.write(ImageDraw.Draw(image), 10, 45, text, size, "black", **chosen)  # type: ignore[arg-type]
    return image


def box(image: Image.Image) -> tuple[int, int, int, int] | None:
    return ImageChops.invert(image).getbbox()


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(fonts, "_face", lambda *_: None)
    monkeypatch.setattr(fonts, "_chinese", lambda: None)
    return


def signs() -> list[str]:
    """Every sign beyond ASCII that our English words hold, and those the pictures write themselves."""
    words = [json.loads(path.read_text("utf-8")) for path in PACKAGE.glob("*/words.json")]
    english = "".join(entry["en"] for entries in words for entry in entries.values())
    return sorted({c for c in english + SIGNS if ord(c) > 126})


def test_text_leaves_ink_where_it_should() -> None:
    found = box(drawn("Hx"))
    assert found is not None
    left, top, right, bottom = found
    assert 8 <= left <= 16 and right > 40
    assert 15 <= top < 30 and 43 <= bottom <= 47, "the baseline is at y"


@pytest.mark.parametrize(
    ("anchor", "low", "high"), [("start", 8, 20), ("middle", -30, -5), ("end", -60, -15)]
)
def test_an_anchor_moves_the_text(anchor: str, low: int, high: int) -> None:
    image = Image.new("L", (200, 60), 255)
    fonts.write(ImageDraw.Draw(image), 100, 45, "Hxg", 24, "black", bold=False, mono=False, anchor=anchor)  # type: ignore[arg-type]
    found = box(image)
    assert found is not None
    if anchor == "start":
        assert 98 <= found[0] <= 106
    elif anchor == "middle":
        assert abs((found[0] + found[2]) / 2 - 100) <= 4
    else:
        assert 94 <= found[2] <= 102


def test_bold_is_heavier_and_mono_is_even() -> None:
    def ink(image: Image.Image) -> int:
        return sum(ImageChops.invert(image).histogram()[128:])

    def width(text: str, **style: object) -> int:
        found = box(drawn(text, **style))
        assert found is not None
        return found[2] - found[0]

    assert ink(drawn("Hello", bold=True)) > ink(drawn("Hello")) * 1.15
    assert abs(width("H" + "i" * 9 + "H", mono=True) - width("H" + "W" * 9 + "H", mono=True)) <= 2
    assert width("H" + "i" * 9 + "H") < width("H" + "W" * 9 + "H") * 0.7


@pytest.mark.skipif(not fonts.chinese_available(), reason="no font with Chinese characters is installed")
def test_chinese_is_written_with_glyphs_of_its_own() -> None:
    pictures = [drawn(character).tobytes() for character in "张量存储步幅"]
    assert len(set(pictures)) == len(pictures), "two characters look the same: tofu"


@pytest.mark.usefixtures("no_fonts")
@pytest.mark.parametrize("sign", signs())
def test_without_fonts_no_sign_is_drawn_as_tofu(sign: str) -> None:
    tofu = bytes(ImageFont.load_default(32).getmask("\U000e1234"))
    plain = sign.translate(fonts._PLAIN)
    assert bytes(ImageFont.load_default(32).getmask(plain)) != tofu
    assert box(drawn(sign)) is not None


@pytest.mark.parametrize("sign", signs())
@pytest.mark.parametrize("style", [{}, {"bold": True}, {"mono": True}, {"bold": True, "mono": True}], ids=str)
def test_with_fonts_no_sign_is_drawn_as_tofu(sign: str, style: dict[str, bool]) -> None:
    assert drawn(sign, **style).tobytes() != drawn("\U000e1234", **style).tobytes()
    assert box(drawn(sign, **style)) is not None


@pytest.mark.usefixtures("no_fonts")
def test_without_fonts_text_is_still_text() -> None:
    assert not fonts.chinese_available()
    found = box(drawn("stride (4, 1) → 4"))
    assert found is not None and found[2] - found[0] > 150


def test_a_font_that_cannot_be_read_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fonts._first(("no such font.ttf",)) is None
    assert fonts._first(("no such font.ttf", "DejaVuSans.ttf")) in (None, "DejaVuSans.ttf")
    assert fonts._first(()) is None
