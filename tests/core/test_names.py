"""The names a person gave, read from their call."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from torchloupe.core.names import argument_names


def ask(*_values: object, **_named: object) -> list[str] | None:
    return argument_names()


def test_a_plain_call() -> None:
    x, y = 1, [2]
    assert ask(x, y) == ["x", "y"]
    assert ask(x, y[0], -x, "a") == ["x", "y[0]", "-x", "'a'"]
    assert ask() == []


def test_keywords_are_no_arguments_of_ours() -> None:
    x = 1
    assert ask(x, names=["z"]) == ["x"]


def test_a_call_inside_another_is_told_apart() -> None:
    x, y = 1, 2
    outer = ask(ask(x), ask(y, x))
    assert outer == ["ask(x)", "ask(y, x)"]
    assert [ask(x), ask(y)] == [["x"], ["y"]]
    assert (ask(x), ask(y))[1] == ["y"]


def test_a_call_over_several_lines_is_folded_to_one() -> None:
    x = {"a": [1, 2]}
    written = ask(
        x[
            "a"
        ],  # a remark
        [
            1,
            2,
        ],
    )  # fmt: skip
    assert written == ["x['a']", "[1, 2]"]


def test_a_star_hides_the_names() -> None:
    x = (1, 2)
    assert ask(*x) is None
    assert ask(x, *x) is None
    assert ask(x, a=x) == ["x"]


def test_depth_looks_further_up() -> None:
    def wrapper(*_values: object) -> list[str] | None:
        return argument_names(1)

    def twice(*_values: object) -> list[str] | None:
        def inner() -> list[str] | None:
            return argument_names(2)

        return inner()

    x = 1
    assert wrapper(x) == ["x"]
    assert twice(x, x) == ["x", "x"]
    assert argument_names(10_000) is None


def test_a_lambda_and_a_comprehension() -> None:
    x = 1
    assert (lambda: ask(x))() == ["x"]
    assert [ask(i) for i in range(2)] == [["i"], ["i"]]


def test_source_that_is_nowhere_gives_no_names() -> None:
    space: dict[str, object] = {"ask": ask, "x": 1}
    exec("found = ask(x)", space)
    assert space["found"] is None
    assert eval("ask(x)", space) is None
    exec(compile("found = ask(x)", "/nowhere/at/all.py", "exec"), space)
    assert space["found"] is None


def test_a_call_that_is_no_call_expression_gives_no_names() -> None:
    class Asking:
        def __getitem__(self, _index: object) -> list[str] | None:
            return argument_names()

        def __add__(self, _other: object) -> list[str] | None:
            return argument_names()

    assert Asking()[1] is None
    assert Asking() + 1 is None


def test_a_script(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from torchloupe.core.names import argument_names\n"
        "def ask(*values): return argument_names()\n"
        "张量 = 1\n"
        "print(ask(张量, 张量 + 1), ask(\n    1))\n",
        "utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-X", "utf8", script], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout == "['张量', '张量 + 1'] ['1']\n"


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("found = ask(x, x + 1)", ["x", "x + 1"]),
        ("found = ask(ask(x))", ["ask(x)"]),
        ("for _ in range(2):\n    found = ask(\n        x,\n    )", ["x"]),
        ("%time found = ask(x)", None),  # the magic compiles its own text, which is kept nowhere
        ("x = 1; found = ask(x); y = 2", ["x"]),
        ("import math; found = ask(x + 1, ask(x)); 3", ["x + 1", "ask(x)"]),
        ("y = ask(x), ask(x * 2); found = y[1]", ["x * 2"]),
        ("y = ask.__call__(x); found = y", ["x"]),
    ],
)
def test_a_notebook_cell(cell: str, names: list[str] | None) -> None:
    shell = InteractiveShell()
    shell.push({"ask": ask, "x": 1})
    shell.run_cell(cell, silent=True).raise_error()
    assert shell.user_ns["found"] == names
