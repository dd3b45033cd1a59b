"""A tensor of 1e9 elements against one of 10: the lens opens as fast and copies a bounded sample."""

from __future__ import annotations

from tests.bench.kernel import answer
from tests.bench.rounds import repeats
from tests.bench.row import Row

LIMIT_RATIO = 1.5
LIMIT_COPIED = 4096

# The profiler sees the operations also where the lens has switched modes and hooks off. What only works a
# layout out, on the meta device, allocates nothing.
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
    rows = sum(math.prod(e.input_shapes[2]) for e in seen.function_events if e.name == "aten::index_select")
    return rows, sum(max(e.cpu_memory_usage, 0) for e in seen.function_events)

for x in tensors.values():
    timed(x)
times = {name: [] for name in tensors}
for turn in range(ROUNDS):
    for name in sorted(tensors, reverse=turn % 2):
        times[name].append(timed(tensors[name]))
found = {"times": times, "copied": {name: copied(x) for name, x in tensors.items()}, "note": note,
         "itemsize": large.itemsize}
"""


def measure(share: float) -> list[Row]:
    found = answer(PROGRAM.replace("ROUNDS", str(repeats(41, share))))
    shows = {name: [show for show, _ in times] for name, times in found["times"].items()}
    bundles = {name: [bundle for _, bundle in times] for name, times in found["times"].items()}
    rows = [Row.median(f"show(x), {name} elements", shows[name], "ms") for name in shows]
    for name in ("10", "1024"):
        ratios = [a / b for a, b in zip(shows["1e9"], shows[name], strict=True)]
        limit = LIMIT_RATIO if name == "10" else None
        rows.append(
            Row.median(f"show(x), 1e9 over {name} elements", ratios, "×", limit=limit, note=found["note"])
        )
    ratios = [a / b for a, b in zip(bundles["1e9"], bundles["10"], strict=True)]
    rows.append(Row.median("its output's bundle, 1e9 over 10 elements", ratios, "×"))
    cells, nbytes = found["copied"]["1e9"]
    note = "by show and its output's bundle, as torch's profiler saw it"
    rows.append(Row("cells of 1e9 sampled", cells, "", LIMIT_COPIED, note=note))
    rows.append(
        Row("memory torch allocated for it", nbytes, "B", LIMIT_COPIED * found["itemsize"], note=note)
    )
    return rows
