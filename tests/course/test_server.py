"""The course's part of the Jupyter server, asked over HTTP in a process of its own."""

from __future__ import annotations

import json
import urllib.error
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.browser.server import Jupyter
from torchloupe.course import chapters, layout, progress

PASSED = "application/vnd.torchloupe.check+json"


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Jupyter]:
    with Jupyter.started(tmp_path_factory.mktemp("jupyter")) as running:
        yield running


@pytest.fixture(autouse=True)
def root(jupyter: Jupyter) -> Path:
    jupyter.clear()
    return jupyter.root


def strides(answer: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(chapter for chapter in answer["chapters"] if chapter["id"] == "01-strides")
    return found


def refusal(jupyter: Jupyter, path: str, body: Any = None) -> tuple[int, str]:
    """Status and message of a request that must be refused."""
    with pytest.raises(urllib.error.HTTPError) as refused:
        jupyter.request(path, "GET" if body is None else "POST", body)
    return refused.value.code, json.loads(refused.value.read())["message"]


def run(path: Path, passed: bool) -> None:
    """Mark every cell of the first two sections as run, and the first exercise as `passed`."""
    notebook = nbformat.read(path, as_version=4)
    stop = next(
        index
        for index, cell in enumerate(notebook.cells)
        if "exercise" in cell.metadata.get("torchloupe", {})
    )
    for cell in notebook.cells[: stop + 1]:
        if cell.cell_type == "code":
            cell.execution_count = 1
    exercise = notebook.cells[stop].metadata.torchloupe.exercise
    data = {PASSED: {"exercise": exercise, "passed": passed}, "text/plain": "checked"}
    notebook.cells[stop].outputs = [nbformat.v4.new_output("display_data", data)]
    nbformat.write(notebook, path)


def test_empty_folder_lists_shipped_chapters_as_missing(jupyter: Jupyter) -> None:
    answer = jupyter.request("torchloupe/course")
    assert answer["laid_out"] is False
    assert [chapter["id"] for chapter in answer["chapters"]] == [one.id for one in chapters.chapters()]
    assert {chapter["state"] for chapter in answer["chapters"]} == {"missing"}


def test_layout_puts_the_course_there(jupyter: Jupyter, root: Path) -> None:
    answer = jupyter.request("torchloupe/course/layout", "POST", {"path": ""})
    assert answer["laid_out"] is True
    chapter = strides(answer)
    assert (chapter["state"], chapter["path"], chapter["number"]) == (
        "shipped",
        "01-strides/chapter.ipynb",
        1,
    )
    assert chapter["title"] == {"en": "Tensors and strides", "zh-CN": "张量与步幅"}
    assert (root / chapter["path"]).is_file()
    assert jupyter.request("torchloupe/course?path=") == answer


def test_sections_are_the_second_level_headings(jupyter: Jupyter) -> None:
    chapter = strides(jupyter.request("torchloupe/course"))
    shipped = next(one for one in chapters.chapters() if one.id == "01-strides")
    cells = nbformat.read(shipped.folder / chapters.NOTEBOOK, as_version=4).cells
    for language in ("en", "zh-CN"):
        headings = {
            cell.id: cell.source.splitlines()[0][3:].replace("`", "")
            for cell in cells
            if cell.source.startswith("## ") and cell.metadata.torchloupe.lang == language
        }
        assert [section["title"][language] for section in chapter["sections"]] == list(headings.values())
        assert [section["cells"][language] for section in chapter["sections"]] == list(headings)
    exercises = [one["id"] for section in chapter["sections"] for one in section["exercises"]]
    ours = [cell.metadata.get("torchloupe", {}) for cell in cells]
    assert exercises == [one["exercise"] for one in ours if "exercise" in one]
    code = sum(cell.cell_type == "code" for cell in cells)
    assert sum(section["code"] for section in chapter["sections"]) == code
    assert all(section["run"] == 0 for section in chapter["sections"])


@pytest.mark.parametrize("passed", [True, False])
def test_progress_is_read_from_the_saved_notebook(jupyter: Jupyter, root: Path, passed: bool) -> None:
    layout.lay_out(root)
    run(root / "01-strides" / "chapter.ipynb", passed)
    chapter = strides(jupyter.request("torchloupe/course"))
    assert chapter["state"] == "edited"
    done = [
        section for section in chapter["sections"] if section["code"] and section["run"] == section["code"]
    ]
    first, *others = [one for section in chapter["sections"] for one in section["exercises"]]
    assert first["passed"] is passed
    assert not any(one["passed"] for one in others)
    before = next(index for index, section in enumerate(chapter["sections"]) if section["exercises"])
    assert done == [section for section in chapter["sections"][: before + 1] if section["code"]]


def test_progress_of_another_exercise_does_not_count(tmp_path: Path) -> None:
    cell = nbformat.v4.new_code_cell("1", metadata={"torchloupe": {"exercise": "mine"}})
    cell.outputs = [nbformat.v4.new_output("display_data", {PASSED: {"exercise": "yours", "passed": True}})]
    heading = nbformat.v4.new_markdown_cell("## `Here` is *it*")
    nbformat.write(nbformat.v4.new_notebook(cells=[heading, cell]), tmp_path / "n.ipynb")
    (section,) = progress.sections(tmp_path / "n.ipynb")
    assert section.title == {"en": "Here is it", "zh-CN": "Here is it"}
    assert section.exercises == [progress.Exercise("mine", False)]


def test_reset_keeps_the_copy_and_says_its_name(jupyter: Jupyter, root: Path) -> None:
    layout.lay_out(root)
    notebook = root / "01-strides" / "chapter.ipynb"
    shipped = notebook.read_bytes()
    run(notebook, True)
    theirs = notebook.read_bytes()
    answer = jupyter.request("torchloupe/course/reset", "POST", {"path": "", "chapter": "01-strides"})
    assert notebook.read_bytes() == shipped
    assert (notebook.parent / answer["aside"]).read_bytes() == theirs
    assert strides(jupyter.request("torchloupe/course"))["state"] == "shipped"


def test_reset_of_an_unchanged_chapter_keeps_nothing(jupyter: Jupyter, root: Path) -> None:
    layout.lay_out(root)
    before = sorted(root.rglob("*"))
    answer = jupyter.request("torchloupe/course/reset", "POST", {"path": "", "chapter": "01-strides"})
    assert answer == {"aside": None}
    assert sorted(root.rglob("*")) == before


def test_layout_leaves_an_edited_chapter_alone(jupyter: Jupyter, root: Path) -> None:
    layout.lay_out(root)
    run(root / "01-strides" / "chapter.ipynb", True)
    theirs = (root / "01-strides" / "chapter.ipynb").read_bytes()
    jupyter.request("torchloupe/course/layout", "POST", {"path": ""})
    assert (root / "01-strides" / "chapter.ipynb").read_bytes() == theirs


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": 3}', '{"cells": [{"cell_type": "markdown"}]}'])
def test_broken_notebook_still_lists_the_chapter(jupyter: Jupyter, root: Path, text: str) -> None:
    layout.lay_out(root)
    (root / "01-strides" / "chapter.ipynb").write_text(text)
    chapter = strides(jupyter.request("torchloupe/course"))
    assert chapter["state"] == "edited"
    assert len(chapter["sections"]) > 3
    assert all(section["run"] == 0 for section in chapter["sections"])


@pytest.mark.parametrize("path", ["..", "../..", "/etc", "a/../../b"])
def test_paths_outside_the_root_are_refused(jupyter: Jupyter, root: Path, path: str) -> None:
    before = sorted(root.parent.iterdir())
    status, message = refusal(jupyter, "torchloupe/course/layout", {"path": path})
    assert status == 403
    assert "outside" in message
    assert refusal(jupyter, f"torchloupe/course?path={path}")[0] == 403
    assert refusal(jupyter, "torchloupe/course/reset", {"path": path, "chapter": "01-strides"})[0] == 403
    assert sorted(root.parent.iterdir()) == before


def test_link_out_of_the_root_is_refused(jupyter: Jupyter, root: Path, tmp_path: Path) -> None:
    (root / "out").symlink_to(tmp_path)
    assert refusal(jupyter, "torchloupe/course/layout", {"path": "out"})[0] == 403
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("body", [[], {"path": 3}, {"path": None}, {"path": "a\0b"}])
def test_malformed_requests_are_refused(jupyter: Jupyter, body: Any) -> None:
    assert refusal(jupyter, "torchloupe/course/layout", body)[0] == 400


def test_unknown_chapter_is_not_found(jupyter: Jupyter, root: Path) -> None:
    status, message = refusal(jupyter, "torchloupe/course/reset", {"path": "", "chapter": "../../x"})
    assert status == 404
    assert "no chapter" in message
    assert [file for file in root.rglob("*") if file.is_file()] == []


def test_what_the_disk_refuses_is_told(jupyter: Jupyter, root: Path) -> None:
    (root / "01-strides").write_text("a file stands where the folder goes")
    status, message = refusal(jupyter, "torchloupe/course/layout", {"path": ""})
    assert status == 500
    assert "01-strides" in message


def test_nobody_asks_without_a_token(jupyter: Jupyter) -> None:
    stranger = Jupyter(jupyter.home, jupyter.port, "wrong")
    assert refusal(stranger, "torchloupe/course")[0] == 403
    assert refusal(stranger, "torchloupe/course/layout", {"path": ""})[0] == 403
