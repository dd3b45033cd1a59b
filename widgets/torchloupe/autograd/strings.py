"""The strings of a record, each once; columns hold their places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Strings:
    """A growing table of different strings.

    Args:
        first: strings it begins with, none twice.
    """

    def __init__(self, first: Sequence[str]) -> None:
        self.all = list(first)
        self._places = {string: place for place, string in enumerate(first)}

    def add(self, strings: Sequence[str]) -> NDArray[np.int32]:
        """The place of each of `strings`, -1 for an empty one."""
        return np.fromiter((self._place(string) for string in strings), np.int32, len(strings))

    def places(self, strings: Sequence[str], chosen: NDArray[np.int32]) -> NDArray[np.int32]:
        """The place of `strings[c]` for each `c` in `chosen`, -1 for a negative one."""
        return np.append(self.add(strings), np.int32(-1))[chosen]

    def _place(self, string: str) -> int:
        if not string:
            return -1
        place = self._places.setdefault(string, len(self.all))
        if place == len(self.all):
            self.all.append(string)
        return place
