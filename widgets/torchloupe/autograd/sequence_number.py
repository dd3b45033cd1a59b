"""The number autograd will give to the next node made in this thread."""

from __future__ import annotations

from collections.abc import Callable

import torch


def probed() -> int:
    """The next number, read from a node made for the purpose: the public way, which uses up one number."""
    with torch.inference_mode(mode=False), torch.enable_grad():
        made = torch.empty(0, requires_grad=True).view(0).grad_fn
        assert made is not None
        return int(made._sequence_nr()) + 1  # noqa: SLF001


next_number: Callable[[], int] = getattr(torch._C._autograd, "_get_sequence_nr", probed)  # noqa: SLF001
"""Every node made from now on in this thread has this `_sequence_nr()` or a higher one."""
