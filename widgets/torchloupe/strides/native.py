# ruff: noqa: SLF001
"""PyTorch's private entry points that the room relies on, gathered in one place.

Attributes of a tensor are read through `Base`, the C class under `torch.Tensor`, so that a subclass'
overrides never run. Tests run every one of them against the public behaviour.
"""

from __future__ import annotations

from typing import Any

import torch

Base: Any = torch._C.TensorBase
"""Unbound descriptors and methods: `Base.stride(x)`, `Base.shape.__get__(x)`."""

functorch: Any = torch._C._functorch
"""Wrappers of `torch.func` transforms."""

storage_id: Any = torch._C._storage_address  # type: ignore[attr-defined]
"""Identity of a tensor's storage object."""

address: Any = torch._C._data_address  # type: ignore[attr-defined]
"""Address of byte 0 of a tensor's storage; unlike `data_ptr()` it does not make a lazy clone real."""

without_overrides: Any = torch._C.DisableTorchFunction
"""A context in which no `__torch_function__`, of a subclass or a mode, is called."""

overlap_flag: Any = torch._debug_has_internal_overlap
"""0: none, 1: a stride of 0, 2: too hard to say."""

neg_view: Any = torch._neg_view
"""A view read with the sign changed."""

is_zero_tensor: Any = Base._is_zerotensor
is_view: Any = Base._is_view
base_of: Any = Base._base.__get__
version: Any = Base._version.__get__
indices: Any = Base._indices
sparse_values: Any = Base._values
nested_sizes: Any = Base._nested_tensor_size


def never_compiled(function: Any) -> Any:
    """Make `torch.compile` break its graph at `function` and run it, and what it calls, as plain Python.

    `torch.compiler.disable` does the same but imports all of Dynamo, which takes seconds.
    """
    frames = torch._C._dynamo.eval_frame
    skip = frames._FrameAction.SKIP
    function._torchdynamo_disable = True
    frames.set_code_exec_strategy(function.__code__, frames._FrameExecStrategy(skip, skip))
    return function
