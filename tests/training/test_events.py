"""Event files against TensorBoard's own reader and writers, and against a process that is killed."""

import math
import os
import signal
import struct
import subprocess
import sys

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from torchloupe.core import language
from torchloupe.training.events import EventFile, Scalar, folders, read

ROWS = [Scalar("loss/train", step, 1 / (step + 1), 1000.5 + step) for step in range(50)]


def single(value):
    """What float32 keeps of a number."""
    return struct.unpack("f", struct.pack("f", value))[0]


def test_tensorboard_reads_what_we_write(tmp_path):
    file = EventFile(tmp_path / "run")
    file.write(ROWS[:20])
    file.write(ROWS[20:])
    file.close()
    peer = EventAccumulator(str(tmp_path / "run"), size_guidance={"scalars": 0})
    peer.Reload()
    assert peer.Tags()["scalars"] == ["loss/train"]
    found = [(e.step, e.value, e.wall_time) for e in peer.Scalars("loss/train")]
    assert found == [(row.step, single(row.value), row.wall_time) for row in ROWS]


def test_we_read_what_summary_writers_write(tmp_path):
    from torch.utils.tensorboard import SummaryWriter

    with SummaryWriter(str(tmp_path)) as writer:
        for step in range(9):
            writer.add_scalar("Loss/train", step / 7, step, walltime=50.0 + step)
            writer.add_scalar("new", step / 3, step, new_style=True, double_precision=True)
        writer.add_histogram("weights", np.arange(9.0), 3)
        writer.add_text("note", "hello", 3)
        writer.add_image("picture", np.zeros((3, 4, 4), np.uint8), 1)
    rows = list(read(tmp_path))
    losses = [row for row in rows if row.tag == "Loss/train"]
    assert losses == [Scalar("Loss/train", step, single(step / 7), 50.0 + step) for step in range(9)]
    assert [(row.step, row.value) for row in rows if row.tag == "new"] == [(s, s / 3) for s in range(9)]
    assert {row.tag for row in rows} == {"Loss/train", "new"}


def test_nan_and_infinity_survive(tmp_path):
    file = EventFile(tmp_path)
    file.write([Scalar("loss", step, v, 0.0) for step, v in enumerate([1.0, math.nan, math.inf, -math.inf])])
    file.close()
    values = [row.value for row in read(tmp_path)]
    assert np.array_equal(values, [1, np.nan, np.inf, -np.inf], equal_nan=True)


@pytest.mark.parametrize("cut", [1, 5, 20, 37])
def test_a_torn_end_loses_only_itself(tmp_path, cut):
    file = EventFile(tmp_path)
    file.write(ROWS)
    file.close()
    whole = file.path.read_bytes()
    file.path.write_bytes(whole[:-cut])
    rows = list(read(tmp_path))
    assert rows == [row._replace(value=single(row.value)) for row in ROWS[: len(rows)]]
    assert len(ROWS) - 2 <= len(rows) < len(ROWS)


def test_a_killed_process_keeps_what_it_wrote(tmp_path):
    program = """
import sys, time
from pathlib import Path
from torchloupe.training.events import EventFile, Scalar
file = EventFile(Path(sys.argv[1]))
for step in range(10**9):
    file.write([Scalar("loss", step, float(step), 0.0)])
    if step == 200:
        print("there", flush=True)
"""
    with subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE) as writing:
        assert writing.stdout.readline() == b"there\n"
        os.kill(writing.pid, signal.SIGKILL)
        writing.wait()
    steps = [row.step for row in read(tmp_path)]
    assert steps == list(range(len(steps)))
    assert len(steps) > 200


def test_a_second_run_in_a_folder_adds_a_file(tmp_path):
    for run in range(3):
        file = EventFile(tmp_path)
        file.write([Scalar("loss", run, float(run), 0.0)])
        file.close()
        file.close()
    assert len(list(tmp_path.iterdir())) == 3
    assert [row.step for row in read(tmp_path)] == [0, 1, 2]


def test_folders_are_found_below(tmp_path):
    for name in ("b", "a/nested", "c"):
        EventFile(tmp_path / name).close()
    (tmp_path / "empty").mkdir()
    assert folders(tmp_path) == [tmp_path / "a/nested", tmp_path / "b", tmp_path / "c"]


@pytest.mark.parametrize(("spoken", "words"), [("en", "no TensorBoard event file"), ("zh-CN", "没有")])
def test_a_folder_without_events_is_said(tmp_path, spoken, words):
    with language.worded_in(spoken), pytest.raises(FileNotFoundError, match=words):
        list(read(tmp_path))
