"""Laying the course out: never over a person's work, and whole whenever it is interrupted."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.course.shelf import ship
from torchloupe.course import layout
from torchloupe.course.chapters import chapters
from torchloupe.course.layout import lay_out, reset, standing

FILES = ["01-a/chapter.ipynb", "01-a/data/points.csv", "02-b/chapter.ipynb", "02-b/data/points.csv"]


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    for id in ("01-a", "02-b"):
        ship(tmp_path / "shelf", id)
    return tmp_path / "shelf"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return tmp_path / "course"


def laid_out(course: Path) -> list[str]:
    files = [path.relative_to(course) for path in course.rglob("*") if path.is_file()]
    return sorted(path.as_posix() for path in files if path.parts[0] != layout.PRIVATE)


def test_a_new_folder_gets_every_file_as_shipped(shelf: Path, course: Path) -> None:
    written = lay_out(course, shelf)

    assert [path.relative_to(course).as_posix() for path in written] == FILES
    assert laid_out(course) == FILES
    assert all((course / name).read_bytes() == (shelf / name).read_bytes() for name in FILES)


def test_a_second_run_writes_nothing(shelf: Path, course: Path) -> None:
    lay_out(course, shelf)
    before = {name: (course / name).stat().st_mtime_ns for name in FILES}

    assert lay_out(course, shelf) == []
    assert {name: (course / name).stat().st_mtime_ns for name in FILES} == before


def test_a_newer_edition_replaces_what_was_not_changed_and_keeps_what_was(shelf: Path, course: Path) -> None:
    lay_out(course, shelf)
    (course / "01-a/chapter.ipynb").write_text("mine", "utf-8")
    for id in ("01-a", "02-b"):
        ship(shelf, id, edition=2)
    first, second = chapters(shelf)
    assert (standing(course, first), standing(course, second)) == ("edited", "outdated")

    written = lay_out(course, shelf)

    assert (course / "01-a/chapter.ipynb").read_text("utf-8") == "mine"
    assert [path.relative_to(course).as_posix() for path in written] == FILES[1:]
    assert (course / "02-b/chapter.ipynb").read_bytes() == (shelf / "02-b/chapter.ipynb").read_bytes()
    assert (standing(course, first), standing(course, second)) == ("edited", "shipped")


def test_a_file_of_the_person_that_was_there_before_is_kept(shelf: Path, course: Path) -> None:
    (course / "01-a").mkdir(parents=True)
    (course / "01-a/chapter.ipynb").write_text("older than Torchloupe", "utf-8")

    lay_out(course, shelf)

    assert (course / "01-a/chapter.ipynb").read_text("utf-8") == "older than Torchloupe"
    assert laid_out(course) == FILES


def test_a_link_or_a_folder_in_the_way_is_left_alone(shelf: Path, course: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.ipynb"
    elsewhere.write_text("linked", "utf-8")
    (course / "01-a").mkdir(parents=True)
    (course / "01-a/chapter.ipynb").symlink_to(elsewhere)
    (course / "02-b/chapter.ipynb").mkdir(parents=True)

    lay_out(course, shelf)

    assert elsewhere.read_text("utf-8") == "linked"
    assert (course / "01-a/chapter.ipynb").is_symlink()
    assert (course / "02-b/chapter.ipynb").is_dir()


@pytest.mark.parametrize("record", ["", "{", "[]", '{"01-a/chapter.ipynb": 3}'])
def test_without_a_readable_record_whatever_differs_is_the_persons(
    shelf: Path, course: Path, record: str
) -> None:
    lay_out(course, shelf)
    (course / layout.PRIVATE / "laid-out.json").write_text(record, "utf-8")
    old = (course / "01-a/chapter.ipynb").read_bytes()
    ship(shelf, "01-a", edition=2)

    lay_out(course, shelf)

    assert (course / "01-a/chapter.ipynb").read_bytes() == old


@pytest.mark.parametrize("writes", range(1, 9))
def test_killed_at_any_write_it_leaves_whole_files_and_the_next_run_completes(
    shelf: Path, course: Path, writes: int
) -> None:
    program = f"""
import os, signal
from pathlib import Path
from torchloupe.course import layout
left = {writes}
def dying(descriptor):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
layout.os.fsync = dying
layout.lay_out(Path({str(course)!r}), Path({str(shelf)!r}))
"""
    killed = subprocess.run([sys.executable, "-c", program], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert laid_out(course) == FILES[: writes // 2]
    assert all((course / name).read_bytes() == (shelf / name).read_bytes() for name in laid_out(course))

    lay_out(course, shelf)

    assert laid_out(course) == FILES
    ship(shelf, "01-a", edition=2)
    assert len(lay_out(course, shelf)) == 2


def test_a_failing_write_leaves_the_old_file_and_no_part(
    shelf: Path, course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay_out(course, shelf)
    old = (course / "01-a/chapter.ipynb").read_bytes()
    ship(shelf, "01-a", edition=2)

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(layout.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        lay_out(course, shelf)

    assert (course / "01-a/chapter.ipynb").read_bytes() == old
    assert [path.name for path in (course / layout.PRIVATE).iterdir()] == ["laid-out.json"]


def test_reset_keeps_each_changed_copy_aside(shelf: Path, course: Path) -> None:
    lay_out(course, shelf)
    notebook = course / "01-a/chapter.ipynb"
    kept = []
    for mine in ("first", "second", "third"):
        notebook.write_text(mine, "utf-8")
        kept.append(reset(course, "01-a", shelf))
        assert notebook.read_bytes() == (shelf / "01-a/chapter.ipynb").read_bytes()

    assert [aside.read_text("utf-8") for aside in kept if aside] == ["first", "second", "third"]
    assert all(
        aside and aside.name.startswith("chapter (yours 2") and aside.suffix == ".ipynb" for aside in kept
    )


def test_reset_of_an_unchanged_chapter_keeps_nothing_aside(shelf: Path, course: Path) -> None:
    lay_out(course, shelf)
    (course / "02-b/chapter.ipynb").unlink()

    assert reset(course, "01-a", shelf) is None
    assert reset(course, "02-b", shelf) is None
    assert laid_out(course) == FILES


@pytest.mark.parametrize("id", ["03-none", "../01-a", "", "01-a/../02-b"])
def test_reset_knows_only_shipped_chapters(shelf: Path, course: Path, id: str) -> None:
    with pytest.raises(LookupError, match="no chapter"):
        reset(course, id, shelf)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(["lay out", "edit", "edit data", "ship", "reset"]), max_size=12))
def test_no_sequence_of_steps_loses_what_a_person_wrote(steps: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        shelf, course = Path(folder, "shelf"), Path(folder, "course")
        ship(shelf, "01-a")
        lay_out(course, shelf)
        last: dict[Path, str] = {}
        kept: set[str] = set()
        for number, step in enumerate(steps):
            notebook, data = course / "01-a/chapter.ipynb", course / "01-a/data/points.csv"
            if step == "lay out":
                lay_out(course, shelf)
            elif step == "ship":
                ship(shelf, "01-a", edition=number + 2)
            elif step == "reset":
                reset(course, "01-a", shelf)
                kept |= set(last.values())
                last.clear()
            else:
                target = notebook if step == "edit" else data
                last[target] = f"written by a person at {number}"
                target.write_text(last[target], "utf-8")
            assert all(target.read_text("utf-8") == text for target, text in last.items())
            found = {path.read_text("utf-8") for path in (course / "01-a").rglob("*") if path.is_file()}
            assert kept <= found
