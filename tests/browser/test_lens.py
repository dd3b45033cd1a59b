"""A lens output: live while its kernel lives, a picture after that, and never blank."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import notebooks
from tests.browser.lab import Lab

MANAGER = "@jupyter-widgets/jupyterlab-manager:plugin"
AGAIN = "Run the cell again to make it live."
SEEN = """() => {
  window.seen = [];
  new MutationObserver(() => {
    if (document.querySelector('.torchloupe-picture')) window.seen.push('picture');
  }).observe(document.body, { childList: true, subtree: true });
}"""


def open_tiny(lab: Lab, folder: Path, **options: Any) -> None:
    notebooks.tiny_lens(folder / "tiny.ipynb")
    lab.open("tiny.ipynb", **options)


def live(lab: Lab, count: int) -> Locator:
    return lab.page.get_by_role("button", name=f"live {count}", exact=True)


def picture(lab: Lab) -> Locator:
    return lab.notebook.get_by_role("img", name="a tiny lens")


def colour_of(image: Locator) -> list[int]:
    """The colour in the middle of a picture, as drawn."""
    found: list[int] = image.evaluate(
        """async (image) => {
          await image.decode();
          const canvas = document.createElement('canvas');
          canvas.width = canvas.height = 1;
          const context = canvas.getContext('2d');
          context.drawImage(image, 0, 0, 1, 1);
          return [...context.getImageData(0, 0, 1, 1).data];
        }"""
    )
    return found


GREEN = [0, 160, 96, 255]


def test_fresh_run_is_live_without_showing_the_picture_first(folder: Path, lab: Lab) -> None:
    open_tiny(lab, folder)
    lab.page.evaluate(SEEN)
    lab.run_all()
    live(lab, 100).click()
    expect(live(lab, 101)).to_be_visible()
    assert lab.page.evaluate("window.seen") == []
    expect(picture(lab)).to_have_count(0)


def test_reload_with_the_kernel_running_is_live_again(folder: Path, lab: Lab) -> None:
    open_tiny(lab, folder)
    lab.run_all()
    live(lab, 100).click()
    expect(live(lab, 101)).to_be_visible()
    lab.save()
    lab.reload()
    expect(live(lab, 101)).to_be_visible()
    live(lab, 101).click()
    expect(live(lab, 102)).to_be_visible()
    expect(picture(lab)).to_have_count(0)


@pytest.mark.parametrize("keeps_state", [False, True])
@pytest.mark.parametrize("trusted", [True, False])
def test_reopened_without_its_kernel_shows_the_picture(
    folder: Path, lab: Lab, trusted: bool, keeps_state: bool
) -> None:
    settings = {MANAGER: {"saveState": keeps_state}}
    open_tiny(lab, folder, settings=settings)
    lab.run_all()
    expect(live(lab, 100)).to_be_visible()
    lab.save()
    lab.jupyter.stop_kernels()
    path = "tiny.ipynb"
    if not trusted:
        # A copy that this person never ran: any change of its bytes ends the trust of a notebook.
        path = "copy.ipynb"
        saved = (folder / "tiny.ipynb").read_text("utf-8")
        (folder / path).write_text(saved.replace("globals()", "vars()"), "utf-8")
    lab.open(path, settings=settings)
    expect(picture(lab)).to_be_visible()
    assert colour_of(picture(lab)) == GREEN
    expect(lab.notebook.get_by_text(AGAIN)).to_be_visible()
    assert (
        lab.page.evaluate("window.jupyterapp.shell.currentWidget.content.activeCell.model.trusted") is trusted
    )
    lab.await_kernel()
    expect(picture(lab)).to_be_visible()
    lab.notebook.get_by_role("button", name="Run cell").click()
    expect(live(lab, 100)).to_be_visible()
    expect(picture(lab)).to_have_count(0)


def test_second_view_is_live_too_and_can_run_its_cell(folder: Path, lab: Lab) -> None:
    open_tiny(lab, folder)
    lab.run_all()
    live(lab, 100).click(button="right")
    lab.page.get_by_role("menuitem", name="Create New View for Cell Output").click()
    expect(live(lab, 100)).to_have_count(2)
    live(lab, 100).last.click()
    expect(live(lab, 101)).to_have_count(2)
    lab.page.get_by_role("button", name="ask to run again").last.click()
    expect(live(lab, 200)).to_have_count(2)


def test_live_view_asks_for_its_cell_to_run(folder: Path, lab: Lab) -> None:
    open_tiny(lab, folder)
    lab.run_all()
    lab.page.get_by_role("button", name="ask to run again").click()
    expect(live(lab, 200)).to_be_visible()


def test_kernel_restart_never_leaves_a_blank(folder: Path, lab: Lab) -> None:
    open_tiny(lab, folder)
    lab.run_all()
    expect(live(lab, 100)).to_be_visible()
    lab.restart_kernel()
    expect(live(lab, 100)).to_be_visible()
    lab.page.get_by_role("button", name="ask to run again").click()
    expect(live(lab, 100)).to_be_visible()
    live(lab, 100).click()
    expect(live(lab, 101)).to_be_visible()


def test_closed_lens_becomes_its_picture(folder: Path, lab: Lab) -> None:
    notebooks.write(
        folder / "closed.ipynb",
        notebooks.code("lens", notebooks.TINY_LENS.strip()),
        notebooks.code("close", "tiny.close()"),
    )
    lab.open("closed.ipynb")
    lab.run_all()
    expect(picture(lab)).to_be_visible()
    assert colour_of(picture(lab)) == GREEN
    expect(lab.notebook.get_by_text(AGAIN)).to_be_visible()


def test_untrusted_picture_runs_no_script(folder: Path, lab: Lab) -> None:
    evil = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="window.hit=1">'
        "<script>window.hit=1</script></svg>"
    )
    data = {
        "application/vnd.torchloupe.lens+json": {
            "model_id": "gone",
            "room": "<img src=x onerror=window.hit=1>",
        },
        "image/svg+xml": evil,
        "text/plain": '"><img src=x onerror="window.hit=1">',
    }
    notebooks.write(folder / "evil.ipynb", notebooks.shown("lens", data))
    lab.open("evil.ipynb")
    shown = lab.notebook.get_by_role("img", name='"><img src=x onerror="window.hit=1">')
    expect(shown).to_be_visible()
    shown.evaluate("image => image.decode()")
    assert lab.page.evaluate("window.hit") is None


def test_picture_that_cannot_be_drawn_gives_way_to_text(folder: Path, lab: Lab) -> None:
    data = {
        "application/vnd.torchloupe.lens+json": {"model_id": "gone"},
        "image/svg+xml": "<svg broken",
        "text/plain": "a lens in words",
    }
    notebooks.write(folder / "broken.ipynb", notebooks.shown("lens", data))
    lab.open("broken.ipynb")
    expect(lab.notebook.get_by_text("a lens in words", exact=True)).to_be_visible()
    expect(lab.notebook.get_by_text(AGAIN)).to_be_visible()


def test_picture_speaks_the_chosen_language(folder: Path, lab: Lab) -> None:
    data = {"application/vnd.torchloupe.lens+json": {"model_id": "gone"}, "text/plain": "words"}
    notebooks.write(folder / "words.ipynb", notebooks.shown("lens", data))
    lab.open("words.ipynb", settings={"torchloupe:language": {"language": "zh-CN"}})
    expect(lab.notebook.get_by_text("重新运行该单元格即可恢复交互。")).to_be_visible()
    expect(lab.notebook.get_by_role("button", name="运行单元格")).to_be_visible()
    lab.show_course().get_by_role("button", name="EN").click()
    expect(lab.notebook.get_by_text(AGAIN)).to_be_visible()
