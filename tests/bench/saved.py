"""What one more lens adds to a saved notebook."""

from __future__ import annotations

import subprocess

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook

from tests.bench.row import Row

SETUP = "import torch, torchloupe as loupe\nx = torch.arange(12.).reshape(3, 4)"
SHOW = "loupe.strides.show(x, x.T)"


def measure(share: float) -> list[Row]:
    del share
    bare = _executed(0)
    one, two = _executed(1), _executed(2)
    output = _size(two, state=False) - _size(one, state=False)
    state = _size(two, state=True) - _size(one, state=True) - output
    first = _size(one, state=True) - _size(bare, state=True)
    return [
        Row(
            "one more lens in a saved notebook, its output",
            output,
            "B",
            note="pictures, text and the cell itself",
        ),
        Row("where widget state is saved too, in addition", state, "B", note="off by default in JupyterLab"),
        Row("the first lens, output and state", first, "B"),
    ]


def _executed(lenses: int) -> nbformat.NotebookNode:
    notebook = new_notebook(cells=[new_code_cell(SETUP), *(new_code_cell(SHOW) for _ in range(lenses))])
    NotebookClient(notebook, kernel_name="python3").execute(stderr=subprocess.DEVNULL)
    return notebook


def _size(notebook: nbformat.NotebookNode, *, state: bool) -> int:
    kept = nbformat.from_dict({**notebook, "metadata": notebook.metadata if state else {}})
    return len(nbformat.writes(kept).encode())
