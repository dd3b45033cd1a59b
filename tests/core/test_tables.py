"""Tables cut into pieces: NumPy reads back what a view would."""

import numpy as np
import pytest

from torchloupe.core.tables import MOST_BYTES, Table

DTYPES = {"i": "<i4", "u": "u1", "f": "<f4"}


def read(table):
    """Every row, as a view pulls them, and the size of each piece."""
    columns, sizes, start = {}, [], 0
    while start < len(table):
        said, buffers = table.piece(start)
        assert said["from"] == start and said["count"] > 0
        for (name, kind), buffer in zip(said["columns"], buffers, strict=True):
            columns.setdefault(name, []).append(np.frombuffer(buffer, DTYPES[kind]))
        sizes.append(sum(map(len, buffers)))
        start += said["count"]
    return {name: np.concatenate(parts) for name, parts in columns.items()}, sizes


@pytest.mark.parametrize("rows", [1, 1000, 300_000])
def test_pieces_make_the_whole(rows):
    numbers = np.random.default_rng(0).integers(-(2**31), 2**31, rows)
    floats = np.random.default_rng(1).normal(size=rows)
    flags = np.arange(rows).astype(np.uint8)
    got, sizes = read(Table({"number": numbers, "float": floats, "flag": flags}))
    assert np.array_equal(got["number"], numbers)
    assert np.array_equal(got["float"], floats.astype(np.float32))
    assert np.array_equal(got["flag"], flags)
    assert max(sizes) <= MOST_BYTES
    assert len(sizes) == -(-rows // (MOST_BYTES // 9))


def test_nan_and_infinity_survive():
    got, _ = read(Table({"norm": np.array([np.nan, np.inf, -np.inf, 0.0])}))
    assert np.array_equal(got["norm"], np.array([np.nan, np.inf, -np.inf, 0], np.float32), equal_nan=True)


def test_a_table_is_as_long_as_its_shortest_column():
    table = Table({"step": np.arange(5), "norm": np.arange(3.0)})
    assert len(table) == 3
    said, buffers = table.piece(0)
    assert said["count"] == 3
    assert [len(buffer) for buffer in buffers] == [12, 12]


def test_asking_beyond_the_end_gives_nothing():
    said, buffers = Table({"step": np.arange(5)}).piece(9)
    assert said["count"] == 0 and buffers == [b""]


def test_strings_come_in_pieces_a_message_can_carry():
    strings = [chr(0x4E00 + n % 500) * (n % 90) for n in range(9000)]
    table, taken, pieces = Table(strings=strings), [], 0
    while len(taken) < len(table):
        said, buffers = table.piece(len(taken))
        assert buffers == [] and said["from"] == len(taken)
        assert sum(len(string.encode()) for string in said["strings"]) <= MOST_BYTES
        taken += said["strings"]
        pieces += 1
    assert taken == strings
    assert pieces > 2


def test_one_string_longer_than_a_message_still_goes():
    said, _ = Table(strings=["x" * (2 * MOST_BYTES), "y"]).piece(0)
    assert said["count"] == 1
