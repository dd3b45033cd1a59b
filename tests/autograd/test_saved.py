"""What nodes saved: shapes and bytes against the tensors themselves, and never a hidden run of a hook."""

from __future__ import annotations

import weakref

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from tests.autograd.models import Double, random_models
from torchloupe.autograd.capture import capture
from torchloupe.autograd.walk import find


def tensors(record):
    return [saved for node in record.nodes for saved in node.saved if saved.kind != "number"]


@pytest.mark.parametrize("model", range(12))
def test_every_slot_is_as_pytorch_reads_it(model):
    """The oracle unpacks each slot with `_saved_…`, which `capture` never does."""
    *_, (_, output, module) = random_models(model + 1)
    record = capture(output, module)
    assert tensors(record)
    for node, real in zip(record.nodes, find(record), strict=True):
        names = {saved.slot.partition("[")[0] for saved in node.saved}
        if node.kind != "custom":
            assert names == {n.removeprefix("_saved_") for n in dir(real) if n.startswith("_saved_")}
        storages = {}
        for saved in node.saved:
            name, _, item = saved.slot.partition("[")
            value = getattr(real, name if name == "saved_tensors" else f"_saved_{name}")
            value = value[int(item[:-1])] if item else value
            if saved.kind == "number":
                assert not isinstance(value, torch.Tensor)
                continue
            assert (value is None) == (saved.kind == "none")
            if value is not None:
                assert (saved.shape, saved.nbytes) == (tuple(value.shape), value.nbytes)
                assert (f"torch.{saved.dtype}", saved.version) == (str(value.dtype), value._version)
                address = value.untyped_storage().data_ptr()
                assert storages.setdefault(saved.storage, address) == address
                size = storages.setdefault(("bytes", address), 0)
                storages["bytes", address] = max(size, value.nbytes)
        total = sum(size for key, size in storages.items() if isinstance(key, tuple))
        assert node.saved_bytes == total


class TestHooks:
    """A recorder must neither keep what it is shown nor run what it is not asked to run."""

    def test_a_capture_does_not_keep_packed_tensors(self):
        kept, unpacked = [], []
        x = torch.ones(10, requires_grad=True)
        hooks = torch.autograd.graph.saved_tensors_hooks(
            lambda t: (kept.append(t.nbytes), t.detach())[1], lambda t: (unpacked.append(1), t)[1]
        )
        with hooks:
            y = (x.exp() * x).sum()
        record = capture(y)
        assert unpacked == []
        assert [(s.kind, s.packed) for s in tensors(record)] == [("other", "hooks")] * len(kept) != []
        assert sum(kept) == 120 and record.columns.saved_bytes.sum() == 0
        y.backward()
        assert abs(x.grad[0].item() - 5.4366) < 1e-4 and len(unpacked) == 3

    @pytest.mark.parametrize("saved", [True, False])
    def test_the_graph_goes_with_its_last_user(self, saved):
        x = torch.ones(10, requires_grad=True)
        y = x.exp().sin().sum()
        record = capture(y, saved=saved)
        mark = type("Mark", (), {})()
        y.grad_fn.metadata["mark"] = mark
        gone = weakref.ref(mark)
        del mark, y
        assert gone() is None and record.token() is None
        assert record.state == "freed"

    @pytest.mark.parametrize("reentrant", [True, False])
    def test_a_checkpoint_is_not_run_again(self, reentrant):
        runs = []

        def segment(t):
            runs.append(1)
            return t.sin().exp()

        x = torch.tensor([0.5, 1.0], requires_grad=True)
        y = checkpoint(segment, x, use_reentrant=reentrant)
        record = capture(y)
        str(record), record.state, [node.saved for node in record.nodes]
        assert len(runs) == 1
        kinds = [(node.type, node.kind) for node in record.nodes]
        if reentrant:
            assert kinds == [("CheckpointFunctionBackward", "checkpoint"), ("AccumulateGrad", "leaf")]
        else:
            assert kinds[:2] == [("ExpBackward0", "checkpoint"), ("SinBackward0", "checkpoint")]
            assert {saved.packed for saved in tensors(record)} == {"checkpoint"}
        assert record.state == "live"
        y.sum().backward()
        assert len(runs) == 2 and record.state == "freed"
        torch.testing.assert_close(x.grad, torch.tensor([1.4174, 1.2534]), atol=1e-4, rtol=0)

    def test_operations_between_checkpointed_ones_belong_to_the_segment(self):
        layer = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3), nn.Tanh())
        x = torch.ones(2, 3, requires_grad=True)
        record = capture(checkpoint(layer, x.exp(), use_reentrant=False).sum(), layer)
        inside = {node.type for node in record.nodes if node.kind == "checkpoint"}
        assert inside == {"AddmmBackward0", "TBackward0", "TanhBackward0"}
        assert [n.kind for n in record.nodes if n.type in ("SumBackward0", "ExpBackward0")] == [
            "operation"
        ] * 2

    def test_offloaded_tensors_stay_where_they_are(self):
        x = torch.ones(3, requires_grad=True)
        with torch.autograd.graph.save_on_cpu():
            y = (x.exp() * x).sum()
        record = capture(y)
        assert {saved.packed for saved in tensors(record)} == {"hooks"}
        assert "packed by hooks" in record.text()


class TestFreed:
    """After a backward: names, shapes and edges stay, values are gone."""

    def test_two_backwards(self):
        x = torch.tensor(1.5, requires_grad=True)
        z = x.exp() ** 2
        record = capture(z)
        assert record.state == "live"
        z.backward(retain_graph=True)
        assert record.state == "live"
        z.backward()
        assert record.state == "freed"
        after = capture(z)
        assert after.state == "freed" and len(after.edges) == len(record.edges)
        assert [s.slot for s in tensors(after)] == [s.slot for s in tensors(record)]
        assert all(saved.freed for saved in tensors(after))
        assert tensors(record)[0].shape == () and "freed" in after.text()

    def test_lists_and_custom_functions(self):
        x = torch.ones(3, requires_grad=True)
        y = (Double.apply(x, None)[torch.tensor([0, 1])]).sum()
        record = capture(y)
        assert [s.slot for s in tensors(record)] == ["indices[0]", "saved_tensors[0]", "saved_tensors[1]"]
        y.backward()
        assert record.state == "freed"
        assert all(s.freed for s in tensors(capture(y)))

    def test_a_graph_that_saved_nothing_stays(self):
        x = torch.ones(3, requires_grad=True)
        y = (x + x + 1).sum()
        record = capture(y)
        y.backward()
        assert record.state == "live"
        y.backward()
        assert x.grad.tolist() == [4, 4, 4]

    def test_one_root_of_two_is_spent(self):
        x = torch.ones(3, requires_grad=True)
        a, b = x.exp().sum(), x.sin().sum()
        record = capture([a, b])
        b.backward()
        assert record.state == "freed"

    def test_saved_false_reads_nothing(self):
        y = torch.ones(3, requires_grad=True).exp().sum()
        record = capture(y, saved=False)
        assert record.nodes[1].saved == () and record.nodes[1].saved_bytes == 0
        assert record.state == "live"
        y.backward()
        assert record.state == "freed"


class TestStrangeTensors:
    """Whatever a node may have saved, as much of it is told as can be known."""

    def test_changed_in_place(self):
        y = torch.ones(3, requires_grad=True).exp()
        z = (y * y).sum()
        y.add_(1)
        record = capture(z)
        (mul,) = [node for node in record.nodes if node.type == "MulBackward0"]
        assert [(s.version, s.owner) for s in mul.saved] == [(1, "y")] * 2
        with pytest.raises(RuntimeError, match="version 1; expected version 0"):
            z.backward()

    def test_sparse(self):
        weight = torch.eye(3).to_sparse().requires_grad_()
        record = capture(torch.sparse.mm(weight, torch.ones(3, 2, requires_grad=True)).sum())
        found = {saved.slot: saved for saved in tensors(record)}
        assert (found["mat1"].kind, found["mat1"].shape, found["mat1"].nbytes) == ("other", (3, 3), 0)
        assert (found["mat2"].kind, found["mat2"].nbytes) == ("tensor", 24)

    def test_meta(self):
        layer = nn.Linear(3, 4, device="meta")
        record = capture(layer(torch.ones(2, 3, device="meta")).relu().sum(), layer)
        assert record.roots[0].device == "meta" and record.roots[0].value == ""
        relu = record.nodes[1]
        assert relu.saved[0].shape == (2, 4) and relu.saved_bytes == 32

    def test_nested(self):
        n = torch.nested.nested_tensor(
            [torch.ones(2), torch.ones(3)], layout=torch.jagged, requires_grad=True
        )
        record = capture(n * n)
        assert record.roots[0].shape == (2, -1) and record.leaves[0].shape == (2, -1)
        str(record)

    def test_inside_a_transform(self):
        found = []

        def f(x):
            y = (x * x).sum()
            found.append((capture(y), capture(y).state))
            return y

        assert torch.func.grad(f)(torch.ones(3)).tolist() == [2, 2, 2]
        record, inside = found[0]
        assert [node.type for node in record.nodes] == ["SumBackward0", "MulBackward0", "AccumulateGrad"]
        assert (inside, record.state) == ("live", "freed")
        assert record.roots[0].value == "3"

        def g(x):
            found.append(capture(x * 2))
            return x

        torch.func.vmap(g)(torch.ones(4, 3, requires_grad=True))
        assert found[-1].why.id == "why.transform"
        out = torch.func.vmap(lambda x: (x * x).sum())(torch.ones(4, 3, requires_grad=True))
        assert len(capture(out).nodes) == 3


def test_what_a_custom_function_holds_is_bounded_text():
    class Hoarder(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.text, ctx.many, ctx.tensor = "a\nb" * 100, list(range(1000)), x
            for place in range(100):
                setattr(ctx, f"a{place}", place)
            return x * 2

        @staticmethod
        def backward(ctx, gradient):
            return gradient * 2

    x = torch.ones(2, 3, requires_grad=True)
    context = capture(Hoarder.apply(x)).nodes[0].context
    assert "tensor = Tensor float32 [2, 3]" in context and "many = list (1000)" in context
    assert len(context) <= 33 and all(len(line) < 130 and "\n" not in line for line in context)
    assert context[-1] == "needs_input_grad = (True,)"
