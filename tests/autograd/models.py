"""Networks of every common kind, random ones, and a recurrence of any length."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

Made = tuple[Tensor, nn.Module]
WIDTH = 4


class Double(torch.autograd.Function):
    """Twice its input. Saves the input and a None, and keeps a number on `ctx`."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, nothing: None) -> Tensor:
        ctx.save_for_backward(x, nothing)
        ctx.factor = 2
        return x * 2

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient * ctx.factor, None


def unrolled(steps: int, cell: nn.LSTMCell | None = None) -> Tensor:
    """The sum of the last state of an LSTM cell run `steps` times: 15 nodes a step and 5 more."""
    cell = cell or nn.LSTMCell(4, 8)
    x, h, c = torch.randn(1, 4), torch.zeros(1, 8), torch.zeros(1, 8)
    for _ in range(steps):
        h, c = cell(x, (h, c))
    return h.sum()


class Block(nn.Module):
    """A transformer block of width 8."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(8)
        self.qkv = nn.Linear(8, 24)
        self.out = nn.Linear(8, 8)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = self.qkv(self.norm(x)).split(8, -1)
        return x + self.out(functional.scaled_dot_product_attention(q, k, v, is_causal=True))


class Part(nn.Module):
    """A layer, and what is done around it."""

    def __init__(self, layer: nn.Module, around: Callable[[nn.Module, Tensor], Tensor]) -> None:
        super().__init__()
        self.layer, self.around = layer, around

    def forward(self, x: Tensor) -> Tensor:
        return self.around(self.layer, x)


def _written(x: Tensor) -> Tensor:
    y = x.clone()
    y[:, 0].mul_(2)
    return y


AROUND: list[Callable[[nn.Module, Tensor], Tensor]] = [
    lambda layer, x: x + layer(x).tanh(),
    lambda layer, x: layer(x).relu() * x.sigmoid(),
    lambda layer, x: torch.cat([*layer(x).chunk(2, 1)][::-1], 1).exp().log1p(),
    lambda layer, x: _written(layer(x)) @ torch.eye(WIDTH),
    lambda layer, x: layer(x).softmax(1) + x.max(1, keepdim=True)[0],
    lambda layer, x: torch.stack(layer(x).unbind(1)[::-1], 1).sin(),
    lambda layer, x: functional.layer_norm(layer(x), (WIDTH,)).square(),
]
LAYERS: list[Callable[[], nn.Module]] = [
    lambda: nn.Linear(WIDTH, WIDTH, bias=False),
    lambda: nn.LayerNorm(WIDTH),
    lambda: nn.BatchNorm1d(WIDTH),
    lambda: nn.Sequential(nn.Linear(WIDTH, 6), nn.GELU(), nn.Linear(6, WIDTH)),
    lambda: nn.Sequential(nn.Unflatten(1, (1, WIDTH)), nn.Conv1d(1, 1, 3, padding=1), nn.Flatten()),
    lambda: nn.PReLU(WIDTH),
]


def _random(seed: int) -> Made:
    chance = random.Random(seed)
    parts = [Part(chance.choice(LAYERS)(), chance.choice(AROUND)) for _ in range(chance.randint(1, 4))]
    model = nn.Sequential(nn.Linear(WIDTH, WIDTH), *parts, *parts[: seed % 2])
    return model(torch.randn(5, WIDTH)).square().mean(), model


def _convolution(seed: int) -> Made:
    model = nn.Sequential(
        nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU(inplace=True), nn.MaxPool2d(2), nn.Flatten()
    )
    return model(torch.randn(2, 1, 6 + seed % 4, 8)).square().sum(), model


def _transformer(seed: int) -> Made:
    model = nn.Sequential(nn.Embedding(5, 8), *[Block() for _ in range(1 + seed % 3)])
    return model(torch.randint(0, 5, (1, 4))).logsumexp(-1).sum(), model


def _recurrent(seed: int) -> Made:
    model = nn.LSTMCell(4, 8)
    return unrolled(2 + seed % 6, model), model


def _tied(seed: int) -> Made:
    first, last = nn.Linear(4, 4), nn.Linear(4, 4)
    last.weight = first.weight
    model = nn.Sequential(first, nn.GELU(), last)
    logits = model(torch.randn(3, 4, requires_grad=seed % 2 == 0))
    return functional.cross_entropy(logits, torch.tensor([0, 1, 2])), model


def _layers(seed: int) -> Made:
    model = nn.GRU(3, 4, num_layers=1 + seed % 2)
    return model(torch.randn(5, 1, 3))[0].abs().sum(), model


KINDS = (_random, _convolution, _transformer, _random, _recurrent, _tied, _layers)


def random_models(count: int) -> Iterator[tuple[str, Tensor, nn.Module]]:
    """Name, a scalar output with its graph, and the model; the same ones each time."""
    for seed in range(count):
        torch.manual_seed(seed)
        kind = KINDS[seed % len(KINDS)]
        output, model = kind(seed)
        yield f"{seed}{kind.__name__}", output, model
