"""`show`: tensors in, a lens out."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING

import torch

from ..core import safe
from ..core.names import argument_names
from . import native
from .bench import LETTERS
from .report import words

if TYPE_CHECKING:
    from .lens import StridesLens

_LONGEST = 24
"""Characters of an argument's source that still make a name."""


def show(*tensors: torch.Tensor, names: Sequence[str] | None = None) -> StridesLens:
    """Show shape, stride and storage of tensors as a live picture, with operations to try on them.

    Tensors over one storage are drawn over one strip. The picture is never alone: the output also holds a
    static picture and plain text. No tensor is kept alive, copied or changed; at most 1,024 values are read
    for the first picture and 4,096 at a time after that.

    Args:
        *tensors: one or more tensors of any layout. The first six are drawn.
        names: one name for each; by default the arguments as they are written at the call.

    Returns:
        A lens: the last expression of a cell, or `display(lens)`, shows it; `print(lens)` is its text form.

    Raises:
        CaptureError: a `TypeError`, if something is not a tensor or hides its layout.
        ValueError: if no tensor is given, or `names` has another length.

    Example:
        >>> import torch, torchloupe as loupe
        >>> x = torch.arange(24.).reshape(2, 3, 4)
        >>> lens = loupe.strides.show(x, x.transpose(0, 2))
    """
    from .lens import StridesLens

    if not tensors:
        raise ValueError(words("error.no_tensor"))
    if names is None:
        named = _named(tensors, argument_names(1))
    elif isinstance(names, str) or len(names) != len(tensors):
        given = 1 if isinstance(names, str) else len(names)
        raise ValueError(words("error.name_count", tensors=len(tensors), names=given))
    else:
        named = [safe.one_line(name, 40) for name in names]
    return StridesLens(tensors, named)


native.never_compiled(show)


def _named(tensors: Sequence[torch.Tensor], written: list[str] | None) -> list[str]:
    """Names as written where they are short, else the caller's variable, else a free letter."""
    if written is None or len(written) != len(tensors):
        written = _variables(tensors)
    kept = [name if 0 < len(name) <= _LONGEST else "" for name in written]
    free = (letter for letter in LETTERS if letter not in kept)
    return [name or next(free, f"r{place}") for place, name in enumerate(kept)]


def _variables(tensors: Sequence[torch.Tensor]) -> list[str]:
    frame = inspect.currentframe()
    caller = frame.f_back.f_back.f_back if frame and frame.f_back and frame.f_back.f_back else None
    if caller is None:
        return [""] * len(tensors)
    known = {id(value): name for name, value in reversed(caller.f_locals.items()) if not name.startswith("_")}
    return [known.get(id(x), "") for x in tensors]
