"""`show`: an output in, a lens out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core import safe
from ..core.names import argument_names
from .capture import capture

if TYPE_CHECKING:
    from .lens import AutogradLens

_LONGEST = 24
"""Characters of an argument's source that still make a name."""


def show(output: Any, model: Any = None) -> AutogradLens:
    """Show the backward graph behind `output` as a live picture.

    The picture opens collapsed by module and is never alone: the output also holds a static picture and
    plain text. Nothing runs, no tensor is copied and nothing is kept alive; when a backward frees the graph,
    the lens says so and keeps its picture.

    Args:
        output: a tensor, or any nesting of tensors in dict, list, tuple, namedtuple, dataclass or mapping.
        model: the module that made it: its parameters' names and modules' paths are used.

    Returns:
        A lens: the last expression of a cell, or `display(lens)`, shows it; `print(lens)` is its text form
        and `lens.record` the record.

    Raises:
        CaptureError: a `TypeError`, if there is no tensor in `output`.

    Example:
        >>> import torch, torchloupe as loupe
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> lens = loupe.autograd.show(x**2 + 3 * x + 1)
    """
    from .lens import AutogradLens

    return AutogradLens(capture(output, model, name=named(1)))


def named(depth: int) -> str:
    """What the first argument of the public function `depth` frames up is called where it was called."""
    written = argument_names(depth + 1)
    name = written[0] if written else ""
    return safe.one_line(name, 80) if 0 < len(name) <= _LONGEST else "output"
