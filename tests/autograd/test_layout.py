"""The layout for static pictures: the same as its TypeScript twin, and whole for any graph."""

from __future__ import annotations

import json
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchloupe.autograd.layout import Sized, layered

FIXTURES = json.loads(Path(__file__).with_name("layout_fixtures.json").read_text("utf-8"))
GAP = 28


@pytest.mark.parametrize("graph", FIXTURES, ids=lambda graph: f"{graph['nodes']}-{len(graph['source'])}")
def test_both_twins_give_the_same_picture(graph):
    boxes = [Sized(60 + box * 37 % 90, 20, (60 + box * 37 % 90) / 2) for box in range(graph["nodes"])]
    found = layered(boxes, graph["source"], graph["target"], GAP)
    assert found.layer == graph["layer"]
    assert found.order == graph["order"]
    assert found.crossings == graph["crossings"]
    assert found.x == pytest.approx(graph["x"], abs=0.01)


@st.composite
def graphs(draw):
    nodes = draw(st.integers(1, 40))
    node = st.integers(0, nodes - 1)
    edges = draw(st.lists(st.tuples(node, node), max_size=60))
    return nodes, [a for a, _ in edges], [b for _, b in edges]


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_layers_follow_the_edges_and_boxes_keep_their_distance(graph):
    nodes, source, target = graph
    boxes = [Sized(50, 20, 15)] * nodes
    found = layered(boxes, source, target, GAP)
    acyclic = nx.is_directed_acyclic_graph(
        nx.DiGraph([(a, b) for a, b in zip(source, target, strict=True) if a != b])
    )
    for a, b, passed in zip(source, target, found.passed, strict=True):
        span = found.layer[b] - found.layer[a]
        assert (span > 0) if acyclic and a != b else (span == 0) == (a == b)
        assert len(passed) == max(abs(span) - 1, 0)
    for one in range(nodes):
        for other in range(one):
            if found.layer[one] == found.layer[other]:
                assert abs(found.x[one] - found.x[other]) >= 50 + GAP - 1e-6
                assert (found.x[one] < found.x[other]) == (found.order[one] < found.order[other])
    assert min(found.x) >= 15 - 1e-6
    assert max(found.x) <= found.width - 35 + 1e-6


def test_the_depth_is_the_longest_path():
    source, target = [0, 0, 1, 2, 3, 1, 5], [1, 2, 3, 3, 4, 5, 4]
    found = layered([Sized(10, 10, 5)] * 6, source, target)
    graph = nx.DiGraph(list(zip(source, target, strict=True)))
    assert max(found.layer) == nx.dag_longest_path_length(graph)
