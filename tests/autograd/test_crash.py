"""No depth ends the process: graphs Python has looked at, walked and freed in a process of their own."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
START = """
import faulthandler, gc, sys, threading
faulthandler.enable()
import torch
torch.set_num_threads(1)
from torchloupe.autograd.capture import capture
from torchloupe.autograd.walk import find, walk
"""
LSTM = """
cell = torch.nn.LSTMCell(4, 8)
h = c = torch.zeros(1, 8)
x = torch.zeros(1, 4)
for _ in range(30_000):
    h, c = cell(x, (h, c))
loss = h.sum()
record = capture(loss, cell, saved=False)
assert len(record.nodes) == 450_005, len(record.nodes)
assert "450,005" in str(record)
"""


def survives(program: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", START + textwrap.dedent(program) + "\nprint('alive')"],
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.endswith("alive\n")
    return done.stdout


@pytest.mark.parametrize(
    "freeing",
    [
        "find(record); capture(c); del loss, h, c",
        "loss.backward(); del loss, h, c",
        "loss.backward(retain_graph=True); assert record.state == 'live'; loss.backward(); del loss, h, c",
        "del loss, h; assert record.state == 'freed'; c.sum().backward(); del c",
        "box = [loss, h, c]; del loss, h, c; t = threading.Thread(target=box.clear); t.start(); t.join()",
    ],
    ids=["unused", "backward", "retain", "second-output", "thread"],
)
def test_an_lstm_of_thirty_thousand_steps(freeing):
    survives(LSTM + freeing + "\nassert record.state == 'freed'; gc.collect()")


def test_a_deep_graph_alive_at_exit():
    survives("y = torch.ones(1, requires_grad=True)\nfor _ in range(100_000): y = y.sin()\ncapture(y)")


@pytest.mark.parametrize("first", ["u, v", "v, u"])
def test_interleaved_chains_freed_one_after_the_other(first):
    """Keepers at fixed places in the order would all stand in one of the two chains."""
    survives(f"""
        u = v = torch.ones(1, requires_grad=True)
        for _ in range(60_000):
            u, v = u.sin(), v.cos()
        capture([u, v], saved=False)
        {first.split(", ")[0]} = None
        {first.split(", ")[1]} = None
    """)


def test_skipped_blocks():
    """Every path past the keepers of the blocks leads along the skip connections, and the other way round."""
    survives("""
        y = torch.ones(1, requires_grad=True)
        for _ in range(20_000):
            y = y + y.sin().cos().exp().tanh()
        capture(y)
        del y
    """)


def test_custom_functions():
    survives("""
        class Same(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x): return x.clone()
            @staticmethod
            def backward(ctx, g): return g
        y = torch.ones(1, requires_grad=True)
        for _ in range(20_000):
            y = Same.apply(y).sin()
        assert len(capture(y).nodes) == 40_001
        del y
    """)


def test_an_interrupted_walk():
    """Ctrl+C in the middle leaves half a graph with wrappers: it can be freed all the same."""
    survives("""
        import signal, _thread
        from torchloupe.autograd import walk as module
        y = torch.ones(1, requires_grad=True)
        for _ in range(100_000):
            y = y.sin()
        class Interrupts(list):
            def append(self, item):
                super().append(item)
                if len(self) == 50_000:
                    raise KeyboardInterrupt
        plain = module._discover
        def interrupted(nodes, following, ids):
            half = Interrupts()
            try:
                plain(nodes, half, ids)
            finally:
                following += half
        module._discover = interrupted
        try:
            capture(y)
        except KeyboardInterrupt:
            print("interrupted")
        else:
            raise SystemExit("not interrupted")
        assert gc.isenabled()
        module._discover = plain
        del y
        gc.collect()
    """)


def test_many_small_frees_inside_a_large_one():
    """Freeing one graph frees another that one of its saved tensors keeps, through Python code."""
    survives("""
        class Holds:
            def __init__(self, tensor, other): self.tensor, self.other = tensor, other
        def chain(other):
            y = torch.ones(1, requires_grad=True)
            pack, unpack = lambda t: Holds(t.detach(), other), lambda p: p.tensor
            with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
                y = y.sin()
            for _ in range(20_000):
                y = y.sin()
            capture(y, saved=False)
            return y
        y = None
        for _ in range(5):
            y = chain(y)
        del y
    """)
