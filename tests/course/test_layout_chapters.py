"""The list of chapters says what their notebooks say, wherever they are shipped."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.course.shelf import ship
from torchloupe.course import chapters as module
from torchloupe.course.chapters import NOTEBOOK, Chapter, chapters, shipped

REPOSITORY = Path(__file__).parents[2]


def test_a_chapter_is_titled_in_every_language(tmp_path: Path) -> None:
    folder = ship(tmp_path, "01-a")
    assert chapters(tmp_path) == (
        Chapter("01-a", 1, {"en": "Title of 01-a", "zh-CN": "01-a 的标题"}, folder),
    )


def test_chapters_come_by_number(tmp_path: Path) -> None:
    for id in ("10-ten", "02-two", "01-one"):
        ship(tmp_path, id)
    assert [chapter.number for chapter in chapters(tmp_path)] == [1, 2, 10]


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {"torchloupe": 3},
        {"torchloupe": {"chapter": "01-other", "title": {"en": "a", "zh-CN": "b"}}},
        {"torchloupe": {"chapter": "01-a", "title": {"en": "only English"}}},
    ],
)
def test_a_chapter_that_does_not_name_itself_is_refused(tmp_path: Path, metadata: object) -> None:
    notebook = ship(tmp_path, "01-a") / "chapter.ipynb"
    notebook.write_text(json.dumps({"cells": [], "metadata": metadata}), "utf-8")
    with pytest.raises(ValueError, match=re.escape(str(notebook))):
        chapters(tmp_path)


def test_the_package_comes_before_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "widgets/torchloupe/course"
    package.mkdir(parents=True)
    monkeypatch.setattr(module, "_PACKAGE", package)
    with pytest.raises(FileNotFoundError, match="Install it anew"):
        shipped()
    ship(tmp_path / "notebooks", "01-a")
    assert shipped() == tmp_path / "notebooks"
    ship(package / "notebooks", "01-a")
    assert shipped() == package / "notebooks"


def test_the_shipped_chapters_are_those_of_the_repository() -> None:
    folders = sorted(path.parent.name for path in (REPOSITORY / "notebooks").glob("*/chapter.ipynb"))
    assert [chapter.id for chapter in chapters()] == folders
    assert all((chapter.folder / NOTEBOOK).is_file() for chapter in chapters())
