"""A capture leaves no trace: nothing kept alive, nothing changed; and what it says of names and hooks."""

from __future__ import annotations

import gc
import random
import weakref

import numpy as np
import psutil
import pytest
import torch
from torch import nn

from tests.autograd.models import Block, Double, unrolled
from torchloupe.autograd import walk as walking
from torchloupe.autograd.capture import capture
from torchloupe.autograd.record import Columns
from torchloupe.autograd.walk import find, walk


class TestLeavesNoTrace:
    def test_nothing_is_kept_alive(self):
        records, gone = [], []
        model = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
        for _ in range(50):
            x = torch.randn(2, 4, requires_grad=True)
            middle = model(x)
            y = middle.exp().sum()
            records.append(capture({"y": y, "middle": middle}, model))
            mark = type("Mark", (), {})()
            y.grad_fn.metadata["mark"] = mark
            gone += [weakref.ref(thing) for thing in (x, y, middle, mark)]
            del x, middle, y, mark
        assert [ref() for ref in gone] == [None] * 200
        assert all(record.token() is None and record.state == "freed" for record in records)
        names = weakref.ref(model)
        del model
        gc.collect()
        assert names() is None

    def test_memory_stays_flat(self):
        """Without the collector: what is not freed by counting shows."""
        process = psutil.Process()
        gc.collect()
        gc.disable()
        try:
            sizes = []
            for _ in range(50):
                loss = unrolled(200)
                capture(loss).text()
                del loss
                sizes.append(process.memory_info().rss)
        finally:
            gc.enable()
        # One such graph with its record is about 2 MB: fifty kept would be 100.
        assert max(sizes[25:]) - max(sizes[:25]) < 8e6

    def test_the_callers_variables_are_not_kept(self):
        x = torch.ones(2, requires_grad=True)
        y = x * 2
        others = [torch.ones(1000)]
        gone = weakref.ref(others[0])
        capture(y)
        del others
        assert gone() is None
        held = locals()
        capture(y)
        assert held["y"] is y

    def test_a_branch_goes_while_another_lives(self):
        """Keepers hold nothing but what their node holds anyway."""
        x = torch.ones(1, requires_grad=True)
        a = b = x
        for _ in range(2000):
            a, b = a.sin(), b.cos()
        capture([a, b])
        marks = [type("Mark", (), {})() for _ in range(2)]
        gone = [weakref.ref(mark) for mark in marks]
        for node, mark in zip((a.grad_fn, b.grad_fn), marks, strict=True):
            for _ in range(1500):
                node = node.next_functions[0][0]
            node.metadata["mark"] = mark
        del marks, mark, node, a
        assert gone[0]() is None and gone[1]() is not None
        del b
        assert gone[1]() is None

    def test_nothing_changes(self):
        model = nn.Sequential(nn.Dropout(0.5), Block())
        x = torch.randn(1, 4, 8, requires_grad=True)
        x.grad = torch.ones_like(x)
        y = model(x).sum()

        def facts():
            tensors = [x, y, x.grad, *model.parameters()]
            return (
                torch.get_rng_state().tolist(), np.random.get_state()[1].tolist(), random.getstate(),
                [(t._version, t.requires_grad, t.data_ptr(), t.tolist()) for t in tensors],
                [(t._backward_hooks, t._post_accumulate_grad_hooks) for t in tensors],
                [p.grad for p in model.parameters()], torch.is_grad_enabled(), gc.isenabled(),
            )  # fmt: skip

        before = facts()
        record = capture(y, model)
        record.text(), record.state, record.nodes[3].saved, find(record)
        assert facts() == before

    @pytest.mark.parametrize("enabled", [True, False])
    def test_the_collector_is_put_back(self, enabled, monkeypatch):
        seen = []
        plain = walking._discover
        monkeypatch.setattr(walking, "_discover", lambda *a: (seen.append(gc.isenabled()), plain(*a))[1])
        (gc.enable if enabled else gc.disable)()
        try:
            capture(torch.ones(1, requires_grad=True) * 2)
            assert (seen, gc.isenabled()) == ([False], enabled)
            monkeypatch.setattr(walking, "_discover", lambda *a: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                capture(torch.ones(1, requires_grad=True) * 2)
            assert gc.isenabled() == enabled
        finally:
            gc.enable()


def test_inside_a_compiled_function():
    """The graph breaks there, and none of the package's own code is compiled."""
    found = []

    def f(x):
        y = x.sin()
        found.append(capture(y * 2))
        return y.sum()

    graphs = []
    compiled = torch.compile(f, backend=lambda graph, inputs: (graphs.append(graph), graph)[1])
    x = torch.ones(3, requires_grad=True)
    compiled(x).backward()
    assert x.grad.tolist() == x.detach().cos().tolist()
    assert len(graphs) == 2
    assert found[0].nodes[0].type == "MulBackward0" and found[0].leaves[0].shape == (3,)


class TestNames:
    def test_a_shared_parameter_has_all_its_names(self):
        model = nn.ModuleDict({"embed": nn.Embedding(5, 4), "head": nn.Linear(4, 5, bias=False)})
        model["head"].weight = model["embed"].weight
        loss = model["head"](model["embed"](torch.tensor([1]))).sum()
        (leaf,) = capture(loss, model).leaves
        assert leaf.names == ("embed.weight", "head.weight")
        assert leaf.shared and leaf.parameter and leaf.nbytes == model["head"].weight.nbytes

    def test_names_are_those_of_named_parameters(self):
        model = nn.Sequential(Block(), nn.Sequential(Block(), nn.Linear(8, 1)))
        record = capture(model(torch.ones(1, 2, 8)), model)
        assert {leaf.names[0] for leaf in record.leaves} == {name for name, _ in model.named_parameters()}

    def test_the_callers_variables_name_what_the_model_does_not(self):
        weights, layer = torch.ones(3, requires_grad=True), nn.Linear(3, 1)
        record = capture(layer(weights * 2))
        assert {leaf.names[0] for leaf in record.leaves} == {"weights", "layer.weight", "layer.bias"}
        again = capture(layer(weights * 2), layer)
        assert {leaf.names[0] for leaf in again.leaves} == {"weights", "weight", "bias"}
        assert [leaf.parameter for leaf in again.leaves if leaf.names == ("weights",)] == [False]

    def test_a_dict_names_tensors(self):
        hidden = [torch.ones(3, requires_grad=True)]
        record = capture(hidden[0].sum(), {"the one": hidden[0]})
        assert record.leaves[0].names == ("the one",)

    def test_a_leaf_nobody_names(self):
        hidden = [torch.ones(3, requires_grad=True)]
        record = capture(hidden[0].sum())
        assert record.leaves[0].names == () and "no name found" in record.text()

    def test_the_storage_of_a_saved_tensor_is_named(self):
        layer = nn.Linear(3, 2)
        x = torch.ones(1, 3, requires_grad=True)
        record = capture(layer(x), layer)
        owners = {saved.slot: saved.owner for saved in record.saved(0) if saved.kind == "tensor"}
        assert owners == {"mat1": "x", "mat2": "weight"}


class TestHooks:
    def test_where_they_are(self):
        x = torch.ones(3, requires_grad=True)
        y = x * 2
        handle = y.register_hook(lambda g: None)
        z = y.sum()
        assert [node.hooks for node in capture(z).nodes] == [False, True, False]
        handle.remove()
        x.register_post_accumulate_grad_hook(lambda p: None)
        assert [node.hooks for node in capture(z).nodes] == [False, False, True]
        x.register_hook(lambda g: None)
        z.register_hook(lambda g: None)
        assert [node.hooks for node in capture(z).nodes] == [True, False, True]
        assert "has hooks" in capture(z).text()

    def test_the_packages_own_do_not_count(self):
        x = torch.ones(3, requires_grad=True)

        def ours(gradient):
            return None

        ours.__module__ = "torchloupe.autograd.stepping"
        x.register_hook(ours)
        assert [node.hooks for node in capture(x.sum()).nodes] == [False, False]


class TestRecord:
    def test_sequences_are_sized_and_sliced(self):
        record = capture((torch.ones(3, requires_grad=True) * 2).exp().sum())
        assert (len(record.nodes), len(record.edges)) == (4, 3)
        assert [node.index for node in record.nodes[1:3]] == [1, 2]
        assert record.nodes[-1].kind == "leaf" and record.edges[-1].target == 3
        assert [n.index for n in record.nodes] == [0, 1, 2, 3] and len(list(record.edges)) == 3
        with pytest.raises(IndexError):
            record.nodes[4]

    def test_columns_are_whole(self):
        record = capture(unrolled(3))
        columns = record.columns
        edges = ("source", "slot", "target", "input")
        nodes = [name for name in Columns.__slots__ if name not in ("strings", *edges)]
        assert {len(getattr(columns, name)) for name in nodes} == {50}
        assert {len(getattr(columns, name)) for name in edges} == {68}
        assert len(set(columns.strings)) == len(columns.strings)
        assert columns.source.dtype == columns.type.dtype == np.int32
        assert (np.diff(columns.source) >= 0).all()

    def test_roots_tell_their_tensor(self):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        loss = (x * x).sum()
        (root,) = capture(loss, name="loss").roots
        assert (root.name, root.node, root.shape, root.dtype, root.value) == ("loss", 0, (), "float32", "5")
        assert root.device == "cpu" and root.requires_grad

    def test_text(self):
        a = torch.tensor([2.0, 3.0], requires_grad=True)
        loss = (a * a).sum()
        assert capture(loss, name="loss").text().splitlines() == [
            "loss: backward graph of 3 nodes and 3 edges; gradients end in 1 leaf",
            "loss: float32 [] = 13, made by SumBackward0 (its output 0)",
            "0 SumBackward0 → 1",
            "1 MulBackward0 → a, a: saved other [2], self [2]",
            "leaf a: float32 [2]",
            "8 B saved for the backward pass",
        ]

    def test_a_double_backward_is_a_graph_too(self):
        x = torch.ones(3, requires_grad=True)
        (gradient,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        record = capture(gradient)
        assert record.nodes[0].type == "MulBackward0" and record.leaves[0].names == ("x",)

    def test_a_record_outlives_its_graph(self):
        y = Double.apply(torch.ones(3, requires_grad=True), None).sum()
        record = capture(y)
        text = record.text()
        assert find(record) is not None
        del y
        assert find(record) is None
        assert record.text().startswith(text) and "freed" in record.text()
        assert record.nodes[1].context and record.nodes[1].saved[0].shape == (3,)

    def test_a_root_that_was_written_to_belongs_to_another_graph(self):
        y = torch.ones(3, requires_grad=True) * 2
        record = capture(y)
        y.add_(1)
        assert find(record) is None and record.state == "freed"

    def test_find_gives_the_same_nodes_in_the_same_order(self):
        loss = unrolled(40)
        nodes = walk([loss.grad_fn]).nodes
        assert list(map(id, find(capture(loss)))) == list(map(id, nodes))
