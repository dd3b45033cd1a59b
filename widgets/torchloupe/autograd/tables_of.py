"""The tables a view pulls: the graph, how it is grouped, and what a backward did."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ..core.tables import Table
from .hierarchy import Hierarchy
from .ledger import Ledger
from .record import GraphRecord
from .state import Rows
from .strings import Strings

ORDER = ("strings", "groups", "nodes", "edges", "leaves", "steps", "arrivals", "flows")


class GraphTables:
    """The tables of one record by name, made when they are asked for.

    Args:
        record: the graph.
        hierarchy: its groups.
        ledger: of its backward, or None when it was only looked at.
        before: per leaf what `.grad` was before the backward, as text; empty for None.
    """

    def __init__(
        self, record: GraphRecord, hierarchy: Hierarchy, ledger: Ledger | None, before: Sequence[str]
    ) -> None:
        self._record, self._hierarchy, self._ledger = record, hierarchy, ledger
        strings = Strings(hierarchy.strings)
        self._leaf_columns = {
            "name": strings.add([" = ".join(leaf.names) for leaf in record.leaves]),
            "shape": strings.add([f"({', '.join(map(str, leaf.shape))})" for leaf in record.leaves]),
            "before": strings.add(list(before) or [""] * len(record.leaves)),
        }
        self._strings = strings.all
        self._makers: Mapping[str, Callable[[], Table]] = {
            "strings": self._all_strings,
            "groups": self._groups,
            "nodes": self._nodes,
            "edges": self._edges,
            "leaves": self._leaves,
            "steps": self._steps,
            "arrivals": self._arrivals,
            "flows": self._flows,
        }
        self._made: dict[str, Table] = {}

    def table(self, name: str) -> Table:
        """One of `ORDER`.

        Raises:
            KeyError: for another name.
        """
        if name not in ("nodes", "edges", "groups", "leaves"):
            return self._makers[name]()
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def rows(self) -> Rows:
        """How many rows each table has by now."""
        columns, ledger = self._record.columns, self._ledger
        # Texts come before the rows that name them, so they are counted after them.
        flows = 0 if ledger is None else len(ledger.flows)
        arrivals = 0 if ledger is None else len(ledger.arrivals)
        return Rows(
            strings=len(self._strings) + (0 if ledger is None else len(ledger.summaries.texts)),
            nodes=len(columns.type),
            edges=len(columns.source),
            groups=len(self._hierarchy.parent),
            leaves=len(self._record.leaves),
            steps=0 if ledger is None else len(ledger.started),
            arrivals=arrivals,
            flows=flows,
        )

    def _all_strings(self) -> Table:
        texts = [] if self._ledger is None else self._ledger.summaries.texts
        return Table(strings=[*self._strings, *texts])

    def _groups(self) -> Table:
        tree = self._hierarchy
        return Table(
            {
                "parent": tree.parent,
                "name": tree.name,
                "cls": tree.cls,
                "kind": tree.kind,
                "shape": tree.shape,
            }
        )

    def _nodes(self) -> Table:
        columns = self._record.columns
        return Table(
            {
                "type": columns.type,
                "scope": columns.scope,
                "group": self._hierarchy.group,
                "kind": columns.kind,
                "flags": columns.hooks,
                "inputs": columns.inputs,
                "bytes": columns.saved_bytes.astype(np.float32),
                "text": columns.text,
                "value": columns.value,
                # Beyond 32 bits only differences matter, and those are kept.
                "sequence": columns.sequence.astype(np.int32),
            }
        )

    def _edges(self) -> Table:
        columns = self._record.columns
        return Table(
            {"source": columns.source, "slot": columns.slot, "target": columns.target, "input": columns.input}
        )

    def _leaves(self) -> Table:
        leaves = self._record.leaves
        return Table(
            {
                "node": np.array([leaf.node for leaf in leaves], np.int32),
                "bytes": np.array([leaf.nbytes for leaf in leaves], np.float32),
                "parameter": np.array([leaf.parameter for leaf in leaves], np.uint8),
                "drawn": self._hierarchy.drawn.astype(np.uint8),
                "shared": np.array([leaf.shared for leaf in leaves], np.uint8),
                **self._leaf_columns,
            }
        )

    def _steps(self) -> Table:
        started = [] if self._ledger is None else self._ledger.started[:]
        return Table({"node": np.array(started, np.int32)})

    def _arrivals(self) -> Table:
        if self._ledger is None:
            return Table({})
        rows, summaries = self._ledger.arrivals, self._ledger.summaries
        summary = rows.column("summary")
        count = len(summary)
        return Table(
            {
                "step": rows.column("step")[:count],
                "node": rows.column("about")[:count],
                "input": rows.column("input")[:count],
                **summaries.columns(summary, len(self._strings)),
            }
        )

    def _flows(self) -> Table:
        if self._ledger is None:
            return Table({})
        rows, summaries = self._ledger.flows, self._ledger.summaries
        summary = rows.column("summary")
        count = len(summary)
        return Table(
            {
                "step": rows.column("step")[:count],
                "edge": rows.column("about")[:count],
                **summaries.columns(summary, len(self._strings)),
            }
        )


def no_groups(record: GraphRecord) -> Hierarchy:
    """The groups of a record without a graph: the root alone."""
    none = np.empty(0, np.int32)
    root = np.array([-1], np.int32)
    zero = np.zeros(1, np.int32)
    return Hierarchy(
        strings=list(record.columns.strings),
        parent=root,
        name=root,
        cls=root,
        kind=np.zeros(1, np.uint8),
        shape=zero,
        group=none,
        drawn=np.empty(0, bool),
        start=zero,
        end=zero,
    )
