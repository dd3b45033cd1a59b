"""Modules guessed from parameters: a node that uses `h.0.attn.weight` was made in `h.0.attn`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from torch import nn

from .calls import Calls, shown
from .module_tree import ModuleTree
from .walk import Walk

LONGEST_TAIL = 32
"""Nodes after the last parameter of a module that may still be told to be in it."""
MOST_WRAPPED = 3
"""Nodes that may stand between a parameter and the operation that uses it."""
WRAPPERS = {"T", "Transpose", "Permute", "View", "UnsafeView", "ToCopy", "Expand", "Unsqueeze", "Clone"}
"""What is done to a parameter on its way to that operation: `weight.t()`, a cast by autocast."""

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Inferred:
    """As `Scoped`, for a graph that no trace saw."""

    paths: tuple[str, ...]
    scope: NDArray[np.int32]
    spans: Calls


@dataclass(frozen=True, slots=True, eq=False)
class _Graph:
    """The nodes that are no leaves, in running order, and the edges between them, ascending by source."""

    ids: Ids
    source: Ids
    target: Ids

    def targets(self) -> list[list[int]]:
        """Per node: where its edges go."""
        flat = self.target.tolist()
        cuts = np.searchsorted(self.source, np.arange(len(self.ids) + 1)).tolist()
        return [flat[a:b] for a, b in pairwise(cuts)]


def inferred(walk: Walk, model: nn.Module, names: dict[int, list[str]]) -> Inferred | None:
    """Guess; None when no node of the graph uses a parameter of `model`.

    A node that uses a parameter was made in the module that holds it. One between two such nodes, in the
    order in which they were made, belongs to the innermost module that holds both; it still belongs to the
    earlier node's module if it joins what left that module in two places, as a residual sum does.
    """
    classes = {path: type(module).__name__ for path, module in model.named_modules()}
    tree = ModuleTree(classes)
    owners = _owners(walk, names, tree)
    if not owners:
        return None
    inner = ~walk.leaf
    place = np.cumsum(inner) - 1
    plain = inner[walk.target]
    graph = _Graph(np.flatnonzero(inner), place[walk.source[plain]], place[walk.target[plain]])
    known = _known(walk, owners, tree)[graph.ids]
    wrapper = np.array([cls.__name__.partition("Backward")[0] in WRAPPERS for cls in walk.classes], bool)
    _through_wrapped(known, wrapper[walk.type[graph.ids]], graph, tree)
    _residual(known, graph, tree)
    scope = np.full(len(walk.nodes), -1, np.int64)
    scope[graph.ids] = _spread(known, tree)
    return _named(scope, tree, classes)


def _named(scope: Ids, tree: ModuleTree, classes: dict[str, str]) -> Inferred:
    used, place = np.unique(scope, return_inverse=True)
    kept = {at: new for new, at in enumerate(at for at in used.tolist() if at > 0)}
    columns = np.array([kept.get(at, -1) for at in used.tolist()], np.int32)
    modules = [path for path in tree.places if path]
    none = np.zeros(len(modules), np.int64)
    spans = Calls(
        none,
        none,
        np.arange(len(modules), dtype=np.int32),
        tuple(map(shown, modules)),
        tuple(shown(classes.get(path, "")) for path in modules),
    )
    return Inferred(tuple(shown(tree.paths[at]) for at in kept), columns[place], spans)


def _owners(walk: Walk, names: dict[int, list[str]], tree: ModuleTree) -> dict[int, list[int]]:
    """Per leaf that is a parameter of the model: the modules that hold it."""
    owners = {}
    for leaf in np.flatnonzero(walk.leaf).tolist():
        found = names.get(id(walk.nodes[leaf].variable))
        if found is not None:
            owners[leaf] = [tree.place(name.rpartition(".")[0]) for name in found]
    return owners


def _known(walk: Walk, owners: dict[int, list[int]], tree: ModuleTree) -> Ids:
    """Per node: the module whose parameter it uses, or -1."""
    edges = np.flatnonzero(walk.leaf[walk.target])
    types = [cls.__name__ for cls in walk.classes]
    known = [-1] * len(walk.nodes)
    for consumer, leaf in zip(walk.source[edges].tolist(), walk.target[edges].tolist(), strict=True):
        found = owners.get(leaf)
        if found is not None:
            owner = found[0] if len(found) == 1 else _likely(found, types[walk.type[consumer]], tree)
            before = known[consumer]
            known[consumer] = owner if before < 0 else tree.common(before, owner)
    return np.array(known, np.int64)


def _likely(owners: list[int], type_: str, tree: ModuleTree) -> int:
    """Which owner of a shared parameter runs this operation: the one whose class the node is named after."""
    for owner in owners:
        if tree.cls(owner) and type_.startswith(tree.cls(owner)):
            return owner
    others = [owner for owner in owners if not tree.cls(owner).startswith("Embedding")]
    return (others or owners)[0]


def _through_wrapped(known: Ids, wrapper: NDArray[np.bool_], graph: _Graph, tree: ModuleTree) -> None:
    """`x @ weight.t()` uses the weight too."""
    count = len(known)
    outs = np.bincount(graph.source, minlength=count)
    wraps = wrapper & (outs == 0) & (known >= 0)
    for _ in range(MOST_WRAPPED):
        edges = np.flatnonzero(wraps[graph.target])
        if not len(edges):
            return
        through = np.bincount(graph.source[edges], minlength=count)
        for source, target in zip(graph.source[edges].tolist(), graph.target[edges].tolist(), strict=True):
            before = int(known[source])
            known[source] = known[target] if before < 0 else tree.common(before, int(known[target]))
        outs = outs - through
        wraps = wrapper & (through > 0) & (outs == 0)


def _residual(known: Ids, graph: _Graph, tree: ModuleTree) -> None:
    """Find nodes that join what left a module in two places: they were still made in it."""
    scope = _spread(known, tree)
    targets = graph.targets()
    at = np.flatnonzero(known >= 0)
    gaps = np.flatnonzero(np.diff(np.append(-1, at)) > 1)
    for gap in gaps[::-1].tolist():
        producer, consumer = int(at[gap]), int(at[gap - 1]) if gap else -1
        low = max(consumer + 1, producer - LONGEST_TAIL)
        around = int(scope[producer - 1])
        if around != known[producer]:
            _join(low, producer, around, (known, scope), targets, tree)


def _join(
    low: int,
    high: int,
    around: int,
    columns: tuple[Ids, Ids],
    targets: list[list[int]],
    tree: ModuleTree,
) -> None:
    known, scope = columns
    left: dict[int, set[int]] = {}
    for node in range(high - 1, low - 1, -1):
        exits = left[node] = set[int]()
        for target in targets[node]:
            exits.update(left.get(target, (target,)))
        if len(exits) > 1:
            module = reduce(tree.common, (int(scope[target]) for target in exits))
            if tree.depth[module] > tree.depth[around]:
                known[node] = scope[node] = module
                left[node] = {node}


def _spread(known: Ids, tree: ModuleTree) -> Ids:
    """Give each node between two known ones the innermost module that holds both."""
    at = np.flatnonzero(known >= 0)
    values = known[at].tolist()
    between = np.array([0, *(tree.common(a, b) for a, b in pairwise(values)), 0], np.int64)
    return np.where(known >= 0, known, between[np.searchsorted(at, np.arange(len(known)))])
