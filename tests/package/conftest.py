"""A wheel and an sdist as `make wheel` makes them, and a clean environment with the wheel in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from sysconfig import get_path

import pytest

from tests.test_structure import tracked

REPOSITORY = Path(__file__).parents[2]
STALE = "from an earlier build"


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `dist` of a copy of the repository that held stale bundles when `make wheel` began."""
    copy = tmp_path_factory.mktemp("repository")
    for path in tracked():
        target = copy / path.relative_to(REPOSITORY)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    (copy / "node_modules").symlink_to(REPOSITORY / "node_modules")
    for stale in ("labextension/package.json", "labextension/static/stale.js", "strides/view.js"):
        target = copy / "widgets/torchloupe" / stale
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(STALE, "utf-8")
    make = ["make", "wheel", f"VENV={sys.prefix}"]
    done = subprocess.run(
        make, cwd=copy, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return copy / "dist"


class Environment:
    """A virtual environment without Node on PATH, whose dependencies are those this test runs with."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        venv.create(folder, with_pip=False)
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.variables = {
            "PATH": str(folder / "bin"),
            "HOME": str(folder / "home"),
            "LANG": "C.UTF-8",
            **{name: os.environ[name] for name in ("TMPDIR", "LD_LIBRARY_PATH") if name in os.environ},
        }
        install = [
            sys.executable,
            "-m",
            "pip",
            "--quiet",
            "--python",
            self.python,
            "install",
            "--no-deps",
            "--no-index",
        ]
        subprocess.run([*install, wheel], check=True)
        site = folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
        (site / "dependencies.pth").write_text(get_path("purelib") + "\n", "utf-8")
        (folder / "share/jupyter/lab").symlink_to(Path(sys.prefix, "share/jupyter/lab"))

    def run(self, *command: str | Path, cwd: Path | None = None) -> str:
        """What `command` writes, both streams; it must end well."""
        done = subprocess.run(
            command, cwd=cwd or self.folder, env=self.variables, text=True, timeout=300, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout
        return done.stdout


@pytest.fixture(scope="session")
def environment(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    (wheel,) = dist.glob("*.whl")
    return Environment(tmp_path_factory.mktemp("environment") / "venv", wheel)
