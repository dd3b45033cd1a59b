"""The strides lens as a person uses it: point, operate, undo, edit, read, by mouse and by keyboard."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.browser import notebooks
from tests.browser.lab import Lab

IMPORTS = "import torch\nimport torchloupe as loupe\n"
TWO_NAMES = IMPORTS + (
    "x = torch.arange(24.).reshape(2, 3, 4)\ny = x.transpose(0, 2)\nloupe.strides.show(x, y)"
)
HUE_2_LIGHT, HUE_2_DARK = "rgb(184, 71, 0)", "rgb(255, 157, 92)"


def show(lab: Lab, folder: Path, source: str, *more: str, **options: object) -> Locator:
    """Open a notebook that runs `source`, then the cells `more`; the first lens."""
    cells = [notebooks.code(f"cell{at}", text) for at, text in enumerate([source, *more])]
    notebooks.write(folder / "lens.ipynb", *cells)
    lab.open("lens.ipynb", **options)  # type: ignore[arg-type]
    lab.run_all()
    lens = lab.page.locator(".torchloupe-strides").first
    lens.locator(".tl-formula").or_(lens.locator(".tl-refusal")).first.wait_for()
    return lens


def element(lens: Locator, tensor: int, index: str) -> Locator:
    return lens.locator(f'[data-tensor="{tensor}"][data-index="{index}"]')


def cell(lens: Locator, place: int, storage: int = 0) -> Locator:
    return lens.locator(f'[data-storage="{storage}"][data-cell="{place}"]')


def fill(cell: Locator) -> str:
    """The colour a person sees."""
    return str(cell.locator("rect").evaluate("rect => getComputedStyle(rect).fill"))


def numbers(lens: Locator, what: str, tensor: int) -> str:
    """The shape or stride row of a tensor's table."""
    return " ".join(lens.locator(f'[data-{what}^="{tensor},"]').all_text_contents())


def operate(lens: Locator, family: str, line: str) -> None:
    """Open a menu and choose a line, which says its outcome first."""
    lens.get_by_role("button", name=family, exact=True).click()
    lens.get_by_role("menuitem", name=re.compile(re.escape(line))).click()


def test_pointing_at_an_element_lights_its_memory_cell(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, TWO_NAMES)
    expect(lens).to_contain_text("2 tensors, one storage")
    element(lens, 1, "2,1,1").hover()
    assert fill(element(lens, 1, "2,1,1")) == fill(cell(lens, 18)) == HUE_2_LIGHT
    expect(element(lens, 0, "1,1,2")).to_have_class(re.compile("tl-twin"))
    formula = lens.locator(".tl-formula")
    expect(formula).to_contain_text("y[2, 1, 1]0+2·1+1·4+1·12= cell 18")
    expect(formula).to_contain_text("x[1, 1, 2]0+1·12+1·4+2·1= cell 18")
    expect(formula).to_contain_text("18 × 4 B → byte 72")
    expect(formula).to_contain_text("value 18.0")
    expect(lens.get_by_role("status").first).to_contain_text("Storage cell 18, byte 72")


def test_pointing_at_a_memory_cell_lights_every_reader(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, TWO_NAMES)
    cell(lens, 5).hover()
    lit = lens.locator(".tl-pointed[data-tensor], .tl-twin[data-tensor]")
    expect(lit).to_have_count(2)
    assert {f"{one.get_attribute('data-tensor')}:{one.get_attribute('data-index')}" for one in lit.all()} == {
        "0:0,1,1",
        "1:1,1,0",
    }


def test_transpose_swaps_the_strides_and_the_storage_stays(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, IMPORTS + "x = torch.arange(24.).reshape(2, 3, 4)\nloupe.strides.show(x)")
    before = lens.locator("[data-storage]").all_text_contents()
    operate(lens, "Reorder", "transpose(0, 2)")
    expect(lens.locator(".tl-code-row code")).to_contain_text("y = x.transpose(")
    expect(lens.locator(".tl-code-row .tl-badge")).to_have_text("view")
    expect(lens.locator(".tl-code-row")).to_contain_text("0 B copied")
    result = int(lens.locator("[data-block]").last.get_attribute("data-block") or -1)
    assert numbers(lens, "stride", 0) == "12 4 1"
    assert numbers(lens, "stride", result) == "1 4 12"
    assert numbers(lens, "shape", result) == "4 3 2"
    assert lens.locator("[data-storage]").all_text_contents() == before
    assert lens.locator("[data-strip]").count() == 1


def test_cells_move_from_where_they_were_unless_motion_is_unwelcome(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, IMPORTS + "x = torch.arange(6.).reshape(2, 3)\nloupe.strides.show(x)")
    running = "() => document.getAnimations().filter(a => a.effect.target.matches('[data-tensor]')).length"
    # Looks at every frame, because the move is over in half a second.
    look = f"(box) => {{const look = () => (box.n = ({running})()) || requestAnimationFrame(look); look()}}"
    lab.page.emulate_media(reduced_motion="no-preference")
    lens.get_by_role("button", name="Reorder", exact=True).click()
    counted = lab.page.evaluate_handle("() => ({})")
    lab.page.evaluate(look, counted)
    lens.get_by_role("menuitem", name=re.compile(re.escape("transpose(0, 1)"))).click()
    lab.page.wait_for_function("box => box.n", arg=counted)
    assert lab.page.evaluate("box => box.n", counted) == 6
    lab.page.emulate_media(reduced_motion="reduce")
    operate(lens, "Reorder", "flip(0)")
    expect(lens.locator("[data-strip]")).to_have_count(2)
    assert lab.page.evaluate(running) == 0


def test_a_copy_gets_a_second_storage_and_undo_takes_it_back(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, IMPORTS + "x = torch.arange(6.).reshape(2, 3)\nloupe.strides.show(x)")
    operate(lens, "Reorder", "flip(0)")
    expect(lens.locator(".tl-code-row .tl-badge")).to_have_text("copy")
    expect(lens.locator("[data-strip]")).to_have_count(2)
    copied = lens.locator("[data-strip]").nth(1).locator(".tl-cell").all_text_contents()
    assert copied == ["3.", "4.", "5.", "0.", "1.", "2."]
    lens.get_by_role("button", name="Undo").click()
    expect(lens.locator("[data-strip]")).to_have_count(1)
    lens.get_by_role("button", name="Redo").click()
    expect(lens.locator("[data-strip]")).to_have_count(2)
    element(lens, 0, "0,0").click()
    lab.page.keyboard.press("Control+z")
    expect(lens.locator("[data-strip]")).to_have_count(1)


def test_a_refusal_says_why_and_a_way_out_works(folder: Path, lab: Lab) -> None:
    source = IMPORTS + "x = torch.arange(12.).reshape(3, 4)\ny = x.T\nloupe.strides.show(y)"
    lens = show(lab, folder, source)
    lens.get_by_role("button", name="Reshape", exact=True).click()
    entry = lens.get_by_role("menuitem", name=re.compile("view"))
    expect(entry.first).to_contain_text("refused")
    entry.first.click()
    expect(lens.locator(".tl-code-row .tl-badge")).to_have_text("refused")
    expect(lens.get_by_role("heading", level=3)).to_be_visible()
    lens.get_by_text("What PyTorch says").click()
    expect(lens.locator(".tl-error code")).to_contain_text("view size is not compatible")
    lens.get_by_role("button", name=re.compile(r"Try y\.reshape")).click()
    expect(lens.locator(".tl-code-row .tl-badge")).to_have_text("copy")
    copied = lens.locator("[data-strip]").nth(1).locator(".tl-cell").all_text_contents()
    assert copied == [f"{v}." for v in (0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11)]


def test_an_argument_is_edited_in_place_and_nonsense_loses_nothing(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, IMPORTS + "x = torch.arange(24.).reshape(2, 3, 4)\nloupe.strides.show(x)")
    operate(lens, "Reorder", "transpose(0, 2)")
    fields = lens.locator(".tl-argument")
    fields.nth(1).fill("1")
    fields.nth(1).press("Enter")
    expect(lens.locator('[data-shape^="0,"]')).to_have_count(3)
    result = lens.locator("[data-block]").last
    expect(result.locator("[data-stride]")).to_have_text(["4", "12", "1"])
    fields.nth(1).press("ArrowUp")
    expect(result.locator("[data-stride]")).to_have_text(["1", "4", "12"])
    fields.nth(1).fill("two")
    fields.nth(1).press("Enter")
    expect(lens.get_by_role("alert")).not_to_be_empty()
    expect(result.locator("[data-stride]")).to_have_text(["1", "4", "12"])


def test_the_copy_button_hands_over_lines_that_run(folder: Path, lab: Lab) -> None:
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lens = show(lab, folder, IMPORTS + "x = torch.arange(24.).reshape(2, 3, 4)\nloupe.strides.show(x)")
    operate(lens, "Reorder", "transpose(0, 2)")
    expect(lens.locator(".tl-badge").first).to_have_text("view")
    operate(lens, "Reshape", "reshape(")
    expect(lens.locator(".tl-code-row .tl-badge")).to_have_text("copy")
    lens.locator(".tl-code-row").get_by_role("button", name="Copy the code").click()
    expect(lens.get_by_text("Copied")).to_be_visible()
    lines = lab.page.evaluate("navigator.clipboard.readText()")
    import torch

    scope = {"x": torch.arange(24.0).reshape(2, 3, 4)}
    exec(lines, scope)
    assert scope["z"].tolist() == scope["x"].transpose(0, 2).reshape(-1).tolist()


def test_by_keyboard_only(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, TWO_NAMES)
    keys = lab.page.keyboard
    lens.get_by_role("button", name="Reorder").focus()
    keys.press("ArrowDown")
    expect(lens.get_by_role("menuitem").first).to_be_focused()
    keys.type("fl")
    expect(lens.get_by_role("menuitem", name=re.compile("flip"))).to_be_focused()
    keys.press("Escape")
    expect(lens.get_by_role("button", name="Reorder")).to_be_focused()
    element(lens, 0, "0,0,0").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "PageDown"):
        keys.press(key)
    expect(element(lens, 0, "1,1,2")).to_be_focused()
    expect(lens.locator(".tl-formula")).to_contain_text("cell 18")
    keys.press("Enter")
    keys.press("s")
    expect(cell(lens, 18)).to_be_focused()
    keys.press("ArrowRight")
    expect(cell(lens, 19)).to_be_focused()
    keys.press("ArrowUp")
    expect(element(lens, 0, "1,1,3")).to_be_focused()
    keys.press("Control+End")
    expect(element(lens, 0, "1,2,3")).to_be_focused()
    # The notebook below did not move, and JupyterLab still has the keys the lens does not own.
    assert lab.notebook.locator(".jp-Cell").count() == 1
    lab.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.model.dirty = true")
    keys.press("Control+s")
    lab.page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 800])
def test_chinese_in_both_themes_and_widths(folder: Path, lab: Lab, theme: str, width: int) -> None:
    lens = show(
        lab,
        folder,
        TWO_NAMES,
        theme=theme,
        width=width,
        settings={"torchloupe:language": {"language": "zh-CN"}},
    )
    expect(lens.locator(".tl-table").first).to_contain_text("步幅")
    expect(lens).to_contain_text("2 个张量，同一块存储")
    element(lens, 1, "2,1,1").hover()
    assert fill(cell(lens, 18)) == (HUE_2_LIGHT if theme == "light" else HUE_2_DARK)
    box = lens.bounding_box()
    assert box is not None
    for text in lens.locator("svg.tl-picture text").all():
        inner = text.bounding_box()
        if inner is not None and inner["width"] > 0:
            assert inner["x"] >= box["x"] - 1
            assert inner["x"] + inner["width"] <= box["x"] + box["width"] + 1, text.text_content()
    lab.screenshot(f"strides-{theme}-{width}-zh")


def test_the_language_changes_at_once_in_an_open_lens(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, TWO_NAMES)
    expect(lens.locator(".tl-table").first).to_contain_text("stride")
    lab.show_course().get_by_role("button", name="中文").click()
    expect(lens.locator(".tl-table").first).to_contain_text("步幅")
    lab.show_course().get_by_role("button", name="EN").click()
    expect(lens.locator(".tl-table").first).to_contain_text("stride")


def test_stride_0_lights_all_drawn_readers_of_a_cell(folder: Path, lab: Lab) -> None:
    lens = show(
        lab, folder, IMPORTS + "b = torch.tensor([.1, .2, .3])\ne = b.expand(1000, 3)\nloupe.strides.show(e)"
    )
    expect(lens).to_contain_text("12 B stands in for 12,000 B")
    expect(lens).to_contain_text("each cell is read by 1,000 elements")
    element(lens, 0, "998,1").hover()
    expect(lens.locator(".tl-formula")).to_contain_text("998·0")
    drawn = lens.locator("[data-tensor].tl-pointed, [data-tensor].tl-twin")
    assert {one.get_attribute("data-index") for one in drawn.all()} == {
        f"{row},1" for row in (0, 1, 2, 3, 997, 998, 999)
    }


def test_a_long_storage_has_a_window_and_a_map(folder: Path, lab: Lab) -> None:
    lens = show(
        lab,
        folder,
        IMPORTS + "g = torch.zeros(1_000_000)\nk = g[640_000:640_010]\n"
        "k.copy_(torch.arange(10.))\nloupe.strides.show(k)",
    )
    expect(lens).to_contain_text("40 B reached by k")
    expect(lens).to_contain_text("4,000,000 B held in memory")
    expect(cell(lens, 640_003)).to_have_text("3.")
    expect(cell(lens, 639_999)).to_have_class(re.compile("tl-unreached"))
    window = lens.get_by_role("slider")
    window.focus()
    lab.page.keyboard.press("Home")
    expect(cell(lens, 0)).to_be_visible()
    element(lens, 0, "2").hover()
    expect(cell(lens, 640_002)).to_have_class(re.compile("tl-pointed"))


def test_a_billion_elements_open_with_a_slider_per_long_axis(folder: Path, lab: Lab) -> None:
    lens = show(
        lab,
        folder,
        IMPORTS
        + "g = torch.empty(1000, 1000, 1000, dtype=torch.uint8)\ng[7, 3, 2] = 42\nloupe.strides.show(g)",
    )
    expect(lens).to_contain_text("1,000,000,000 cells")
    slider = lens.get_by_role("slider", name=re.compile("i = 0"))
    slider.focus()
    for _ in range(7):
        lab.page.keyboard.press("ArrowRight")
    expect(element(lens, 0, "7,3,2")).to_have_text("42")
    element(lens, 0, "7,3,2").hover()
    expect(cell(lens, 7_003_002)).to_have_text("42")


def test_an_axis_letter_turns_the_picture(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, IMPORTS + "x = torch.arange(24.).reshape(2, 3, 4)\nloupe.strides.show(x)")
    lens.get_by_role("button", name=re.compile("Axis i of x")).press("Enter")
    first = lens.locator("[role=row]").first.locator("[data-tensor]")
    expect(first).to_have_text(["0.", "12."])


def test_writing_to_the_tensor_shows_at_once_and_freeing_it_is_said(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, TWO_NAMES, "x[0, 0, 0] = 99")
    expect(element(lens, 0, "0,0,0")).to_have_text("99.")
    expect(element(lens, 1, "0,0,0")).to_have_text("99.")


def test_freeing_the_tensor_is_said_and_the_picture_stays(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, TWO_NAMES, "del x, y")
    expect(lens.locator(".tl-status")).to_contain_text("freed")
    expect(element(lens, 0, "0,0,1")).to_have_text("1.")


def test_an_open_menu_outlives_a_frame_that_changes_nothing(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, TWO_NAMES.replace("loupe.strides.show", "lens = loupe.strides.show") + "\nlens")
    lens.get_by_role("button", name="Reorder", exact=True).click()
    lab.page.evaluate("""() => {
      const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
      kernel.iopubMessage.connect((_, message) => {
        if (message.content.data?.state?.frame) requestAnimationFrame(() => (window.frameCame = true));
      });
      kernel.requestExecute({ code: "from dataclasses import replace; lens.post(replace(lens._latest))" });
    }""")
    lab.page.wait_for_function("() => window.frameCame")
    expect(lens.get_by_role("menuitem", name=re.compile("transpose"))).to_be_visible()
    lens.get_by_role("menuitem", name=re.compile("transpose")).click()
    expect(lens.locator(".tl-code-row .tl-badge")).to_have_text("view")


def test_names_are_text(folder: Path, lab: Lab) -> None:
    hostile = "<img src=x onerror=window.hit=1>"
    source = IMPORTS + (
        f"class Odd(torch.Tensor):\n    def __repr__(self, **_): return {hostile!r}\n"
        f"Odd.__name__ = {hostile!r}\n"
        f"loupe.strides.show(torch.arange(3.).as_subclass(Odd), torch.arange(3.), names=[{hostile!r}, 'b'])"
    )
    lens = show(lab, folder, source)
    expect(lens.locator(".tl-code-row code")).to_contain_text("<img src=x")
    assert lens.locator("img").count() == 0
    assert lab.page.evaluate("window.hit") is None


def test_a_lens_made_in_a_hidden_tab_has_its_size_when_shown(folder: Path, lab: Lab) -> None:
    notebooks.write(folder / "other.ipynb", notebooks.code("other", "1"))
    notebooks.write(folder / "lens.ipynb", notebooks.code("lens", "import time; time.sleep(1)\n" + TWO_NAMES))
    lab.open("lens.ipynb")
    lab.await_kernel()
    lab.page.evaluate("() => {window.jupyterapp.commands.execute('notebook:run-all-cells')}")
    lab.open_document("other.ipynb")
    lab.page.locator(".torchloupe-strides").wait_for(state="attached")
    lab.open_document("lens.ipynb")
    lens = lab.page.locator(".torchloupe-strides")
    expect(lens.locator("svg.tl-picture")).to_be_visible()
    width = int(lens.locator("svg.tl-picture").get_attribute("width") or 0)
    assert width > 600


def test_a_restarted_kernel_is_said_and_the_cell_runs_again(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, TWO_NAMES)
    lab.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    expect(lens.locator(".tl-status")).to_contain_text("Kernel restarted")
    expect(element(lens, 0, "0,0,1")).to_have_text("1.")
    element(lens, 1, "2,1,1").hover()
    expect(lens.locator(".tl-formula")).to_contain_text("cell 18")
    lab.await_kernel()
    lens.get_by_role("button", name="Run cell").click()
    fresh = lab.page.locator(".torchloupe-strides")
    expect(fresh.locator(".tl-status")).to_have_count(0)
    expect(fresh.get_by_role("button", name="Reorder")).to_be_visible()


def test_a_lens_answers_while_its_kernel_is_busy(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, IMPORTS + "x = torch.arange(6.).reshape(2, 3)\nloupe.strides.show(x)")
    # Messages go to the main shell until JupyterLab has its subshell; one answered operation later it stands.
    operate(lens, "Reorder", "transpose(0, 1)")
    expect(lens.locator(".tl-code-row .tl-badge")).to_have_text("view")
    lab.page.evaluate("""() => {
      const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
      const code = "import time\\nuntil = time.time() + 90\\nwhile time.time() < until: time.sleep(.01)";
      window.busy = true;
      kernel.requestExecute({ code }).done.then(() => (window.busy = false));
    }""")
    operate(lens, "Reorder", "flip(0)")
    expect(lens.locator(".tl-code-row .tl-badge")).to_have_text("copy")
    assert lab.page.evaluate("window.busy")
    lab.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.interrupt()")


def test_no_serious_accessibility_violation(folder: Path, lab: Lab) -> None:
    from axe_core_python.sync_playwright import Axe

    lens = show(lab, folder, TWO_NAMES)
    element(lens, 1, "2,1,1").hover()
    found = Axe().run(lab.page, context=".torchloupe-strides")
    serious = [item for item in found["violations"] if item["impact"] in {"serious", "critical"}]
    assert not serious, [(item["id"], [node["html"][:120] for node in item["nodes"][:3]]) for item in serious]
