# ruff: noqa: SLF001
"""PyTorch's private entry points that the room relies on, gathered in one place."""

from __future__ import annotations

from typing import Any

import torch

_leaf = torch.empty(0, requires_grad=True)
AccumulateGrad: type = type(_leaf.view(0).grad_fn.next_functions[0][0])  # type: ignore[union-attr]
"""The class of the node that adds a gradient to a leaf."""
del _leaf

FunctionBase: type = torch._C._FunctionBase
"""Base of the nodes that `torch.autograd.Function` makes."""

storage_id: Any = torch._C._storage_address  # type: ignore[attr-defined]
"""Identity of a tensor's storage object."""

without_overrides: Any = torch._C.DisableTorchFunction
"""A context in which no `__torch_function__`, of a subclass or a mode, is called."""

is_wrapped: Any = torch._C._functorch.is_functorch_wrapped_tensor
"""Whether a tensor is a stand-in that a `torch.func` transform passes to a function."""

schemas: Any = torch._C._jit_get_schemas_for_operator
"""Every overload of an operator: `schemas("aten::split")`."""

Base: Any = torch._C.TensorBase
"""Unbound descriptors of a tensor, which no subclass overrides: `Base.shape.__get__(x)`."""


def never_compiled(function: Any) -> Any:
    """Make `torch.compile` break its graph at `function` and run it, and what it calls, as plain Python.

    `torch.compiler.disable` does the same but imports all of Dynamo, which takes seconds.
    """
    frames = torch._C._dynamo.eval_frame
    skip = frames._FrameAction.SKIP
    function._torchdynamo_disable = True
    frames.set_code_exec_strategy(function.__code__, frames._FrameExecStrategy(skip, skip))
    return function
