"""The slots of a node class: the `_saved_…` attributes in which PyTorch keeps what a backward needs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

from . import native

CUSTOM = "saved_tensors"
"""The one slot of a custom Function: a list."""


@dataclass(frozen=True, slots=True)
class Slots:
    """What a node class saves."""

    tensors: tuple[str, ...]
    """Slots that hold a tensor or a list of tensors: `self`, `result`."""
    plain: tuple[str, ...]
    """Those that hold something else: `exponent`, `dim`."""
    read_tensors: Callable[[Any], Any]
    """Handles of a node's tensors: a tuple of them, or one alone when there is one slot."""
    read_plain: Callable[[Any], Any]
    """The other values, likewise."""


@lru_cache(maxsize=4096)
def slots_of(cls: Any) -> Slots:
    """The slots of a node class."""
    if issubclass(cls, native.FunctionBase):
        return Slots((CUSTOM,), (), attrgetter(_raw(CUSTOM)), _nothing)
    names = [name.removeprefix("_saved_") for name in vars(cls) if name.startswith("_saved_")]
    tensors = tuple(name for name in names if hasattr(cls, _raw(name)))
    plain = tuple(name for name in names if name not in tensors)
    return Slots(
        tensors,
        plain,
        attrgetter(*map(_raw, tensors)) if tensors else _nothing,
        attrgetter(*(f"_saved_{name}" for name in plain)) if plain else _nothing,
    )


def handle(node: Any, slot: str) -> Any:
    """The unopened handle of what `node` saved in `slot`, or a tuple of them.

    Raises:
        RuntimeError: when it is a list and a backward has freed it.
    """
    return getattr(node, _raw(slot))


def is_released(node: Any, slot: str) -> bool:
    """Whether a backward has freed what `node` saved in `slot`: then reading it raises. Never unpacks."""
    try:
        held = handle(node, slot)
        if type(held) is tuple or held.unpack_hook is not None or held.data is not None:
            return False
        getattr(node, f"_saved_{slot}")
    except RuntimeError:
        return True
    return False


def has_held(node: Any, slot: str) -> bool:
    """Whether `node` keeps something in `slot`, or kept it until a backward freed it. Never unpacks."""
    try:
        held = handle(node, slot)
    except RuntimeError:
        return True
    for one in held if type(held) is tuple else (held,):
        if one.unpack_hook is not None or one.data is not None:
            return True
    return is_released(node, slot)


def _raw(slot: str) -> str:
    return "_raw_saved_tensors" if slot == CUSTOM else f"_raw_saved_{slot}"


def _nothing(node: Any) -> tuple[()]:
    return ()
