"""Where an explanation is shown: a notebook, a terminal, a saved picture."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ET

import pytest
import torch
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from tests.autograd.programs import Program
from tests.autograd.test_explain_fix import PROGRAMS
from torchloupe.autograd.explain import explain
from torchloupe.autograd.explain_picture import folded, width
from torchloupe.autograd.explain_record import ExplanationRecord
from torchloupe.core import language

X = torch.tensor([0.3, -0.7, 1.1], dtype=torch.float64)
SVG = "{http://www.w3.org/2000/svg}"
CELL = """\
x = torch.tensor([.5, 1., 2.], requires_grad=True)
with explain() as explaining:
    a = x.exp()
    a += 1
    a.sum().backward()
"""


@pytest.fixture(autouse=True)
def english():
    language.language("en")
    yield
    language.language("auto")


@pytest.fixture
def shell():
    InteractiveShell.clear_instance()
    running = InteractiveShell.instance()
    running.display_pub = CapturingDisplayPublisher()
    running.push({"torch": torch, "explain": explain})
    yield running
    InteractiveShell.clear_instance()


def test_a_cell_shows_it_before_the_error_and_still_raises(shell, monkeypatch) -> None:
    order = []
    publish = shell.display_pub.publish
    monkeypatch.setattr(
        shell.display_pub, "publish", lambda *args, **more: (order.append("shown"), publish(*args, **more))[1]
    )
    monkeypatch.setattr(shell, "showtraceback", lambda *_, **__: order.append("error"))
    result = shell.run_cell(CELL, store_history=True)
    assert isinstance(result.error_in_exec, RuntimeError)
    assert order == ["shown", "error"]
    shown = shell.display_pub.outputs[0]["data"]
    assert (
        "exp needs its result as it was. Line 4 changed it." in shown["text/plain"]
        or "image/svg+xml" in shown
    )
    told = shell.user_ns["explaining"].record.explanation
    assert told.place == f"In[{shell.execution_count - 1}]"
    assert "with loupe" not in str(told.unknown)


def test_called_after_a_cell_failed_it_reads_the_last_error(shell) -> None:
    shell.run_cell(
        "x = torch.ones(3, requires_grad=True); a = x.exp()\na += 1\na.sum().backward()", silent=True
    )
    record = shell.run_cell("explain()").result.record
    assert record is not None
    assert (record.explanation.node_title, record.explanation.culprits) == ("ExpBackward0", [2])


def test_a_terminal_reads_it_below_the_error() -> None:
    program = "import torch\nfrom torchloupe.autograd.explain import explain\n" + CELL
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        env={"TORCHLOUPE_LANG": "en"},
    )
    assert done.returncode == 1
    said = done.stderr
    assert said.index("modified by an inplace operation") < said.index("exp needs its result as it was")
    assert "IPython" not in said


def test_importing_it_never_loads_a_notebook() -> None:
    program = (
        "import sys, torch\nbefore = set(sys.modules)\nimport torchloupe.autograd.explain\n"
        + textwrap.dedent("""
        new = {name.split('.')[0] for name in set(sys.modules) - before}
        print(sorted(new & {'IPython', 'anywidget', 'ipywidgets', 'traitlets', 'comm'}))
    """)
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_text_marks_keeper_and_culprit() -> None:
    told, _ = Program("def f(x):\n    a = x.exp()\n    a += 1\n    return a.sum()").explained(X)
    text = ExplanationRecord(told).text().splitlines()
    assert "● 2      a = x.exp()    ← exp keeps a" in text
    assert "▶ 3      a += 1    ← changes it in place" in text
    assert "ExpBackward0 cannot run: result, expected version 0, found 1." in text
    assert "  Cost: 24 B, one more tensor of shape (3,)." in text


@pytest.mark.parametrize("tag", language.LANGUAGES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_every_picture_stays_inside_its_frame(name: str, tag) -> None:
    _, source, line, _ = PROGRAMS[name]
    told, _ = Program(source).explained(X)
    with language.worded_in(tag):
        root = ET.fromstring(ExplanationRecord(told).picture().svg())
    wide, high = float(root.get("width")), float(root.get("height"))
    for rect in list(root.iter(SVG + "rect"))[1:]:
        left, top = float(rect.get("x")), float(rect.get("y"))
        assert 0 <= left <= left + float(rect.get("width")) <= wide
        assert 0 <= top <= top + float(rect.get("height")) <= high
    numbers = [text.text for text in root.iter(SVG + "text")]
    assert str(line) in numbers
    for text in root.iter(SVG + "text"):
        assert 0 <= float(text.get("x")) <= wide
        assert 0 <= float(text.get("y")) <= high


def test_folding_loses_no_word_and_keeps_to_its_width() -> None:
    sentence = "exp 的求导规则是 grad * result。result 一变，梯度就会算错，所以 PyTorch 拒绝计算。"
    lines = folded(sentence, 12, 200)
    assert "".join(lines).replace(" ", "") == sentence.replace(" ", "")
    assert all(width(line, 12) <= 212 for line in lines) and len(lines) > 2
    assert not any(line[0] in "，。" for line in lines)
