"""Live stepping as a person does it: the engine waits in a busy cell for each click or key."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.graph import IMPORTS, POLYNOMIAL, border, box, chip, control, start
from tests.browser.lab import Lab

LIVE = POLYNOMIAL + 'loupe.autograd.backward(y, mode="live")\nprint("grad", x.grad)'


def output(lab: Lab) -> str:
    """What the cells printed or raised so far."""
    return " ".join(lab.notebook.locator(".jp-OutputArea-output").all_text_contents())


def test_the_engine_waits_for_each_step_in_a_fresh_kernel(folder: Path, lab: Lab) -> None:
    lens = start(lab, folder, LIVE)
    chip(lens, "Live, waiting before step 1 of 5")
    for step, name in enumerate(["AddBackward0", "AddBackward0", "MulBackward0", "PowBackward0"], start=1):
        chip(lens, f"before step {step} of 5")
        if name != "AddBackward0":
            assert border(lens, name) == "--tl-here"
        assert "grad tensor" not in output(lab)
        control(lens, "Step").click()
    chip(lens, "Live, waiting before step 5 of 5")
    expect(box(lens, "x, AccumulateGrad")).to_have_attribute("aria-label", re.compile("Gradient in: 7"))
    control(lens, "Step").click()
    chip(lens, "Done, 5 steps")
    expect(lab.notebook).to_contain_text("grad tensor(7.)")
    lab.screenshot("autograd-live-done")


def test_keys_step_and_look_back_while_the_cell_is_busy(folder: Path, lab: Lab) -> None:
    lens = start(lab, folder, LIVE)
    chip(lens, "Live, waiting before step 1 of 5")
    keys = lab.page.keyboard
    box(lens, "AddBackward0").first.focus()
    keys.press("Space")
    chip(lens, "before step 2 of 5")
    expect(lens.locator(".tl-speech").first).to_contain_text("Step 1 of 5 done.")
    keys.press("PageDown")
    chip(lens, "before step 3 of 5")
    keys.press("PageUp")
    chip(lens, "You are looking at step 2. The engine waits at 3.")
    # The first step returns to the engine, the next one moves it.
    keys.press("Space")
    chip(lens, "Live, waiting before step 3 of 5")
    keys.press("Shift+R")
    expect(lab.notebook).to_contain_text("grad tensor(7.)")


def test_run_to_here_stops_before_the_selected_node(folder: Path, lab: Lab) -> None:
    lens = start(lab, folder, LIVE)
    chip(lens, "Live, waiting before step 1 of 5")
    expect(control(lens, "Run to here")).to_have_attribute("aria-disabled", "true")
    box(lens, "PowBackward0").click()
    control(lens, "Run to here").click()
    chip(lens, "Live, waiting before step 4 of 5")
    control(lens, "Run").click()
    expect(lab.notebook).to_contain_text("grad tensor(7.)")


def test_stop_raises_in_the_cell_and_puts_grad_back(folder: Path, lab: Lab) -> None:
    source = POLYNOMIAL + "x.grad = torch.tensor(5.)\n" + 'loupe.autograd.backward(y, mode="live")'
    lens = start(lab, folder, source)
    chip(lens, "Live, waiting before step 1 of 5")
    control(lens, "Step").click()
    chip(lens, "before step 2 of 5")
    control(lens, "Stop").click()
    chip(lens, "Stopped before step 2 of 5")
    expect(lens.locator(".tl-strip")).to_contain_text("Every .grad is as it was before.")
    expect(lab.notebook).to_contain_text("BackwardStopped")
    assert value(lab, "float(x.grad)") == "5.0"


def test_control_and_full_stop_stops_from_the_keyboard(folder: Path, lab: Lab) -> None:
    lens = start(lab, folder, LIVE)
    chip(lens, "Live, waiting before step 1 of 5")
    box(lens, "AddBackward0").first.focus()
    lab.page.keyboard.press("Escape")
    lab.page.keyboard.press("Control+.")
    chip(lens, "Stopped before step 1 of 5")
    expect(lab.notebook).to_contain_text("BackwardStopped")


def test_interrupt_always_works(folder: Path, lab: Lab) -> None:
    lens = start(lab, folder, LIVE)
    chip(lens, "Live, waiting before step 1 of 5")
    control(lens, "Step").click()
    chip(lens, "before step 2 of 5")
    lab.page.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.interrupt()")
    expect(lab.notebook).to_contain_text("KeyboardInterrupt")
    assert value(lab, "x.grad") == "None"


def test_step_out_of_a_module_runs_to_its_end(folder: Path, lab: Lab) -> None:
    source = IMPORTS + (
        "model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))\n"
        "with loupe.autograd.trace(model):\n    loss = model(torch.ones(1, 2)).sum()\n"
        'loupe.autograd.backward(loss, model, mode="live")\nprint("over")'
    )
    lens = start(lab, folder, source)
    chip(lens, "before step 1 of")
    expect(control(lens, "Step out of module")).to_have_attribute("aria-disabled", "true")
    control(lens, "Step").click()
    chip(lens, "before step 2 of")
    control(lens, "Step out of module").click()
    expect(lens.locator(".tl-head")).not_to_contain_text("before step 2 of")
    card = lens.get_by_role("region", name="Card")
    expect(card).to_contain_text("Tanh")
    control(lens, "Run").click()
    expect(lab.notebook).to_contain_text("over")


def value(lab: Lab, expression: str) -> str:
    """What the kernel says of an expression, after the cell ended."""
    return str(
        lab.page.evaluate(
            """async (code) => {
              const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
              const wanted = { value: code };
              // A request that came while a cell was failing is aborted with it.
              for (;;) {
                const { content } = await kernel.requestExecute({ code: '', user_expressions: wanted }).done;
                if (content.status !== 'aborted') return content.user_expressions.value.data['text/plain'];
              }
            }""",
            expression,
        )
    )
