"""The nodes of a record, against torchviz's, the engine's and a second walk's."""

from __future__ import annotations

import re

import pytest
import torch
from torchviz import make_dot

from tests.autograd import naive
from tests.autograd.models import Double, random_models
from torchloupe.autograd.capture import capture
from torchloupe.autograd.walk import find

MODELS = list(random_models(20))


@pytest.mark.parametrize(("output", "model"), [m[1:] for m in MODELS], ids=[m[0] for m in MODELS])
class TestRandomModels:
    def test_nodes_are_those_torchviz_draws(self, output, model):
        record = capture(output, model)
        drawn = {int(name) for name in re.findall(r"^\s*(\d+) \[", "\n".join(make_dot(output).body), re.M)}
        nodes = find(record)
        tensors = {id(output), *(id(node.variable) for node in nodes if hasattr(node, "variable"))}
        assert {id(node) for node in nodes} == drawn - tensors
        assert len(set(map(id, nodes))) == len(record.nodes)

    def test_edges_are_those_of_a_second_walk(self, output, model):
        record = capture(output, model)
        assert naive.recorded_edges(record) == naive.edges(output)
        assert len(record.edges) == len(naive.edges(output))

    def test_order_is_the_engines(self, output, model):
        record = capture(output, model)
        ran = naive.run([output], find(record))
        predicted = naive.unordered_leaves(list(range(len(record.nodes))), record)
        assert naive.unordered_leaves(ran, record) == predicted

    def test_leaves_have_the_models_names(self, output, model):
        record = capture(output, model)
        named = {id(p): n for n, p in model.named_parameters()}
        nodes = find(record)
        for leaf in record.leaves:
            variable = nodes[leaf.node].variable
            assert leaf.shape == variable.shape and leaf.nbytes == variable.nbytes
            if leaf.parameter:
                assert leaf.names[0] == named[id(variable)]
        assert {name for leaf in record.leaves for name in leaf.names if leaf.parameter} >= set(
            named.values()
        )

    def test_types_and_numbers(self, output, model):
        record = capture(output, model)
        for node, real in zip(record.nodes, find(record), strict=True):
            assert node.type == real.name().rsplit("::", 1)[-1]
            assert node.sequence == (None if node.kind == "leaf" else real._sequence_nr())
            assert node.inputs == len(real._input_metadata)


def test_inputs_of_nodes_with_several_outputs():
    x = torch.randn(6, 4, requires_grad=True)
    outputs = [
        *x.unbind(1)[:2], *x.split([1, 2, 3]), x.max(0)[0], x.topk(2)[0], x.sort()[0], torch.var_mean(x)[0],
        torch.linalg.svd(x)[1], *torch.meshgrid(x[0], x[1], indexing="ij"), x.frexp()[0],
        torch.std_mean(x)[0], torch.layer_norm(x, (4,)), torch.group_norm(x, 2), Double.apply(x, None),
        x.aminmax()[0], x.cummax(0)[0], x.median(0)[0], x.mode(0)[0], x.kthvalue(1)[0], torch.linalg.qr(x)[0],
    ]  # fmt: skip
    record = capture(outputs)
    for node, real in zip(record.nodes, find(record), strict=True):
        assert node.inputs == len(real._input_metadata), node.type
    assert {node.inputs for node in record.nodes} >= {1, 2, 3, 4}
