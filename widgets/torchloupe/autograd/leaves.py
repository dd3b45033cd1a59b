"""Names for the tensors gradients end in: parameters of the model, else variables of the caller."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import torch

from ..core.safe import one_line
from . import native
from .record import Leaf, Root
from .values import sizes

WRAPPERS = ("_orig_mod.", "_fsdp_wrapped_module.", "_checkpoint_wrapped_module.")
"""Parts of a parameter's name that only say how its module was wrapped."""
DEEPEST = 100
_ONLY_THE_FRAME = 3 if sys.version_info < (3, 13) else 0
"""References to a frame's copy of its variables when nobody else has it: its own, and two of the reader."""
_PLAIN = {torch.Tensor, torch.nn.Parameter}
MOST_NAMES = 20_000
"""Variables and parameters of the caller looked at."""


@dataclass(slots=True)
class Names:
    """Every name of a tensor, by its `id`; valid while those tensors live."""

    model: dict[int, list[str]] = field(default_factory=dict)
    """Names of parameters and buffers in the model."""
    variables: dict[str, torch.Tensor] = field(default_factory=dict)
    """Tensors of the caller by variable name."""
    around: dict[int, list[str]] = field(default_factory=dict)
    """Names the caller could write: `x`, `cell.weight`."""

    def of(self, tensor: Any) -> tuple[str, ...]:
        """All names of `tensor`, those in the model first; empty when it has none."""
        return tuple(self.model.get(id(tensor)) or self.around.get(id(tensor)) or ())


def leaves(ends: Mapping[int, Any], names: Names) -> tuple[Leaf, ...]:
    """The leaves of a graph.

    Args:
        ends: the tensor of each leaf's node.
        names: where to look for their names.
    """
    found, words = [], dict[Any, str]()
    for node, end in ends.items():
        dtype, device = end.dtype, end.device
        for what in (dtype, device):
            if what not in words:
                words[what] = str(what).removeprefix("torch.")
        in_model = names.model.get(id(end))
        found.append(
            Leaf(
                node=node,
                names=tuple(in_model or names.around.get(id(end)) or ()),
                shape=tuple(end.shape) if type(end) in _PLAIN else sizes(end.shape),
                dtype=words[dtype],
                device=words[device],
                nbytes=end.numel() * dtype.itemsize,
                parameter=type(end) is torch.nn.Parameter or isinstance(end, torch.nn.Parameter),
                shared=in_model is not None and len(in_model) > 1,
            )
        )
    return tuple(found)


def owners(names: Names, ends: Iterable[Any], roots: Iterable[tuple[Root, Any]]) -> dict[int, str]:
    """Names of storages: leaves first, then the caller's variables, then outputs."""
    owners: dict[int, str] = {}
    named = [(end, known[0]) for end in ends if (known := names.of(end))]
    named += [(tensor, name) for name, tensor in names.variables.items()]
    named += [(tensor, root.name) for root, tensor in roots]
    for tensor, name in named:
        try:
            owners.setdefault(native.storage_id(tensor), name)
        except (RuntimeError, NotImplementedError):
            continue
    return owners


def names_of(model: Any) -> dict[int, list[str]]:
    """Names in `model`: a module, a mapping of tensors by name, or None. Shared tensors have several."""
    named: dict[int, list[str]] = {}
    for name, tensor in _members(model):
        names = named.setdefault(id(tensor), [])
        if name not in names:
            names.append(name)
    return named


def _members(model: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(model, torch.nn.Module):
        yield from _of_module(model)
    elif isinstance(model, Mapping):
        for name, tensor in model.items():
            yield one_line(name, 200), tensor


def _of_module(model: Any) -> list[tuple[str, Any]]:
    """As `named_parameters(remove_duplicate=False)` and buffers, in a fraction of the time."""
    found = list[tuple[str, Any]]()
    waiting = [("", model, 0)]
    while waiting:
        path, module, depth = waiting.pop()
        for members in (module._parameters, module._buffers):  # noqa: SLF001
            if members:
                found += [(path + name, tensor) for name, tensor in members.items() if tensor is not None]
        if module._modules and depth < DEEPEST:  # noqa: SLF001
            inside = [
                (path if f"{name}." in WRAPPERS else f"{path}{name}.", inner, depth + 1)
                for name, inner in module._modules.items()  # noqa: SLF001
                if inner is not None
            ]
            waiting += inside[::-1]
    return found


def look_around(names: Names) -> None:
    """Fill in what the caller's variables are called: the first frame outside this package."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001
    while frame is not None and frame.f_globals.get("__name__", "").startswith("torchloupe."):
        frame = frame.f_back
    if frame is None:
        return
    _read(frame.f_globals, names)
    if frame.f_locals is not frame.f_globals:
        # Until Python 3.13 the frame keeps this copy of its variables until it ends, and all they refer to.
        # A person who called `locals()` holds the same dict: then it stays.
        local = frame.f_locals
        _read(local, names)
        if sys.getrefcount(local) <= _ONLY_THE_FRAME:
            local.clear()


def _read(variables: Mapping[str, Any], names: Names) -> None:
    left = MOST_NAMES
    for name, value in list(variables.items()):
        if name.startswith("_"):
            continue
        if isinstance(value, torch.Tensor):
            names.variables[name] = value
            _add(names, value, name)
        elif isinstance(value, torch.nn.Module) and not isinstance(value, type):
            for inner, parameter in _members(value):
                _add(names, parameter, f"{name}.{inner}")
                left -= 1
        left -= 1
        if left < 0:
            return


def _add(names: Names, tensor: Any, name: str) -> None:
    known = names.around.setdefault(id(tensor), [])
    if name not in known:
        known.append(name)
