"""`strides.capture`: the same few microseconds whatever the size, and no memory."""

from __future__ import annotations

import statistics
import warnings
from collections.abc import Callable
from functools import partial

import psutil
import torch

import torchloupe as loupe
from tests.bench.rounds import interleaved, repeats
from tests.bench.row import Row

LIMIT_US = 15
LIMIT_RATIO = 1.5
LIMIT_MB = 1
CAPTURES = 10_000
SIZES = ("10", "1e6", "1e9")


def billion() -> tuple[torch.Tensor, str]:
    """A tensor of 1e9 elements whose pages the system has not filled yet, and a note if it is a small one."""
    try:
        return torch.empty(1_000_000_000), ""
    except RuntimeError:
        return torch.empty(
            1_000_000_000, dtype=torch.uint8
        ), "1e9 elements are uint8: there was no room for float32"


def by_hand(x: torch.Tensor) -> tuple[object, ...]:
    """What one would read oneself to know the same facts."""
    storage = x.untyped_storage()
    formats = (torch.contiguous_format, torch.channels_last, torch.channels_last_3d)
    return (
        x.shape, x.stride(), x.storage_offset(), x.dtype, x.itemsize, x.device, x.layout,
        storage.data_ptr(), storage.nbytes(), x.nbytes, x._base is not None,
        [x.is_contiguous(memory_format=kind) for kind in formats[: max(x.dim() - 2, 1)]],
        x._version, x.requires_grad, x.is_leaf, x.is_conj(), x.is_neg(), x.is_inference(),
    )  # fmt: skip


def _subjects() -> tuple[dict[str, torch.Tensor], str]:
    large, note = billion()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # CSR is in beta.
        rows = torch.eye(10).to_sparse_csr()
    return {
        "10": torch.empty(10),
        "1e6": torch.empty(1_000_000),
        "1e9": large,
        "channels_last (8, 3, 32, 32)": torch.empty(8, 3, 32, 32).to(memory_format=torch.channels_last),
        "a transposed view (1000, 1000)": torch.empty(1000, 1000).T,
        "overlapping as_strided (20, 5)": torch.empty(24).as_strided((20, 5), (1, 1)),
        "CSR (10, 10)": rows,
    }, note


def measure(share: float) -> list[Row]:
    subjects, note = _subjects()
    ways: dict[str, Callable[[], object]] = {
        name: partial(loupe.strides.capture, x) for name, x in subjects.items()
    }
    ways["1e9, with the facts a record works out when asked"] = lambda: _read(subjects["1e9"])
    ways["by hand"] = lambda: by_hand(subjects["1e6"])
    seconds = interleaved(ways, repeats(101, share), 100)
    us = {name: [value * 1e6 for value in values] for name, values in seconds.items()}
    peer = statistics.median(us["by hand"])
    rows = [
        Row.median(
            f"capture, {name} elements", us[name], "µs", limit=LIMIT_US, note=note if name == "1e9" else ""
        )
        for name in SIZES
    ]
    medians = [statistics.median(us[name]) for name in SIZES]
    rows.append(
        Row("capture, slowest of the three over fastest", max(medians) / min(medians), "×", LIMIT_RATIO)
    )
    rows.append(
        Row.median("capture, 1e6 against reading it by hand", us["1e6"], "µs", peer=peer, beside="by hand")
    )
    rows += [
        Row.median(f"capture, {name}", us[name], "µs") for name in ways if name not in (*SIZES, "by hand")
    ]
    rows.append(_memory(subjects["1e9"]))
    return rows


def _read(x: torch.Tensor) -> tuple[object, ...]:
    record = loupe.strides.capture(x)
    return record.nbytes, record.distinct_cells, record.overlaps


def _memory(x: torch.Tensor) -> Row:
    process = psutil.Process()
    before = process.memory_info().rss
    for _ in range(CAPTURES):
        loupe.strides.capture(x)
    grown = (process.memory_info().rss - before) / 1e6
    return Row(f"capture, resident memory after {CAPTURES:,} of 1e9", grown, "MB", LIMIT_MB)
