"""An in-place error in a notebook: the explanation stands above the error, and its fix can be copied."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.browser import notebooks
from tests.browser.lab import Lab

CELL = """\
import torch, torchloupe as loupe
x = torch.tensor([.5, 1., 2.], requires_grad=True)
with loupe.autograd.explain():
    a = x.exp()
    a += 1
    loss = a.sum()
    loss.backward()
"""


@pytest.fixture
def explained(lab: Lab, folder: Path) -> Lab:
    notebooks.write(folder / "error.ipynb", notebooks.code("error", CELL))
    return lab


def test_the_explanation_stands_above_the_error_and_its_fix_is_copied(explained: Lab) -> None:
    explained.open("error.ipynb")
    explained.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    explained.run_all()
    notebook = explained.notebook
    heading = notebook.get_by_role("heading", name="exp needs its result as it was. Line 5 changed it.")
    expect(heading).to_be_visible()
    error = notebook.get_by_text("RuntimeError: one of the variables").last
    expect(error).to_be_visible()
    above, below = heading.bounding_box(), error.bounding_box()
    assert above is not None and below is not None and above["y"] < below["y"]
    culprit = notebook.get_by_role("listitem").filter(has_text="changes it in place")
    expect(culprit).to_contain_text("a += 1")
    notebook.get_by_role("button", name="Copy the fix").click()
    expect(notebook.get_by_role("button", name="Copied")).to_be_visible()
    assert explained.page.evaluate("navigator.clipboard.readText()") == "a = a + 1"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_speaks_chinese(explained: Lab, theme: Literal["light", "dark"]) -> None:
    explained.open("error.ipynb", locale="zh_CN", theme=theme)
    explained.run_all()
    expect(
        explained.notebook.get_by_role("heading", name="exp 需要原样的结果，而第 5 行改了它。")
    ).to_be_visible()
    explained.screenshot(f"autograd-explain-zh-{theme}")
