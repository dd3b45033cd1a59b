"""The course panel: what it lists, where it leads, what it counts, and how a chapter is reset."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from axe_core_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Locator, expect

from tests.browser import notebooks
from tests.browser.lab import Lab
from torchloupe.course.chapters import NOTEBOOK, chapters
from torchloupe.course.progress import Section, sections

CHECKED = """
class Verdict:
    def _repr_mimebundle_(self, **_):
        return {"application/vnd.torchloupe.check+json": {"exercise": "sum", "passed": answer == 4},
                "text/plain": "checked"}
answer = ANSWER
Verdict()
"""


# Contrast of each text with what is painted behind it, by WCAG 2; axe leaves these undecided.
CONTRAST = """(root) => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const paint = (colour) => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); };
  const light = () => [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => byte / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (element) => {
    const behind = [];
    for (let one = element; one; one = one.parentElement) {
      behind.unshift(getComputedStyle(one).backgroundColor);
    }
    paint('white');
    behind.forEach(paint);
    const back = light();
    paint(getComputedStyle(element).color);
    const front = light();
    return (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
  };
  return [...document.querySelector(root).querySelectorAll('*')]
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((one) => [one.textContent, ratio(one)]);
}"""


def small_chapter(course: Path, answer: int = 3) -> None:
    """Put three small sections in the place of the chapter, as a person's own edit of it."""
    notebooks.write(
        course / "01-strides" / "chapter.ipynb",
        notebooks.prose("title", "# Small", "# 小"),
        notebooks.prose("see", "## See *it*", "## 看看`它`"),
        notebooks.code("look", "1"),
        notebooks.prose("solve", "## Solve it", "## 解出来"),
        notebooks.code("sum", CHECKED.strip().replace("ANSWER", str(answer)), exercise="sum"),
        notebooks.prose("words", "## Last words", "## 最后几句"),
    )


def exercises(course: Path) -> int:
    """How many exercises the chapters laid out in `course` hold."""
    return sum(path.read_text("utf-8").count('"exercise":') for path in course.glob(f"*/{NOTEBOOK}"))


def parts(course: Path) -> list[Section]:
    """The sections that count as progress: those with code."""
    found = [section for path in course.glob(f"*/{NOTEBOOK}") for section in sections(path)]
    return [section for section in found if section.code]


def row(lab: Lab, name: str) -> Locator:
    return lab.show_course().get_by_role("treeitem", name=name, exact=True)


def test_fresh_start_in_a_course_shows_its_chapters(course: Path, lab: Lab) -> None:
    lab.open()
    panel = lab.course_panel()
    expect(panel.get_by_role("treeitem")).to_have_text(
        [f"{chapter.number:02}{chapter.titles['en']}" for chapter in chapters()]
    )
    expect(panel.get_by_text(f"0 of {len(chapters())} chapters")).to_be_visible()
    expect(panel.get_by_text(f"0 of {exercises(course)} exercises")).to_be_visible()


def test_panel_opens_a_chapter_and_its_sections(course: Path, lab: Lab) -> None:
    lab.open()
    lab.open_chapter("Tensors and strides")
    expect(lab.text("A tensor looks like a grid of numbers.")).to_be_visible()
    row(lab, "Repeat and slide").click()
    heading = lab.notebook.get_by_role("heading", name="Repeat and slide")
    expect(heading).to_be_in_viewport()
    expect(row(lab, "Repeat and slide")).to_have_attribute("aria-selected", "true")
    expect(lab.notebook.locator(".jp-mod-active")).to_contain_text("Repeat and slide")
    lab.screenshot("course-light-1400")
    lab.show_course().get_by_role("button", name="中文").click()
    expect(lab.course_panel().get_by_role("heading")).to_have_text("课程")
    expect(row(lab, "01 张量与步幅")).to_be_visible()
    expect(row(lab, "重复与滑窗")).to_have_attribute("aria-selected", "true")
    expect(lab.notebook.get_by_role("heading", name="重复与滑窗")).to_be_in_viewport()
    lab.screenshot("course-light-zh")


def test_dark(course: Path, lab: Lab) -> None:
    lab.open(theme="dark", locale="zh_CN")
    lab.open_chapter("张量与步幅")
    row(lab, "两个名字，一块存储").click()
    expect(row(lab, "两个名字，一块存储")).to_have_attribute("aria-selected", "true")
    expect(lab.notebook.get_by_role("heading", name="两个名字，一块存储")).to_be_in_viewport()
    lab.screenshot("course-dark-zh")


def test_narrow_window_keeps_the_panel_closed_until_asked(course: Path, lab: Lab) -> None:
    lab.open(width=800)
    expect(lab.course_panel()).to_be_hidden()
    lab.show_course()
    lab.open_chapter("Tensors and strides")
    expect(row(lab, "Predict the stride, exercise")).to_be_visible()
    lab.screenshot("course-light-800")


def test_progress_counts_live_and_from_the_file(course: Path, lab: Lab) -> None:
    small_chapter(course)
    lab.open()
    lab.open_chapter("Tensors and strides")
    panel = lab.course_panel()
    expect(row(lab, "See it")).to_be_visible()
    lab.run_all()
    expect(row(lab, "See it, seen")).to_be_visible()
    expect(row(lab, "Solve it, exercise")).to_be_visible()
    expect(row(lab, "01 Tensors and strides 1 / 2")).to_be_visible()
    expect(panel.get_by_text(f"0 of {exercises(course)} exercises")).to_be_visible()
    lab.page.evaluate(
        """() => { const {cells} = window.jupyterapp.shell.currentWidget.content.model;
          const cell = [...cells].find((cell) => cell.id === 'sum').sharedModel;
          cell.setSource(cell.getSource().replace('answer = 3', 'answer = 4')); }"""
    )
    lab.run_all()
    expect(row(lab, "Solve it, exercise, passed")).to_be_visible()
    expect(row(lab, "01 Tensors and strides Done")).to_be_visible()
    expect(panel.get_by_text(f"1 of {len(chapters())} chapters")).to_be_visible()
    share = round(100 * 2 / len(parts(course)))
    expect(panel.get_by_role("progressbar")).to_have_attribute("aria-valuenow", str(share))
    lab.screenshot("course-done")
    lab.save()
    lab.page.evaluate("() => {window.jupyterapp.commands.execute('application:close')}")
    expect(row(lab, "Solve it, exercise, passed")).to_have_count(0)
    expect(row(lab, "01 Tensors and strides Done")).to_be_visible()
    row(lab, "01 Tensors and strides Done").press("ArrowRight")
    expect(row(lab, "Solve it, exercise, passed")).to_be_visible()


def reset_by_menu(lab: Lab) -> Locator:
    chapter = row(lab, "01 Tensors and strides")
    chapter.get_by_role("button", name="More for “Tensors and strides”").click()
    lab.page.get_by_role("menuitem", name="Reset to the Shipped Version").click()
    return lab.page.get_by_role("dialog")


def test_reset_saves_what_is_unsaved_and_keeps_it(course: Path, lab: Lab) -> None:
    shipped = (course / "01-strides" / "chapter.ipynb").read_bytes()
    lab.open()
    lab.open_chapter("Tensors and strides")
    lab.await_kernel()
    lab.select("A tensor looks like a grid of numbers.")
    lab.page.keyboard.press("a")
    lab.page.keyboard.press("Enter")
    lab.page.keyboard.type("my own words")
    lab.page.keyboard.press("Escape")
    dialog = reset_by_menu(lab)
    expect(dialog.get_by_text("“chapter (yours …).ipynb”")).to_be_visible()
    expect(dialog.get_by_text("not saved yet")).to_be_visible()
    lab.screenshot("course-reset")
    dialog.get_by_role("button", name="Cancel").click()
    expect(lab.text("my own words")).to_be_visible()
    reset_by_menu(lab).get_by_role("button", name="Reset").click()
    told = lab.page.get_by_role("alert").filter(has_text="is the shipped version again")
    expect(told).to_be_visible()
    expect(lab.text("my own words")).to_have_count(0)
    expect(lab.text("A tensor looks like a grid of numbers.")).to_be_visible()
    assert (course / "01-strides" / "chapter.ipynb").read_bytes() == shipped
    found = re.search(r"chapter \(yours [^)]*\)\.ipynb", told.inner_text())
    assert found
    assert "my own words" in (course / "01-strides" / found[0]).read_text("utf-8")


def test_folder_without_a_course_offers_one(folder: Path, lab: Lab) -> None:
    lab.open()
    panel = lab.show_course()
    expect(panel.get_by_text("There is no course in this folder yet.")).to_be_visible()
    lab.screenshot("course-empty")
    panel.get_by_role("button", name="Lay out the course here").click()
    expect(row(lab, "01 Tensors and strides")).to_be_visible()
    assert (folder / "01-strides" / "chapter.ipynb").is_file()


def test_server_fault_is_told_and_can_be_tried_again(course: Path, lab: Lab) -> None:
    lab.tolerate("500")
    fault = {"status": 500, "json": {"message": "disk <b>on fire</b>"}}
    lab.page.route("**/torchloupe/course?*", lambda route: route.fulfill(**fault))
    lab.open()
    panel = lab.show_course()
    expect(panel.get_by_role("alert")).to_contain_text("The course could not be read.")
    expect(panel.get_by_role("alert")).to_contain_text("disk <b>on fire</b>")
    lab.screenshot("course-fault")
    lab.page.unroute("**/torchloupe/course?*")
    panel.get_by_role("button", name="Try again").click()
    expect(row(lab, "01 Tensors and strides")).to_be_visible()


def test_keyboard_alone(course: Path, lab: Lab) -> None:
    small_chapter(course)
    lab.open()
    expect(row(lab, "01 Tensors and strides")).to_be_visible()
    lab.page.evaluate("() => {window.jupyterapp.commands.execute('torchloupe:show-course')}")
    focused = lab.page.locator("*:focus")
    expect(focused).to_have_attribute("aria-label", "01 Tensors and strides")
    keys = lab.page.keyboard
    keys.press("ArrowRight")
    expect(focused).to_have_attribute("aria-expanded", "true")
    keys.press("ArrowRight")
    expect(focused).to_have_attribute("aria-label", "See it")
    keys.press("End")
    last = chapters()[-1]
    expect(focused).to_have_attribute("aria-label", f"{last.number:02} {last.titles['en']}")
    for _ in chapters()[1:]:
        keys.press("ArrowUp")
    expect(focused).to_have_attribute("aria-label", "Last words")
    keys.press("ArrowUp")
    expect(focused).to_have_attribute("aria-label", "Solve it, exercise")
    keys.press("ArrowLeft")
    expect(focused).to_have_attribute("aria-label", "01 Tensors and strides")
    keys.press("ArrowLeft")
    expect(focused).to_have_attribute("aria-expanded", "false")
    keys.press("Shift+F10")
    expect(lab.page.get_by_role("menuitem", name="Open", exact=True)).to_be_visible()
    lab.screenshot("course-menu")
    keys.press("Escape")
    expect(lab.page.get_by_role("menuitem", name="Open", exact=True)).to_have_count(0)
    expect(focused).to_have_attribute("aria-label", "01 Tensors and strides")
    keys.press("ArrowRight")
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(lab.notebook.locator(".jp-mod-active")).to_contain_text("Solve it")
    expect(lab.notebook.locator(".jp-mod-active")).to_be_focused()
    keys.press("ArrowDown")
    expect(lab.notebook.locator(".jp-mod-active")).to_contain_text("class Verdict")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_panel_breaks_no_accessibility_rule(course: Path, lab: Lab, theme: Literal["light", "dark"]) -> None:
    small_chapter(course, answer=4)
    lab.open(theme=theme)
    lab.open_chapter("Tensors and strides")
    lab.run_all()
    expect(row(lab, "Solve it, exercise, passed")).to_be_visible()
    found = Axe().run(lab.page, context="#torchloupe-course")
    told = [(one["id"], [node["html"] for node in one["nodes"]]) for one in found["violations"]]
    assert told == []
    ratios = lab.page.evaluate(CONTRAST, "#torchloupe-course")
    assert len(ratios) > 8
    assert [text for text, ratio in ratios if ratio < 4.5] == []


def test_launcher_card_and_palette_lead_to_the_course(course: Path, lab: Lab) -> None:
    lab.open(settings={"torchloupe:language": {"language": "zh-CN"}})
    card = lab.page.get_by_role("button", name="Torchloupe 课程")
    expect(card).to_be_visible()
    lab.screenshot("launcher-zh")
    lab.course_panel().get_by_role("button", name="EN").click()
    lab.page.get_by_role("tab", name="File Browser").click()
    expect(lab.course_panel()).to_be_hidden()
    lab.page.get_by_role("button", name="Torchloupe course").click()
    expect(lab.course_panel()).to_be_visible()
    lab.page.get_by_role("tab", name="File Browser").click()
    lab.page.keyboard.press("Control+Shift+c")
    lab.page.get_by_role("textbox", name="SEARCH").fill("show the course")
    lab.page.keyboard.press("Enter")
    expect(lab.course_panel()).to_be_visible()


ALONE = ["language", "course", "lens", "launcher"]


@pytest.mark.parametrize("off", ALONE)
def test_each_plugin_can_be_off_alone(course: Path, lab: Lab, off: str) -> None:
    small_chapter(course)
    lab.open("01-strides/chapter.ipynb", disabled=(f"torchloupe:{off}",))
    both = lab.notebook.locator(".jp-MarkdownCell").filter(visible=True)
    expect(both).to_have_count(8 if off == "language" else 4)
    if off == "course":
        expect(lab.course_panel()).to_have_count(0)
        expect(lab.page.get_by_role("button", name="Torchloupe course")).to_have_count(0)
    else:
        expect(row(lab, "01 Tensors and strides")).to_be_visible()
        expect(lab.course_panel().get_by_role("button", name="中文")).to_have_count(
            0 if off == "language" else 1
        )


def test_activation_is_quick(course: Path, lab: Lab) -> None:
    lab.open()
    measured = lab.page.evaluate(
        "Object.fromEntries(performance.getEntriesByType('measure').map((one) => [one.name, one.duration]))"
    )
    parts = [measured[f"torchloupe:activate:torchloupe:{name}"] for name in ALONE]
    assert measured["torchloupe:activate"] == pytest.approx(sum(parts))
    assert 0 < measured["torchloupe:activate"] <= 100
