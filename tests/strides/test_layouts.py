"""Tensors that are not simply strided: each a truthful record, or a typed refusal."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.masked import masked_tensor

import torchloupe as loupe
from torchloupe.strides import CaptureError, capture

warnings.filterwarnings("ignore", category=UserWarning, module="torch")


def dense():
    d = torch.zeros(4, 6)
    d[0, 1], d[2, 2], d[3, 4] = 1, 2, 3
    return d


def nbytes(x):
    return x.numel() * x.element_size()


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda d: d.to_sparse(), ["indices()", "values()"]),
        (lambda d: d.to_sparse_csr(), ["crow_indices()", "col_indices()", "values()"]),
        (lambda d: d.to_sparse_csc(), ["ccol_indices()", "row_indices()", "values()"]),
        (lambda d: d.to_sparse_bsr((2, 3)), ["crow_indices()", "col_indices()", "values()"]),
        (lambda d: d.to_sparse_bsc((2, 3)), ["ccol_indices()", "row_indices()", "values()"]),
    ],
)
def test_sparse_layouts_are_their_parts(make, names):
    x = make(dense())
    record = capture(x)
    assert (record.shape, record.stride, record.storage_id, record.distinct_cells) == (
        (4, 6),
        None,
        None,
        None,
    )
    assert record.reason is not None
    assert [part.name for part in record.parts] == names
    for part in record.parts:
        truth = getattr(x, part.name.removesuffix("()"))()
        assert part.record.shape == tuple(truth.shape)
        assert part.record.stride == truth.stride()
        assert part.record.nbytes == nbytes(truth)
        assert part.record.address == truth.untyped_storage().data_ptr()
    assert "values()" in str(record)


def test_an_uncoalesced_matrix_is_not_coalesced_by_looking():
    x = torch.sparse_coo_tensor([[0, 0], [1, 1]], [1.0, 2.0], (2, 2))
    assert [part.name for part in capture(x).parts] == ["_indices()", "_values()"]
    assert not x.is_coalesced()


def test_sparse_with_gradient():
    x = dense().to_sparse_csr().requires_grad_()
    record = capture(x)
    assert record.requires_grad
    assert not record.parts[-1].record.requires_grad or record.parts[-1].record.shape == (3,)


def test_mkldnn_is_opaque():
    record = capture(torch.ones(2, 3).to_mkldnn())
    assert (record.stride, record.reason.id) == (None, "note.opaque")


def test_quantised_per_tensor_and_per_channel():
    q = torch.quantize_per_tensor(torch.tensor([0.0, 0.5, 1.0, -1.0]), 0.1, 10, torch.quint8)
    record = capture(q)
    assert (record.quantisation.scale, record.quantisation.zero_point) == (q.q_scale(), q.q_zero_point())
    assert (record.itemsize, record.storage_nbytes, record.stride) == (1, 4, (1,))
    scales, zeros = torch.tensor([0.1, 0.5]), torch.tensor([0, 4])
    pc = torch.quantize_per_channel(torch.ones(2, 2), scales, zeros, 0, torch.qint8)
    found = capture(pc).quantisation
    assert found.scale == tuple(pc.q_per_channel_scales().tolist())
    assert (found.zero_point, found.axis) == ((0, 4), 0)


DTYPES = {found for found in vars(torch).values() if isinstance(found, torch.dtype)}
QUANTISED = {torch.qint8, torch.qint32, torch.quint8, torch.quint4x2, torch.quint2x4}


@pytest.mark.parametrize("dtype", sorted(DTYPES - QUANTISED, key=str), ids=str)
def test_every_dtype_has_a_record(dtype):
    x = torch.empty(4, dtype=dtype)
    assert (capture(x).dtype, capture(x).itemsize, capture(x).storage_nbytes) == (
        dtype,
        dtype.itemsize,
        nbytes(x),
    )


def test_lazy_bits():
    z = torch.ones(2, dtype=torch.complex64).conj()
    assert (capture(z).is_conj, capture(z).is_neg, capture(z.imag).is_neg) == (True, False, True)
    assert not capture(z.resolve_conj()).is_conj


def test_meta_and_fake():
    meta = capture(torch.empty(3, 4, device="meta"))
    assert (meta.stride, meta.storage_nbytes, meta.address, meta.has_values) == ((4, 1), 48, 0, False)
    with FakeTensorMode():
        x = torch.ones(3, 4).T
        fake = capture(x)
    assert (fake.kind, fake.shape, fake.stride, fake.has_values) == ("FakeTensor", (4, 3), (1, 4), False)
    assert fake.device == torch.device("cpu")


def test_symbolic_sizes_are_said_not_guessed():
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

    mode = FakeTensorMode(shape_env=ShapeEnv())
    context = StatelessSymbolicContext(dynamic_sizes=[DimDynamic.DYNAMIC, DimDynamic.STATIC])
    x = mode.from_tensor(torch.ones(5, 3), symbolic_context=context)
    assert not isinstance(x.shape[0], int)
    record = capture(x)
    assert (record.shape, record.stride, record.reason.id) == ((-1, 3), None, "note.symbolic")


def test_zero_dim_and_zero_size():
    assert (capture(torch.tensor(1.0)).shape, capture(torch.tensor(1.0)).distinct_cells) == ((), 1)
    empty = capture(torch.empty(0, 3))
    assert (empty.distinct_cells, empty.overlaps, empty.has_values) == (0, False, True)


def test_inference_tensors():
    with torch.inference_mode():
        x = torch.ones(2, 3)
        y = x[0]
    assert (capture(x).is_inference, capture(x).version) == (True, None)
    assert capture(y).storage_id == capture(x).storage_id


def test_nested_tensors():
    rows = [torch.ones(2, 3), torch.ones(1, 3)]
    for layout, name in ((torch.jagged, "_values"), (torch.strided, "values()")):
        record = capture(torch.nested.nested_tensor(rows, layout=layout))
        assert (record.shape, record.stride, record.numel) == ((2, -1, 3), None, 9)
        assert record.parts[0].name == name
        assert record.parts[0].record.numel == 9


def test_wrapping_subclasses():
    data, mask = torch.ones(2, 3), torch.tensor([[True, False, True]] * 2)
    record = capture(masked_tensor(data, mask))
    assert (record.kind, record.stride, record.reason.id) == ("MaskedTensor", None, "note.wrapper")
    assert [(part.name, part.record.dtype) for part in record.parts] == [
        ("_masked_data", torch.float32), ("_masked_mask", torch.bool)
    ]  # fmt: skip


def test_a_view_of_a_subclass_has_one_base():
    class Tagged(torch.Tensor):
        pass

    y = (torch.arange(6.0, requires_grad=True) * 2).as_subclass(Tagged)
    v = y.view(2, 3)[1]
    record = capture(v)
    assert (record.kind, record.storage_offset, record.base_shape) == ("Tagged", 3, (6,))
    assert record.storage_id == capture(v._base).storage_id
    assert not capture(v._base).is_view


def test_code_of_a_hostile_subclass_never_runs():
    class Hostile(torch.Tensor):
        @classmethod
        def __torch_function__(cls, *args, **kwargs):
            raise RuntimeError("ran")

        def __repr__(self):
            raise RuntimeError("ran")

        def __getattribute__(self, name):
            raise RuntimeError("ran")

        def stride(self):
            raise RuntimeError("ran")

        @property
        def shape(self):
            raise RuntimeError("ran")

    Hostile.__name__ = "<img onerror=alert(1)>"
    with torch._C.DisableTorchFunction():
        x = torch.ones(2, 3).as_subclass(Hostile)
    record = capture(x)
    assert (record.shape, record.stride, record.kind) == ((2, 3), (3, 1), "<img onerror=alert(1)>")
    assert loupe.strides.show(x, names=["h"]).frame["cells"][0]["labels"][0] == "1."


def test_a_subclass_that_hides_its_layout_is_refused():
    class Hidden(torch.Tensor):
        @staticmethod
        def __new__(cls):
            return torch.Tensor._make_wrapper_subclass(cls, (2,), dispatch_sizes_strides_policy="sizes")

        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            raise RuntimeError("no")

    with pytest.raises(CaptureError, match="Hidden"):
        capture(Hidden())


def test_lazy_modules():
    record = capture(torch.nn.LazyLinear(5).weight)
    assert (record.kind, record.reason.id) == ("UninitializedParameter", "note.uninitialised")


def test_inside_transforms():
    from torch.func import grad, jvp, vmap

    seen = []

    def f(x):
        seen.append(capture(x))
        return (x**2).sum()

    x = torch.arange(12.0).view(4, 3)
    rows = vmap(grad(f))(x)
    vmap(f)(x)
    grad(f)(x[0])
    jvp(f, (x[0],), (x[0],))
    both, batched, tracked, forward = seen
    assert rows[1].tolist() == [6.0, 8.0, 10.0]
    assert (both.shape, both.wrapped.transform, both.wrapped.record.wrapped.record.shape) == (
        (3,),
        "grad",
        (4, 3),
    )
    assert (batched.shape, batched.wrapped.batch_dim, batched.wrapped.record.shape) == ((3,), 0, (4, 3))
    assert (tracked.wrapped.transform, tracked.wrapped.level) == ("grad", 1)
    assert batched.wrapped.record.address == x.untyped_storage().data_ptr()
    assert forward.shape == (3,)
    assert batched.storage_id is None


def test_inside_compile():
    @torch.compile(backend="eager")
    def f(x):
        y = x.view(2, 3).T
        return y * capture(y).stride[1]

    assert torch.equal(f(torch.arange(6.0)), torch.arange(6.0).view(2, 3).T * 3)


def test_under_modes():
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    class Loud(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            raise RuntimeError(f"heard {func}")

    class Loud2(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            raise RuntimeError(f"heard {func}")

    x = torch.ones(2, 3)
    with Loud():
        assert capture(x).stride == (3, 1)
    with Loud2():
        assert capture(x).stride == (3, 1)
        assert loupe.strides.show(x, names=["x"]).frame["cells"][0]["labels"] == ["1."] * 6
