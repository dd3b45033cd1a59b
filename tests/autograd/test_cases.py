"""Faults seen in other tools, a class each: the right numbers, and the kind of graph behind them."""

from __future__ import annotations

import dataclasses
import sys
import warnings
from collections import Counter, OrderedDict, namedtuple
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from tests.autograd.models import Double, unrolled
from torchloupe.autograd.capture import capture
from torchloupe.autograd.record import CaptureError
from torchloupe.autograd.walk import find


def types(record):
    return Counter(node.type for node in record.nodes)


class TestDeep:
    """Graphs far deeper than Python's recursion limit."""

    def test_an_lstm_of_three_thousand_steps(self):
        cell = nn.LSTMCell(4, 8)
        loss = unrolled(3000, cell)
        record = capture(loss, cell)
        assert (len(record.nodes), len(record.edges), len(record.leaves)) == (45005, 68999, 4)
        assert len(record.nodes) > sys.getrecursionlimit()
        assert types(record)["MulBackward0"] == 9000
        assert {leaf.names[0] for leaf in record.leaves} == {n for n, _ in cell.named_parameters()}
        loss.backward()
        assert all(parameter.grad.isfinite().all() for parameter in cell.parameters())

    @pytest.mark.parametrize("steps", [1, 2, 700])
    def test_any_length(self, steps):
        record = capture(unrolled(steps))
        assert len(record.nodes) == 15 * steps + 5
        assert "15" in record.text() or steps != 1

    def test_a_chain(self):
        y = x = torch.ones(1, requires_grad=True)
        for _ in range(20_000):
            y = y.sin()
        record = capture(y)
        assert (len(record.nodes), len(record.edges)) == (20_001, 20_000)
        assert record.leaves[0].names == ("x",) and x.grad is None


class TestViewsOfSubclasses:
    """A view of a tensor subclass: the walk ends, and no code of the subclass runs."""

    def test_one_base_link(self):
        class Tagged(torch.Tensor):
            pass

        x = torch.arange(6.0, requires_grad=True)
        v = (x * 2).as_subclass(Tagged).view(2, 3)[1]
        record = capture(v)
        assert [node.type for node in record.nodes] == [type(node).__name__ for node in find(record)]
        assert types(record)["MulBackward0"] == 1 and types(record)["AccumulateGrad"] == 1
        (root,) = record.roots
        assert (root.shape, root.output) == (tuple(v.shape), v.output_nr)

    def test_overrides_are_not_called(self):
        called = []

        class Loud(torch.Tensor):
            @classmethod
            def __torch_function__(cls, function, kinds, args=(), kwargs=None):
                called.append(function)
                return super().__torch_function__(function, kinds, args, kwargs or {})

        y = (torch.ones(3, requires_grad=True).as_subclass(Loud) ** 2).sum()
        called.clear()
        record = capture(y)
        str(record), record.state, record.nodes[1].saved
        assert called == []

    def test_a_view_written_to(self):
        x = torch.ones(4, requires_grad=True)
        base = x * 2
        view = base[:2]
        base.mul_(3)
        record = capture(view.sum())
        assert types(record)["AccumulateGrad"] == 1
        assert types(record)["AsStridedBackward0"] == 1


@dataclasses.dataclass
class Out:
    logits: torch.Tensor
    hidden: tuple = ()
    loss: object = None


class ModelOutput(OrderedDict):
    """A mapping that is read as attributes too."""

    def __getattr__(self, key):
        return self[key]


Pair = namedtuple("Pair", "p q")


class Bag:
    """Read like a dict, but not one; one of its values cannot be had."""

    def __init__(self, **values):
        self._values = values

    def keys(self):
        return self._values.keys()

    def __getitem__(self, key):
        if key == "broken":
            raise RuntimeError
        return self._values[key]


class TestNestedOutputs:
    """Whatever a model returns, every tensor in it is a named root."""

    @pytest.fixture
    def parts(self):
        h = nn.Linear(3, 4)(torch.randn(5, 3))
        return nn.Linear(4, 2)(h.relu()), h

    def test_dict(self, parts):
        logits, h = parts
        record = capture({"logits": logits, "aux": [h, h * 2], "n": 7})
        assert [(r.name, r.shape) for r in record.roots] == [
            ("logits", (5, 2)), ("aux.0", (5, 4)), ("aux.1", (5, 4))
        ]  # fmt: skip
        assert record.others == ("n = 7",)
        assert [record.nodes[r.node].type for r in record.roots] == [
            "AddmmBackward0", "AddmmBackward0", "MulBackward0"
        ]  # fmt: skip
        assert "n = 7" in record.text() and "aux.1" in record.text()

    def test_every_container(self, parts):
        logits, h = parts

        def names(output):
            return [root.name for root in capture(output).roots]

        assert names(Out(logits, (h,))) == ["logits", "hidden.0"]
        assert names([logits, h]) == ["0", "1"]
        assert names(ModelOutput(logits=logits, hidden=(h,))) == ["logits", "hidden.0"]
        assert names(Pair(logits, h)) == ["p", "q"]
        assert names((logits, {"deep": [[h]]})) == ["0", "1.deep.0.0"]
        assert names(SimpleNamespace(a=logits, size=h.shape)) == ["a"]
        assert names(Bag(a=logits, broken=h, b=h)) == ["a", "b"]
        assert capture(Out(logits)).others == ("loss = None",)

    def test_a_tensor_met_twice_is_one_root(self, parts):
        assert [root.name for root in capture({"a": parts[0], "b": parts[0]}).roots] == ["a"]

    def test_cycles_and_depth_end(self, parts):
        loop = {"logits": parts[0]}
        loop["self"] = loop
        assert [root.name for root in capture(loop).roots] == ["logits"]
        deep = parts[0]
        for _ in range(5000):
            deep = [deep]
        with pytest.raises(CaptureError, match="list"):
            capture(deep)
        record = capture({"logits": parts[0], "deep": deep})
        assert len(record.others) == 1 and record.others[0].startswith("deep.0.0.0")

    def test_a_crowd_of_parts_is_counted(self, parts):
        record = capture({"numbers": list(range(1000)), "logits": parts[0]})
        assert [root.name for root in record.roots] == ["logits"]
        assert len(record.others) == 33 and record.others[-1] == "… 968"
        many = capture([parts[1]] + [[0] * 9000] * 1000 + [[1] * 9000])
        assert [root.name for root in many.roots] == ["0"]
        assert len(many.others) == 33

    def test_names_are_shown_on_one_line(self, parts):
        assert [root.name for root in capture({"a\nb": parts[0]}).roots] == ["a b"]

    def test_a_root_inside_the_graph_of_another(self, parts):
        logits, h = parts
        record = capture([logits, h])
        assert record.roots[0].node == 0 and record.roots[1].node > 0


class TestSquare:
    """`a * a`: one leaf, one operation, two edges, two slots, one storage."""

    def test_numbers(self):
        a = torch.tensor([2.0, 3.0], requires_grad=True)
        y = a * a
        record = capture(y)
        assert types(record) == {"MulBackward0": 1, "AccumulateGrad": 1}
        assert [(e.source, e.slot, e.target) for e in record.edges] == [(0, 0, 1), (0, 1, 1)]
        saved = {s.slot: s for s in record.saved(0)}
        assert set(saved) == {"self", "other"}
        assert saved["self"].storage == saved["other"].storage != 0
        assert {s.owner for s in saved.values()} == {"a"}
        assert record.nodes[0].saved_bytes == a.nbytes == 8
        y.sum().backward()
        assert a.grad.tolist() == [4, 6]

    def test_two_tensors_of_one_storage_count_once(self):
        a = torch.ones(4, requires_grad=True)
        b = a * 2
        record = capture(b[:2] * b[2:])
        assert record.nodes[0].saved_bytes == 8
        different = capture(a.exp() * a.sin())
        assert different.nodes[0].saved_bytes == 32


class TestNoGraph:
    """Outputs without a graph say why in one sentence; what is no output is refused."""

    def test_none_in_a_slot(self):
        y = Double.apply(torch.randn(3, requires_grad=True), None)
        record = capture(y)
        assert [(s.kind, s.shape) for s in record.saved(0)] == [("tensor", (3,)), ("none", ())]
        assert [s.slot for s in record.saved(0)] == ["saved_tensors[0]", "saved_tensors[1]"]
        assert record.nodes[0].kind == "custom"
        assert "factor = 2" in record.nodes[0].context

    def test_each_reason(self):
        frozen = nn.Linear(3, 2).requires_grad_(False)
        x = torch.randn(4, requires_grad=True)
        with torch.no_grad():
            without = nn.Linear(3, 2)(torch.randn(1, 3))
            inside = capture(without)
        with torch.inference_mode():
            inference = torch.ones(2) * 2
        y = x * 2
        live = nn.Linear(3, 2)
        found = {
            "frozen": capture(frozen(torch.randn(1, 3)), frozen),
            "no_grad": inside,
            "unknown": capture(without),
            "cut": capture(live(torch.randn(1, 3)).detach(), live),
            "leaf": capture(x),
            "integer": capture(x.argmax()),
            "detached": capture(y.detach()),
            "inference": capture(inference),
        }
        for reason, record in found.items():
            assert record.why.id == f"why.{reason}"
            assert (len(record.nodes), len(record.edges), record.leaves, record.state) == (0, 0, (), "empty")
            assert record.why_empty.endswith(".") and "\n" not in record.why_empty
            assert record.why_empty in record.text()
            assert record.roots[0].node == -1 and record.roots[0].why == record.why
            assert record.way_out is not None
        assert "y" in found["detached"].why_empty

    def test_an_output_with_and_one_without_a_graph(self):
        x = torch.randn(4, requires_grad=True)
        y = x * 2
        record = capture({"best": y.argmax(), "y": y})
        assert record.why is None and record.why_empty is None
        assert [r.node for r in record.roots] == [-1, 0]
        assert record.roots[0].why.id == "why.integer"

    @pytest.mark.parametrize(
        ("output", "says"),
        [
            (nn.Linear(2, 2), "Linear"), (3.0, "float"), (None, "None"), ([], "list"), ({"n": 7}, "dict"),
            (nn.Linear, "Linear"), (print, "function"), ("text", "str"), (torch.ones(2).numpy(), "numpy"),
            (object(), "object"), (1j, "complex"), (True, "bool"),
        ],
    )  # fmt: skip
    def test_what_is_no_output_is_refused(self, output, says):
        with pytest.raises(CaptureError, match=says) as caught:
            capture(output)
        assert isinstance(caught.value, TypeError)

    def test_what_is_no_model_is_refused(self):
        with pytest.raises(CaptureError, match="str"):
            capture(torch.ones(1, requires_grad=True) * 2, "model")


class TestCompiled:
    """A compiled module is one node; its parameters are still named."""

    def test_numbers(self):
        m = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
        x = torch.randn(3, 4)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = torch.compile(m, backend="aot_eager")
            z = compiled(x).sum()
        eager, record = capture(m(x).sum(), m), capture(z, compiled)
        assert (len(eager.nodes), len(record.nodes)) == (10, 6)
        assert set(types(record)) == {"SumBackward0", "CompiledFunctionBackward", "AccumulateGrad"}
        assert [n.kind for n in record.nodes][:2] == ["operation", "compiled"]
        names = {name for name, _ in m.named_parameters()}
        assert {leaf.names for leaf in record.leaves} == {leaf.names for leaf in eager.leaves}
        assert {leaf.names[0] for leaf in record.leaves} == names
        z.backward()
        assert record.state == "freed"


class TestSlots:
    """Edges say which input and which output they belong to; frozen inputs leave a gap."""

    def test_a_frozen_weight(self):
        layer = nn.Linear(3, 2)
        layer.weight.requires_grad_(False)
        record = capture(layer(torch.randn(1, 3)), layer)
        assert [node.type for node in record.nodes] == ["AddmmBackward0", "AccumulateGrad"]
        assert [(e.source, e.slot, e.target) for e in record.edges] == [(0, 0, 1)]
        assert [leaf.names for leaf in record.leaves] == [("bias",)]

    def test_chunk(self):
        x = torch.arange(4.0, requires_grad=True)
        a, b = x.chunk(2)
        record = capture((a * 2 + b * 3).sum())
        (split,) = [node for node in record.nodes if node.type == "SplitBackward0"]
        assert split.inputs == 2
        assert sorted(e.input for e in record.edges if e.target == split.index) == [0, 1]

    def test_an_output_that_is_not_used(self):
        x = torch.arange(6.0, requires_grad=True)
        parts = x.view(3, 2).unbind()
        record = capture(parts[2].sum())
        (unbind,) = [node for node in record.nodes if node.type == "UnbindBackward0"]
        assert unbind.inputs == 3
        assert [e.input for e in record.edges if e.target == unbind.index] == [parts[2].output_nr] == [2]
        assert capture(parts[1]).roots[0].output == 1

    def test_indices_carry_no_gradient(self):
        values, indices = torch.tensor([3.0, 9.0, 4.0], requires_grad=True).max(0)
        record = capture({"values": values, "indices": indices})
        assert record.nodes[record.roots[0].node].type == "MaxBackward0"
        assert record.roots[1].why.id == "why.integer" and record.roots[1].value == "1"
