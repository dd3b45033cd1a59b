"""The lens: frames, tables, cards, code and files for the view; what it says when the graph changes."""

from __future__ import annotations

import base64
import io
import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import torch
from PIL import Image
from torch import nn

import torchloupe as loupe
from tests.autograd.traced_models import Block
from tests.core.conftest import _own_language, wires  # noqa: F401
from tests.core.tiny import wire
from torchloupe.autograd import AutogradLens
from torchloupe.autograd.tables_of import ORDER

pytestmark = pytest.mark.usefixtures("wires")
KINDS = {"i": "<i4", "u": "u1", "f": "<f4"}


@pytest.fixture(autouse=True)
def english():
    loupe.language("en")
    yield
    loupe.language("auto")


def asked(lens: AutogradLens, message: dict[str, Any]) -> dict[str, Any]:
    """The reply to a message of the view."""
    before = len(wire(lens).replies)
    wire(lens).hear(message)
    replies = wire(lens).replies[before:]
    assert len(replies) == 1, replies
    return replies[0]


def pulled(lens: AutogradLens) -> dict[str, Any]:
    """All tables as a view gets them, piece by piece; columns as arrays, strings as a list."""
    sent: list[tuple[dict[str, Any], list[bytes]]] = []
    lens.reply = lambda message, buffers=None: sent.append((message, buffers or []))  # type: ignore[method-assign]
    frame = lens.frame
    found: dict[str, Any] = {}
    for name in ORDER:
        whole: dict[str, Any] = {}
        strings: list[str] = []
        start = 0
        while start < frame["rows"][name]:
            lens.on_message({"type": "pull", "epoch": frame["epoch"], "table": name, "from": start})
            message, buffers = sent.pop()
            assert message["count"] > 0
            strings += message.get("strings", [])
            for (column, kind), buffer in zip(message.get("columns", []), buffers, strict=True):
                part = np.frombuffer(buffer, KINDS[kind])
                whole[column] = np.concatenate([whole[column], part]) if column in whole else part
            start += message["count"]
        found[name] = strings if name == "strings" else whole
    del lens.reply
    return found


def a_block() -> AutogradLens:
    torch.manual_seed(0)
    model = Block(8)
    return loupe.autograd.backward(model(torch.randn(1, 3, 8)).square().sum(), model)


def test_the_tables_hold_the_graph() -> None:
    lens = a_block()
    tables, record = pulled(lens), lens.record
    strings = tables["strings"]
    nodes, edges, leaves = tables["nodes"], tables["edges"], tables["leaves"]
    assert [strings[place] for place in nodes["type"]] == [node.type for node in record.nodes]
    assert [strings[p] if p >= 0 else "" for p in nodes["scope"]] == [node.scope for node in record.nodes]
    assert nodes["bytes"].tolist() == [node.saved_bytes for node in record.nodes]
    assert nodes["inputs"].tolist() == [node.inputs for node in record.nodes]
    rows = zip(*(edges[name].tolist() for name in ("source", "slot", "target", "input")), strict=True)
    assert list(rows) == [(edge.source, edge.slot, edge.target, edge.input) for edge in record.edges]
    assert leaves["node"].tolist() == [leaf.node for leaf in record.leaves]
    assert [strings[place] for place in leaves["name"]] == [leaf.names[0] for leaf in record.leaves]
    assert leaves["parameter"].tolist() == [1] * len(record.leaves)
    assert (leaves["before"] == -1).all()
    groups = tables["groups"]
    assert groups["parent"][0] == -1 and (groups["parent"][1:] < np.arange(1, len(groups["parent"]))).all()
    assert nodes["group"].max() < len(groups["parent"])


def test_the_tables_hold_the_backward() -> None:
    lens = a_block()
    tables, ledger = pulled(lens), lens.ledger
    assert ledger is not None
    steps = tables["steps"]["node"]
    assert steps.tolist() == list(ledger.order)
    for name, about in (("arrivals", "node"), ("flows", "edge")):
        table = tables[name]
        assert (np.diff(table["step"]) >= 0).all() and table["step"].min() == 1
        sources = table["node"] if about == "node" else np.array(
            [lens.record.edges[edge].source for edge in table["edge"].tolist()]
        )  # fmt: skip
        assert (steps[table["step"] - 1] == sources).all()
    for row in range(len(tables["arrivals"]["step"])):
        node, input = (int(tables["arrivals"][name][row]) for name in ("node", "input"))
        told = ledger.into(node)[input]
        assert tables["arrivals"]["norm"][row] == pytest.approx(told.norm, rel=1e-6)
        text = tables["arrivals"]["text"][row]
        assert (tables["strings"][text] if text >= 0 else "") == told.text
        assert tables["arrivals"]["look"][row] == told.look
    assert sorted(tables["flows"]["edge"].tolist()) == list(range(len(lens.record.edges)))


def test_what_grad_was_before_stands_in_the_leaves() -> None:
    x, w = torch.tensor(2.0, requires_grad=True), torch.ones(9, requires_grad=True)
    x.grad, w.grad = torch.tensor(5.0), torch.ones(9)
    lens = loupe.autograd.backward(x * w.sum())
    tables = pulled(lens)
    names = [tables["strings"][place] for place in tables["leaves"]["name"]]
    before = [tables["strings"][place] for place in tables["leaves"]["before"]]
    assert dict(zip(names, before, strict=True)) == {"x": "5", "w": "‖3‖"}


def test_large_tables_come_in_pieces() -> None:
    x = torch.ones(2, requires_grad=True)
    y = x
    for _ in range(30_000):
        y = y + 1
    lens = loupe.autograd.show(y.sum())
    tables = pulled(lens)
    assert len(tables["nodes"]["type"]) == 30_002
    assert tables["edges"]["source"].tolist() == list(range(30_001))


def test_rows_of_another_record_are_not_given() -> None:
    x = torch.ones(2, requires_grad=True)
    lens = loupe.autograd.show((x * 2).sum())
    wire(lens).hear({"type": "pull", "epoch": lens.frame["epoch"] + 99, "table": "nodes", "from": 0})
    wire(lens).hear({"type": "pull", "epoch": lens.frame["epoch"], "table": "no such", "from": 0})
    assert wire(lens).replies == []


def test_the_first_frame_is_whole_small_and_json() -> None:
    lens = a_block()
    frame = json.loads(json.dumps(lens.frame, allow_nan=False))
    assert (frame["mode"], frame["nodes"]) == ("replay", len(lens.record.nodes))
    assert len(json.dumps(frame)) < 64_000
    assert frame["name"].endswith(".backward()")


def test_show_looks_and_runs_nothing() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = x**2
    lens = loupe.autograd.show(y)
    assert (lens.frame["mode"], lens.frame["phase"], lens.frame["rows"]["steps"]) == ("look", "ready", 0)
    assert x.grad is None and lens.ledger is None
    assert lens.frame["name"] == "y"
    for kind in ("step", "run", "stop"):
        lens.on_message({"type": kind})
    assert x.grad is None


def test_refresh_says_that_the_graph_was_freed() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = x.exp()
    lens = loupe.autograd.show(y)
    y.backward()
    assert lens._latest.phase == "ready"
    lens.look_again()
    assert lens._latest.phase == "freed"


def test_an_output_without_a_graph_says_why() -> None:
    with torch.no_grad():
        y = torch.ones(2) * 3
    lens = loupe.autograd.show(y)
    assert lens.frame["phase"] == "empty" and lens.frame["why_empty"]["id"].startswith("why.")
    assert lens.frame["first"] == {"boxes": [], "edges": []}
    assert set(lens._repr_mimebundle_()) >= {"image/png", "image/svg+xml", "text/plain"}


# The card


def test_a_card_tells_the_rule_the_gradients_and_what_was_saved() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    lens = loupe.autograd.backward(x**2 + 3 * x + 1, retain_graph=True)
    card = asked(lens, {"type": "card", "node": 3})["card"]
    assert (card["title"], card["suffix"], card["rule"]) == ("Pow", "Backward0", "2·x")
    assert [part["text"] for part in card["into"]] == ["1"]
    assert [(part["name"], part["text"]) for part in card["out_of"]] == [("x", "4")]
    saved = {slot["slot"]: slot for slot in card["saved"]}
    assert (saved["self"]["owner"], saved["self"]["shape"], saved["self"]["nbytes"]) == ("x", [], 4)
    assert (saved["exponent"]["shape"], saved["exponent"]["text"]) == (None, "2")


def test_the_rule_of_a_card_is_the_derivative() -> None:
    for function, at in (
        (lambda t: t**2, 3.0), (lambda t: t**3, 2.0), (lambda t: t**-1, 2.0), (lambda t: 5 * t, 2.0),
        (torch.exp, 0.5), (torch.log, 2.0), (torch.neg, 1.0), (torch.sqrt, 4.0), (torch.sin, 1.0),
        (torch.cos, 1.0),
    ):  # fmt: skip
        x = torch.tensor(at, requires_grad=True)
        result = function(x)
        lens = loupe.autograd.backward(result, retain_graph=True)
        rule = asked(lens, {"type": "card", "node": 0})["card"]["rule"]
        if not rule:
            continue
        names = {"x": at, "self": at, "result": result.item(), "other": 5.0}
        code = rule.replace("·", "*").replace("−", "-").replace("sin x", "sin(x)").replace("cos x", "cos(x)")
        code = (
            code.replace("sin", "torch.sin").replace("cos", "torch.cos").replace("(x)", "(torch.tensor(x))")
        )
        assert float(eval(code, {"torch": torch}, names)) == pytest.approx(x.grad.item(), rel=1e-5), rule


def test_cards_survive_nan_in_json() -> None:
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    lens = loupe.autograd.backward((x * 0).sqrt().sum())
    for node in range(len(lens.record.nodes)):
        reply = asked(lens, {"type": "card", "node": node})
        json.dumps(reply, allow_nan=False)
        assert reply["card"]["node"] == node
    bad = asked(lens, {"type": "card", "node": 1})["card"]
    assert bad["out_of"][0]["look"] == 4 and bad["out_of"][0]["norm"] is None
    assert asked(lens, {"type": "card", "node": 99})["card"] is None


def test_look_at_gives_code_that_shows_that_tensor() -> None:
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    y = (x.exp() * 1).sum()
    lens = loupe.autograd.show(y)
    exp = next(node.index for node in lens.record.nodes if node.type == "ExpBackward0")
    text = asked(lens, {"type": "look_at", "node": exp, "slot": "result"})["text"]
    assert text.startswith("loupe.strides.show(y.grad_fn")
    shown = eval(text, {"loupe": loupe, "y": y})
    assert shown.frame["tensors"][0]["shape"] == [2]


def test_look_at_reaches_far_nodes_by_their_id() -> None:
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    y = x.exp()
    for _ in range(20):
        y = y + 1
    lens = loupe.autograd.show(y)
    exp = next(node.index for node in lens.record.nodes if node.type == "ExpBackward0")
    text = asked(lens, {"type": "look_at", "node": exp, "slot": "result"})["text"]
    assert f"saved_tensor(y, {exp}" in text
    inner = text.removeprefix("loupe.strides.show(").removesuffix(")")
    assert torch.equal(eval(inner, {"loupe": loupe, "y": y}), x.exp())


def test_what_was_made_on_the_spot_cannot_be_written_again() -> None:
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    lens = loupe.autograd.show(x.exp().sum())
    assert asked(lens, {"type": "look_at", "node": 1, "slot": "result"})["text"] == ""


# Files, pictures, text


def test_exports() -> None:
    lens = a_block()
    dot = asked(lens, {"type": "export", "format": "dot"})["text"]
    assert len(re.findall(r"n\d+ -> n\d+", dot)) == len(lens.record.edges)
    ET.fromstring(asked(lens, {"type": "export", "format": "svg"})["text"])
    png = base64.b64decode(asked(lens, {"type": "export", "format": "png"})["text"])
    assert Image.open(io.BytesIO(png)).width > 400
    assert asked(lens, {"type": "export", "format": "exe"})["type"] == "fault"


def test_an_unknown_message_is_a_fault_not_a_crash() -> None:
    assert asked(a_block(), {"type": "dance"})["type"] == "fault"


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_the_text_tells_the_steps(language: str) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    lens = loupe.autograd.backward(x**2 + 3 * x + 1)
    loupe.language(language)
    lines = repr(lens).splitlines()
    told = [line for line in lines if "AccumulateGrad" in line and "7" in line]
    assert len(told) == 1 and "x" in told[0]
    assert ("step 5" in told[0]) == (language == "en")


def test_many_steps_are_told_from_both_ends() -> None:
    model = nn.Sequential(*[nn.Linear(3, 3) for _ in range(20)])
    lens = loupe.autograd.backward(model(torch.ones(1, 3)).sum(), model)
    text = str(lens)
    assert text.count("step ") == 16 and f"{len(lens.ledger.order) - 16} more steps" in text


def test_closing_lets_go() -> None:
    lens = a_block()
    lens.close()
    assert lens.comm is None
    lens.update_frame()
