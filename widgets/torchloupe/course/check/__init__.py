"""Checks of the exercises: each asks PyTorch about a real property of the answer and says one thing about it.

A check never raises on an answer, whatever its type, and nothing here knows Jupyter: a `Verdict` is text in
a terminal and a small card in a notebook.
"""

from __future__ import annotations

from .autograd import chain_rule, mean_loss, predict_gradient
from .functions import cube, straight_through, swish
from .strides import channels_first, predict_stride, windows

__all__ = [
    "chain_rule",
    "channels_first",
    "cube",
    "mean_loss",
    "predict_gradient",
    "predict_stride",
    "straight_through",
    "swish",
    "windows",
]
