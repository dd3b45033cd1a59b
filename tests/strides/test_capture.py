"""The record of strided tensors, against PyTorch's own pointers and attributes."""

from __future__ import annotations

import gc
import resource
import weakref
from itertools import product

import pytest
import torch
from hypothesis import given, settings

import torchloupe as loupe
from tests.strides.tensors import strided
from torchloupe.strides import CaptureError, StridesRecord, capture, native
from torchloupe.strides.places import cell

FORMATS = {4: torch.channels_last, 5: torch.channels_last_3d}


@settings(max_examples=300, deadline=None)
@given(strided())
def test_every_element_is_in_the_cell_its_pointer_says(x):
    record = capture(x)
    start = x.untyped_storage().data_ptr()
    reached = set()
    for element in product(*map(range, x.shape)):
        place = (x[element].data_ptr() - start) // x.element_size()
        assert cell(record, element) == place
        reached.add(place)
    assert record.distinct_cells == len(reached)
    assert record.overlaps is (len(reached) < x.numel())


@settings(max_examples=200, deadline=None)
@given(strided())
def test_facts_are_pytorchs(x):
    record = capture(x)
    assert record.shape == tuple(x.shape)
    assert record.stride == x.stride()
    assert record.storage_offset == x.storage_offset()
    assert (record.dtype, record.itemsize, record.device) == (x.dtype, x.element_size(), x.device)
    assert record.layout is torch.strided
    assert record.storage_nbytes == x.untyped_storage().nbytes()
    assert record.address == x.untyped_storage().data_ptr()
    assert (record.numel, record.nbytes) == (x.numel(), x.numel() * x.element_size())
    assert record.is_view is x._is_view()
    assert record.base_shape == (None if x._base is None else tuple(x._base.shape))
    assert record.is_contiguous is x.is_contiguous()
    wanted = ["contiguous_format"] if x.is_contiguous() else []
    if x.dim() in FORMATS and x.is_contiguous(memory_format=FORMATS[x.dim()]):
        wanted.append(str(FORMATS[x.dim()]).removeprefix("torch."))
    assert list(record.memory_formats) == wanted
    assert (record.version, record.requires_grad, record.is_leaf) == (x._version, x.requires_grad, x.is_leaf)


def test_storage_identity():
    x = torch.arange(6.0)
    assert capture(x).storage_id == capture(x[2:]).storage_id == capture(x.view(2, 3).T).storage_id
    assert capture(x).storage_id != capture(x.clone()).storage_id
    a, b = torch.empty(3, device="meta"), torch.empty(3, device="meta")
    assert a.data_ptr() == b.data_ptr()
    assert capture(a).storage_id != capture(b).storage_id


def test_grad_facts():
    w = torch.nn.Parameter(torch.ones(2, 3))
    y = w * 2
    assert (capture(w).kind, capture(w).requires_grad, capture(w).is_leaf) == ("Parameter", True, True)
    assert (capture(y).requires_grad, capture(y).is_leaf) == (True, False)


def test_nothing_is_changed():
    seed = torch.get_rng_state()
    w = torch.ones(3, requires_grad=True)
    y = w.view(3, 1)
    hook = y.register_hook(lambda grad: grad)
    before = (w._version, w.grad, y._version, y.grad_fn, dict(y._backward_hooks))
    lazy = torch._lazy_clone(torch.ones(4))
    for x in (w, y, lazy):
        str(capture(x))
    assert (w._version, w.grad, y._version, y.grad_fn, dict(y._backward_hooks)) == before
    assert torch.equal(torch.get_rng_state(), seed)
    assert torch._C._is_cow_tensor(lazy)
    hook.remove()


def test_nothing_is_kept_alive():
    x = torch.arange(6.0).view(2, 3)
    base = weakref.ref(x._base)
    view, storage = weakref.ref(x), weakref.ref(x.untyped_storage())
    record = capture(x)
    del x
    gc.collect()
    assert (view(), base(), storage()) == (None, None, None)
    assert record.shape == (2, 3)


def test_a_billion_elements_cost_no_memory():
    x = torch.empty(10**9)
    for _ in range(10):
        capture(x)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(100):
        assert capture(x).distinct_cells == 10**9
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1000


def test_a_record_is_frozen():
    record = capture(torch.ones(2))
    with pytest.raises(AttributeError):
        record.shape = (3,)
    assert not hasattr(record, "__dict__")
    assert repr(record).startswith("StridesRecord(shape=(2,), stride=(1,)")
    assert StridesRecord is loupe.strides.StridesRecord


@pytest.mark.parametrize(
    ("thing", "words"),
    [
        (None, "None is not a tensor"),
        ([1, 2], "torch.tensor(x)"),
        ([torch.ones(1)], "show(*tensors)"),
        ({"a": torch.ones(1)}, "show(*tensors)"),
        (3.5, "float is not a tensor"),
        ("x", "str is not a tensor"),
        (torch.nn.Linear(1, 1), "Linear is a module"),
        (torch.ones(1).untyped_storage(), "UntypedStorage"),
        (torch.ones(1).numpy(), "torch.from_numpy(x)"),
        (torch.Tensor, "is a class"),
        (object(), "object is not a tensor"),
    ],
)
def test_what_is_no_tensor_is_refused_with_what_would_work(thing, words):
    loupe.language("en")
    with pytest.raises(TypeError) as caught:
        capture(thing)
    assert isinstance(caught.value, CaptureError)
    assert words in str(caught.value)
    loupe.language("zh-CN")
    with pytest.raises(CaptureError, match=r"[一-鿿]"):
        capture(thing)
    loupe.language("auto")


def test_an_object_that_claims_to_be_a_tensor():
    class Impostor:
        __class__ = torch.Tensor

    assert isinstance(Impostor(), torch.Tensor)
    with pytest.raises(CaptureError):
        capture(Impostor())


def test_private_accessors_mean_what_they_say():
    x = torch.arange(6.0).view(2, 3)
    assert native.address(x) == x.untyped_storage().data_ptr()
    assert native.storage_id(x) == x.untyped_storage()._cdata
    assert native.overlap_flag(x.expand(2, 2, 3)) == 1
    assert native.overlap_flag(x.as_strided((2, 2), (1, 1))) == 2
    assert torch.equal(native.neg_view(x), -x)
