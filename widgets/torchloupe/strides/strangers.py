"""What to say about an object that is not a tensor, or that hides its layout."""

from __future__ import annotations

import torch

from ..core import safe
from ..core.words import Words

_words = Words("torchloupe.strides")


def refusal(x: object) -> str:
    """Name the type of `x` and what would work instead, in the language in force."""
    kind = type(x)
    name = safe.one_line(kind.__name__)
    if x is None:
        return _words("error.none")
    if isinstance(x, torch.nn.Module):
        return _words("error.module", kind=name)
    if isinstance(x, (torch.UntypedStorage, torch.TypedStorage)):
        return _words("error.storage", kind=name)
    if kind.__module__.split(".")[0] == "numpy":
        return _words("error.array", kind=name)
    if isinstance(x, type) and issubclass(x, torch.Tensor):
        return _words("error.class", kind=safe.one_line(x.__name__))
    if isinstance(x, (list, tuple, set, dict)) and any(
        issubclass(type(item), torch.Tensor) for item in _items(x)
    ):
        return _words("error.collection", kind=name)
    if isinstance(x, (list, tuple, bool, int, float, complex)):
        return _words("error.numbers", kind=name)
    return _words("error.other", kind=name)


def hidden(kind: type, error: Exception) -> str:
    """Say that a subclass does not let its layout be read."""
    return _words("error.hidden", kind=safe.one_line(kind.__name__), error=safe.one_line(error, 200))


def _items(x: list[object] | tuple[object, ...] | set[object] | dict[object, object]) -> list[object]:
    return list(x.values() if isinstance(x, dict) else x)[:64]
