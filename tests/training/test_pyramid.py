"""The pyramid against NumPy, for any series, any way of growing and any stretches."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchloupe.training.pyramid import FACTOR, Pyramid

numbers = st.floats(width=64, allow_nan=True, allow_infinity=True)


def expected(values, start, end):
    piece = values[start:end]
    finite = piece[np.isfinite(piece)]
    none = finite.size == 0
    return (math.nan if none else finite.min(), math.nan if none else finite.max(), piece.size - finite.size)


def assert_reduces(pyramid, values, starts, ends):
    found = pyramid.reduce(np.array(starts), np.array(ends))
    for place, (start, end) in enumerate(zip(starts, ends, strict=True)):
        low, high, bad = expected(values, start, max(start, end))
        assert np.array_equal([found.low[place], found.high[place]], [low, high], equal_nan=True)
        assert found.bad[place] == bad


@given(st.lists(numbers, max_size=600), st.data())
@settings(deadline=None)
def test_every_stretch_is_numpys(values, data):
    values = np.array(values, float)
    pyramid, taken = Pyramid(), 0
    while taken < len(values):
        step = data.draw(st.integers(1, 90))
        pyramid.extend(values[taken : taken + step])
        taken += step
    edge = st.integers(0, len(values))
    stretches = data.draw(st.lists(st.tuples(edge, edge), min_size=1, max_size=12))
    assert_reduces(pyramid, values, *zip(*stretches, strict=True))
    assert np.array_equal(pyramid.values, values, equal_nan=True)


@pytest.mark.parametrize("length", [1, FACTOR, FACTOR + 1, FACTOR**2, FACTOR**2 + 1, FACTOR**3 * 5 + 7])
def test_edges_of_blocks(length):
    values = np.random.default_rng(length).normal(size=length)
    values[:: max(1, length // 9)] = np.nan
    pyramid = Pyramid()
    for piece in np.array_split(values, 7):
        pyramid.extend(piece)
    near = sorted(
        {max(0, min(length, k * FACTOR**d + o)) for d in range(4) for k in (0, 1, 2) for o in (-1, 0, 1)}
    )
    pairs = [(a, b) for a in [*near, length] for b in [*near, length]]
    assert_reduces(pyramid, values, *zip(*pairs, strict=True))


@given(st.integers(1, 400), st.integers(1, 2000), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=60)
def test_pixel_columns_at_any_zoom(columns, length, seed):
    random = np.random.default_rng(seed)
    values = random.normal(size=length).cumsum()
    pyramid = Pyramid()
    pyramid.extend(values)
    left, right = sorted(random.integers(0, length + 1, 2))
    edges = np.linspace(left, right, columns + 1).astype(np.int64)
    assert_reduces(pyramid, values, edges[:-1].tolist(), edges[1:].tolist())


def test_a_million_points_take_few_bytes_beside_themselves():
    pyramid = Pyramid()
    for _ in range(100):
        pyramid.extend(np.zeros(10_000))
    assert len(pyramid) == 1_000_000
    assert pyramid.nbytes <= 1_000_000 * (8 + 1.4) * 1.25


def test_nothing_logged_yet():
    found = Pyramid().reduce(np.array([0]), np.array([0]))
    assert np.isnan(found.low[0]) and np.isnan(found.high[0]) and found.bad[0] == 0
