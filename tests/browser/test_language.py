"""One language at a time: prose, arrow keys, headings, table of contents and search."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import notebooks
from tests.browser.lab import Lab

MODES = ["contentVisibility", "defer", "full"]
TRACKER = "@jupyterlab/notebook-extension:tracker"


def open_bilingual(lab: Lab, folder: Path, mode: str = "contentVisibility") -> Lab:
    notebooks.bilingual(folder / "apples.ipynb")
    return lab.open("apples.ipynb", settings={TRACKER: {"windowingMode": mode}})


def choose(lab: Lab, language: str) -> None:
    lab.show_course().get_by_role("button", name=language).click()


def active(lab: Lab) -> Locator:
    return lab.notebook.locator(".jp-Cell.jp-mod-active")


def reads(lab: Lab, *starts: str) -> None:
    """The visible prose cells are these, in this order."""
    expect(lab.notebook.locator(".jp-MarkdownCell").filter(visible=True)).to_contain_text(list(starts))


ENGLISH = ["Apples", "Red ones", "An apple a day.", "Green ones", "Last words."]
CHINESE = ["苹果", "红苹果", "一天一苹果。", "青苹果", "最后几句。"]


@pytest.mark.parametrize("mode", MODES)
def test_toggle_shows_one_language_and_leaves_the_file_alone(folder: Path, lab: Lab, mode: str) -> None:
    open_bilingual(lab, folder, mode)
    reads(lab, *ENGLISH)
    lab.await_kernel()
    lab.save()
    before = (folder / "apples.ipynb").read_bytes()
    choose(lab, "中文")
    reads(lab, *CHINESE)
    assert lab.page.evaluate("document.documentElement.dataset.torchloupeLang") == "zh-CN"
    choose(lab, "EN")
    reads(lab, *ENGLISH)
    assert not lab.dirty
    lab.save()
    assert (folder / "apples.ipynb").read_bytes() == before
    assert lab.page.evaluate("document.documentElement.dataset.torchloupeLang") == "en"


@pytest.mark.parametrize("mode", MODES)
def test_arrow_keys_skip_the_other_language(folder: Path, lab: Lab, mode: str) -> None:
    open_bilingual(lab, folder, mode)
    lab.select("Apples")
    walked = []
    for _ in range(6):
        walked.append(active(lab).get_attribute("data-windowed-list-index"))
        lab.page.keyboard.press("ArrowDown")
    assert walked == ["0", "2", "4", "5", "7", "9"]
    for _ in range(6):
        lab.page.keyboard.press("ArrowUp")
    expect(active(lab)).to_contain_text("Apples")
    choose(lab, "中文")
    expect(active(lab)).to_contain_text("苹果")
    lab.text("苹果").click()
    lab.page.keyboard.press("ArrowUp")
    expect(active(lab)).to_contain_text("苹果")
    lab.page.keyboard.press("ArrowDown")
    expect(active(lab)).to_contain_text("红苹果")


def test_running_prose_steps_over_hidden_cells(folder: Path, lab: Lab) -> None:
    open_bilingual(lab, folder)
    lab.select("Apples")
    for expected in ("Red ones", "1 + 1"):
        lab.page.keyboard.press("Shift+Enter")
        expect(active(lab)).to_contain_text(expected)
    lab.select("An apple a day.")
    for expected in ("Green ones", "2 + 2"):
        lab.page.keyboard.press("Shift+Enter")
        expect(active(lab)).to_contain_text(expected)
    reads(lab, *ENGLISH)


def test_a_cell_being_edited_stays_until_it_is_left(folder: Path, lab: Lab) -> None:
    open_bilingual(lab, folder)
    lab.select("An apple a day.")
    lab.page.keyboard.press("Enter")
    editor = active(lab).get_by_role("textbox")
    expect(editor).to_be_focused()
    lab.page.evaluate(
        "() => {window.jupyterapp.commands.execute('torchloupe:set-language', {language: 'zh-CN'})}"
    )
    expect(lab.cell("红苹果")).to_be_visible()
    expect(editor).to_be_focused()
    lab.page.keyboard.press("Escape")
    expect(lab.cell("一天一苹果。")).to_be_visible()
    expect(active(lab)).to_contain_text("一天一苹果。")


@pytest.mark.parametrize("mode", MODES)
def test_headings_fold_in_their_own_language(folder: Path, lab: Lab, mode: str) -> None:
    open_bilingual(lab, folder, mode)
    lab.select("Red ones")
    lab.page.keyboard.press("ArrowLeft")
    expect(lab.cell("An apple a day.")).to_have_count(0)
    expect(lab.cell("1 + 1")).to_have_count(0)
    reads(lab, "Apples", "Red ones", "Green ones", "Last words.")
    choose(lab, "中文")
    expect(lab.cell("一天一苹果。")).to_be_visible()
    reads(lab, *CHINESE)
    choose(lab, "EN")
    expect(lab.cell("Red ones")).to_be_visible()
    expect(lab.cell("1 + 1")).to_have_count(0)
    lab.select("Red ones")
    lab.page.keyboard.press("ArrowRight")
    expect(lab.cell("An apple a day.")).to_be_visible()
    reads(lab, *ENGLISH)


def test_moving_inserting_and_relabelling_keep_the_language(folder: Path, lab: Lab) -> None:
    open_bilingual(lab, folder)
    lab.select("An apple a day.")
    lab.page.keyboard.press("Control+Shift+ArrowUp")
    expect(active(lab)).to_contain_text("An apple a day.")
    reads(lab, *ENGLISH)
    lab.page.keyboard.press("b")
    reads(lab, *ENGLISH)
    relabel = """() => { const cells = window.jupyterapp.shell.currentWidget.content.model.cells;
      cells.get(cells.length - 1).setMetadata('torchloupe', {id: 'end', lang: 'en'}); }"""
    lab.page.evaluate(relabel)
    expect(lab.cell("最后几句。")).to_be_visible()


@pytest.mark.parametrize("mode", MODES)
def test_contents_list_one_language(folder: Path, lab: Lab, mode: str) -> None:
    open_bilingual(lab, folder, mode)
    lab.page.get_by_role("tab", name="Table of Contents").click()
    contents = lab.page.locator("#table-of-contents")
    expect(contents.get_by_role("treeitem", name="Red ones")).to_be_visible()
    expect(contents.get_by_text("苹果")).to_have_count(0)
    lab.page.evaluate("() => {window.jupyterapp.commands.execute('torchloupe:toggle-language')}")
    expect(contents.get_by_role("treeitem", name="青苹果")).to_be_visible()
    expect(contents.get_by_text("ones")).to_have_count(0)


@pytest.mark.parametrize("mode", MODES)
def test_search_finds_what_can_be_read(folder: Path, lab: Lab, mode: str) -> None:
    open_bilingual(lab, folder, mode)
    lab.select("Last words.")
    lab.page.keyboard.press("Control+f")
    lab.page.get_by_placeholder("Find", exact=True).fill("sweet")
    counter = lab.page.locator(".jp-DocumentSearch-index-counter")
    expect(counter).to_have_text("1/1")
    lab.page.get_by_placeholder("Find", exact=True).press("Enter")
    expect(active(lab)).to_contain_text("sweet and round")
    lab.page.evaluate("() => {window.jupyterapp.commands.execute('torchloupe:toggle-language')}")
    expect(lab.cell("红苹果")).to_be_visible()
    expect(counter).to_have_text("1/1")
    lab.page.get_by_placeholder("Find", exact=True).press("Enter")
    expect(active(lab)).to_contain_text("又甜又圆")


@pytest.mark.parametrize("mode", MODES)
def test_the_place_read_stays_in_view(folder: Path, lab: Lab, mode: str) -> None:
    pairs = [
        notebooks.prose(
            f"p{number}", f"Paragraph {number}. " + "Words. " * 60 * (number % 3), f"第 {number} 段。"
        )
        for number in range(40)
    ]
    notebooks.write(folder / "long.ipynb", *pairs)
    lab.open("long.ipynb", settings={TRACKER: {"windowingMode": mode}})
    lab.show_course()
    # A notebook still being opened may go back to its first cell.
    lab.await_kernel()
    lab.page.evaluate("() => {window.jupyterapp.shell.currentWidget.content.scrollToItem(40, 'start')}")
    lab.text("Paragraph 20.").scroll_into_view_if_needed()
    expect(lab.text("Paragraph 20.")).to_be_in_viewport()
    choose(lab, "中文")
    expect(lab.text("第 20 段。")).to_be_in_viewport()
    choose(lab, "EN")
    expect(lab.text("Paragraph 20.")).to_be_in_viewport()


def test_auto_follows_jupyterlab(folder: Path, lab: Lab) -> None:
    notebooks.bilingual(folder / "apples.ipynb")
    lab.open("apples.ipynb", locale="zh_CN")
    expect(lab.cell("一天一苹果。")).to_be_visible()
    reads(lab, *CHINESE)
    assert lab.show_course().get_by_role("heading").inner_text() == "课程"


def test_choice_is_remembered(folder: Path, lab: Lab) -> None:
    open_bilingual(lab, folder)
    choose(lab, "中文")
    expect(lab.cell("一天一苹果。")).to_be_visible()
    lab.reload()
    expect(lab.cell("一天一苹果。")).to_be_visible()
    reads(lab, *CHINESE)
