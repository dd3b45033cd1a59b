"""Small models with the shapes of large ones."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Unrolled(nn.Module):
    """A recurrent cell applied `steps` times."""

    def __init__(self, steps: int, cell: nn.Module | None = None) -> None:
        super().__init__()
        self.cell = cell or nn.LSTMCell(4, 8)
        self.steps = steps

    def forward(self, x: Tensor) -> Tensor:
        h, c = torch.zeros(x.shape[0], 8), torch.zeros(x.shape[0], 8)
        for _ in range(self.steps):
            if isinstance(self.cell, nn.LSTMCell):
                h, c = self.cell(x, (h, c))
            else:
                h = self.cell(x, h)
        return h.sum()


class Attention(nn.Module):
    """Self-attention."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.c_attn, self.c_proj = nn.Linear(width, 3 * width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        shape = (*x.shape[:2], 2, -1)
        q, k, v = (part.view(shape).transpose(1, 2) for part in self.c_attn(x).split(x.shape[-1], dim=2))
        y = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).reshape(x.shape))


class Mlp(nn.Module):
    """Two layers."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.c_fc, self.c_proj = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        return self.c_proj(nn.functional.gelu(self.c_fc(x)))


class Block(nn.Module):
    """Attention and two layers, each beside a residual path."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.ln_1, self.attn = nn.LayerNorm(width), Attention(width)
        self.ln_2, self.mlp = nn.LayerNorm(width), Mlp(width)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class Gpt(nn.Module):
    """A decoder with tied embeddings; `between` puts work of the decoder itself between its blocks."""

    def __init__(self, blocks: int, width: int = 8, between: bool = False) -> None:
        super().__init__()
        self.wte, self.wpe = nn.Embedding(50, width), nn.Embedding(16, width)
        self.h = nn.ModuleList(Block(width) for _ in range(blocks))
        self.ln_f, self.lm_head = nn.LayerNorm(width), nn.Linear(width, 50, bias=False)
        self.lm_head.weight = self.wte.weight
        self.between = between

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1]))
        for block in self.h:
            x = block(x)
            if self.between:
                x = x.tanh() * 0.5
        logits = self.lm_head(self.ln_f(x))
        return nn.functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


class Shared(nn.Module):
    """One module that stands in two places."""

    def __init__(self) -> None:
        super().__init__()
        inner = nn.Sequential(nn.Linear(2, 2), nn.Tanh())
        self.encoder, self.decoder = Half(inner), Half(inner)

    def forward(self, x: Tensor) -> Tensor:
        return self.decoder(self.encoder(x))


class Half(nn.Module):
    """Calls what it was given."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x)
