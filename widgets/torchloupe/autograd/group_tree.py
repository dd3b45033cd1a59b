"""Groups within groups, from intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .grouping import Groups

GROUP_KINDS = ("root", "module", "chain", "repeat", "section", "fold")

Ids = NDArray[np.int64]


@dataclass(slots=True)
class Tree:
    """All groups, outer ones before inner ones and in running order."""

    start: Ids
    end: Ids
    kind: NDArray[np.uint8]
    context: Ids
    shape: NDArray[np.uint64]
    parent: Ids

    @classmethod
    def of(cls, groups: Groups, count: int) -> Tree:
        """The tree of `groups` over `count` nodes, with the root."""
        sizes = [len(start) for start in groups.start]
        kinds = [GROUP_KINDS.index(kind) for kind in groups.kind]
        kind = np.concatenate([[0], np.repeat(np.array(kinds, np.int64), sizes)]).astype(np.uint8)
        start = np.concatenate([[0], *groups.start]).astype(np.int64)
        end = np.concatenate([[count], *groups.end]).astype(np.int64)
        context = np.concatenate([[-1], *groups.context]).astype(np.int64)
        shape = np.concatenate([np.zeros(1, np.uint64), *groups.shape])
        order = np.lexsort((kind, -end, start))
        start, end = start[order], end[order]
        return cls(start, end, kind[order], context[order], shape[order], _parents(start, end))

    def node_groups(self, count: int) -> Ids:
        """Per node that is no leaf: its innermost group."""
        group = np.zeros(count, np.int64)
        for number, (start, end) in enumerate(zip(self.start.tolist(), self.end.tolist(), strict=True)):
            group[start:end] = number
        return group


def _parents(start: Ids, end: Ids) -> Ids:
    parents = np.empty(len(start), np.int64)
    ends = end.tolist()
    around = list[int]()
    for number, first in enumerate(start.tolist()):
        while around and ends[around[-1]] <= first:
            around.pop()
        parents[number] = around[-1] if around else -1
        around.append(number)
    return parents
