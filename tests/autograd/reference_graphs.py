"""The four reference graphs of the layout, read from PyTorch with parameters inlined.

    python -m tests.autograd.reference_graphs

writes `reference_graphs.json`: nodes in depth-first order from the loss, edges as two lists.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import torch
import torch.nn.functional as functional
from torch import Tensor, nn

STORED = Path(__file__).with_name("reference_graphs.json")


def mlp() -> Tensor:
    """Four linear layers under a cross entropy."""
    net = nn.Sequential(
        nn.Linear(8, 32),
        nn.ReLU(),
        nn.Linear(32, 32),
        nn.ReLU(),
        nn.Linear(32, 32),
        nn.ReLU(),
        nn.Linear(32, 4),
    )
    return functional.cross_entropy(net(torch.randn(5, 8)), torch.zeros(5, dtype=torch.int64))


class Bottleneck(nn.Module):
    """The block of He et al., "Deep Residual Learning for Image Recognition" (2015), figure 5, right."""

    def __init__(self, before: int, inner: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(before, inner, 1, bias=False), nn.BatchNorm2d(inner), nn.ReLU(),
            nn.Conv2d(inner, inner, 3, stride, 1, bias=False), nn.BatchNorm2d(inner), nn.ReLU(),
            nn.Conv2d(inner, 4 * inner, 1, bias=False), nn.BatchNorm2d(4 * inner),
        )  # fmt: skip
        same = stride == 1 and before == 4 * inner
        self.side: nn.Module = (
            nn.Identity()
            if same
            else nn.Sequential(nn.Conv2d(before, 4 * inner, 1, stride, bias=False), nn.BatchNorm2d(4 * inner))
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(self.body(x) + self.side(x))


def resnet() -> Tensor:
    """ResNet-152 (3, 8, 36 and 3 blocks), narrow: the graph does not depend on the widths."""
    layers: list[nn.Module] = [nn.Conv2d(3, 2, 7, 2, 3, bias=False), nn.BatchNorm2d(2), nn.ReLU()]
    layers.append(nn.MaxPool2d(3, 2, 1))
    before = 2
    for stage, count in enumerate((3, 8, 36, 3)):
        for block in range(count):
            layers.append(Bottleneck(before, 2 << stage, 2 if stage and not block else 1))
            before = 4 * (2 << stage)
    net = nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(before, 3))
    return functional.cross_entropy(net(torch.randn(2, 3, 32, 32)), torch.zeros(2, dtype=torch.int64))


class Attention(nn.Module):
    """Causal self attention, two heads."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        batch, time, width = x.shape
        q, k, v = (t.view(batch, time, 2, width // 2).transpose(1, 2) for t in self.c_attn(x).split(width, 2))
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).reshape(batch, time, width))


class Block(nn.Module):
    """Attention and a two-layer network, each on a residual stream."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.ln_1, self.attn, self.ln_2 = nn.LayerNorm(width), Attention(width), nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


def gpt() -> Tensor:
    """Twelve blocks with the topology of GPT-2 small, 8 wide."""
    wte, wpe, ln_f = nn.Embedding(11, 8), nn.Embedding(6, 8), nn.LayerNorm(8)
    tokens = torch.zeros(1, 6, dtype=torch.int64)
    x = wte(tokens) + wpe(torch.arange(6))
    x = nn.Sequential(*(Block(8) for _ in range(12)))(x)
    return functional.cross_entropy((ln_f(x) @ wte.weight.T).view(-1, 11), tokens.view(-1))


def lstm() -> Tensor:
    """An LSTM cell unrolled over 64 steps, outputs summed at the end."""
    cell = nn.LSTMCell(4, 8)
    state = (torch.zeros(1, 8), torch.zeros(1, 8))
    for x in torch.randn(64, 1, 4):
        state = cell(x, state)
    return state[0].sum()


MODELS: dict[str, Callable[[], Tensor]] = {
    "MLP": mlp,
    "ResNet-152": resnet,
    "GPT-2 small": gpt,
    "LSTM, 64 steps": lstm,
}


def graph(loss: Tensor) -> dict[str, object]:
    """Nodes of the backward graph without leaves, depth first, and its edges."""
    index, source, target = {loss.grad_fn: 0}, list[int](), list[int]()
    stack = [loss.grad_fn]
    while stack:
        node = stack.pop()
        assert node is not None
        for after, _ in node.next_functions:
            if after is None or type(after).__name__ == "AccumulateGrad":
                continue
            if after not in index:
                index[after] = len(index)
                stack.append(after)
            source.append(index[node])
            target.append(index[after])
    return {"nodes": len(index), "source": source, "target": target}


if __name__ == "__main__":
    torch.manual_seed(0)
    found = {name: graph(model()) for name, model in MODELS.items()}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in found.items())
    STORED.write_text("{\n" + lines + "\n}\n", "utf-8")
