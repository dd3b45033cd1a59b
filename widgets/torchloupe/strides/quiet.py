"""Torch with nothing listening: no autograd, no subclass or mode, no `torch.func` transform."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import torch
from torch.utils._python_dispatch import _disable_current_modes

from . import native


@contextmanager
def quiet() -> Iterator[None]:
    """Run torch operations unseen by whatever the person's code has switched on around the call."""
    with ExitStack() as stack:
        if native.functorch.peek_interpreter_stack() is not None:
            from torch._functorch.pyfunctorch import temporarily_clear_interpreter_stack

            stack.enter_context(temporarily_clear_interpreter_stack())
        stack.enter_context(_disable_current_modes())
        stack.enter_context(native.without_overrides())
        stack.enter_context(torch.no_grad())
        yield
