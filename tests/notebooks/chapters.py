"""The chapters on disk, and how to run one without a front end: nobody presses a button."""

import copy
import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parents[2] / "notebooks"
NAMES = sorted(path.parent.name for path in FOLDER.glob("*/chapter.ipynb"))

CELL_LIMIT_S = 60


def load(name):
    return nbformat.read(FOLDER / name / "chapter.ipynb", as_version=nbformat.NO_CONVERT)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def exercises(notebook):
    """Exercise id → its cell."""
    marked = ((cell.metadata.get("torchloupe", {}).get("exercise"), cell) for cell in code_cells(notebook))
    return {id: cell for id, cell in marked if id}


def run(notebook, folder, language):
    """A run copy of `notebook`, in a kernel whose Jupyter and IPython folders lie under `folder`."""
    ran = copy.deepcopy(notebook)
    private = {name: str(folder / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")}
    client = NotebookClient(
        ran, timeout=CELL_LIMIT_S, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env={**os.environ, **private, "TORCHLOUPE_LANG": language})
    return ran
