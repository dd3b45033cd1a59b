"""Paths of modules, also of one that stands in several places; holds modules only while a trace is open."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from .calls import shown
from .leaves import WRAPPERS


class ModuleNames:
    """Names by place: a place is given to each module when it is met."""

    def __init__(self) -> None:
        self.paths: list[list[str]] = []
        """Every path of the module, the first is its own."""
        self.classes: list[str] = []
        self._called: list[nn.Module] = []
        """Modules met by their calls, without a model to walk: outer ones first."""

    @property
    def root_class(self) -> str:
        """The class of the first module."""
        return self.classes[0] if self.classes else ""

    def walk(self, model: nn.Module) -> Iterator[nn.Module]:
        """Name `model` and all in it; gives, by place, those whose calls Python can see.

        What `torch.compile` or TorchScript made of a module makes its nodes by itself.
        """
        places: dict[int, int] = {}
        left: list[tuple[nn.Module, str]] = [(model, "")]
        while left:
            module, path = left.pop()
            if id(module) in places:
                self.paths[places[id(module)]].append(path)
                continue
            if isinstance(module, torch.jit.ScriptModule) or module._compiled_call_impl is not None:  # noqa: SLF001
                continue
            places[id(module)] = len(self.paths)
            self._add(module, path)
            yield module
            if not _compiled(module):
                left += [(inner, _joined(path, name)) for name, inner in _children(module)]

    def add(self, module: nn.Module) -> int:
        """The place of a module that was called; its name is found by `close`, or when asked for."""
        self._called.append(module)
        self._add(module, "")
        return len(self._called) - 1

    def close(self) -> None:
        """Name the modules met by their calls and let go of them."""
        self._name_called()
        self._called.clear()

    def resolved(
        self, modules: NDArray[np.int32], parents: NDArray[np.int64]
    ) -> tuple[NDArray[np.int32], tuple[str, ...]]:
        """The path of each call's module, as seen from the call it was made in, and all paths that occur."""
        self._name_called()
        if all(len(paths) == 1 for paths in self.paths):
            return modules, tuple(paths[0] for paths in self.paths)
        found: dict[str, int] = {}
        taken = list[str]()
        for module, parent in zip(modules.tolist(), parents.tolist(), strict=True):
            path = self.paths[module][0]
            if parent >= 0:
                path = self._seen_from(module, int(modules[parent]), taken[parent])
            taken.append(path)
            found.setdefault(path, len(found))
        return np.array([found[path] for path in taken], np.int32), tuple(found)

    def classes_of(self, modules: NDArray[np.int32], places: NDArray[np.int32], count: int) -> list[str]:
        """The class that belongs to each of `count` paths."""
        if modules is places:
            return list(self.classes)
        classes = [""] * count
        for module, place in zip(modules.tolist(), places.tolist(), strict=True):
            classes[place] = self.classes[module]
        return classes

    def _seen_from(self, module: int, outer: int, outer_path: str) -> str:
        own = self.paths[outer][0]
        for path in self.paths[module]:
            if not own or path.startswith(f"{own}."):
                inner = path.removeprefix(own).removeprefix(".")
                return _joined(outer_path, inner) if inner else outer_path
        return self.paths[module][0]

    def _add(self, module: nn.Module, path: str) -> None:
        self.paths.append([path])
        self.classes.append(shown(type(module).__name__))

    def _name_called(self) -> None:
        """Paths from the outermost modules: whichever was called first and stands in none called before."""
        places = {id(module): place for place, module in enumerate(self._called)}
        roots, named = list[int](), set[int]()
        for place, module in enumerate(self._called):
            if place not in named:
                roots.append(place)
                for path, inner in module.named_modules():
                    if (at := places.get(id(inner), -1)) >= 0 and at not in named:
                        named.add(at)
                        self.paths[at] = [_unwrapped(path)]
        if len(roots) > 1:
            self._tell_apart(roots)

    def _tell_apart(self, roots: list[int]) -> None:
        taken = dict[str, int]()
        prefix = dict[int, str]()
        for root in roots:
            cls = self.classes[root]
            taken[cls] = taken.get(cls, 0) + 1
            name = cls if taken[cls] == 1 else f"{cls}_{taken[cls]}"
            for module in self._called[root].modules():
                prefix.setdefault(id(module), name)
        for place, module in enumerate(self._called):
            self.paths[place] = [_joined(prefix[id(module)], self.paths[place][0])]


def _children(module: nn.Module) -> list[tuple[str, nn.Module]]:
    """Modules in it, the last first, so that a stack gives them in their order."""
    inner = [(name, child) for name, child in module._modules.items() if child is not None]  # noqa: SLF001
    return inner[::-1]


def _joined(path: str, name: str) -> str:
    if not name or f"{name}." in WRAPPERS:
        return path
    return f"{path}.{name}" if path else shown(name)


def _unwrapped(path: str) -> str:
    return ".".join(part for part in path.split(".") if f"{part}." not in WRAPPERS)


def _compiled(module: nn.Module) -> bool:
    dynamo = sys.modules.get("torch._dynamo.eval_frame")
    return dynamo is not None and isinstance(module, dynamo.OptimizedModule)
