"""Counting cells, against brute force."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from torchloupe.strides import reach

layouts = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 12)), max_size=5)


def cells(shape, stride):
    return [sum(i * s for i, s in zip(index, stride, strict=True)) for index in product(*map(range, shape))]


@settings(max_examples=600, deadline=None)
@given(layouts)
def test_counts_equal_brute_force(layout):
    shape, stride = tuple(n for n, _ in layout), tuple(s for _, s in layout)
    readers = Counter(cells(shape, stride))
    assert reach.distinct_cells(shape, stride) == len(readers)
    assert reach.overlaps(shape, stride) is (max(readers.values(), default=0) > 1)
    most = reach.most_readers(shape, stride)
    assert most is None or most == max(readers.values(), default=0)
    for distance in range(-2, 40):
        assert reach.reads(shape, stride, distance) is (distance in readers)


@settings(max_examples=300, deadline=None)
@given(st.integers(2, 40), st.integers(2, 40), st.integers(1, 30), st.integers(1, 30))
def test_two_entangled_axes(n, m, s, t):
    assert reach.distinct_cells((n, m), (s, t)) == len(set(cells((n, m), (s, t))))


@pytest.mark.parametrize(
    ("shape", "stride", "count"),
    [
        ((10**9, 10**9), (10**9, 1), 10**18),
        ((10**9, 10**9), (0, 1), 10**9),
        ((10**9, 10**9), (1, 1), 2 * 10**9 - 1),
        ((10**6, 10**6), (2, 3), 5 * 10**6 - 4 - 2),
        ((4, 10**6, 3), (10**12, 7, 1), 12 * 10**6),
        ((), (), 1),
        ((3, 0), (1, 1), 0),
    ],
)
def test_huge_layouts_are_counted_by_algebra(shape, stride, count):
    assert reach.distinct_cells(shape, stride) == count


def test_beyond_the_bit_set_it_says_that_it_does_not_know():
    shape, stride = (5, 4001, 4003), (10**7 + 19, 10007, 9973)
    assert reach.distinct_cells(shape, stride) is None
    assert reach.overlaps((9, *shape), (0, *stride)) is True
    assert reach.overlaps((10**5, 10**5, 10**5), (10**7 + 19, 10007, 9973)) is True
