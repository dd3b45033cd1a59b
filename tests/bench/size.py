"""A tensor of 1e9 elements against one of 10: the lens opens as fast and copies a bounded sample."""

from __future__ import annotations

from tests.bench.kernel import answer
from tests.bench.rounds import repeats
from tests.bench.row import Row

LIMIT_RATIO = 1.5
LIMIT_COPIED = 4096

# The profiler sees each operation that copies, also where the lens has switched modes and hooks off.
PROGRAM = """
import math, statistics, time
import torch, torchloupe as loupe
from tests.bench.capture import billion
large, note = billion()
tensors = {"10": torch.arange(10.), "1024": torch.arange(1024.), "1e9": large}

def timed(x):
    start = time.perf_counter()
    lens = loupe.strides.show(x, names=["x"])
    middle = time.perf_counter()
    lens._repr_mimebundle_()
    end = time.perf_counter()
    lens.close()
    return (middle - start) * 1e3, (end - middle) * 1e3

def copied(x):
    with torch.autograd.profiler.profile(use_kineto=False, record_shapes=True, profile_memory=True) as seen:
        lens = loupe.strides.show(x, names=["x"])
        lens._repr_mimebundle_()
    lens.close()
    elements = 0
    for event in seen.function_events:
        if event.name == "aten::index_select":
            elements += math.prod(event.input_shapes[2])
        elif event.name in ("aten::copy_", "aten::clone"):
            elements += math.prod(event.input_shapes[0])
    return elements, sum(max(event.cpu_memory_usage, 0) for event in seen.function_events)

for x in tensors.values():
    timed(x)
times = {name: [] for name in tensors}
for turn in range(ROUNDS):
    for name in sorted(tensors, reverse=turn % 2):
        times[name].append(timed(tensors[name]))
found = {"times": times, "copied": {name: copied(x) for name, x in tensors.items()}, "note": note}
"""


def measure(share: float) -> list[Row]:
    found = answer(PROGRAM.replace("ROUNDS", str(repeats(41, share))))
    shows = {name: [show for show, _ in times] for name, times in found["times"].items()}
    bundles = {name: [bundle for _, bundle in times] for name, times in found["times"].items()}
    rows = [Row.median(f"show(x), {name} elements", shows[name], "ms") for name in shows]
    for name in ("10", "1024"):
        ratios = [a / b for a, b in zip(shows["1e9"], shows[name], strict=True)]
        limit = LIMIT_RATIO if name == "10" else None
        rows.append(Row.median(f"show(x), 1e9 over {name} elements", ratios, "×", limit=limit, note=found["note"]))
    ratios = [a / b for a, b in zip(bundles["1e9"], bundles["10"], strict=True)]
    rows.append(Row.median("its output's bundle, 1e9 over 10 elements", ratios, "×"))
    elements, nbytes = found["copied"]["1e9"]
    rows.append(Row("elements of 1e9 copied by show and bundle", elements, "", LIMIT_COPIED, note="as torch's profiler saw it"))
    rows.append(Row("bytes torch allocated for it", nbytes, "B"))
    return rows
