"""A lens hears a person while a cell is busy, as JupyterLab's subshells promise, on the installed kernel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ipykernel.comm.comm import BaseComm

from tests.core import kernel
from tests.core.kernel import LiveKernel

OPEN = """
import time, threading, torch, torchloupe as loupe
heard = []
def show():
    lens = loupe.strides.show(torch.arange(6.).view(2, 3), names=["x"])
    where = threading.current_thread
    lens.on_msg(lambda _lens, content, _buffers: heard.append((content["mark"], where().name)))
    return lens
"""
LOOP = """
heard.clear()
print("busy", flush=True)
started = time.monotonic()
while not heard and time.monotonic() - started < {seconds}:
    lens.spoken = "zh-CN" if lens.spoken == "en" else "en"  # a running cell keeps sending
    time.sleep(0.01)
print("heard" if heard else "nothing", flush=True)
"""


@pytest.fixture(scope="module")
def live() -> Iterator[LiveKernel]:
    with kernel.running() as started:
        started.run(OPEN)
        started.open_subshell()
        yield started


def during(live: LiveKernel, seconds: float) -> str:
    """What the loop says that was sent a message right after it began."""
    comm_id = live.run("print(lens.comm.comm_id, end='')")
    printed = ""
    cell = live.start(LOOP.format(seconds=seconds))
    for text in live.stream(cell):
        if not printed:
            assert text.startswith("busy")
            live.say(comm_id, {"type": "language", "language": "en", "mark": "now"})
        printed += text
    return printed.split()[-1]


def test_a_lens_hears_a_message_before_the_busy_cell_ends(live: LiveKernel) -> None:
    live.run("lens = show()")
    assert during(live, 6) == "heard"
    assert live.run("print(*heard[0])").split()[0] == "now"


def test_the_message_comes_on_another_thread_than_the_cell(live: LiveKernel) -> None:
    live.run("lens = show()")
    during(live, 6)
    assert live.run("print(heard[0][1] != threading.main_thread().name)").strip() == "True"


@pytest.mark.skipif(not hasattr(BaseComm, "_reply_subshell_for"), reason="this ipykernel needs no remedy")
def test_without_the_remedy_this_kernel_keeps_the_message_until_the_cell_ends(live: LiveKernel) -> None:
    """When this fails, upstream has changed: see core/control.py."""
    live.run("lens = show(); del lens.comm._reply_subshell_for")
    assert during(live, 1.5) == "nothing"


def test_the_kernel_says_that_it_has_subshells(live: LiveKernel) -> None:
    printed = live.run(
        "from torchloupe.core.control import subshells_supported; print(subshells_supported())"
    )
    assert printed.strip() == "True"


def test_a_handler_that_raises_while_a_cell_is_busy_leaves_the_cell_alone(live: LiveKernel) -> None:
    live.run("lens = show()")
    comm_id = live.run("print(lens.comm.comm_id, end='')")
    printed = ""
    for text in live.stream(live.start(LOOP.format(seconds=6))):
        if not printed:
            live.say(comm_id, {"type": "no such message", "mark": "bad"})
        printed += text
    assert printed.split() == ["busy", "heard"]
