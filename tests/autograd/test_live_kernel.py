"""Live stepping in a real kernel, as JupyterLab speaks to it: steps, Stop, Interrupt, and nobody there."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import nbclient
import nbformat
import pytest

from tests.core import kernel
from tests.core.kernel import PATIENCE_S, LiveKernel

START = """
import torch, torchloupe as loupe
from torchloupe.autograd import BackwardStopped
def fresh():
    global x, y
    x = torch.tensor(2., requires_grad=True)
    x.grad = torch.tensor(5.)
    y = x**2 + 3 * x + 1
"""


class Cell:
    """A running cell with an id, and the lens it displays; each waiting frame is answered by `press`."""

    def __init__(self, live: LiveKernel, code: str) -> None:
        self.live, self.comm = live, ""
        self.shown: list[str] = []
        self.printed = ""
        self.error: tuple[str, str] | None = None
        self.frames: list[dict[str, Any]] = []
        self.id = live.start(code, {"cellId": "a1"})

    def messages(self) -> Iterator[dict[str, Any]]:
        """Until the cell ends."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            message = self.live._client.get_iopub_msg(timeout=max(0.1, deadline - time.monotonic()))
            kind, content = message["msg_type"], message["content"]
            if kind == "comm_open" and "frame" in content["data"].get("state", {}):
                self.comm = content["comm_id"]
            elif kind in ("display_data", "execute_result"):
                self.shown.append(kind)
                if kind == "display_data":
                    self.live.say(self.comm, {"type": "hello", "language": "en"})
            elif kind == "stream":
                self.printed += content["text"]
            elif kind == "error":
                self.error = content["ename"], "\n".join(content["traceback"])
            elif kind == "comm_msg" and "frame" in content["data"].get("state", {}):
                frame = content["data"]["state"]["frame"]
                self.frames.append(frame)
                self.live.say(self.comm, {"type": "ack", "number": frame["number"]})
                yield frame
            own = message["parent_header"].get("msg_id") == self.id
            if own and kind == "status" and content["execution_state"] == "idle":
                return

    def waits(self) -> Iterator[int]:
        """Until the cell ends: the step before which it waits, each once."""
        answered = 0
        for frame in self.messages():
            if frame["phase"] == "waiting" and frame["rows"]["steps"] > answered:
                answered = frame["rows"]["steps"]
                yield answered

    def press(self, *presses: str) -> None:
        """Press one after the other, one for each wait."""
        left = list(presses)
        for _ in self.waits():
            if left:
                self.live.say(self.comm, {"type": left.pop(0)})


@pytest.fixture(scope="module")
def live() -> Iterator[LiveKernel]:
    with kernel.running() as started:
        started.run(START)
        started.open_subshell()
        yield started


def test_steps_are_heard_while_the_cell_runs(live: LiveKernel) -> None:
    live.run("fresh()")
    cell = Cell(
        live, "lens = loupe.autograd.backward(y, mode='live'); print(x.grad.item(), len(lens.ledger.order))"
    )
    cell.press("step", "step", "run")
    assert cell.error is None, cell.error
    assert cell.printed.split() == ["12.0", "5"]
    waited = [frame["next"] for frame in cell.frames if frame["phase"] == "waiting"]
    assert waited == [0, 1, 2]


def test_the_lens_is_shown_before_and_not_again_as_the_result(live: LiveKernel) -> None:
    live.run("fresh()")
    cell = Cell(live, "loupe.autograd.backward(y, mode='live')")
    cell.press("run")
    assert cell.shown == ["display_data"]
    again = Cell(live, "_lens = loupe.autograd.show(x * 1); _lens")
    assert list(again.messages()) == [] and again.shown == ["execute_result"]


def test_the_live_lens_can_be_shown_in_the_next_cell(live: LiveKernel) -> None:
    live.run("fresh()")
    Cell(live, "lens = loupe.autograd.backward(y, mode='live')").press("run")
    again = Cell(live, "lens")
    list(again.messages())
    assert again.shown == ["execute_result"]


def test_stop_raises_in_the_cell_and_restores(live: LiveKernel) -> None:
    live.run("fresh(); grad = x.grad")
    cell = Cell(live, "loupe.autograd.backward(y, mode='live')")
    cell.press("step", "step", "step", "step", "stop")
    assert cell.error is not None and cell.error[0] == "BackwardStopped"
    assert "Every .grad is as it was before." in cell.error[1] and "spent" in cell.error[1]
    assert live.run("print(x.grad is grad, x.grad.item())").split() == ["True", "5.0"]


def test_interrupt_ends_a_wait_and_restores(live: LiveKernel) -> None:
    live.run("fresh(); grad = x.grad")
    cell = Cell(live, "loupe.autograd.backward(y, mode='live')")
    for step in cell.waits():
        if step < 5:
            live.say(cell.comm, {"type": "step"})
        else:
            live.interrupt()
    assert cell.error is not None and cell.error[0] == "KeyboardInterrupt"
    assert live.run("print(x.grad is grad, x.grad.item())").split() == ["True", "5.0"]
    assert live.run("y = x**2; y.backward(); print(x.grad.item())").strip() == "9.0", "the kernel goes on"


def test_interrupt_ends_a_wait_for_another_device(live: LiveKernel) -> None:
    live.run("m = torch.ones(3, device='meta', requires_grad=True); z = (m * 2).sum()")
    cell = Cell(live, "loupe.autograd.backward(z, mode='live')")
    for _ in cell.waits():
        live.interrupt()
    assert cell.error is not None and cell.error[0] == "KeyboardInterrupt"
    assert live.run("print(m.grad)").strip() == "None"


def test_a_page_that_closes_the_widget_lets_the_engine_run_on(live: LiveKernel) -> None:
    live.run("fresh()")
    cell = Cell(live, "loupe.autograd.backward(y, mode='live'); print(x.grad.item())")
    for _ in cell.waits():
        live.close_comm(cell.comm)
    assert (cell.error, cell.printed.split()) == (None, ["12.0"])


def test_without_a_view_it_runs_through_and_says_so(live: LiveKernel) -> None:
    """A host that shows the lens but sends nothing while a cell runs."""
    live.run("fresh()\nimport sys; sys.modules['torchloupe.autograd.backward'].PATIENCE_S = 0.3")
    code = "frame = loupe.autograd.backward(y, mode='live')._latest; print(frame.mode, frame.notes)"
    printed = "".join(live.stream(live.start(code, {"cellId": "a1"})))
    assert printed.startswith("replay") and "note.deaf" in printed
    live.run("sys.modules['torchloupe.autograd.backward'].PATIENCE_S = 8")


def test_where_nobody_looks_live_is_instant_and_the_same_record() -> None:
    cells = [
        START + "loupe.autograd.AutogradLens.wait_for_view = None  # nothing may wait\n",
        "fresh(); a = loupe.autograd.backward(y)",
        "fresh(); b = loupe.autograd.backward(y, mode='live')\nb",
        "print(str(a.record) == str(b.record), list(a.ledger.order) == list(b.ledger.order), b._latest.mode)",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    assert notebook.cells[3].outputs[0].text.split() == ["True", "True", "replay"]
    (output,) = notebook.cells[2].outputs
    assert {"image/png", "image/svg+xml", "text/plain"} <= set(output.data)
