"""What one call did to the tensors it was given: which storage, from which version to which."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

import torch

from . import native
from .explain_lines import Spot, person

_OPTIMIZERS = "/torch/optim/"
_MODULES = "/torch/nn/modules/"
_CALLERS = 3
_OPTIMIZED = 0x1
_OURS = 3


@dataclass(frozen=True, slots=True)
class Change:
    """One call that changed a tensor in place."""

    key: int
    """Identity of the storage, `untyped_storage()._cdata`; true while something keeps the storage alive."""
    before: int
    after: int
    order: int
    """Place among all recorded calls."""
    spot: Spot | None
    name: str
    """The function as PyTorch calls it: `add_`, `__setitem__`."""
    shape: tuple[int, ...]
    dtype: str
    nbytes: int
    leaf: bool
    """Whether it is a leaf that requires grad: a parameter."""
    cut: bool
    """Whether a new tensor made here would lose its graph: it requires grad, and this is under `no_grad`."""
    promotes: bool
    """Whether the same operation out of place gives another dtype."""
    behind: bool
    """Whether it went past the version counter, through `.data`."""
    optimizer: bool
    module: str
    """Class of the PyTorch module that made the call, `ReLU`; else empty."""
    aliases: tuple[str, ...]
    """The person's variables over this storage where the call stands."""
    outside: bool
    """Whether a caller further up holds a variable over this storage too."""


def key_of(tensor: torch.Tensor) -> int | None:
    """Identity of a tensor's storage, or None when it has none (sparse, inside `vmap`)."""
    try:
        return native.storage_id(tensor) or None
    except (RuntimeError, NotImplementedError):
        return None


def version_of(tensor: torch.Tensor) -> int:
    """A tensor's version, or -1 for one that counts none (inference mode)."""
    try:
        return tensor._version  # noqa: SLF001
    except RuntimeError:
        return -1


def tensors_in(values: Any, depth: int = 2) -> list[torch.Tensor]:
    """The tensors among arguments, in order, two levels of lists deep."""
    found: list[torch.Tensor] = []
    for value in values:
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif depth and isinstance(value, list | tuple):
            found += tensors_in(value, depth - 1)
    return found


def change(
    tensor: torch.Tensor, before: int, name: str, args: Any, order: int, frame: FrameType, behind: bool
) -> Change | None:
    """Describe what a call just did to `tensor`; None when its storage cannot be told."""
    key = key_of(tensor)
    if key is None:
        return None
    mine = person(frame)
    optimizer, module = _through(frame, mine)
    aliases, outside = ((), False) if optimizer else _aliases(mine, key)
    return Change(
        key=key,
        before=before,
        after=version_of(tensor),
        order=order,
        spot=None if mine is None else Spot(mine.f_code, mine.f_lasti, mine.f_lineno),
        name=name,
        shape=tuple(tensor.shape),
        dtype=str(tensor.dtype).removeprefix("torch."),
        nbytes=tensor.numel() * tensor.element_size(),
        leaf=tensor.requires_grad and tensor.is_leaf,
        cut=tensor.requires_grad and not torch.is_grad_enabled(),
        promotes=_promotes(args),
        behind=behind,
        optimizer=optimizer,
        module=module,
        aliases=aliases,
        outside=outside,
    )


def _promotes(args: Any) -> bool:
    if len(args) < 2 or not isinstance(args[0], torch.Tensor):
        return False
    if not isinstance(args[1], torch.Tensor | int | float | complex):
        return False
    return torch.result_type(args[0], args[1]) != args[0].dtype


def _through(frame: FrameType | None, mine: FrameType | None) -> tuple[bool, str]:
    """Whether the call came from an optimizer, and the class of the PyTorch module it came from."""
    optimizer, module = False, ""
    while frame is not None and frame is not mine:
        file = frame.f_code.co_filename.replace("\\", "/")
        optimizer |= _OPTIMIZERS in file
        if _MODULES in file and frame.f_code.co_name == "forward" and not module:
            module = _class_of(frame.f_code)
        frame = frame.f_back
    return optimizer, module


def _class_of(code: CodeType) -> str:
    return code.co_qualname.split(".")[0]


def _aliases(mine: FrameType | None, key: int) -> tuple[tuple[str, ...], bool]:
    """Names over the storage in the person's frame, and whether one of the next callers has some too."""
    if mine is None or sys.gettrace() is not None:
        return (), False
    own = _names_over(mine, key)
    caller = person(mine.f_back)
    for _ in range(_CALLERS):
        if caller is None:
            break
        if _names_over(caller, key):
            return own, True
        caller = person(caller.f_back)
    return own, False


def _names_over(frame: FrameType, key: int) -> tuple[str, ...]:
    variables = frame.f_locals
    try:
        return tuple(
            name
            for name, value in list(variables.items())
            if isinstance(value, torch.Tensor) and not name.startswith("_") and key_of(value) == key
        )
    finally:
        # Up to Python 3.12 this dictionary is a snapshot that the frame keeps, and it would keep tensors.
        # One that `locals()` gave to someone is theirs.
        snapshot = frame.f_code.co_flags & _OPTIMIZED and isinstance(variables, dict)
        if snapshot and sys.getrefcount(variables) <= _OURS:
            variables.clear()
