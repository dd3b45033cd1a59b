"""Which module each node belongs to: told by a trace, or guessed from the parameters that nodes use."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import nn

from .calls import NO_CALLS, Calls
from .leaves import names_of
from .scopes_inferred import inferred
from .state import Scopes
from .walk import Walk

MOST_ASKED = 512
"""Uses of parameters looked at to see whether calls and graph belong together."""


@dataclass(frozen=True, slots=True, eq=False)
class Scoped:
    """The modules of a graph's nodes."""

    paths: tuple[str, ...]
    """Paths of modules that occur, `h.6.attn`."""
    scope: NDArray[np.int32]
    """Per node: place in `paths`; -1 outside any module, in the model itself, and for leaves."""
    how: Scopes
    """Told by a trace, inferred from parameters, or not known at all."""
    spans: Calls
    """The module calls; without a trace one call of no node for each module of the model."""


def scopes(
    walk: Walk, model: object = None, spans: Calls = NO_CALLS, names: dict[int, list[str]] | None = None
) -> Scoped:
    """The module of each node.

    With `spans` a node belongs to the innermost call that made it. Without them, when `model` is a module: a
    node that uses a parameter belongs to the module that holds it, and those between two such nodes to the
    innermost module that holds both.

    Args:
        walk: the graph.
        model: what `capture` was given.
        spans: what `tracing.spans_for` found for this graph.
        names: `leaves.names_of(model)`, where it is at hand.
    """
    names = names_of(model) if names is None else names
    if len(spans) and _from_here(walk, spans, names):
        found = _traced(walk.sequence, spans)
        if (found.scope >= 0).any() or not isinstance(model, nn.Module):
            return found
    if isinstance(model, nn.Module):
        guessed = inferred(walk, model, names)
        if guessed is not None:
            return Scoped(guessed.paths, guessed.scope, "inferred", guessed.spans)
    return Scoped((), np.full(len(walk.sequence), -1, np.int32), "none", NO_CALLS)


def _traced(sequence: NDArray[np.int64], spans: Calls) -> Scoped:
    call = spans.innermost(sequence)
    module = np.where((call >= 0) & (sequence >= 0), spans.module[call], -1)
    used, place = np.unique(module, return_inverse=True)
    paths = dict[str, int]()
    kept = [
        -1 if at < 0 or not spans.paths[at] else paths.setdefault(spans.paths[at], len(paths))
        for at in used.tolist()
    ]
    return Scoped(tuple(paths), np.array(kept, np.int32)[place], "traced", spans)


def _from_here(walk: Walk, spans: Calls, names: dict[int, list[str]]) -> bool:
    """Whether the calls made this graph.

    Sequence numbers count per thread, so another thread's graph may have the same ones: then a number comes
    twice, or the modules do not hold the parameters that their nodes use.
    """
    own = np.sort(walk.sequence[~walk.leaf])
    if (own[1:] == own[:-1]).any():
        return False
    edges = np.flatnonzero(walk.leaf[walk.target])
    edges = edges[:: len(edges) // MOST_ASKED + 1]
    call = spans.innermost(walk.sequence[walk.source[edges]])
    agree = differ = 0
    for at, leaf in zip(call.tolist(), walk.target[edges].tolist(), strict=True):
        known = names.get(id(walk.nodes[leaf].variable)) if at >= 0 else None
        if known is not None:
            path = spans.paths[spans.module[at]]
            held = not path or any(name.startswith(f"{path}.") for name in known)
            agree, differ = agree + held, differ + (not held)
    return differ <= agree
