"""The course panel."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.lab import Lab


def test_panel_lists_the_chapters_and_opens_one(course: Path, lab: Lab) -> None:
    lab.open()
    panel = lab.show_course()
    expect(panel.get_by_role("treeitem", name="01 Tensors and strides")).to_be_visible()
    lab.screenshot("course-start")
    lab.open_chapter("Tensors and strides")
    expect(lab.notebook.get_by_role("heading", name="Tensors and strides")).to_be_visible()
    expect(panel.get_by_role("treeitem", name="Predict the stride, exercise")).to_be_visible()
    lab.screenshot("course-open")
