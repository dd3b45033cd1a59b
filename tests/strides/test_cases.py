"""Faults seen in other tools, one test each: the number that is right, and that the picture says it."""

from __future__ import annotations

import resource

import numpy as np
import pytest
import torch
from torch.func import grad, vmap

from torchloupe.strides import capture, show
from torchloupe.strides.bench import Bench
from torchloupe.strides.frames import cells, frame
from torchloupe.strides.perform import perform
from torchloupe.strides.reach import most_readers


class TestExpanded:
    """A stride of 0: few cells, many indices."""

    def test_three_cells_stand_in_for_three_thousand(self):
        v = torch.arange(3.0).expand(1000, 3)
        record = capture(v)
        assert (record.stride, record.distinct_cells, record.overlaps) == ((0, 1), 3, True)
        assert (record.storage_nbytes, record.nbytes, record.is_contiguous) == (12, 12000, False)
        copy = perform(record, "contiguous", [])
        assert (copy.outcome, copy.record.storage_nbytes) == (
            "copy",
            v.contiguous().untyped_storage().nbytes(),
        )

    @pytest.mark.parametrize("shape", [(5, 1, 3), (1, 1), (1, 4, 1, 2)])
    def test_any_broadcast(self, shape):
        v = torch.zeros(shape).broadcast_to(*(7 if n == 1 else n for n in shape))
        assert capture(v).distinct_cells == torch.zeros(shape).numel()
        assert most_readers(v.shape, v.stride()) == v.numel() // torch.zeros(shape).numel()


class TestWindows:
    """Overlap without a stride of 0."""

    def test_readers_are_the_gradient_of_the_sum(self):
        x = torch.arange(6.0, dtype=torch.float64, requires_grad=True)
        w = x.as_strided((4, 3), (1, 1))
        w.sum().backward()
        record = capture(w)
        assert (record.distinct_cells, record.overlaps) == (6, True)
        assert (record.storage_nbytes, record.nbytes) == (48, 96)
        assert most_readers(record.shape, record.stride) == x.grad.max() == 3

    @pytest.mark.parametrize(("size", "step"), [(2, 1), (3, 2), (3, 3), (5, 1)])
    def test_unfold(self, size, step):
        x = torch.zeros(9, requires_grad=True)
        w = x.unfold(0, size, step)
        w.sum().backward()
        assert capture(w).distinct_cells == int((x.grad > 0).sum())
        assert most_readers(w.shape, w.stride()) == int(x.grad.max())


class TestSizeOne:
    """Strides of axes of length 1 are never used."""

    def test_two_stride_tuples_one_layout(self):
        a = torch.arange(60.0).reshape(1, 3, 4, 5).to(memory_format=torch.channels_last)
        b = a[0].unsqueeze(0)
        assert (capture(a).stride, capture(b).stride) == ((60, 1, 15, 3), (3, 1, 15, 3))
        assert capture(a).memory_formats == capture(b).memory_formats == ("channels_last",)
        first, second = (frame(Bench([t], ["t"])).cells[0] for t in (a, b))
        assert first.labels == second.labels

    def test_contiguous_in_both_formats(self):
        assert capture(torch.empty(7, 1, 1, 1)).memory_formats == ("contiguous_format", "channels_last")
        assert capture(torch.empty(2, 1, 1, 1, 1)).memory_formats == ("contiguous_format", "channels_last_3d")


class TestHeldStorage:
    """A slice keeps the whole."""

    def test_slice_and_scalar(self):
        big = torch.zeros(1_000_000)
        s, z = capture(big[10:20]), capture(big.view(1000, 1000)[3, 7])
        assert (s.storage_offset, s.nbytes, s.storage_nbytes) == (10, 40, 4_000_000)
        assert (z.shape, z.stride, z.storage_offset) == ((), (), 3007)
        assert s.storage_id == z.storage_id == capture(big).storage_id


class TestReversal:
    """PyTorch has no negative strides."""

    def test_flip_copies_and_slices_share(self):
        x = torch.arange(6.0)
        bench = Bench([x], ["x"])
        flipped = bench.apply("flip", ["0"])
        assert (flipped.trial.outcome, flipped.trial.record.stride) == ("copy", (1,))
        assert cells(bench, flipped.result, list(range(6))).labels == ["5.", "4.", "3.", "2.", "1.", "0."]
        sliced = perform(capture(x), "index", ["::2"])
        assert (sliced.outcome, sliced.record.stride) == ("view", (2,))

    def test_refusals_name_the_error(self):
        x = torch.arange(6.0)
        assert perform(capture(x), "index", ["::-1"]).error.startswith("ValueError")
        assert perform(capture(x), "as_strided", ["3", "-1", "5"]).error.startswith("RuntimeError")

    def test_a_reversed_array_is_no_tensor(self):
        with pytest.raises(TypeError, match="from_numpy"):
            capture(np.arange(6)[::-1])


class TestSparse:
    """No storage, no stride; made-up strides are not repeated."""

    def test_bytes_are_those_of_the_parts(self):
        d = torch.zeros(4, 5)
        d[0, 1], d[2, 2], d[3, 4] = 1, 2, 3
        coo, csr = capture(d.to_sparse()), capture(d.to_sparse_csr())
        assert d.to_sparse().stride() == (0, 0)
        assert coo.stride is csr.stride is None
        assert [part.record.nbytes for part in coo.parts] == [48, 12]
        assert [part.record.nbytes for part in csr.parts] == [40, 24, 12]
        assert coo.nbytes == csr.nbytes == 80

    def test_the_lens_shows_the_parts(self):
        d = torch.zeros(4, 5)
        d[0, 1], d[2, 2], d[3, 4] = 1, 2, 3
        c = d.to_sparse_csr()
        shown = frame(Bench([c], ["c"]))
        assert [(t.name, t.storage >= 0) for t in shown.tensors] == [
            ("c", False), ("c.crow_indices()", True), ("c.col_indices()", True), ("c.values()", True)
        ]  # fmt: skip
        assert shown.cells[0].labels == ["0", "1", "1", "2", "3"]
        assert shown.tensors[0].notes[0].id == "note.sparse"


@pytest.mark.filterwarnings("ignore:torch.quantize")
class TestCodes:
    """What is in memory is not what print shows."""

    def test_quantised(self):
        x = torch.tensor([0.0, 0.5, 1.0, -1.0])
        q = torch.quantize_per_tensor(x, 0.1, 10, torch.quint8)
        found = cells(Bench([q], ["q"]), 0, [0, 1, 2, 3])
        assert found.labels == [str(code) for code in q.int_repr().tolist()] == ["10", "15", "20", "0"]
        assert found.values == ["code 10 → 0", "code 15 → 0.5", "code 20 → 1", "code 0 → -1"]

    def test_quantised_per_channel(self):
        x = torch.tensor([[0.0, 0.5], [1.0, -1.0]])
        q = torch.quantize_per_channel(x, torch.tensor([0.1, 0.5]), torch.tensor([0, 4]), 0, torch.qint8)
        found = cells(Bench([q], ["q"]), 0, [0, 1, 2, 3])
        assert found.labels == ["0", "5", "6", "2"]
        for text, value in zip(found.values, q.dequantize().flatten().tolist(), strict=True):
            assert float(text.rpartition("→ ")[2]) == pytest.approx(value, abs=1e-5)

    def test_float8(self):
        x = torch.tensor([1.0, 3.3, 448.0, -0.02]).to(torch.float8_e4m3fn)
        found = cells(Bench([x], ["x"]), 0, [0, 1, 2, 3])
        assert found.values == [
            "1.0 (code 56)",
            "3.25 (code 69)",
            "448.0 (code 126)",
            "-0.01953125 (code 138)",
        ]


class TestTransforms:
    """Inside vmap(grad(f)) nothing crashes and both shapes are told."""

    def test_show_inside(self):
        lenses = []

        def f(x):
            lenses.append(show(x))
            return (x**2).sum()

        x = torch.arange(12.0).view(4, 3)
        assert vmap(grad(f))(x)[1].tolist() == [6.0, 8.0, 10.0]
        shown = lenses[0].frame["tensors"]
        assert [(t["name"], t["shape"]) for t in shown] == [("x", [3]), ("x (real)", [4, 3])]
        assert shown[0]["stride"] == []
        assert "(4, 3)" in lenses[0].text()
        assert lenses[0].picture().svg().startswith("<svg")


class TestWithoutMemory:
    """Seventy billion parameters on meta are drawn without one of them."""

    def test_meta(self):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        w = torch.nn.Linear(16384, 16384 * 261, bias=False, dtype=torch.bfloat16, device="meta").weight
        shown = frame(Bench([w], ["w"]))
        assert shown.tensors[0].numel == 16384 * 16384 * 261
        assert set(shown.cells[0].labels) == {""}
        assert len(shown.cells[0].cells) <= 1024
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000
        assert "note.meta" in [note.id for note in shown.tensors[0].notes]


def test_views_share_bytes_that_are_counted_once():
    x = torch.zeros(1000, 1000)
    known = [x, x[0], x.t(), x[:1].expand(500, 1000), x.clone(), torch.nn.Parameter(x), torch.empty(0)]
    records = [capture(t) for t in known]
    assert sum({r.storage_id: r.storage_nbytes for r in records}.values()) == 8_000_000
