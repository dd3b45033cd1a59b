"""The first evening of a new user: from the course panel to a transposed tensor, in either language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.browser.test_strides import cell, element, fill, numbers


@pytest.mark.parametrize(("theme", "width"), [("light", 1400), ("dark", 800)])
def test_open_the_course_run_the_chapter_and_see_the_strides(
    course: Path, lab: Lab, theme: str, width: int
) -> None:
    lab.open(theme=theme, width=width)  # type: ignore[arg-type]
    panel = lab.show_course()
    expect(panel.get_by_role("treeitem")).to_contain_text(["Tensors and strides"])
    lab.open_chapter("Tensors and strides")
    lab.run_all()

    two_names = lab.cell("y = x.transpose(0, 2)")
    two_names.scroll_into_view_if_needed()
    lens = two_names.locator(".torchloupe-strides")
    lens.scroll_into_view_if_needed()
    assert (numbers(lens, "shape", 0), numbers(lens, "stride", 0)) == ("2 3 4", "12 4 1")
    element(lens, 1, "2,1,1").hover()
    assert fill(cell(lens, 18)) == fill(element(lens, 1, "2,1,1"))
    expect(lens.locator(".tl-formula")).to_contain_text("cell 18")

    storage = lens.locator("[data-storage]").all_text_contents()
    # Beside the panel in a small window the lens is narrow, and its menus are one.
    lens.get_by_role("button", name=re.compile("^(Reorder|Operation)$")).click()
    lens.get_by_role("menuitem", name=re.compile("transpose")).click()
    expect(lens.locator(".tl-code-row .tl-badge")).to_have_text("view")
    assert lens.locator("[data-block]").last.locator("[data-stride]").all_text_contents() == ["1", "4", "12"]
    assert lens.locator("[data-storage]").all_text_contents() == storage
    lab.screenshot(f"first-light-{theme}-{width}-en")

    panel = lab.show_course()
    panel.get_by_role("button", name="中文").click()
    expect(lens.locator(".tl-table").first).to_contain_text("步幅")
    expect(panel.get_by_role("treeitem").first).to_contain_text("张量与步幅")
    expect(lab.notebook.get_by_role("heading", name=re.compile("Two names"))).to_have_count(0)
    expect(lab.notebook.get_by_role("heading", name=re.compile("两个名字")).first).to_be_visible()
    lens.scroll_into_view_if_needed()
    lab.screenshot(f"first-light-{theme}-{width}-zh")
