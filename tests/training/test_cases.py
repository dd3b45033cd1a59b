"""The faults other tools have: NaN in a live loss, a resumed run, a graph kept by a logged loss."""

import gc
import json
import math
import weakref

import numpy as np
import torch

from torchloupe.training.archive import open as read
from torchloupe.training.run import Run


def test_l01_nan_and_infinity_are_points_with_gaps_for_the_line(tmp_path):
    history = [1.0, math.nan, 0.5, math.inf, 0.25]
    run = Run("l01", tmp_path)
    for value in history:
        run.log(loss=value)
    run.close()
    for line in (run.series("loss"), read(tmp_path / "l01").series("loss")):
        assert np.array_equal(line.values, history, equal_nan=True)
    columns = run.branch.series["loss", "train"].columns(0, 4, 5)
    assert columns.bad.tolist() == [0, 1, 0, 1, 0]
    assert (np.nanmin(columns.low), np.nanmax(columns.high)) == (0.25, 1.0)
    json.loads((tmp_path / "l01" / "run.json").read_text(), parse_constant=lambda token: 1 / 0)


def test_l03_a_resumed_run_is_one_curve_without_a_zigzag(tmp_path):
    first = [(step, 1.0 - step * 0.1) for step in range(6)]
    second = [(step, 0.9 - step * 0.1) for step in range(3, 8)]
    for points in (first, second):
        run = Run("l03", tmp_path)
        for step, value in points:
            run.log(loss=value, step=step)
        run.close()
    cut = [point for point in first if point[0] < 3] + second
    line = run.series("loss")
    assert line.steps.tolist() == list(range(8)) == [step for step, _ in cut]
    assert np.array_equal(line.values.astype(np.float32), np.float32([value for _, value in cut]))
    assert round(line.values[4], 3) == 0.5
    left = run.series("loss", branch="a").steps
    assert left[left >= 3].tolist() == [3, 4, 5]


def test_l05_no_graph_is_alive_after_logging(tmp_path):
    run, marks = Run("l05", tmp_path), []
    weights = torch.nn.Linear(1000, 10)
    for _ in range(5):
        loss = weights(torch.randn(8, 1000)).pow(2).mean()
        loss.grad_fn.metadata["m"] = mark = type("M", (), {})()
        marks.append(weakref.ref(mark))
        run.log(loss=loss)
        del loss, mark
    gc.collect()
    assert sum(mark() is not None for mark in marks) == 0
    run.close()
