"""DOT text, read back by Graphviz itself, and torchviz' drawing."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest
import torch
from torch import nn

import torchloupe as loupe
from torchloupe.autograd.capture import capture

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")


LABEL = re.compile(r'label="([^"]*)"')


@pytest.fixture(autouse=True)
def english():
    loupe.language("en")
    yield
    loupe.language("auto")


def parsed(text):
    """What Graphviz reads: labels by node name, and edges with their labels."""
    run = subprocess.run(
        ["dot", "-Tdot_json"], input=text, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    assert run.stderr == ""
    graph = json.loads(run.stdout)
    names = {each["_gvid"]: each["name"] for each in graph["objects"]}
    labels = {each["name"]: each.get("label", "") for each in graph["objects"]}
    edges = [(names[e["tail"]], names[e["head"]], e.get("label", "")) for e in graph.get("edges", [])]
    return graph["name"], labels, edges


@needs_dot
def test_graphviz_reads_the_same_graph():
    net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    record = capture(net(torch.randn(5, 3)).sum(), net)
    _, labels, edges = parsed(record.dot())
    inner = [(a, b) for a, b, _ in edges if a.startswith("n")]
    assert sorted(inner) == sorted((f"n{edge.source}", f"n{edge.target}") for edge in record.edges)
    assert {name for name in labels if name.startswith("n")} == {f"n{node.index}" for node in record.nodes}
    for leaf in record.leaves:
        assert labels[f"n{leaf.node}"].split("\\n")[0] == leaf.names[0]
    for node in record.nodes:
        if node.kind != "leaf":
            assert labels[f"n{node.index}"].startswith(node.type)
    assert [(a, b) for a, b, _ in edges if a.startswith("r")] == [("r0", f"n{record.roots[0].node}")]


@needs_dot
def test_an_edge_tells_its_slot():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.tensor([3.0, 4.0], requires_grad=True)
    record = capture((x * y).sum())
    _, _, edges = parsed(record.dot())
    assert {(a, b): label for a, b, label in edges if label} == {
        (f"n{e.source}", f"n{e.target}"): str(e.slot) for e in record.edges if e.source != 0
    }


@needs_dot
@pytest.mark.parametrize(
    "name", ['a"b', "back\\slash", "\\N", "<b>x</b>", "线性层", "a\nb", "semi;colon", "bell\x07", "end\\"]
)
def test_names_are_text(name):
    class Odd(nn.Module):
        pass

    net = Odd()
    net.register_parameter(name, nn.Parameter(torch.ones(2)))
    record = capture((net._parameters[name] * 2).sum(), net)
    _, labels, _ = parsed(record.dot())
    told = labels[f"n{record.leaves[0].node}"]
    line = told.replace("\\\\", "\0").replace("\\n", "\n").replace("\0", "\\")
    assert line == name.replace("\x07", "") + "\n2"


@needs_dot
def test_an_empty_record_is_an_empty_graph():
    _, labels, edges = parsed_empty(capture(torch.ones(2).argmax()).dot())
    assert (labels, edges) == ({}, [])


def parsed_empty(text):
    run = subprocess.run(["dot", "-Tdot_json"], input=text, capture_output=True, text=True, check=True)
    graph = json.loads(run.stdout)
    return graph["name"], dict.fromkeys(graph.get("objects", [])), graph.get("edges", [])


def test_torchviz_draws_it_with_names():
    net = nn.Linear(3, 2)
    loss = net(torch.randn(4, 3)).sum()
    source = capture(loss, net).to_torchviz().source
    assert {"weight\n (2, 3)", "bias\n (2)"} <= set(LABEL.findall(source))
    assert source.count("AddmmBackward0") == 1


def test_a_graph_that_is_gone_is_a_sentence():
    x = torch.ones(2, requires_grad=True)
    record = capture((x * 2).sum())
    with pytest.raises(RuntimeError, match=r"gone.*record\.dot\(\)"):
        record.to_torchviz()
    assert "MulBackward0" in record.dot()


def test_a_graph_too_deep_for_torchviz_is_a_sentence():
    x = torch.ones(2, requires_grad=True)
    y = x
    for _ in range(2 * sys.getrecursionlimit()):
        y = y + 1
    record = capture(y)
    with pytest.raises(RuntimeError, match=r"2,00\d nodes this deep"):
        record.to_torchviz()


def test_without_torchviz_it_says_how_to_get_it(monkeypatch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    monkeypatch.setitem(sys.modules, "torchviz", None)
    with pytest.raises(ImportError, match="pip install torchviz"):
        capture(y).to_torchviz()


def test_without_dot_a_notebook_shows_a_sentence(monkeypatch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    drawing = capture(y).to_torchviz()
    monkeypatch.setenv("PATH", "")
    assert "Graphviz" in drawing._repr_mimebundle_()["text/plain"]


@needs_dot
def test_with_dot_a_notebook_shows_the_drawing():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    bundle = capture(y).to_torchviz()._repr_mimebundle_()
    assert "MulBackward0" in bundle["image/svg+xml"]
