"""Static pictures: sound SVG that holds no stranger's markup, and a PNG that shows the same."""

from __future__ import annotations

import io
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from torchloupe.core import palette
from torchloupe.core.picture import Picture

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</text><script>alert(1)</script>",
    "]]> & \"quoted\" 'quoted' &amp;",
    "<!-- --><!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>&e;",
]


def scene(text: str = "x") -> Picture:
    picture = Picture(120, 80, "A tensor", "Two cells & a line")
    picture.rect(10, 10, 20, 20, fill="#0069a8", stroke="#1f2328", radius=2)
    picture.rect(40, 10, 20, 20, None, "#1f2328")
    picture.line([(10, 40), (110, 40)], "#c62828", 2, dash=(4, 3))
    picture.hatch(70, 10, 40, 20, "#8b96a3")
    picture.text(10, 70, text, 14, "#1f2328", bold=True, mono=True, italic=True, anchor="start")
    return picture


def parse(picture: Picture) -> ET.Element:
    return ET.fromstring(picture.svg())


def png(picture: Picture) -> Image.Image:
    image = Image.open(io.BytesIO(picture.png()))
    image.load()
    return image


def test_the_svg_says_what_it_is() -> None:
    root = parse(scene())
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("120", "80", "0 0 120 80")
    assert [element.tag for element in list(root)[:2]] == [f"{SVG}title", f"{SVG}desc"]
    assert (root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")) == ("A tensor", "Two cells & a line")


def test_the_background_is_opaque_and_covers_all() -> None:
    background = parse(scene())[2]
    assert (background.get("width"), background.get("height")) == ("100%", "100%")
    assert background.get("fill") == palette.light()["paper"]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_stays_text(text: str) -> None:
    picture = scene(text)
    picture.title = picture.desc = text
    root = parse(picture)
    plain = [element.tag for element in parse(scene()).iter()]
    assert [element.tag for element in root.iter()] == plain
    assert [element.text for element in root.iter(f"{SVG}text")] == [text]
    assert root.findtext(f"{SVG}title") == text


@given(st.text(st.characters()))
def test_whatever_the_text_the_svg_parses(text: str) -> None:
    picture = scene(text)
    picture.title = text
    root = parse(picture)
    written = root.find(f"{SVG}text")
    assert written is not None
    expected = [
        c for c in text if c in "\t\n\r" or " " <= c < "\ud800" or (c >= "\ue000" and c not in "\ufffe\uffff")
    ]
    assert (written.text or "") == "".join(expected).replace("\r\n", "\n").replace("\r", "\n")
    picture.svg().encode("utf-8")


def test_the_svg_needs_nothing_from_outside() -> None:
    allowed = {
        "x",
        "y",
        "width",
        "height",
        "viewBox",
        "role",
        "fill",
        "stroke",
        "rx",
        "points",
        "stroke-width",
    }
    allowed |= {
        "stroke-linejoin",
        "stroke-dasharray",
        "font-size",
        "font-family",
        "font-weight",
        "font-style",
    }
    allowed |= {"text-anchor", "{http://www.w3.org/XML/1998/namespace}space"}
    for element in parse(scene()).iter():
        assert element.tag.removeprefix(SVG) in {"svg", "title", "desc", "rect", "polyline", "text"}
        assert set(element.attrib) <= allowed
    svg = scene().svg()
    assert svg.count("http") == 1, "the namespace only"
    assert "currentColor" not in svg
    assert "var(" not in svg


def test_the_png_is_twice_the_size_and_opaque() -> None:
    image = png(scene())
    assert image.size == (240, 160)
    assert "transparency" not in image.info
    assert image.convert("RGBA").getextrema()[3] == (255, 255)
    assert len(image.convert("RGB").getcolors(1 << 24) or []) <= 64


def test_the_png_shows_what_the_svg_says() -> None:
    image = png(scene()).convert("RGB")
    assert near(image.getpixel((40, 40)), "#0069a8")
    assert near(image.getpixel((100, 40)), "#ffffff"), "a rectangle without fill is empty"
    assert near(image.getpixel((80, 40)), "#1f2328"), "its edge is drawn"
    row = [near(image.getpixel((x, 80)), "#c62828") for x in range(20, 220)]
    assert True in row and False in row, "a dashed line has gaps"
    assert near(image.getpixel((4, 4)), "#ffffff")


def test_hatching_stays_inside_its_rectangle() -> None:
    picture = Picture(60, 60, "", "")
    picture.hatch(20, 20, 20, 13, "#000000")
    for line in parse(picture).iter(f"{SVG}polyline"):
        for point in (line.get("points") or "").split():
            x, y = map(float, point.split(","))
            assert 20 <= x <= 40 and 20 <= y <= 33
    assert png(picture).convert("L").crop((40, 40, 80, 66)).getextrema()[0] < 100


def near(pixel: object, colour: str) -> bool:
    wanted = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    assert isinstance(pixel, tuple)
    return all(abs(a - b) <= 12 for a, b in zip(pixel, wanted, strict=True))
