"""Records of real models as their tables and first pictures, for the view's model: `first_twins.json`.

.venv/bin/python -m tests.autograd.first_twins
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from torchloupe.autograd.capture import capture
from torchloupe.autograd.first_picture import first
from torchloupe.autograd.hierarchy import hierarchy
from torchloupe.autograd.record import GraphRecord
from torchloupe.autograd.tables_of import GraphTables
from torchloupe.autograd.tracing import trace
from torchloupe.core.tables import Table

FILE = Path(__file__).with_name("first_twins.json")
PARTS = ("strings", "groups", "nodes", "edges", "leaves")


class Block(nn.Module):
    """A residual block."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(2), nn.Linear(2, 4), nn.Linear(4, 2)

    def forward(self, x: Tensor) -> Tensor:
        """Add to `x`, of shape (batch, 2)."""
        y: Tensor = self.down(torch.tanh(self.up(self.norm(x))))
        return x + y


class Stack(nn.Module):
    """Blocks between an embedding and a head that share their weight."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding, self.head = nn.Embedding(3, 2), nn.Linear(2, 3, bias=False)
        self.head.weight = self.embedding.weight
        self.blocks = nn.ModuleList(Block() for _ in range(4))

    def forward(self, tokens: Tensor) -> Tensor:
        """Scores, of shape (batch, 3)."""
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x)
        y: Tensor = self.head(x)
        return y


def records() -> dict[str, GraphRecord]:
    """One record of each kind the first picture knows."""
    model, tokens = Stack(), torch.tensor([0, 2])
    with trace(model):
        traced = model(tokens)
    cell = nn.LSTMCell(2, 3)
    state, steps = (torch.zeros(1, 3), torch.zeros(1, 3)), torch.zeros(())
    for _ in range(12):
        state = cell(torch.ones(1, 2), state)
        steps = steps + state[0].sum()
    x = torch.tensor(2.0, requires_grad=True)
    w = torch.ones(3, requires_grad=True)
    chain = w
    for turn in range(60):
        chain = (chain * w).tanh().exp() if turn % 9 else chain.sin() + w
    return {
        "traced": capture(nn.functional.cross_entropy(traced, tokens), model),
        "inferred": capture(nn.functional.cross_entropy(model(tokens), tokens), model),
        "recurrent": capture(steps, cell),
        "parabola": capture(x**2 + 3 * x + 1),
        "chain": capture(chain.sum()),
    }


def told(record: GraphRecord) -> dict[str, Any]:
    """A record's first picture and the tables it is made of, as JSON."""
    grouped = hierarchy(record)
    tables = GraphTables(record, grouped, None, ())
    parts = {name: _rows(tables.table(name)) for name in PARTS}
    return {"first": asdict(first(record, grouped)), "tables": parts}


def _rows(table: Table) -> dict[str, Any]:
    if table.strings is not None:
        return {"strings": list(table.strings)}
    kinds = {"uint8": "u", "float32": "f"}
    columns = table.columns or {}
    return {
        "columns": {
            name: [kinds.get(column.dtype.name, "i"), column.tolist()]
            for name, column in columns.items()
            if name != "sequence"  # counts on for as long as the process lives
        }
    }


def main() -> None:
    """Write the file anew."""
    twins = {name: told(record) for name, record in records().items()}
    FILE.write_text(json.dumps(twins, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
