"""The autograd lens as a person uses it on a record: scrub, walk, open, search, read, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.graph import IMPORTS, POLYNOMIAL, border, box, chip, control, drawn, pixel, show, token
from tests.browser.lab import Lab

REPLAY = POLYNOMIAL + "loupe.autograd.backward(y)"
MODEL = IMPORTS + (
    "torch.manual_seed(0)\n"
    "class Block(torch.nn.Module):\n"
    "    def __init__(self):\n"
    "        super().__init__()\n"
    "        self.fc, self.out = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8)\n"
    "    def forward(self, x): return x + self.out(self.fc(x).relu())\n"
    "model = torch.nn.Sequential(*[Block() for _ in range(6)], torch.nn.Linear(8, 1))\n"
    "with loupe.autograd.trace(model):\n"
    "    loss = model(torch.randn(4, 8)).square().mean()\n"
)
DEEP = MODEL + "loupe.autograd.backward(loss, model)"


def test_a_replay_is_scrubbed_with_the_mouse(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, REPLAY)
    chip(lens, "Replay, all 5 steps")
    assert border(lens, "PowBackward0") == "--tl-done"
    control(lens, "Back").click()
    control(lens, "Back").click()
    chip(lens, "Replay, before step 4 of 5")
    expect(lens.locator("mark").first).to_have_text("x**2")
    assert border(lens, "PowBackward0") == "--tl-here"
    assert border(lens, "MulBackward0") == "--tl-done"
    card = lens.get_by_role("region", name="Card")
    expect(card).to_contain_text("PowBackward0")
    expect(card).to_contain_text("next to run")
    expect(card.locator(".tl-rule")).to_have_text("2·x")
    expect(card.locator(".tl-pill").last).to_have_text("?")
    control(lens, "Step").click()
    expect(box(lens, "x, AccumulateGrad")).to_have_attribute(
        "aria-label", re.compile("next to run.*Gradient in: 7")
    )
    steps = lens.get_by_role("slider", name="Steps")
    track = steps.bounding_box()
    assert track is not None
    lab.page.mouse.move(track["x"] + track["width"] - 20, track["y"] + 20)
    lab.page.mouse.down()
    lab.page.mouse.move(track["x"] + 20, track["y"] + 20, steps=8)
    lab.page.mouse.up()
    chip(lens, "Replay, before step 1 of 5")
    expect(steps).to_have_attribute("aria-valuenow", "0")


def test_a_replay_is_stepped_with_keys_and_ctrl_s_still_saves(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, REPLAY)
    keys = lab.page.keyboard
    box(lens, "AddBackward0").first.focus()
    for _ in range(3):
        keys.press("PageUp")
    chip(lens, "Replay, before step 3 of 5")
    keys.press("Space")
    chip(lens, "Replay, before step 4 of 5")
    keys.press("Backspace")
    chip(lens, "Replay, before step 3 of 5")
    expect(lens.locator(".tl-speech").first).to_contain_text("before step 3 of 5: Mul")
    keys.press("Shift+R")
    chip(lens, "Replay, all 5 steps")
    # The notebook did not move, and JupyterLab still has the keys the lens does not own.
    assert lab.notebook.locator(".jp-Cell").count() == 1
    lab.page.evaluate("() => window.jupyterapp.shell.currentWidget.context.model.dirty = true")
    keys.press("Control+s")
    lab.page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")


def test_arrows_walk_along_edges_and_say_what_each_carries(folder: Path, lab: Lab) -> None:
    source = IMPORTS + (
        "a = torch.tensor([1., -1., 2.], requires_grad=True)\nu, v, w = (2 * a).unbind()\n"
        "z = 3 * u + v.relu()\nloupe.autograd.backward(z)"
    )
    lens = show(lab, folder, source)
    box(lens, "ReluBackward0").focus()
    lab.page.keyboard.press("ArrowDown")
    focused = lens.locator(":focus")
    expect(focused).to_have_attribute("aria-label", re.compile("^to Unbind, zero"))
    lab.page.keyboard.press("ArrowDown")
    expect(focused).to_have_attribute("aria-label", re.compile(r"^to Mul, gradient \[3,0,0\]"))
    lab.page.keyboard.press("ArrowUp")
    lab.page.keyboard.press("ArrowUp")
    lab.page.keyboard.press("ArrowLeft")
    expect(focused).to_have_attribute("aria-label", re.compile("^MulBackward0"))
    lab.page.keyboard.press("Home")
    expect(focused).to_have_attribute("aria-label", re.compile("^AddBackward0"))
    lab.page.keyboard.press("End")
    expect(focused).to_have_attribute("aria-label", re.compile("^a, AccumulateGrad"))


def test_modules_open_and_close_with_mouse_and_keys(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, DEEP)
    count = lens.locator(".tl-count")
    before = count.text_content()
    fold = lens.locator("[role=treeitem][aria-expanded=false]").filter(visible=True)
    folded = lens.get_by_role("treeitem", name=re.compile("5 identical blocks"))
    expect(folded).to_have_attribute("aria-expanded", "false")
    folded.focus()
    lab.page.keyboard.press("Enter")
    expect(count).not_to_have_text(str(before))
    assert fold.count() > 0
    lens.get_by_role("button", name="More").click()
    lens.get_by_role("menuitem", name="Collapse all").click()
    expect(count).to_have_text(str(before))
    spot = folded.bounding_box()
    assert spot is not None
    lab.page.mouse.dblclick(spot["x"] + spot["width"] / 2, spot["y"] + 12)
    expect(count).not_to_have_text(str(before))


def test_tiles_have_the_colour_of_their_gradient_and_the_switch_recolours(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, DEEP)
    root = lens.get_by_role("treeitem").first.bounding_box()
    assert root is not None
    ramp = [token(lens, f"--tl-warm{step}") for step in range(7)]
    tile = (root["x"] + 9, root["y"] + root["height"] / 2)
    assert pixel(lens, *tile) in ramp
    norm = pixel(lens, *tile)
    lens.get_by_role("radio", name="Order").click()
    expect(lens.locator(".tl-legend")).to_contain_text("Order of execution")
    lab.page.wait_for_function(
        "([canvas, before, x, y]) => {"
        "const ratio = canvas.width / canvas.clientWidth; const box = canvas.getBoundingClientRect();"
        "const at = [Math.round((x - box.left) * ratio), Math.round((y - box.top) * ratio)];"
        "const now = [...canvas.getContext('2d').getImageData(...at, 1, 1).data].slice(0, 3);"
        "return now.join() !== before.join() }",
        arg=[lens.locator(".tl-graph canvas").first.element_handle(), norm, *tile],
    )


def test_search_counts_hits_and_goes_from_one_to_the_next(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, DEEP)
    lens.get_by_role("treeitem").first.focus()
    lab.page.keyboard.press("/")
    field = lens.get_by_role("textbox", name="Search nodes, modules, code")
    expect(field).to_be_focused()
    field.fill("addmm")
    expect(lens.locator(".tl-search")).to_contain_text("13 hits")
    expect(lens.locator(".tl-places")).to_contain_text("*.fc× 6")
    field.press("Enter")
    card = lens.get_by_role("region", name="Card")
    expect(card).to_contain_text("AddmmBackward0")
    first = card.locator("header").text_content()
    field.press("Enter")
    expect(card.locator("header")).not_to_have_text(str(first))
    expect(lens.get_by_role("navigation").get_by_role("button").last).to_have_text("Addmm")
    field.press("Shift+Enter")
    expect(card.locator("header")).to_have_text(str(first))
    field.press("Escape")
    expect(field).to_have_value("")


def test_the_same_record_is_a_table(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, REPLAY)
    lens.get_by_role("button", name="More").click()
    lens.get_by_role("menuitem", name="Show as a table").click()
    rows = lens.get_by_role("table").get_by_role("row")
    expect(rows.filter(has_text="PowBackward0")).to_contain_text("4PowBackward014")
    expect(rows.filter(has_text="MulBackward0")).to_contain_text("3MulBackward013")
    lens.get_by_role("button", name="PowBackward0").click()
    expect(lens.get_by_role("region", name="Card")).to_contain_text("exponent")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 800])
def test_chinese_in_both_themes_and_widths(folder: Path, lab: Lab, theme: str, width: int) -> None:
    chinese = {"torchloupe:language": {"language": "zh-CN"}}
    lens = show(lab, folder, REPLAY, theme=theme, width=width, settings=chinese)
    chip(lens, "回放：全部 5 步")
    expect(lens.get_by_role("toolbar")).to_contain_text("跳出模块")
    control(lens, "后退").click()
    expect(lens.locator(".tl-legend")).to_contain_text("边上的梯度")
    assert border(lens, "x，AccumulateGrad") == "--tl-here"
    lens_box = lens.bounding_box()
    assert lens_box is not None
    for part in lens.locator("button, .tl-chip, .tl-meaning").filter(visible=True).all():
        inner = part.bounding_box()
        assert inner is not None
        assert inner["x"] + inner["width"] <= lens_box["x"] + lens_box["width"] + 1, part.text_content()
    lab.screenshot(f"autograd-{theme}-{width}-zh")


def test_the_language_changes_at_once_in_an_open_lens(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, REPLAY)
    chip(lens, "Replay, all 5 steps")
    lab.show_course().get_by_role("button", name="中文").click()
    chip(lens, "回放：全部 5 步")
    expect(box(lens, "PowBackward0")).to_have_attribute("aria-label", re.compile("已运行"))
    lab.show_course().get_by_role("button", name="EN").click()
    chip(lens, "Replay, all 5 steps")


def test_no_graph_says_why_and_what_would_give_one(folder: Path, lab: Lab) -> None:
    source = POLYNOMIAL + "with torch.no_grad():\n    z = x * 2\n    lens = loupe.autograd.show(z)\nlens"
    notebook_lens = lab.page.locator(".torchloupe-autograd")
    from tests.browser.graph import write

    write(folder, source)
    lab.open("graph.ipynb")
    lab.run_all()
    expect(notebook_lens).to_contain_text("torch.no_grad()")
    expect(notebook_lens).to_contain_text("Compute it outside torch.no_grad()")
    expect(notebook_lens.locator(".tl-graph")).to_be_hidden()


def test_a_freed_graph_says_so_and_keeps_its_picture(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, POLYNOMIAL + "loupe.autograd.show(y)", "y.backward()")
    expect(lens.locator(".tl-strip")).to_contain_text("PyTorch freed the saved tensors")
    expect(box(lens, "PowBackward0")).to_be_attached()


def test_a_restarted_kernel_is_said_and_the_record_can_still_be_read(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, DEEP)
    expect(lens.get_by_role("region", name="Card")).to_contain_text("parameters")
    lab.restart_kernel()
    expect(lens.locator(".tl-strip")).to_contain_text("This is the last record")
    control(lens, "Back").click()
    chip(lens, "Kernel gone")
    folded = lens.get_by_role("treeitem", name=re.compile("5 identical blocks"))
    folded.focus()
    lab.page.keyboard.press("Enter")
    expect(lens.get_by_role("treeitem", name=re.compile("^out"))).not_to_have_count(0)
    lens.get_by_role("button", name="Run cell").click()
    expect(lab.page.locator(".torchloupe-autograd .tl-strip")).to_have_count(0)


def test_a_second_view_shows_the_whole_record_too(folder: Path, lab: Lab) -> None:
    lens = show(
        lab, folder, REPLAY.replace("loupe.autograd.backward", "lens = loupe.autograd.backward"), "lens"
    )
    chip(lens, "Replay, all 5 steps")
    views = lab.page.locator(".torchloupe-autograd")
    expect(views).to_have_count(1)
    lab.page.evaluate("() => {window.jupyterapp.commands.execute('notebook:create-output-view')}")
    expect(views).to_have_count(2)
    second = views.last
    chip(second, "Replay, all 5 steps")
    control(second, "Back").click()
    chip(second, "Replay, before step 5 of 5")
    chip(lens, "Replay, all 5 steps")


def test_a_reopened_notebook_shows_the_picture(folder: Path, lab: Lab) -> None:
    show(lab, folder, REPLAY)
    lab.save()
    lab.jupyter.stop_kernels()
    lab.open("graph.ipynb")
    image = lab.notebook.locator(".torchloupe-picture img, .jp-OutputArea img").first
    expect(image).to_be_visible()
    assert image.evaluate("async image => { await image.decode(); return image.naturalWidth }") > 100


def test_no_serious_accessibility_violation(folder: Path, lab: Lab) -> None:
    from axe_core_python.sync_playwright import Axe

    lens = show(lab, folder, DEEP)
    lens.get_by_role("treeitem").nth(1).focus()
    lab.page.keyboard.press("Enter")
    found = Axe().run(lab.page, context=".torchloupe-autograd")
    serious = [item for item in found["violations"] if item["impact"] in {"serious", "critical"}]
    assert not serious, [(item["id"], [node["html"][:120] for node in item["nodes"][:3]]) for item in serious]


def test_names_are_text(folder: Path, lab: Lab) -> None:
    hostile = "<img src=x onerror=window.hit=1>"
    source = IMPORTS + (
        f"class Odd(torch.autograd.Function):\n"
        f"    @staticmethod\n    def forward(ctx, x): return x * 2\n"
        f"    @staticmethod\n    def backward(ctx, g): return g * 2\n"
        f"x = torch.ones(2, requires_grad=True)\n"
        f"lens = loupe.autograd.show({{{hostile!r}: Odd.apply(x).sum()}})\nlens"
    )
    lens = show(lab, folder, source)
    box(lens, "OddBackward").first.focus()
    lab.page.keyboard.press("Enter")
    expect(lens.get_by_role("region", name="Card")).to_contain_text("Odd")
    assert lens.locator("img").count() == 0
    assert lab.page.evaluate("window.hit") is None


def test_a_lens_made_in_a_hidden_tab_has_its_size_when_shown(folder: Path, lab: Lab) -> None:
    from tests.browser import notebooks

    notebooks.write(folder / "other.ipynb", notebooks.code("other", "1"))
    notebooks.write(folder / "graph.ipynb", notebooks.code("lens", "import time; time.sleep(1)\n" + REPLAY))
    lab.open("graph.ipynb")
    lab.await_kernel()
    lab.page.evaluate("() => {window.jupyterapp.commands.execute('notebook:run-all-cells')}")
    lab.open_document("other.ipynb")
    lab.page.locator(".torchloupe-autograd").wait_for(state="attached")
    lab.open_document("graph.ipynb")
    lens = drawn(lab)
    spot = lens.locator(".tl-graph canvas").first.bounding_box()
    assert spot is not None and spot["width"] > 300 and spot["height"] > 150


def test_a_saved_tensor_opens_in_the_strides_lens_below(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, POLYNOMIAL + "loupe.autograd.show(y)")
    box(lens, "PowBackward0").click()
    card = lens.get_by_role("region", name="Card")
    card.get_by_role("button", name="Look at this tensor").first.click()
    strides = lab.page.locator(".torchloupe-strides")
    expect(strides).to_contain_text("x")
    made = lab.notebook.locator(".jp-CodeCell").nth(1)
    expect(made.locator(".torchloupe-strides")).to_be_visible()
    expect(made.locator(".jp-InputArea-editor")).to_contain_text("loupe.strides.show")
    expect(lab.notebook.locator(".jp-CodeCell")).to_have_count(2)


def test_without_the_extension_the_line_that_shows_a_saved_tensor_is_given(folder: Path, lab: Lab) -> None:
    lens = show(lab, folder, POLYNOMIAL + "loupe.autograd.show(y)", disabled=("torchloupe:lens",))
    box(lens, "PowBackward0").click()
    card = lens.get_by_role("region", name="Card")
    card.get_by_role("button", name="Look at this tensor").first.click()
    expect(card.locator(".tl-answer")).to_contain_text("loupe.strides.show")
    expect(lab.notebook.locator(".jp-CodeCell")).to_have_count(1)
