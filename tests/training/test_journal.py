"""The journal: on disk within a second, by itself, whole, whatever ends the process."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from torchloupe.training import journal
from torchloupe.training.archive import open as read
from torchloupe.training.run import Run


def program(text, *arguments):
    command = [sys.executable, "-c", text, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


LOGGING = """
import sys, time
from torchloupe.training.run import Run
run = Run("r", sys.argv[1])
began = time.time()
for step in range(10**9):
    run.log(loss=float(step), step=step)
    if step % 100 == 99:
        time.sleep(0.005)
    if step == 3000 or step == 6000:
        run.begin_branch(step + 1)
    if time.time() - began > 4:
        print(step, time.time(), flush=True)
        began = float("inf")
"""


def test_a_killed_process_loses_only_its_last_moments(tmp_path):
    """A quiet machine loses less than a second; the bound leaves room for a busy one."""
    with program(LOGGING, tmp_path) as writing:
        _, said = writing.stdout.readline().split()
        os.kill(writing.pid, signal.SIGKILL)
        killed = time.time()
        writing.wait()
    back = read(tmp_path / "r")
    line = back.series("loss")
    assert line.steps.tolist() == list(range(len(line)))
    assert line.wall_time[-1] >= float(said) - 3 and killed - float(said) < 3
    assert back.state == "stopped"
    assert [branch.at for branch in back.branches[1:]] == [s + 1 for s in (3000, 6000) if s < line.steps[-1]]


@pytest.mark.parametrize(
    "ending", ["", "sys.exit(3)", "raise ValueError('no')", "os.kill(os.getpid(), signal.SIGINT)"]
)
def test_a_process_that_ends_has_everything_on_disk(tmp_path, ending):
    text = f"""
import os, signal, sys
from torchloupe.training.run import Run
run = Run("r", sys.argv[1])
for step in range(1000):
    run.log(loss=float(step))
{ending}
"""
    with program(text, tmp_path) as writing:
        writing.communicate()
    assert len(read(tmp_path / "r").series("loss")) == 1000


def test_a_forked_child_writes_nothing(tmp_path):
    run = Run("r", tmp_path)
    run.log(loss=1.0)
    run.ledger.write()
    child = os.fork()
    if child == 0:
        run.log(loss=2.0)
        run.close()
        os._exit(0)
    os.waitpid(child, 0)
    run.log(loss=3.0)
    run.close()
    assert read(tmp_path / "r").series("loss").values.tolist() == [1.0, 3.0]


def test_one_thread_writes_all_runs_and_rests_without_any(tmp_path):
    runs = [Run(str(number), tmp_path) for number in range(3)]
    for run in runs:
        run.log(loss=1.0)
    journal_threads = [
        thread for thread in __import__("threading").enumerate() if thread.name == "torchloupe-journal"
    ]
    assert len(journal_threads) == 1 and journal_threads[0].daemon
    for run in runs:
        run.close()
        assert run.ledger not in journal._writers


def test_run_json_is_strict_json_and_never_half(tmp_path):
    run = Run("r", tmp_path, hyper={"x": float("nan")})
    run.log(loss=1.0)
    run.close()

    def refuse(token):
        raise AssertionError(token)

    content = json.loads((tmp_path / "r" / "run.json").read_text(), parse_constant=refuse)
    assert content["name"] == "r" and content["hyper"] == {"x": "nan"} and content["state"] == "finished"
    assert [path.name for path in (tmp_path / "r").iterdir() if path.name.startswith(".")] == []


def test_a_disk_that_fails_is_said_and_made_up_for(tmp_path, monkeypatch):
    run = Run("r", tmp_path)
    run.log(loss=1.0)
    run.ledger.write()
    with monkeypatch.context() as broken:

        def full(*_arguments):
            raise OSError(28, "No space left on device")

        broken.setattr("torchloupe.training.events.EventFile.write", full)
        run.log(loss=2.0)
        run.ledger.write()
        assert "No space left" in run.ledger.fault
    run.log(loss=3.0)
    run.close()
    assert run.ledger.fault == ""
    assert read(tmp_path / "r").series("loss").values.tolist() == [1.0, 2.0, 3.0]


def test_a_point_written_twice_after_a_fault_is_read_once(tmp_path):
    run = Run("r", tmp_path)
    run.log(loss=1.0)
    run.close()
    file = next(Path(tmp_path / "r").glob("events*"))
    (file.parent / f"{file.name}.again").write_bytes(file.read_bytes())
    assert read(tmp_path / "r").series("loss").steps.tolist() == [0]
