"""A shelf of small chapters to lay out."""

from __future__ import annotations

import json
from pathlib import Path


def ship(shelf: Path, id: str, edition: int = 1) -> Path:
    """Put an edition of a chapter with a data file on the shelf, and return its folder."""
    folder = shelf / id
    (folder / "data").mkdir(parents=True, exist_ok=True)
    title = {"en": f"Title of {id}", "zh-CN": f"{id} 的标题"}
    notebook = {
        "cells": [{"cell_type": "code", "metadata": {}, "source": f"edition = {edition}"}],
        "metadata": {"torchloupe": {"chapter": id, "title": title}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (folder / "chapter.ipynb").write_text(json.dumps(notebook), "utf-8")
    (folder / "data" / "points.csv").write_text(f"{edition}\n", "utf-8")
    return folder
