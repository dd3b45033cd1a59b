"""Every chapter: well formed, in both languages, true to its row, and running without a front end."""

import ast
import itertools
import json
import re
import time
from collections import Counter
from importlib.resources import files

import nbformat
import pytest

from tests.notebooks import chapters
from tests.notebooks.solutions import MISTAKES, SOLUTIONS
from torchloupe.course.verdict import MIME as CHECK

WORDS = json.loads(files("torchloupe.course").joinpath("words.json").read_text("utf-8"))
LENS = "application/vnd.torchloupe.lens+json"
TOTAL_LIMIT_S = 90

# The snippets and claims of the source texts that each chapter answers.
ROWS = {
    "01-strides": {
        "A2.1a", "A2.1b", "B2.1a",
        "A2.1.f1", "A2.1.f2", "A2.1.f3", "B2.1.f1", "B2.1.f2",
    },
    "02-autograd": {
        "A2.2a", "A2.2b", "B2.2a",
        "A2.2.f1", "A2.2.f2", "A2.2.f3", "A2.2.f4", "B2.2.f1",
    },
    "03-functions": {
        "B4.1a", "B7.2b",
        "B4.1.f1", "B7.2.f1",
    },
}  # fmt: skip

pytestmark = pytest.mark.xdist_group("chapters")
every_chapter = pytest.mark.parametrize("name", chapters.NAMES)


def test_there_are_chapters_and_each_has_a_row_and_solutions():
    assert chapters.NAMES
    assert set(chapters.NAMES) == set(ROWS) == set(SOLUTIONS) == set(MISTAKES)


@every_chapter
def test_the_file_is_a_clean_notebook(name):
    notebook = chapters.load(name)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert "widgets" not in notebook.metadata
    about = notebook.metadata.torchloupe
    assert about.chapter == name
    assert set(about.title) == {"en", "zh-CN"}
    ids = [cell.id for cell in notebook.cells]
    assert len(ids) == len(set(ids))
    for cell in chapters.code_cells(notebook):
        assert cell.outputs == [], cell.id
        assert cell.execution_count is None, cell.id
    assert 8 <= len(chapters.code_cells(notebook)) <= 20


@every_chapter
def test_prose_comes_in_pairs(name):
    prose = [cell for cell in chapters.load(name).cells if cell.cell_type == "markdown"]
    english, chinese = prose[::2], prose[1::2]
    ids = [cell.metadata.torchloupe.id for cell in english]
    assert ids == [cell.metadata.torchloupe.id for cell in chinese]
    assert len(ids) == len(set(ids))
    for here, there in zip(english, chinese, strict=True):
        assert (here.metadata.torchloupe.lang, there.metadata.torchloupe.lang) == ("en", "zh-CN"), here.id
        assert re.search("[\u4e00-\u9fff]", there.source), there.id
        assert not re.search("[\u4e00-\u9fff]", here.source), here.id
        levels = [re.findall(r"^(#+) ", cell.source, re.MULTILINE) for cell in (here, there)]
        assert levels[0] == levels[1], here.id


@every_chapter
def test_a_pair_is_not_torn_apart(name):
    cells = chapters.load(name).cells
    for before, after in itertools.pairwise(cells):
        if before.cell_type == "markdown" and before.metadata.torchloupe.lang == "en":
            assert after.metadata.get("torchloupe", {}).get("lang") == "zh-CN", before.id


@every_chapter
def test_every_snippet_and_claim_of_the_row_is_covered(name):
    notebook = chapters.load(name)
    covers = notebook.metadata.torchloupe.covers
    assert set(covers) == ROWS[name]
    code = {cell.id for cell in chapters.code_cells(notebook)}
    for id, cells in covers.items():
        assert cells, id
        assert set(cells) <= code, id


@every_chapter
def test_exercises_are_marked_and_checked(name):
    found = chapters.exercises(chapters.load(name))
    assert len(found) >= 3
    assert set(found) == set(SOLUTIONS[name]) == set(MISTAKES[name])
    for cell in found.values():
        assert "check." in cell.source


@every_chapter
def test_a_shown_tensor_keeps_its_name(name):
    """A lens holds tensors weakly: a name given away later leaves an earlier picture without its tensor."""
    cells = chapters.code_cells(chapters.load(name))
    given = Counter(variable for cell in cells for variable in assigned(cell))
    shown = {variable for cell in cells for variable in lens_arguments(cell)}
    assert shown
    assert {variable: given[variable] for variable in shown if given[variable] != 1} == {}


def assigned(cell):
    return {
        node.id
        for node in module_level(ast.parse(cell.source))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def module_level(node):
    """The nodes under `node` outside functions and comprehensions, which have names of their own."""
    own = ast.FunctionDef | ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, own):
            yield child
            yield from module_level(child)


def lens_calls(cell):
    calls = (node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Call))
    return [call for call in calls if re.fullmatch(r"loupe\.\w+\.(show|backward)", ast.unparse(call.func))]


def lens_arguments(cell):
    values = (argument for call in lens_calls(cell) for argument in call.args)
    return {node.id for value in values for node in ast.walk(value) if isinstance(node, ast.Name)}


@pytest.fixture(scope="module", params=chapters.NAMES)
def executed(request, tmp_path_factory):
    """A chapter run as shipped, and how long it took."""
    began = time.monotonic()
    ran = chapters.run(chapters.load(request.param), tmp_path_factory.mktemp("run"), "en")
    return ran, time.monotonic() - began


def outputs(cell, mime):
    return [output.data[mime] for output in cell.outputs if mime in output.get("data", {})]


def test_it_runs_headless_in_time_and_without_noise(executed):
    notebook, elapsed_s = executed
    assert elapsed_s < TOTAL_LIMIT_S
    for cell in chapters.code_cells(notebook):
        assert cell.execution_count, cell.id
        assert cell.outputs, f"{cell.id} has nothing to see"
        told = [output.text for output in cell.outputs if output.get("name") == "stderr"]
        assert not told, (cell.id, told)


def test_every_lens_leaves_a_picture(executed):
    lenses = [cell for cell in chapters.code_cells(executed[0]) if lens_calls(cell)]
    assert lenses
    for cell in lenses:
        for mime in ("image/svg+xml", "image/png", "text/plain", LENS):
            assert outputs(cell, mime), (cell.id, mime)
        assert outputs(cell, "image/svg+xml")[0].lstrip().startswith("<svg"), cell.id
        assert outputs(cell, "image/png")[0].startswith("iVBOR"), cell.id


def test_unsolved_exercises_say_so(executed):
    for id, cell in chapters.exercises(executed[0]).items():
        assert outputs(cell, CHECK) == [{"exercise": id, "passed": False}]
        assert WORDS["check.open"]["en"] in outputs(cell, "text/html")[0]


def filled_in(name, changes):
    notebook = chapters.load(name)
    for id, cell in chapters.exercises(notebook).items():
        for shipped, written in changes[id].items():
            assert cell.source.count(shipped) == 1, (id, shipped)
            cell.source = cell.source.replace(shipped, written)
    return notebook


@every_chapter
@pytest.mark.parametrize(("changes", "passed"), [(SOLUTIONS, True), (MISTAKES, False)])
def test_exercises_tell_right_from_wrong(name, changes, passed, tmp_path):
    ran = chapters.run(filled_in(name, changes[name]), tmp_path, "zh-CN")
    heading = WORDS["check.passed" if passed else "check.wrong"]["zh-CN"]
    for id, cell in chapters.exercises(ran).items():
        assert outputs(cell, CHECK) == [{"exercise": id, "passed": passed}]
        assert heading in outputs(cell, "text/html")[0], id
        assert len(outputs(cell, LENS)) == 1, id
