"""Curves against NumPy: every point kept, every column right, with a loop appending meanwhile."""

import math
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchloupe.training.series import Series


def made(steps, values):
    series = Series("loss", "train")
    series.extend(steps, values, np.arange(len(values), dtype=float))
    return series


def expected(steps, values, left, right, count):
    edges = left + (right - left) * (np.arange(count + 1) / count)
    rows = []
    for column in range(count):
        last = column == count - 1
        inside = (steps >= edges[column]) & ((steps <= right) if last else (steps < edges[column + 1]))
        piece = values[inside]
        if piece.size:
            finite = piece[np.isfinite(piece)]
            low, high = (finite.min(), finite.max()) if finite.size else (math.nan, math.nan)
            rows.append((column, piece[0], low, high, piece[-1], piece.size, piece.size - finite.size))
    return np.array(rows, float).reshape(-1, 7)


@given(
    st.lists(st.tuples(st.integers(1, 40), st.floats(width=64)), max_size=300),
    st.floats(-50, 12_000),
    st.floats(0.5, 12_000),
    st.integers(1, 150),
)
@settings(deadline=None)
def test_columns_are_numpys_at_any_zoom(points, left, span, count):
    steps = np.cumsum([gap for gap, _ in points], dtype=np.int64)
    values = np.array([value for _, value in points], float)
    found = made(steps.tolist(), values.tolist()).columns(left, left + span, count)
    table = np.stack(
        [found.column, found.first, found.low, found.high, found.last, found.points, found.bad], 1
    ).astype(float)
    assert np.array_equal(table, expected(steps, values, left, left + span, count), equal_nan=True)


def test_what_came_in_comes_out():
    steps, values = list(range(0, 3000, 3)), np.random.default_rng(0).normal(size=1000)
    series = made(steps, values)
    assert series.steps.tolist() == steps
    assert np.array_equal(series.values, values)
    assert np.array_equal(series.wall_time, np.arange(1000.0))
    assert len(series) == 1000 and series.last_step == 2997
    assert [part.tolist() for part in series.since(998)] == [
        [2994, 2997],
        values[998:].tolist(),
        [998.0, 999.0],
    ]


def test_reading_is_never_a_window_on_the_curve_itself():
    series = made([0, 1], [1.0, 2.0])
    for part in (series.values, series.steps, series.wall_time, *series.since(0)):
        part[:] = 7
    series.append(2, 3.0, 0.0)
    assert series.values.tolist() == [1.0, 2.0, 3.0]


def test_a_loop_may_append_while_others_read():
    series, total = Series("loss", "train"), 60_000
    seen, done = [list[int](), list[int]()], threading.Event()

    def read(lengths):
        while not done.is_set():
            steps, values, walls = series.since(0)
            assert len(steps) == len(values) == len(walls)
            assert np.array_equal(values, steps * 0.5)
            series.columns(0, total, 100)
            lengths.append(len(steps))

    readers = [threading.Thread(target=read, args=(lengths,)) for lengths in seen]
    for reader in readers:
        reader.start()
    for step in range(total):
        series.append(step, step * 0.5, 0.0)
    done.set()
    for reader in readers:
        reader.join()
    assert series.steps.tolist() == list(range(total))
    assert all(lengths == sorted(lengths) for lengths in seen)


@pytest.mark.parametrize("length", [100_000, 1_000_000])
def test_a_point_takes_at_most_32_bytes(length):
    series = Series("loss", "train")
    for start in range(0, length, 10_000):
        series.extend(range(start, start + 10_000), np.zeros(10_000), np.zeros(10_000))
        assert len(series) == start + 10_000
    assert series.nbytes <= 32 * length
