"""The command `torchloupe`, asked in the ways people ask."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from torchloupe import cli, doctor
from torchloupe.core import language
from torchloupe.core.words import Sentence


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TORCHLOUPE_LANG", "en")
    monkeypatch.setattr(language, "_chosen", None)
    monkeypatch.setattr(language, "_reported", None)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What JupyterLab was started with."""
    from jupyterlab import labapp

    calls: list[list[str]] = []
    monkeypatch.setattr(labapp, "main", calls.append)
    return calls


def test_lab_starts_jupyterlab_on_the_course(tmp_path: Path, started: list[list[str]]) -> None:
    course = tmp_path / "a b"
    assert cli.main(["lab", str(course), "--no-browser", "--port=0", "--", "--allow-root"]) == 0
    assert started == [[f"--ServerApp.root_dir={course}", "--no-browser", "--port=0", "--allow-root"]]
    assert (course / "01-strides/chapter.ipynb").is_file()


def test_lab_uses_the_current_folder_when_none_is_named(
    tmp_path: Path,
    started: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["lab"]) == 0
    assert started == [[f"--ServerApp.root_dir={tmp_path / 'torchloupe-course'}"]]
    assert f"The course is in {tmp_path / 'torchloupe-course'};" in capsys.readouterr().out

    assert cli.main(["lab"]) == 0
    assert "nothing had to change" in capsys.readouterr().out


def test_lab_says_why_it_cannot_lay_the_course_out(
    tmp_path: Path, started: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("mine", "utf-8")
    assert cli.main(["lab", str(in_the_way)]) == 1
    assert started == []
    assert str(in_the_way) in capsys.readouterr().err
    assert in_the_way.read_text("utf-8") == "mine"


def test_the_language_reaches_kernels(
    tmp_path: Path, started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli.main(["lab", str(tmp_path), "--language", "zh-CN"]) == 0
    assert cli.os.environ["TORCHLOUPE_LANG"] == "zh-CN"


@pytest.mark.parametrize("arguments", [[], ["bench"], ["lab", "--language", "fr"]])
def test_what_it_does_not_know_it_refuses(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        cli.main(arguments)
    assert refused.value.code == 2


@pytest.mark.parametrize(
    ("encoding", "locale", "expected"),
    [
        ("utf-8", "zh_CN.UTF-8", "章节"),
        ("ascii", "zh_CN.UTF-8", "[ok] Chapters"),
        ("utf-8", "C.UTF-8", "✓ Chapters"),
    ],
)
def test_doctor_speaks_what_the_terminal_can_show(encoding: str, locale: str, expected: str) -> None:
    program = "import sys; from torchloupe.cli import main; sys.exit(main(['doctor']))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=False,
        env={"PYTHONIOENCODING": encoding, "LANG": locale, "HOME": "/", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    assert expected in done.stdout.decode(encoding), done.stderr


def test_doctor_gives_a_fix_for_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor.shutil, "which", lambda _name: None)
    monkeypatch.setattr(
        doctor, "_installed", lambda name: {"jupyterlab": "4.5.9", "ipykernel": "6.31.0"}.get(name)
    )

    assert doctor.doctor() == 1

    told = capsys.readouterr().out
    assert "✗ JupyterLab: 4.5.9\n    → Torchloupe needs JupyterLab 4.6" in told
    assert "✗ Acting on a running cell: 6.31.0\n    → Lenses answer only between cells" in told
    assert "✗ Graphviz (optional, for DOT pictures): -\n    → Install the program dot" in told


def test_what_is_not_essential_does_not_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Sentence("doctor.dot.fix")
    found = [
        doctor.Finding(Sentence("doctor.python"), "3.11"),
        doctor.Finding(Sentence("doctor.dot"), "-", broken, essential=False),
    ]
    monkeypatch.setattr(doctor, "look", lambda: iter(found))
    assert doctor.doctor() == 0
    found.append(doctor.Finding(Sentence("doctor.torch"), "-", broken))
    assert doctor.doctor() == 1


@pytest.mark.parametrize(
    ("found", "enough"),
    [("4.6", True), ("4.6.0rc1", True), ("4.10.0", True), ("4.5.9", False), ("5.0.0a1+cpu", True)],
)
def test_versions_are_compared_as_numbers(found: str, enough: bool) -> None:
    assert doctor._at_least(found, 4, 6) is enough
