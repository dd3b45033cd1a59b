"""How a loop ended, heard from outside: scripts and threads in processes of their own, cells in a kernel."""

import subprocess
import sys
import textwrap
from collections.abc import Iterator

import pytest

from tests.core import kernel
from tests.core.kernel import LiveKernel
from torchloupe.training.archive import open as read
from torchloupe.training.run import Run

HEAD = """
import os, signal, sys, threading
from torchloupe.training.run import Run
run = Run("r", sys.argv[1])
"""
RAISES = """
def train():
    for batch in run.loop(range(10), epochs=2):
        run.log(loss=float(batch))
        if run.at == 12:
            raise ValueError("a fault in the body")
"""
BREAKS = """
def train():
    for batch in run.loop(range(10)):
        run.log(loss=float(batch))
        if run.at == 4:
            break
"""
LOOP = "for batch in run.loop(range(9)):\n    run.log(loss=1.0)\n    "
OWN = "for step in range(5):\n    "
WRAPPED = """
def named(loop):
    for place, item in enumerate(loop):
        yield place, item

for _ in named(run.loop(range(9))):
    run.log(loss=1.0)
    if run.at == 3:
        1 / 0
"""
CAUGHT = RAISES + "try:\n    train()\nexcept ValueError:\n    pass\n"
FAULT, ZERO = "ValueError: a fault in the body", "ZeroDivisionError: division by zero"
SCRIPTS = {
    "body": (RAISES + "train()", "failed", FAULT, 13),
    "module": (LOOP + "if run.at == 3: {}['x']", "failed", "KeyError: 'x'", 4),
    "kept": (LOOP.replace("run.loop(range(9))", "(kept := run.loop(range(9)))") + "1 / 0", "failed", ZERO, 1),
    "wrapped": (WRAPPED, "failed", ZERO, 4),
    "finally": (LOOP + "try:\n        1 / 0\n    finally:\n        x = 1", "failed", ZERO, 1),
    "break": (BREAKS + "train()", "stopped", "", 5),
    "break, then a fault elsewhere": (BREAKS + "train()\n1 / 0", "stopped", "", 5),
    "caught": (CAUGHT, "stopped", "", 13),
    "caught, then a fault elsewhere": (CAUGHT + "1 / 0", "stopped", "", 13),
    "interrupt": (LOOP + "signal.raise_signal(signal.SIGINT)", "stopped", "KeyboardInterrupt", 1),
    "exit": (LOOP + "sys.exit(3)", "stopped", "", 1),
    "thread": (RAISES + "t = threading.Thread(target=train)\nt.start()\nt.join()", "failed", FAULT, 13),
    "start": (RAISES + "run.start(train)", "failed", FAULT, 13),
    "own loop": (OWN + "run.log(loss=1.0)\n1 / 0", "failed", ZERO, 5),
    "own steps": (OWN + "with run.step():\n        run.log(loss=1.0)\n1 / 0", "failed", ZERO, 5),
    "own steps, whole": (OWN + "with run.step():\n        run.log(loss=1.0)", "finished", "", 5),
    "left open": ("loop = run.loop(range(5))\nnext(loop)\nrun.log(loss=1.0)", "stopped", "", 1),
}


def script(text, folder):
    command = [sys.executable, "-c", HEAD + text, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script(tmp_path, name):
    text, state, error, points = SCRIPTS[name]
    done = script(text, tmp_path)
    back = read(tmp_path / "r")
    assert (back.state, back.error, len(back.series("loss"))) == (state, error, points), done.stderr
    flags = [flag.kind for flag in back.branch.flags if flag.kind != "epoch"]
    assert flags == {"failed": ["error"], "finished": []}.get(
        state, flags if name == "left open" else ["stop"]
    )
    if error:
        assert error.split(":")[0] in done.stderr


def test_stop_prints_one_line_in_a_script(tmp_path):
    done = script("for step in range(5):\n    with run.step():\n        run.orders.stop()", tmp_path)
    assert (
        done.stderr == "r: Stopped before step 1; everything up to there is kept.\n" and done.returncode == 1
    )


def test_a_loop_left_in_a_function_that_goes_on_is_not_that_functions_fault(tmp_path):
    run = Run("r", tmp_path)

    def train():
        for _ in run.loop(range(5)):
            break
        raise ValueError("after the loop")

    with pytest.raises(ValueError) as caught:
        train()
    run.heard(caught.value)
    assert (run.state, run.error) == ("stopped", "")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveKernel]:
    with kernel.running() as started:
        started.run(f"FOLDER = {str(tmp_path_factory.mktemp('runs'))!r}")
        started.run(
            "import threading, time, torchloupe\nfrom torchloupe.training.run import Run\n"
            "from torchloupe.training.archive import open as read\n"
            "def ends(name):\n    back = read(FOLDER + '/' + name)\n"
            "    print(run.state, '|', run.error, '|', back.state, '|', len(back.series('loss')), end='')"
        )
        started.open_subshell()
        yield started


def cell(live: LiveKernel, name: str, body: str) -> str:
    """What became of a run whose loop stands in a cell."""
    text = f"run = Run({name!r}, FOLDER)\n" + textwrap.dedent(body)
    try:
        live.run(text)
    except RuntimeError as error:
        said = str(error)
    else:
        said = "ended"
    live.run(f"ends({name!r})")
    return f"{said} / {live.run(f'ends({name!r})')}"


def test_an_exception_in_a_cell(live: LiveKernel) -> None:
    body = "for x in run.loop(range(9)):\n    run.log(loss=1.0)\n    if run.at == 3: 1 / 0"
    assert cell(live, "fault", body) == f"{ZERO} / failed | {ZERO} | failed | 4"


def test_an_interrupt_in_a_cell(live: LiveKernel) -> None:
    body = "for x in run.loop(range(9)):\n    run.log(loss=1.0)\n    if run.at == 3: raise KeyboardInterrupt"
    assert cell(live, "interrupt", body) == "KeyboardInterrupt:  / stopped | KeyboardInterrupt | stopped | 4"


def test_a_cell_run_again_after_a_fault_goes_on(live: LiveKernel) -> None:
    cell(live, "again", "for x in run.loop(range(9)):\n    run.log(loss=1.0)\n    1 / 0")
    live.run("for x in run.loop(range(3)):\n    run.log(loss=2.0)")
    live.run("ends('again')")
    printed = live.run("print(read(FOLDER + '/again').series('loss').steps.tolist(), len(run.branches))")
    assert printed == "[0, 1, 2, 3] 1\n"


def test_break_in_a_cell_and_a_fault_in_a_later_one(live: LiveKernel) -> None:
    body = "for x in run.loop(range(9)):\n    run.log(loss=1.0)\n    if run.at == 3: break"
    assert cell(live, "break", body) == "ended / stopped |  | stopped | 4"
    with pytest.raises(RuntimeError):
        live.run("1 / 0")
    assert live.run("print(run.state)").strip() == "stopped"


def test_steps_of_a_cell_end_with_it(live: LiveKernel) -> None:
    body = "for x in range(4):\n    with run.step():\n        run.log(loss=1.0)"
    assert cell(live, "steps", body) == "ended / finished |  | finished | 4"
    assert cell(live, "bad-steps", body + "\n1 / 0").endswith(
        "failed | ZeroDivisionError: division by zero | failed | 4"
    )


def test_stop_in_a_cell_shows_one_line(live: LiveKernel) -> None:
    body = "for x in range(4):\n    with run.step():\n        run.log(loss=1.0)\n        run.orders.stop()"
    said = cell(live, "stop", body)
    assert (
        said
        == "Stopped: stop: Stopped before step 1; everything up to there is kept. / stopped |  | stopped | 1"
    )


W01 = """
import ipywidgets
from torchloupe.core.control import answer_while_busy
button = ipywidgets.Button()
answer_while_busy(button.comm)
def pressed(_button, content, _buffers):
    order, *value = content["order"]
    heard.append(threading.current_thread() is threading.main_thread())
    getattr(run.orders, order)(*value)
heard = []
button.on_msg(pressed)
print(button.comm.comm_id, end="")
"""


def test_w01_a_busy_cell_obeys_over_a_subshell(live: LiveKernel) -> None:
    comm_id = live.run(W01)
    busy = live.start(
        "run = Run('busy', FOLDER)\nknob = run.knob('p', 0.5)\n"
        "for x in run.loop(range(10**9)):\n    run.log(loss=1.0)\n    time.sleep(0.002)\n"
        "    if x == 0: print('busy', flush=True)\n"
        "    if float(knob) != 0.5: print('turned', flush=True); knob.turn(0.5, run.at)\n"
        "print('over', run.state, any(heard), run.orders.paused_s > 0, flush=True)"
    )
    printed = ""
    for text in live.stream(busy):
        printed += text
        if text.strip() == "busy":
            for order in (["pause"], ["step_batch"], ["resume"], ["set_knob", "p", 0.25]):
                live.say(comm_id, {"order": order})
        elif text.strip() == "turned":
            live.say(comm_id, {"order": ["stop"]})
    assert printed.split() == ["busy", "turned", "over", "stopped", "False", "True"]


def test_nothing_waits_without_a_front_end(live: LiveKernel) -> None:
    printed = live.run(
        "run = Run('inert', FOLDER, on_nan='pause')\n"
        "for x in run.loop(range(5)):\n    run.phase('forward')\n    run.log(loss=float('nan'))\n"
        "print(run.state, run.orders.paused_s)"
    )
    assert printed.split() == ["finished", "0.0"]
