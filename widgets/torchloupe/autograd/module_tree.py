"""Paths of modules as numbers with parents, so that what two have in common is found without strings."""

from __future__ import annotations

from collections.abc import Mapping

CONTAINERS = ("ModuleList", "ModuleDict")
"""Modules that are never called: no operation is made in them, only in what they hold."""


class ModuleTree:
    """Place 0 is the model itself; containers are passed over."""

    def __init__(self, classes: Mapping[str, str]) -> None:
        self._classes = classes
        self.places = {"": 0}
        self.paths = [""]
        self.parent = [-1]
        self.depth = [0]
        self._common: dict[tuple[int, int], int] = {}

    def place(self, path: str) -> int:
        """The number of the module at `path`, or of the one around it when it is never called."""
        found = self.places.get(path)
        if found is None:
            parent = self.place(path.rpartition(".")[0])
            if self._classes.get(path) in CONTAINERS:
                found = parent
            else:
                found = len(self.paths)
                self.paths.append(path)
                self.parent.append(parent)
                self.depth.append(self.depth[parent] + 1)
            self.places[path] = found
        return found

    def cls(self, place: int) -> str:
        """The class of a module."""
        return self._classes.get(self.paths[place], "")

    def common(self, one: int, other: int) -> int:
        """The innermost module that holds both."""
        if one == other:
            return one
        key = (one, other)
        found = self._common.get(key)
        if found is None:
            while one != other:
                if self.depth[one] >= self.depth[other]:
                    one = self.parent[one]
                else:
                    other = self.parent[other]
            found = self._common[key] = one
        return found
