"""What is shipped: whole, current, and of use in an environment that has no Node."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen
from zipfile import ZipFile

import pytest

from tests.package.conftest import REPOSITORY, STALE, Environment
from tests.test_structure import ROOMS, tracked

pytestmark = pytest.mark.xdist_group("wheel")

TOKEN = "for-this-test-only"
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
book = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(book, timeout=240).execute()
ran = [cell for cell in book.cells if cell.get("execution_count")]
errors = [output for cell in ran for output in cell.outputs if output.output_type == "error"]
print(len(ran), len(errors))
"""


@pytest.fixture(scope="session")
def wheel(dist: Path) -> ZipFile:
    (path,) = dist.glob("*.whl")
    return ZipFile(path)


def test_the_wheel_is_named_by_package_json(dist: Path) -> None:
    version = json.loads((REPOSITORY / "package.json").read_text("utf-8"))["version"]
    assert sorted(path.name for path in dist.iterdir()) == [
        f"torchloupe-{version}-py3-none-any.whl",
        f"torchloupe-{version}.tar.gz",
    ]


def test_no_stale_bundle_is_shipped(wheel: ZipFile) -> None:
    assert not [name for name in wheel.namelist() if "stale" in name]
    assert not [name for name in wheel.namelist() if STALE.encode() in wheel.read(name)]


def test_the_wheel_holds_views_extension_words_and_notebooks(wheel: ZipFile) -> None:
    names = wheel.namelist()
    for room in ROOMS:
        assert {f"torchloupe/{room}/{name}" for name in ("view.js", "view.min.css", "words.json")} <= set(
            names
        )
    shared = [name.split(".data/data/")[1] for name in names if ".data/data/" in name]
    assert {
        "etc/jupyter/jupyter_server_config.d/torchloupe.json",
        "share/jupyter/labextensions/torchloupe/install.json",
        "share/jupyter/labextensions/torchloupe/package.json",
    } <= set(shared)
    schemas = {path.name for path in (REPOSITORY / "extension/schema").glob("*.json")}
    assert schemas <= {name.split("/")[-1] for name in shared if "/schemas/torchloupe/" in name}
    notebooks = [
        path.relative_to(REPOSITORY) for path in tracked() if path.is_relative_to(REPOSITORY / "notebooks")
    ]
    assert {f"torchloupe/course/{path.as_posix()}" for path in notebooks} <= set(names)
    assert {
        "torchloupe/py.typed",
        "torchloupe/words.json",
        "torchloupe/locale/zh_CN/LC_MESSAGES/torchloupe.json",
    } <= set(names)
    assert [
        name for name in names if name.endswith(".ts") or "node_modules" in name or "__pycache__" in name
    ] == []


def test_the_wheel_is_small(dist: Path) -> None:
    (path,) = dist.glob("*.whl")
    assert path.stat().st_size < 2_000_000


def test_the_sdist_builds_a_wheel_without_node(dist: Path, wheel: ZipFile, tmp_path: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    build = [
        sys.executable,
        "-m",
        "pip",
        "--quiet",
        "wheel",
        "--no-build-isolation",
        "--no-deps",
        "--no-index",
        ".",
    ]
    subprocess.run(build, cwd=folder, check=True, env={"PATH": "", "HOME": str(tmp_path)})
    (made,) = folder.glob("*.whl")
    assert sorted(ZipFile(made).namelist()) == sorted(wheel.namelist())


def test_the_sdist_builds_its_bundles_anew(dist: Path, wheel: ZipFile, tmp_path: Path) -> None:
    (path,) = dist.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    shutil.rmtree(folder / "widgets/torchloupe/labextension")
    (folder / "node_modules").symlink_to(REPOSITORY / "node_modules")
    tools = os.environ | {"PATH": os.pathsep.join([str(Path(sys.prefix, "bin")), os.environ["PATH"]])}
    subprocess.run(["npm", "run", "build"], cwd=folder, check=True, stdout=subprocess.DEVNULL, env=tools)
    for room in ROOMS:
        name = f"torchloupe/{room}/view.js"
        assert (folder / "widgets" / name).read_bytes() == wheel.read(name)
    assert (folder / "widgets/torchloupe/labextension/package.json").is_file()


def test_jupyterlab_lists_the_extension(environment: Environment) -> None:
    program = "import sys; from jupyterlab.labextensions import main; sys.exit(main())"
    listed = environment.run(environment.python, "-c", program, "list")
    plain = re.sub(r"\x1b\[\d*m", "", listed)
    assert re.search(r"torchloupe v[\d.]+ enabled +OK \(python, torchloupe\)", plain), plain


def test_the_environment_has_no_node(environment: Environment) -> None:
    assert (
        environment.run(environment.python, "-c", "import shutil; print(shutil.which('node'))").strip()
        == "None"
    )
    assert environment.run(
        environment.python, "-c", "import torchloupe; print(torchloupe.__file__)"
    ).startswith(str(environment.folder))


def test_doctor_finds_everything_essential(environment: Environment) -> None:
    told = environment.run(environment.folder / "bin/torchloupe", "doctor", "--language", "en")
    lines = [line for line in told.splitlines() if line.startswith("✓")]
    for name in (
        "Python",
        "PyTorch",
        "JupyterLab",
        "JupyterLab extension",
        "Server extension",
        "Chapters",
        "Acting",
    ):
        assert any(line.startswith(f"✓ {name}") for line in lines), told


@pytest.fixture(scope="module")
def lab(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """Address and folder of a `torchloupe lab` that runs."""
    course = tmp_path_factory.mktemp("lab") / "course"
    server = subprocess.Popen(
        [
            environment.folder / "bin/torchloupe", "lab", course, "--no-browser", "--allow-root",
            "--ServerApp.ip=127.0.0.1", "--ServerApp.port=0", f"--IdentityProvider.token={TOKEN}",
        ],
        cwd=environment.folder, env=environment.variables, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert server.stdout
    said = ""
    try:
        for line in server.stdout:
            said += line
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/lab", line):
                listening(int(found[1]), server)
                yield f"http://127.0.0.1:{found[1]}/", course
                break
        else:
            pytest.fail(said)
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()


def listening(port: int, server: subprocess.Popen[str]) -> None:
    """Wait until the server takes connections, which it does some time after it has told its address."""
    while server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail("the server ended before it listened")


def get(address: str) -> tuple[int, str]:
    with urlopen(Request(address, headers={"Authorization": f"token {TOKEN}"}), timeout=60) as answer:
        return answer.status, answer.read().decode()


def test_lab_lays_the_course_out_and_serves_it(lab: tuple[str, Path]) -> None:
    address, course = lab
    assert (course / "01-strides/chapter.ipynb").is_file()
    assert get(f"{address}api/contents/01-strides/chapter.ipynb?content=0")[0] == 200

    (chapter, *_) = json.loads(get(f"{address}torchloupe/course?path=")[1])["chapters"]
    assert (chapter["id"], chapter["state"]) == ("01-strides", "shipped")

    status, page = get(f"{address}lab")
    assert status == 200
    found = re.search(
        r'<script id="jupyter-config-data" type="application/json">(.*?)</script>', page, re.DOTALL
    )
    assert found
    extensions = {extension["name"]: extension for extension in json.loads(found[1])["federated_extensions"]}
    entry = extensions["torchloupe"]["load"]
    assert get(f"{address}lab/extensions/torchloupe/{entry}")[0] == 200


def test_the_laid_out_chapter_runs(environment: Environment, tmp_path: Path) -> None:
    program = "import sys, pathlib, torchloupe.course.layout as it; it.lay_out(pathlib.Path(sys.argv[1]))"
    environment.run(environment.python, "-c", program, tmp_path)
    for notebook in tmp_path.glob("*/chapter.ipynb"):
        ran, errors = environment.run(
            environment.python, "-c", EXECUTE, notebook, cwd=notebook.parent
        ).split()[-2:]
        assert int(ran) >= 8
        assert int(errors) == 0
