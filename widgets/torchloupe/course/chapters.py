"""Which chapters are shipped, read from the notebooks themselves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..core.language import LANGUAGES

NOTEBOOK = "chapter.ipynb"
_PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Chapter:
    """A shipped chapter, as the course panel lists it."""

    id: str
    """Name of its folder, `"01-strides"`."""
    number: int
    titles: Mapping[str, str]
    """By language: `{"en": "Tensors and strides", "zh-CN": "张量与步幅"}`."""
    folder: Path
    """Where it is shipped: its notebook and the data beside it."""


def shipped() -> Path:
    """The folder of shipped chapters: inside an installed package, else in the repository.

    Raises:
        FileNotFoundError: if there is neither, so the installation is broken.
    """
    places = (_PACKAGE / "notebooks", _PACKAGE.parents[2] / "notebooks")
    for place in places:
        if any(place.glob(f"*/{NOTEBOOK}")):
            return place
    raise FileNotFoundError(
        f"Torchloupe ships its chapters in {places[0]}, and there are none. Install it anew."
    )


def chapters(folder: Path | None = None) -> tuple[Chapter, ...]:
    """All chapters in `folder`, by number.

    Args:
        folder: holds one folder a chapter; the shipped ones by default.

    Raises:
        ValueError: if a chapter's metadata does not name it and title it in every language.

    Example:
        >>> from torchloupe.course.chapters import chapters
        >>> chapters()[0].id
        '01-strides'
    """
    notebooks = (folder or shipped()).glob(f"*/{NOTEBOOK}")
    return tuple(sorted((_chapter(notebook) for notebook in notebooks), key=lambda chapter: chapter.number))


def _chapter(notebook: Path) -> Chapter:
    folder = notebook.parent
    ours = json.loads(notebook.read_text("utf-8"))["metadata"].get("torchloupe")
    titles = ours.get("title") if isinstance(ours, dict) and ours.get("chapter") == folder.name else None
    if not isinstance(titles, dict) or set(titles) != set(LANGUAGES):
        raise ValueError(
            f"{notebook}: its metadata must have the chapter's name and a title in each language"
        )
    return Chapter(folder.name, int(folder.name.split("-")[0]), titles, folder)
