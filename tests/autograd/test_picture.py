"""The static picture: what it says, that it is whole for every graph, and what is seen of it."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
import torch
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from PIL import Image

import torchloupe as loupe
from torchloupe.autograd.capture import capture
from torchloupe.autograd.first_picture import Arrived
from torchloupe.autograd.picture import picture
from torchloupe.autograd.picture_bodies import Scale, number
from torchloupe.autograd.picture_flows import Played
from torchloupe.autograd.picture_still import still
from torchloupe.autograd.state import First, FirstBox, FirstEdge
from torchloupe.core import palette

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def english():
    loupe.language("en")
    yield
    loupe.language("auto")


def strings(drawing):
    return ["".join(text.itertext()) for text in ET.fromstring(drawing.svg()).iter(SVG + "text")]


def box(title="Add", suffix="Backward0", kind="node", id=0, **rest):
    plain = {
        "nodes": 1, "members": 1, "parameters": [], "more_parameters": 0,
        "look": 0, "norm": None, "value": "", "text": "",
    }  # fmt: skip
    return FirstBox(kind=kind, id=id, title=title, suffix=suffix, **{**plain, **rest})


def frame(boxes, edges=(), **rest):
    """The frame of a small record, with another first picture."""
    x = torch.tensor(2.0, requires_grad=True)
    first = First(boxes=boxes, edges=[FirstEdge(source=a, target=b, edges=1) for a, b in edges])
    return replace(still(capture(x * 2)), first=first, **rest)


def ran(steps=9, **rest):
    whole = still(capture(torch.ones(1, requires_grad=True) * 2))
    return {"mode": "replay", "phase": "done", "rows": replace(whole.rows, steps=steps), **rest}


def seen(drawing, token):
    """How many pixels of the PNG have a colour of the palette."""
    image = Image.open(io.BytesIO(drawing.png())).convert("RGB")
    colour = tuple(int(palette.light()[token][i : i + 2], 16) for i in (1, 3, 5))
    return sum(count for count, pixel in image.getcolors(1 << 22) if pixel == colour)


def test_a_record_is_drawn_with_its_root_on_top():
    x = torch.tensor(2.0, requires_grad=True)
    y = x**2 + 3 * x + 1
    record = capture(y)
    drawing = picture(record)
    root = ET.fromstring(drawing.svg())
    texts = {"".join(t.itertext()): float(t.get("y")) for t in root.iter(SVG + "text")}
    assert texts[record.name] < texts["AddBackward0"] < texts["PowBackward0"] < texts["x"]
    assert texts["PowBackward0"] == texts["MulBackward0"]
    assert {" = 11", "5 nodes, 5 drawn", "AccumulateGrad"} <= set(texts)
    assert "Gradient on an edge" not in texts


def test_what_went_along_each_edge_stands_on_it():
    boxes = [
        box(id=0, look=1, norm=1.0, value="1"), box("Pow", id=1, look=1, norm=1.0, value="1"),
        box("Mul", id=2, look=1, norm=1.0, value="1"), box("x", "", "leaf", 3, look=1, norm=7.0, value="7"),
    ]  # fmt: skip
    edges = [(0, 1), (0, 2), (1, 3), (2, 3)]
    flows = {
        2: Arrived(1, 4.0, "4"),
        3: Arrived(1, 3.0, "3"),
        0: Arrived(1, 1.0, "1"),
        1: Arrived(1, 1.0, "1"),
    }
    found = strings(picture(frame(boxes, edges, **ran()), Played(flows, {0: 1, 1: 4, 2: 3, 3: 5})))
    assert [found.count(text) for text in ("7", "3")] == [1, 2], "a step and a gradient are both called 3"
    assert found.count("4") == 3, "a gradient, a step, and the sample in the legend"
    assert "a value" in found


def test_the_four_looks_differ_without_colour():
    looks = {
        1: ("5", "value"),
        2: ("0", "zero"),
        3: ("None", "unused"),
        4: ("NaN", "NaN or infinite"),
        0: ("", "not run yet"),
    }
    shapes = {}
    for look, (text, name) in looks.items():
        boxes = [
            box(id=0, look=1, norm=1.0, value="1"),
            box("Relu", id=1, look=look, norm=5.0, value="5" if look == 1 else ""),
        ]
        drawing = picture(frame(boxes, [(0, 1)], **ran()))
        found = strings(drawing)
        assert name in found or f"a {name}" in found
        assert not text or text in found
        lines = ET.fromstring(drawing.svg()).iter(SVG + "polyline")
        shapes[look] = tuple(
            sorted(
                (each.get("stroke-width"), each.get("stroke-dasharray", ""), each.get("fill") == "none")
                for each in lines
            )
        )
    assert len(set(shapes.values())) == 5


@pytest.mark.parametrize("step", range(7))
def test_a_tile_has_the_colour_of_its_step(step):
    norm = 10.0 ** (-step / 2)
    boxes = [box(id=0, look=1, norm=1.0), box("attn", "Attention", "module", 1, nodes=5, look=1, norm=norm)]
    drawing = picture(frame(boxes, [(0, 1)], **ran()))
    assert seen(drawing, f"warm{6 - step}") > 56 * 20 * 2 * 2 * 0.6
    assert number(norm) in strings(drawing)


def test_a_module_row_tells_class_nodes_and_parameters():
    boxes = [
        box("lm_head", "Linear", "module", 1, nodes=4, parameters=["weight = wte.weight"]),
        box("h", "Block", "fold", 2, nodes=372, members=12, parameters=["a", "b", "c"], more_parameters=141),
    ]
    found = strings(picture(frame(boxes, [(0, 1)])))
    assert {"lm_head Linear", "4", "weight = wte.weight", "h × 12 Block", "372", "144 parameters"} <= set(
        found
    )


def test_next_and_failed_nodes_say_so():
    boxes = [box(id=0, look=1, norm=1.0, value="1"), box("Pow", id=1)]
    waiting = picture(frame(boxes, [(0, 1)], **ran(1, phase="waiting", next=1)))
    assert "next" in strings(waiting)
    assert seen(waiting, "here") > 300
    born = picture(frame(boxes, [(0, 1)], **ran(first_bad=0)))
    assert "the first NaN or Inf is born here" in strings(born)
    assert seen(born, "refused") > 300


def test_a_record_without_a_graph_is_a_sentence():
    record = capture(torch.ones(3).argmax())
    drawing = picture(still(record))
    assert record.why_empty.split()[0] in " ".join(strings(drawing))
    assert drawing.height < 200


@st.composite
def first_pictures(draw):
    count = draw(st.integers(1, 64))
    kinds = st.sampled_from(["node", "leaf", "module", "chain", "repeat", "section", "fold"])
    near = draw(st.booleans()) and count <= 24
    names = st.text(st.characters(codec="utf-8"), max_size=40)
    boxes = [
        box(
            draw(names), draw(names), "node" if near else draw(kinds), at,
            look=(look := draw(st.integers(0, 4))),
            norm=draw(st.floats(allow_nan=True, width=32)) if look else None,
            value=draw(st.sampled_from(["", "4", "[1, -1]", "[1e-05, 2, 3]"])) if look == 1 else "",
            parameters=draw(st.lists(names, max_size=3)), text=draw(names), members=3,
        )
        for at in range(count)
    ]  # fmt: skip
    place = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(place, place).filter(lambda e: e[0] < e[1]), max_size=90, unique=True))
    return boxes, edges, draw(st.booleans())


@settings(max_examples=60, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(first_pictures())
def test_every_first_picture_is_drawn_inside_its_frame(given_picture):
    boxes, edges, played = given_picture
    drawing = picture(frame(boxes, edges, **(ran() if played else {})))
    root = ET.fromstring(drawing.svg())
    width, height = float(root.get("width")), float(root.get("height"))
    for rect in list(root.iter(SVG + "rect"))[1:]:
        left, top = float(rect.get("x")), float(rect.get("y"))
        assert 0 <= left <= left + float(rect.get("width")) <= width
        assert 0 <= top <= top + float(rect.get("height")) <= height
    for line in root.iter(SVG + "polyline"):
        for point in line.get("points").split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height
    for text in root.iter(SVG + "text"):
        assert 0 <= float(text.get("x")) <= width
        assert 0 <= float(text.get("y")) <= height


def test_boxes_do_not_overlap_where_many_ways_part():
    x = torch.ones(3, requires_grad=True)
    drawing = picture(capture(sum((k * x).relu().exp().sum() for k in range(1, 4))))
    boxes = [
        [float(rect.get(key)) for key in ("x", "y", "width", "height")]
        for rect in ET.fromstring(drawing.svg()).iter(SVG + "rect")
        if rect.get("rx") == "5" and rect.get("stroke")
    ]
    assert len(boxes) > 12
    for at, (x0, y0, w, h) in enumerate(boxes):
        for left, top, wide, high in boxes[at + 1 :]:
            assert x0 + w <= left or left + wide <= x0 or y0 + h <= top or top + high <= y0


def test_chinese():
    loupe.language("zh-CN")
    boxes = [
        box(id=0, look=1, norm=1.0),
        box("h", "Block", "module", 1, nodes=9, look=2, parameters=["w"], more_parameters=3),
    ]
    assert {"到达的梯度范数", "零", "4 个参数"} <= set(strings(picture(frame(boxes, [(0, 1)], **ran()))))


def test_names_are_text():
    drawing = picture(frame([box("<script>alert(1)</script>", "", "module", 1)]))
    assert "<script" not in drawing.svg()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (1, "1.0"),
        (-2.5, "−2.5"),
        (37.4, "37"),
        (0.0024, "2.4e−3"),
        (1.84e-18, "2e−18"),
        (9.4e-10, "9e−10"),
        (1e-9, "1.0e−9"),
        (-3.4e12, "−3e12"),
        (12345, "1.2e4"),
        (float("nan"), "NaN"),
    ],
)
def test_numbers_are_short(value, text):
    assert number(value) == text


def test_the_scale_has_its_greatest_norm_in_the_last_step():
    scale = Scale.of([1.0, 0.1, 0.02])
    assert [scale.step(norm) for norm in (1.0, 0.32, 0.1, 0.02, 0.0001)] == [6, 5, 4, 2, -1]
    assert scale.ticks() == [(0, "1e−3"), (2, "1e−2"), (4, "0.1"), (6, "1")]
    assert Scale.of([1.0, 1e-5]).per_decade == 1
