"""The random numbers to come: the states of every generator a training draws from."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch


@dataclass(frozen=True)
class Randomness:
    """The states of torch's generators (CPU and CUDA), NumPy's global one, `random` and a loader's own."""

    cpu: torch.Tensor
    cuda: tuple[torch.Tensor, ...]
    numpy: Any
    python: Any
    own: tuple[tuple[torch.Generator, torch.Tensor], ...]

    @classmethod
    def now(cls, generators: tuple[torch.Generator, ...] = ()) -> Randomness:
        """As they are. A device that was not used yet is not woken.

        Args:
            generators: others to keep beside the global ones.
        """
        on_cuda = torch.cuda.is_available() and torch.cuda.is_initialized()  # type: ignore[no-untyped-call]
        return cls(
            torch.get_rng_state(),
            tuple(torch.cuda.get_rng_state_all()) if on_cuda else (),
            np.random.get_state(),
            random.getstate(),
            tuple((generator, generator.get_state()) for generator in generators),
        )

    def restore(self) -> None:
        """Make the random numbers come again that came after `now`."""
        torch.set_rng_state(self.cpu)
        if self.cuda:
            torch.cuda.set_rng_state_all(self.cuda)
        np.random.set_state(self.numpy)
        random.setstate(self.python)
        for generator, state in self.own:
            generator.set_state(state)


def generators_of(loader: Any) -> tuple[torch.Generator, ...]:
    """The generators of a `DataLoader` and its samplers, each once."""
    found = {id(generator): generator for generator in _generators(loader)}
    return tuple(found.values())


def _generators(part: Any, depth: int = 0) -> Iterator[torch.Generator]:
    generator = getattr(part, "generator", None)
    if isinstance(generator, torch.Generator):
        yield generator
    if depth < 3:
        for name in ("sampler", "batch_sampler"):
            inner = getattr(part, name, None)
            if inner is not None and inner is not part:
                yield from _generators(inner, depth + 1)
