"""The models whose backward graphs are measured, written out so that no other package is needed."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn


class Unrolled(nn.Module):
    """An LSTM cell applied `steps` times: deep, with 15 nodes a step and 4 parameters shared by all."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(4, 8)
        self.steps = steps

    def forward(self, x: Tensor) -> Tensor:
        h, c = torch.zeros(2, 8), torch.zeros(2, 8)
        for _ in range(self.steps):
            h, c = self.cell(x, (h, c))
        return h.sum()


class Attention(nn.Module):
    """Causal self-attention."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.c_attn = nn.Linear(width, 3 * width)
        self.c_proj = nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        shape = (batch, length, self.heads, width // self.heads)
        q, k, v = (part.view(shape).transpose(1, 2) for part in self.c_attn(x).split(width, dim=2))
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).reshape(batch, length, width))


class Mlp(nn.Module):
    """The two-layer network of a block."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.c_fc = nn.Linear(width, 4 * width)
        self.c_proj = nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return self.c_proj(nn.functional.gelu(self.c_fc(x)))


class Block(nn.Module):
    """Attention and a two-layer network, each with a residual path."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.ln_1, self.attn = nn.LayerNorm(width), Attention(width, heads)
        self.ln_2, self.mlp = nn.LayerNorm(width), Mlp(width)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt(nn.Module):
    """A decoder with tied embeddings; 12 blocks of 768 are GPT-2 small."""

    def __init__(self, blocks: int = 12, width: int = 768, heads: int = 12, words: int = 2000) -> None:
        super().__init__()
        self.wte, self.wpe = nn.Embedding(words, width), nn.Embedding(1024, width)
        self.h = nn.ModuleList(Block(width, heads) for _ in range(blocks))
        self.ln_f = nn.LayerNorm(width)
        self.lm_head = nn.Linear(width, words, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1]))
        for block in self.h:
            x = block(x)
        logits = self.lm_head(self.ln_f(x))
        return nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def mlp() -> tuple[nn.Module, tuple[Tensor, ...]]:
    """Four layers."""
    torch.manual_seed(0)
    net = nn.Sequential(*[layer for _ in range(4) for layer in (nn.Linear(32, 32), nn.ReLU())])
    return net, (torch.randn(8, 32),)


def lstm(steps: int) -> tuple[nn.Module, tuple[Tensor, ...]]:
    """An unrolled LSTM cell."""
    torch.manual_seed(0)
    return Unrolled(steps), (torch.randn(2, 4),)


def gpt(blocks: int = 12, width: int = 96) -> tuple[nn.Module, tuple[Tensor, ...]]:
    """A decoder of GPT-2 small's depth; its graph does not depend on the width."""
    torch.manual_seed(0)
    return Gpt(blocks, width), (torch.randint(2000, (1, 32)),)


MODELS: dict[str, Callable[[], tuple[nn.Module, tuple[Tensor, ...]]]] = {
    "MLP": mlp,
    "GPT, 12 blocks": gpt,
    "LSTM, 1,000 steps": lambda: lstm(1000),
    "LSTM, 3,000 steps": lambda: lstm(3000),
}
