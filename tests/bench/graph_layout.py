"""Laying a graph out in the view, in turn with the layout engines that are installed for Node.

Peers are looked for in `node_modules`, or in that of the folder `TORCHLOUPE_LAYOUT_PEERS`:
`npm install @dagrejs/dagre elkjs @viz-js/viz` there.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
from pathlib import Path

from tests.bench.rounds import repeats
from tests.bench.row import Row

SCRIPT = Path(__file__).with_suffix(".mjs")
REPOSITORY = SCRIPT.parents[2]
LIMITS_MS = {"1,001 nodes": 10, "100,101 nodes": 150}
PEERS = ("@dagrejs/dagre", "elkjs", "@viz-js/viz")


def measure(share: float) -> list[Row]:
    node = shutil.which("node")
    if node is None:
        raise FileNotFoundError("this measure needs Node.js")
    folder = os.environ.get("TORCHLOUPE_LAYOUT_PEERS", str(REPOSITORY))
    command = [node, str(SCRIPT), str(repeats(15, share)), folder]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=REPOSITORY)
    found = json.loads(run.stdout)
    rows = []
    for graph in found["graphs"]:
        name, times = graph["name"], graph["times"]
        label = f"layout of {name}" if name in LIMITS_MS else f"layout of {name}, {graph['nodes']} nodes"
        note = f"{graph['crossings']} crossings"
        mine = times["ours"]
        rows.append(Row.median(label, mine, "ms", limit=LIMITS_MS.get(name), note=note))
        for peer in PEERS:
            if peer in times:
                other = statistics.median(times[peer])
                rows.append(Row.median(label, mine, "ms", peer=other, beside=peer, note=note))
    rows += [
        Row("layout", None, beside=f"{peer}: not installed") for peer in PEERS if peer not in found["peers"]
    ]
    return rows
