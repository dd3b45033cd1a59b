"""Values still on a device: kept there as detached numbers, read many at a time when they are ready."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from .series import Series

MOST = 4096
"""Values that may wait; the oldest half is read at once when there are more, so that no memory grows."""


@dataclass(frozen=True, slots=True)
class _Value:
    series: Series
    step: int
    value: float | torch.Tensor
    wall_time: float
    ready: Any
    """An event of the device that says when `value` is there, or None."""


class Waiting:
    """The queue between a loop and its curves for values on a device. Order within a curve is kept.

    Args:
        seen: called with curve, step and value of each value that was read.
    """

    def __init__(self, seen: Callable[[Series, int, float], None]) -> None:
        self._seen = seen
        self._queue = deque[_Value]()
        self._lock = threading.Lock()
        self.series = set[Series]()
        """Curves with values that wait: what is logged to them next has to wait behind."""

    def add(self, series: Series, step: int, value: float | torch.Tensor, wall_time: float) -> None:
        """Keep a value; called by the loop, which waits for no device."""
        series.last_step = step
        ready = None
        if isinstance(value, torch.Tensor) and value.device.type == "cuda":
            ready = torch.cuda.Event()  # type: ignore[no-untyped-call]
            ready.record(torch.cuda.current_stream(value.device))
        with self._lock:
            self._queue.append(_Value(series, step, value, wall_time, ready))
            self.series.add(series)
            full = len(self._queue) > MOST
        if full:
            self.settle(MOST // 2, whole=True)

    def settle(self, count: int | None = None, *, whole: bool = False) -> None:
        """Move what is ready into the curves.

        Args:
            count: at most so many values; all by default.
            whole: whether to wait for values that are not ready yet.
        """
        with self._lock:
            taken = list[_Value]()
            while self._queue and (count is None or len(taken) < count):
                first = self._queue[0]
                if not whole and first.ready is not None and not first.ready.query():
                    break
                taken.append(self._queue.popleft())
            numbers = _read(taken)
            for value, number in zip(taken, numbers, strict=True):
                value.series.arrive(value.step, number, value.wall_time)
            self.series = {value.series for value in self._queue}
        for value, number in zip(taken, numbers, strict=True):
            self._seen(value.series, value.step, number)


def _read(values: list[_Value]) -> list[float]:
    """One transfer for each device and dtype, whatever the number of values."""
    numbers = [value.value if isinstance(value.value, float) else math.nan for value in values]
    alike = dict[tuple[torch.device, torch.dtype], list[int]]()
    tensors = dict[int, torch.Tensor]()
    for place, value in enumerate(values):
        if isinstance(value.value, torch.Tensor):
            tensors[place] = value.value
            alike.setdefault((value.value.device, value.value.dtype), []).append(place)
    for places in alike.values():
        try:
            read = torch.stack([tensors[place] for place in places]).cpu().double().tolist()
        except RuntimeError:  # the device failed: its values are gone, and the curve has gaps there
            continue
        for place, number in zip(places, read, strict=True):
            numbers[place] = number
    return numbers
