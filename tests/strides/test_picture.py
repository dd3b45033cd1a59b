"""The static picture: what it says, that it is whole for every kind of tensor, and what is seen of it."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET

import pytest
import torch
from hypothesis import given, settings
from PIL import Image

import torchloupe as loupe
from tests.strides.tensors import strided
from torchloupe.core import palette
from torchloupe.strides.bench import Bench
from torchloupe.strides.frames import frame
from torchloupe.strides.picture import picture

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def english():
    loupe.language("en")
    yield
    loupe.language("auto")


def drawn(*tensors, names="xyzwuv", steps=()):
    bench = Bench(tensors, names[: len(tensors)])
    for operation, *texts in steps:
        bench.apply(operation, texts)
    return picture(frame(bench))


def strings(scene):
    return [text.text or "" for text in ET.fromstring(scene.svg()).iter(SVG + "text")]


@settings(max_examples=150, deadline=None)
@given(strided())
def test_every_layout_is_drawn_inside_its_frame(x):
    root = ET.fromstring(drawn(x).svg())
    width, height = float(root.get("width")), float(root.get("height"))
    for rect in list(root.iter(SVG + "rect"))[1:]:
        left, top = float(rect.get("x")), float(rect.get("y"))
        assert 0 <= left <= left + float(rect.get("width")) <= width
        assert 0 <= top <= top + float(rect.get("height")) <= height
    for text in root.iter(SVG + "text"):
        assert 0 <= float(text.get("x")) <= width
        assert 0 <= float(text.get("y")) <= height


def test_it_tells_shape_stride_storage_and_formula():
    x = torch.arange(24.0).reshape(2, 3, 4)
    found = strings(drawn(x, x.transpose(0, 2)))
    assert {"x", "y", "shape", "stride", "12", "Storage", "not contiguous", "23."} <= set(found)
    assert "24 × 4 B = 96 B · float32 · cpu" in found
    line = "".join(found)
    assert "x[0, 0, 0]= 0 + 0·12 + 0·4 + 0·1 = cell 0" in line


def test_values_stand_where_their_elements_are():
    x = torch.arange(6.0).reshape(2, 3)
    root = ET.fromstring(drawn(x.T).svg())
    texts = [(t.text, float(t.get("x")), float(t.get("y"))) for t in root.iter(SVG + "text")]
    at = {text: (left, top) for text, left, top in reversed(texts) if text.endswith(".")}
    rows = [
        sorted((v for v in at if at[v][1] == top), key=lambda v: at[v][0])
        for top in sorted({p[1] for p in at.values()})
    ]
    assert rows == [["0.", "3."], ["1.", "4."], ["2.", "5."]]


def test_a_large_tensor_is_a_window():
    found = strings(drawn(torch.zeros(10**6)[640_000:640_010]))
    assert {"4 MB", "⋯", "byte 2,560,000"} <= set(found)
    assert "Let the rest go: 40 B reached, 4,000,000 B kept alive" in found


def test_a_tensor_without_strides_is_a_card():
    found = " ".join(strings(drawn(torch.eye(3).to_mkldnn())))
    assert "private to a backend" in found
    assert "Storage" not in found


@pytest.mark.parametrize(
    "x", [torch.empty(0, 3), torch.tensor(2.5), torch.empty(3, device="meta"), torch.zeros(2, 2, 2, 2, 2)]
)
def test_odd_tensors(x):
    scene = drawn(x)
    assert strings(scene)
    assert Image.open(io.BytesIO(scene.png())).size == (scene.width * 2, scene.height * 2)


def test_a_refusal_says_why_and_what_would_work():
    x = torch.arange(24.0).reshape(2, 3, 4)
    found = strings(drawn(x, steps=[("transpose", "0", "2"), ("view", "-1")]))
    assert {
        "z = y.view(-1)",
        "refused",
        "No single stride can walk y in order",
        "y.reshape(-1)",
        "copy",
    } <= set(found)


def test_chinese():
    loupe.language("zh-CN")
    found = set(strings(drawn(torch.arange(3.0).expand(4, 3))))
    assert {"形状", "步幅", "存储", "有重叠", "每个单元被 x 的 4 个元素读取"} <= found


def test_the_linked_cells_are_seen_in_the_png():
    scene = drawn(torch.arange(24.0).reshape(2, 3, 4))
    image = Image.open(io.BytesIO(scene.png())).convert("RGB")
    hue = tuple(int(palette.hue(0)[i : i + 2], 16) for i in (1, 3, 5))
    count = sum(
        n
        for n, colour in image.getcolors(1 << 20)
        if max(abs(a - b) for a, b in zip(colour, hue, strict=True)) < 12
    )
    assert count > 2 * (23 * 2) * (26 * 2) * 0.8


def test_names_are_text():
    scene = drawn(torch.ones(2), names=["<script>alert(1)</script>&"])
    assert "<script" not in scene.svg()
    assert "<script>alert(1)</script>&" in strings(scene)
