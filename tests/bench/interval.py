"""How sure a mean is."""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence


def bootstrap(values: Sequence[float], resamples: int = 10_000, level: float = 0.95) -> tuple[float, float]:
    """The percentile bootstrap interval of the mean (Efron, 1979), with a fixed seed.

    Args:
        values: the sample, such as the differences of interleaved pairs.
        resamples: how many samples of the same size are drawn, with replacement.
        level: the share of their means between the two ends.

    Raises:
        ValueError: if there are fewer than two values.
    """
    if len(values) < 2:
        raise ValueError("an interval needs at least two values")
    draw = random.Random(20)
    means = sorted(statistics.fmean(draw.choices(values, k=len(values))) for _ in range(resamples))
    cut = round((1 - level) / 2 * resamples)
    return means[cut], means[-1 - cut]
