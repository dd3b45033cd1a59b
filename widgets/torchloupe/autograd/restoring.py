"""Puts every `.grad` back as it was when a backward does not come to its end."""

from __future__ import annotations

import threading

import torch


class Restoring:
    """What `.grad` was, leaf by leaf, remembered just before the engine adds to it.

    The engine adds in place, so an existing `.grad` is cloned (`nbytes` counts); None costs nothing. With
    `create_graph` it makes a new tensor instead, and the old one is kept as it is.

    Args:
        in_place: whether the engine will add in place.
    """

    def __init__(self, in_place: bool) -> None:
        self._in_place = in_place
        self._before: dict[int, tuple[torch.Tensor, torch.Tensor | None, torch.Tensor | None]] = {}
        self._lock = threading.Lock()
        self.nbytes = 0
        """Bytes of the clones."""

    def remember(self, tensor: torch.Tensor) -> None:
        """Keep the `.grad` of a leaf, or of a result that retains its own; the first time counts."""
        with self._lock, torch.no_grad():
            if id(tensor) in self._before:
                return
            grad, copy = tensor.grad, None
            if grad is not None and self._in_place and tensor.is_leaf:
                copy = grad.detach().clone()
                self.nbytes += _nbytes(copy)
            self._before[id(tensor)] = (tensor, grad, copy)

    def restore(self) -> None:
        """Put every remembered `.grad` back: the same tensor with the same values, or None."""
        with self._lock, torch.no_grad():
            for leaf, grad, copy in self._before.values():
                if grad is not None and copy is not None:
                    grad.copy_(copy)
                leaf.grad = grad
        self.forget()

    def forget(self) -> None:
        """Let the copies go."""
        with self._lock:
            self._before.clear()


def _nbytes(tensor: torch.Tensor) -> int:
    if tensor.layout is torch.sparse_coo:
        return _nbytes(tensor._values()) + _nbytes(tensor._indices())  # noqa: SLF001
    return tensor.numel() * tensor.element_size()
