"""Times several ways of doing a thing in turn, so that a busy moment falls on all of them alike."""

from __future__ import annotations

import statistics
import timeit
from collections.abc import Callable, Mapping, Sequence


def interleaved(ways: Mapping[str, Callable[[], object]], rounds: int, calls: int) -> dict[str, list[float]]:
    """Call each way `calls` times in every round; the order is turned by one from round to round.

    Returns:
        For each way the seconds per call, one number a round. Garbage collection is off while a way runs.
    """
    timers = {name: timeit.Timer(way) for name, way in ways.items()}
    for timer in timers.values():
        timer.timeit(max(calls // 10, 1))
    names, found = list(timers), {name: list[float]() for name in timers}
    for turn in range(rounds):
        start = turn % len(names)
        for name in names[start:] + names[:start]:
            found[name].append(timers[name].timeit(calls) / calls)
    return found


def ratio(ours: Sequence[float], peer: Sequence[float]) -> float:
    """The median of the ratios of each round."""
    return statistics.median(a / b for a, b in zip(ours, peer, strict=True))


def repeats(full: int, share: float, least: int = 3) -> int:
    """How often to repeat what a full run repeats `full` times."""
    return max(least, round(full * share))
