"""The whole graph for Graphviz: as DOT text, and as torchviz draws it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .report import words

if TYPE_CHECKING:
    from graphviz import Digraph
    from torch import Tensor

    from .record import GraphRecord, Leaf

_UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_COLUMN = 30
"""Characters of a code fragment on a node."""


def dot(record: GraphRecord) -> str:
    r"""The graph in Graphviz' DOT language, root on top; leaves are rounded and carry their names.

    An edge of a node with several is labelled with its slot in `next_functions`. The language:
    https://graphviz.org/doc/info/lang.html

    Example:
        >>> import torch, torchloupe as loupe
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> loupe.autograd.capture(x * x).dot().splitlines()[-2].strip()
        'n0 -> n1 [label=1];'
    """
    return "\n".join([f"digraph {_quoted(record.name or 'graph')} {{", *_statements(record), "}", ""])


def _statements(record: GraphRecord) -> Iterator[str]:
    columns = record.columns
    yield '  graph [rankdir=TB, ranksep="0.3"];'
    yield '  node [shape=box, fontname="Helvetica", fontsize=10, height="0.2"];'
    yield '  edge [fontname="Helvetica", fontsize=8, arrowsize="0.6"];'
    for place, root in enumerate(record.roots):
        if root.node >= 0:
            value = f" = {root.value}" if root.value else ""
            yield f"  r{place} [label={_quoted(root.name + value)}, shape=plaintext];"
            output = f" [label={root.output}]" if root.output else ""
            yield f"  r{place} -> n{root.node}{output};"
    leaves = {leaf.node: leaf for leaf in record.leaves}
    strings = columns.strings
    rows = zip(columns.type.tolist(), columns.text.tolist(), strict=True)
    for node, (kind, text) in enumerate(rows):
        if leaf := leaves.get(node):
            yield f"  n{node} [label={_quoted(_named(leaf))}, style=rounded];"
        else:
            code = "\n" + _short(strings[text]) if text >= 0 else ""
            yield f"  n{node} [label={_quoted(strings[kind] + code)}];"
    sources = columns.source.tolist()
    several = {node for node, other in pairwise(sources) if node == other}
    for source, slot, target in zip(sources, columns.slot.tolist(), columns.target.tolist(), strict=True):
        label = f" [label={slot}]" if source in several else ""
        yield f"  n{source} -> n{target}{label};"


def _named(leaf: Leaf) -> str:
    shape = "×".join(map(str, leaf.shape)) or "()"
    return f"{' = '.join(leaf.names) or 'AccumulateGrad'}\n{shape}"


def _short(code: str) -> str:
    line = " ".join(code.split())
    return line if len(line) <= _COLUMN else line[: _COLUMN - 1] + "…"


def _quoted(text: str) -> str:
    r"""A DOT string in which nothing of `text` is read as markup or as an escape such as `\N`."""
    clean = _UNSEEN.sub("", text).replace("\r", "")
    escaped = clean.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def to_torchviz(record: GraphRecord) -> Digraph:
    """The graph as `torchviz.make_dot` draws it, with the parameters named.

    Returns:
        A `graphviz.Digraph`. Where the program `dot` is missing, a notebook shows a sentence in its place.

    Raises:
        ImportError: if torchviz is not installed.
        RuntimeError: if the graph is gone, or too deep for torchviz.

    Example:
        >>> import torch, torchloupe as loupe
        >>> x = torch.tensor(2.0, requires_grad=True)
        >>> y = x * x
        >>> loupe.autograd.capture(y).to_torchviz().source.startswith("digraph")
        True
    """
    try:
        from torchviz import make_dot
    except ImportError:
        raise ImportError(words("dot.no_torchviz")) from None
    outputs, names = _alive(record)
    try:
        return _speaking(make_dot(outputs, params=names))
    except RecursionError:
        raise RuntimeError(words("dot.too_deep", nodes=f"{len(record.nodes):,}")) from None


def _alive(record: GraphRecord) -> tuple[tuple[Tensor, ...], dict[str, Tensor]]:
    from .walk import find

    nodes = find(record)
    if nodes is None:
        raise RuntimeError(words("dot.gone"))
    roots = zip(record.roots, record.origins, strict=True)
    outputs = tuple(tensor for root, origin in roots if root.node >= 0 and (tensor := origin()) is not None)
    return outputs, {
        " = ".join(leaf.names): nodes[leaf.node].variable for leaf in record.leaves if leaf.names
    }


def _speaking(graph: Any) -> Digraph:
    """The same drawing, but a sentence instead of a traceback where it cannot be drawn."""
    from graphviz import Digraph

    class Drawing(Digraph):  # type: ignore[misc]
        def _repr_mimebundle_(self, *given: Any, **named: Any) -> dict[str, str]:
            if shutil.which("dot") is None:
                return {"text/plain": words("dot.no_program")}
            return dict(super()._repr_mimebundle_(*given, **named))

    return Drawing(graph_attr=graph.graph_attr, node_attr=graph.node_attr, body=graph.body)
