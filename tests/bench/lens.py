"""What showing a lens costs the kernel: `show(x)`, then the bundle of the output."""

from __future__ import annotations

from typing import Any

from tests.bench.kernel import answer
from tests.bench.rounds import repeats
from tests.bench.row import Row

LATER = 10

# As in a cell: the names of the arguments are read from the source, and each lens opens a comm.
PROGRAM = f"""
import statistics, time
import torch, ipywidgets, torchloupe as loupe
x = torch.arange(12.).reshape(3, 4)
shown, bundled, parts = [], [], {{"svg": [], "png": [], "text": []}}
for _ in range({LATER} + 1):
    start = time.perf_counter()
    lens = loupe.strides.show(x)
    middle = time.perf_counter()
    lens._repr_mimebundle_()
    end = time.perf_counter()
    shown.append((middle - start) * 1e3)
    bundled.append((end - middle) * 1e3)
    acts = {{"svg": lambda: lens.picture().svg(), "png": lambda: lens.picture().png(), "text": lens.text}}
    for name, act in acts.items():
        start = time.perf_counter()
        act()
        parts[name].append((time.perf_counter() - start) * 1e3)
    lens.close()
later = lambda values: statistics.median(values[1:])
found = {{"first show": shown[0], "first bundle": bundled[0], "show": later(shown), "bundle": later(bundled),
         **{{name: later(values) for name, values in parts.items()}}}}
"""


def measure(share: float) -> list[Row]:
    kernels: list[dict[str, Any]] = [answer(PROGRAM) for _ in range(repeats(7, share))]
    later = f"medians of {LATER} lenses in each of the fresh kernels"
    labels = {
        "first show": ("show(x), first in a kernel", "with the modules of the lens"),
        "first bundle": ("its output's bundle, first", "with Pillow and fonts"),
        "show": ("show(x), later", later),
        "bundle": ("its output's bundle, later", later),
        "svg": ("of that, picture and SVG", later),
        "png": ("of that, picture and PNG", later),
        "text": ("of that, text", later),
    }
    return [
        Row.median(label, [found[key] for found in kernels], "ms", note=note)
        for key, (label, note) in labels.items()
    ]
