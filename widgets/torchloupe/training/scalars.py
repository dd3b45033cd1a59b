"""What counts as a value of a curve, and how it is read without making a device wait."""

from __future__ import annotations

import numbers
import operator
from typing import Any

import torch

from ..core.safe import one_line
from ..core.words import Words

_WORDS = Words(__package__)
HIGHEST = 2**63 - 1
"""The last step there can be."""


class ValueRefused(TypeError):  # noqa: N818
    """A value that is no single real number."""


def scalar(name: str, value: Any) -> float | torch.Tensor:
    """A value of the curve `name`: a float, or a tensor on a device that is to be read later.

    Args:
        name: of the curve, for the refusal.
        value: a real number, a NumPy scalar, or a tensor of one element and a real dtype on any device.

    Returns:
        The number, when reading it makes nobody wait; else the value as a detached 0-dim tensor.

    Raises:
        ValueRefused: a `TypeError` that says what was given and what would work.
    """
    if isinstance(value, torch.Tensor):
        return _of_tensor(name, value)
    number = value
    if not isinstance(value, numbers.Number) and getattr(value, "size", None) == 1:
        item = getattr(value, "item", None)
        number = item() if callable(item) else value
    if isinstance(number, numbers.Complex) and not isinstance(number, numbers.Real):
        raise ValueRefused(_WORDS("error.value_complex", name=one_line(name)))
    if isinstance(number, numbers.Real):
        try:
            return float(number)
        except OverflowError:
            raise ValueRefused(_WORDS("error.value_size", name=one_line(name))) from None
    kind = one_line(type(value).__name__)
    raise ValueRefused(_WORDS("error.value_kind", name=one_line(name), kind=kind))


def step_number(step: Any) -> int:
    """A step as a plain number.

    Raises:
        TypeError: if it is no integer.
        ValueError: if it is below 0 or beyond 64 bits.
    """
    if isinstance(step, bool) or not hasattr(step, "__index__"):
        raise TypeError(_WORDS("error.step_kind", kind=one_line(type(step).__name__)))
    try:
        number = operator.index(step)
    except TypeError:
        raise TypeError(_WORDS("error.step_kind", kind=one_line(type(step).__name__))) from None
    if not 0 <= number <= HIGHEST:
        raise ValueError(_WORDS("error.step_range", step=one_line(number)))
    return number


def check_names(names: Any, group: Any) -> None:
    """Refuse what is no name of a curve or of a group.

    Raises:
        TypeError: if a name or the group is no string.
        ValueError: if one is empty, or the group holds a slash, which parts it from the name in a tag.
    """
    if not isinstance(group, str):
        raise TypeError(_WORDS("error.group_kind", kind=one_line(type(group).__name__)))
    if not group or "/" in group:
        raise ValueError(_WORDS("error.group_text", group=one_line(group)))
    for name in names:
        if not isinstance(name, str):
            raise TypeError(_WORDS("error.name_kind", kind=one_line(type(name).__name__)))
        if not name:
            raise ValueError(_WORDS("error.name_empty"))


def _of_tensor(name: str, value: torch.Tensor) -> float | torch.Tensor:
    shown = one_line(name)
    if value.is_complex():
        raise ValueRefused(_WORDS("error.value_complex", name=shown))
    if value.numel() != 1:
        shape = str(tuple(value.shape))
        raise ValueRefused(_WORDS("error.value_elements", name=shown, shape=shape))
    if value.is_meta:
        raise ValueRefused(_WORDS("error.value_meta", name=shown))
    if value.device.type != "cpu":
        return value.detach().reshape(())
    try:
        return float(value.detach())
    except (RuntimeError, TypeError, ValueError, NotImplementedError):
        kind = one_line(type(value).__name__)
        raise ValueRefused(_WORDS("error.value_none", name=shown, kind=kind)) from None
