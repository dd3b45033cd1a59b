"""The house is as it says: who may know whom, what stands in every room, and which words there are."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
PACKAGE = REPOSITORY / "widgets" / "torchloupe"
EXTENSION = REPOSITORY / "extension" / "src"
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/capture.py"))
FURNITURE = {
    "README.md",
    "__init__.py",
    "capture.py",
    "lens.py",
    "state.py",
    "state.ts",
    "view.ts",
    "view.css",
    "words.json",
}
JUPYTER = {"IPython", "ipywidgets", "anywidget", "traitlets", "comm", "ipykernel", "jupyterlab"}
WORDED = {
    path.parent: path
    for path in [*PACKAGE.rglob("words.json"), *EXTENSION.rglob("words.json")]
    if "labextension" not in path.parts
}

VIEW = "view."
SLOT = re.compile(r"\{(\w+)\}")
PLURAL = re.compile(r"\{(\w+):[^|{}]*\|[^{}]*\}")
CALL = re.compile(
    r"""(?:\bSentence|\bsay|\bwords|_words|\bWords\([^()]*\)|_words\(\))\(\s*f?["'`]([\w.\-{}$]+)["'`]"""
)
LITERAL = re.compile(r"""(["'`])([^"'`\n]*)\1""")


def test_there_is_a_room() -> None:
    assert "strides" in ROOMS


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_the_same_furniture(room: str) -> None:
    assert FURNITURE - {path.name for path in (PACKAGE / room).iterdir()} == set()


@pytest.mark.parametrize("room", ROOMS)
def test_a_rooms_readme_is_short(room: str) -> None:
    assert 5 <= len((PACKAGE / room / "README.md").read_text("utf-8").splitlines()) <= 40


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("module", ["capture", "state"])
def test_reading_pytorch_never_loads_jupyter(room: str, module: str) -> None:
    """The package's own doors are opened too: `import torchloupe.strides.capture` runs `strides/__init__`."""
    program = f"""
import sys, torch
before = set(sys.modules)
import torchloupe.{room}.{module}
print(*({{name.split('.')[0] for name in set(sys.modules) - before}} & {JUPYTER!r}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("room", ROOMS)
def test_no_module_that_capture_reaches_imports_jupyter_or_a_lens(room: str) -> None:
    reached, left = set[Path](), [PACKAGE / room / "capture.py", PACKAGE / room / "state.py"]
    while left:
        path = left.pop()
        if path in reached:
            continue
        reached.add(path)
        names = set(imports(path))
        assert not {name.split(".")[0] for name in names} & JUPYTER, path
        assert not [name for name in names if name.endswith((".lens", ".view"))], path
        left += [found for name in names if name.startswith("torchloupe.") if (found := source(name))]
    assert len(reached) > 2


@pytest.mark.parametrize("path", sorted((PACKAGE / "core").glob("*.py")), ids=lambda path: path.name)
def test_core_knows_no_room(path: Path) -> None:
    strangers = [name for name in imports(path) if name.startswith("torchloupe.") and ".core" not in name]
    assert strangers == []


@pytest.mark.parametrize("path", sorted((PACKAGE / "core").glob("*.ts")), ids=lambda path: path.name)
def test_core_views_know_no_room(path: Path) -> None:
    assert [found for found in modules(path) if not found.startswith("./") and found.startswith(".")] == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_no_other_room(room: str) -> None:
    others = tuple(f"torchloupe.{other}" for other in ROOMS if other != room)
    for path in (PACKAGE / room).glob("*.py"):
        assert [name for name in imports(path) if name.startswith(others)] == [], path
    for path in (PACKAGE / room).glob("*.ts"):
        outside = [found for found in modules(path) if found.startswith("../")]
        assert [found for found in outside if not found.startswith("../core/")] == [], path


def test_the_extension_holds_no_view() -> None:
    sources = [path for path in EXTENSION.rglob("*") if path.suffix in {".ts", ".tsx"}]
    assert sources
    for path in sources:
        reached = [(path.parent / found).resolve() for found in modules(path) if found.startswith(".")]
        assert [found for found in reached if not found.is_relative_to(EXTENSION)] == [], path


@pytest.mark.parametrize("words", sorted(WORDED.values()), ids=lambda path: path.parent.name)
def test_every_entry_has_both_languages_with_the_same_slots(words: Path) -> None:
    entries = json.loads(words.read_text("utf-8"), object_pairs_hook=unique)
    assert list(entries) == sorted(entries)
    for id, entry in entries.items():
        assert set(entry) == {"en", "zh-CN"}, id
        assert set(SLOT.findall(entry["en"])) == set(SLOT.findall(entry["zh-CN"])), id
        assert not PLURAL.search(entry["zh-CN"]), f"{id}: Chinese has no plural"
        assert all(text.strip() for text in entry.values()), id
        if "{" not in entry["zh-CN"] and entry["en"] != entry["zh-CN"]:
            assert re.search(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]", entry["zh-CN"]), (
                f"{id} is not Chinese"
            )


@pytest.mark.parametrize("words", sorted(WORDED.values()), ids=lambda path: path.parent.name)
def test_every_id_asked_for_has_words_and_every_word_is_asked_for(words: Path) -> None:
    entries = {id for id in json.loads(words.read_text("utf-8")) if not id.startswith(VIEW)}
    sources = [path.read_text("utf-8") for path in speakers(words.parent)]
    asked = {
        id for text in sources for id in CALL.findall(text) if re.fullmatch(r"[a-z][\w-]*(\.[\w-]+)+", id)
    }
    assert sorted(asked - entries) == []
    assert sorted(entries - spoken(entries, sources)) == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_view_has_every_word_it_asks_for_and_asks_for_every_word_it_has(room: str) -> None:
    """The bundle drops the prefix `view.`, so a view asks without it."""
    entries = json.loads((PACKAGE / room / "words.json").read_text("utf-8"))
    own = {id.removeprefix(VIEW) for id in entries if id.startswith(VIEW)}
    paths = [*(PACKAGE / room).glob("*.ts"), *(PACKAGE / "core").glob("*.ts")]
    sources = [path.read_text("utf-8") for path in paths]
    asked = {id for text in sources for id in CALL.findall(text) if "{" not in id}
    assert sorted(asked - own) == []
    assert sorted(own - spoken(own, sources)) == []


def test_no_file_names_the_machine_it_was_written_on() -> None:
    secrets = ["/" + "work/", "." + "library", "/root" + "/"]
    for path in tracked():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        assert [word for word in secrets if word in text] == [], path


def test_no_source_file_is_long() -> None:
    sources = [path for path in tracked() if path.suffix in {".py", ".ts", ".tsx", ".mjs", ".css"}]
    assert {
        path.name: length for path in sources if (length := len(path.read_text("utf-8").splitlines())) > 400
    } == {}


def imports(path: Path) -> Iterator[str]:
    """Absolute names of what a module imports when it runs; what only a type checker sees is left out."""
    package = path.relative_to(PACKAGE.parent).with_suffix("").parts[:-1]
    for node in running(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parent = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (parent, node.module) if part)
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def running(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        yield child
        yield from running(child)


def source(name: str) -> Path | None:
    place = PACKAGE.parent.joinpath(*name.split("."))
    found = [path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()]
    return found[0] if found and found[0].name != "__init__.py" else None


def modules(path: Path) -> list[str]:
    """What a TypeScript module imports."""
    return re.findall(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']""", path.read_text("utf-8"))


def speakers(folder: Path) -> Iterator[Path]:
    """The sources that speak with the words of `folder`: those below it that have no nearer ones."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in {".py", ".ts", ".tsx"} or "labextension" in path.parts:
            continue
        nearest = next(parent for parent in path.parents if parent in WORDED)
        if nearest == folder:
            yield path


def spoken(entries: set[str], sources: list[str]) -> set[str]:
    """Those ids that stand as a literal in the sources, or begin as a literal that an id is made from."""
    literals = {literal for text in sources for _, literal in LITERAL.findall(text)}
    stems = tuple(stem for literal in literals if (stem := beginning(literal)))
    return {id for id in entries if id in literals or id.startswith(stems)}


def beginning(literal: str) -> str:
    """The part of a literal before its first slot, if an id can begin so."""
    stem = re.split(r"\$?\{", literal)[0]
    made = stem != literal or stem.endswith(".")
    return stem if made and re.fullmatch(r"[a-z][\w-]*[._-][\w.-]*", stem) else ""


def tracked() -> list[Path]:
    """Files that are in the repository, or would be."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=REPOSITORY, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [path for name in listed.stdout.split("\0") if name and (path := REPOSITORY / name).is_file()]


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    assert len(found) == len(pairs), "an id stands twice"
    return found
