"""Measures Torchloupe against its limits and its peers: `make bench`.

    python tests/bench/run.py                 all measures, some minutes
    python tests/bench/run.py capture paint   these
    python tests/bench/run.py --quick         fewer repeats, to see that all of them run

Prints one table and writes `build/bench.json`. Being slow is no failure: what exceeds a limit says "over".
The exit status is 1 only when a measure could not run.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]
# Run as a script, its own folder would come first and its modules would hide others of the same name.
sys.path[0] = str(REPOSITORY)

from tests.bench import machine  # noqa: E402
from tests.bench.row import Row, table  # noqa: E402

MEASURES = (
    "capture", "imports", "lens", "size", "peers", "bundle", "saved", "start", "paint",
    "graph", "trace", "graph_layout",
)  # fmt: skip
STORED = REPOSITORY / "build" / "bench.json"
QUICK = 0.2


def measured(name: str, share: float) -> list[Row]:
    """The rows of one measure, made in a process of its own."""
    rows: list[Row] = import_module(f"tests.bench.{name}").measure(share)
    return rows


def main(arguments: list[str] | None = None) -> int:
    """Run the measures that are named, or all."""
    parser = argparse.ArgumentParser(description="Measure Torchloupe against its limits and its peers.")
    parser.add_argument("measures", nargs="*", metavar="MEASURE", help=", ".join(MEASURES))
    parser.add_argument("--quick", action="store_true", help="a fifth of the repeats: not for conclusions")
    parser.add_argument(
        "--output", type=Path, default=STORED, metavar="FILE", help="default: build/bench.json"
    )
    asked = parser.parse_args(arguments)
    if unknown := sorted(set(asked.measures) - set(MEASURES)):
        parser.error(f"no measure is called {unknown[0]!r}; there are {', '.join(MEASURES)}")

    facts, rows, runs, failed = machine.facts(), list[Row](), dict[str, Any](), dict[str, str]()
    for name in asked.measures or MEASURES:
        start, load = time.monotonic(), machine.load()
        print(f"{name} …", end=" ", file=sys.stderr, flush=True)
        try:
            # A fresh interpreter, so that no measure warms up or breaks another.
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
                found = process.submit(measured, name, QUICK if asked.quick else 1.0).result()
        except Exception as error:
            failed[name] = "".join(traceback.format_exception(error))
            found = []
        rows += found
        runs[name] = {
            "seconds": round(time.monotonic() - start, 1),
            "load": load,
            "rows": [r.stored() for r in found],
        }
        print(f"{runs[name]['seconds']} s", file=sys.stderr)

    facts["load_after"] = machine.load()
    print(table(rows))
    print(_footer(facts, quick=asked.quick))
    for name, reason in failed.items():
        print(f"\n{name} could not run:\n{reason}", file=sys.stderr)
    asked.output.parent.mkdir(parents=True, exist_ok=True)
    stored = {"machine": facts, "quick": asked.quick, "measures": runs, "failed": failed}
    asked.output.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"Written to {os.path.relpath(asked.output)}.")
    return 1 if failed else 0


def _footer(facts: dict[str, Any], *, quick: bool) -> str:
    versions = ", ".join(f"{name} {facts[name]}" for name in ("python", "torch", "jupyterlab"))
    load = f"load {facts['load']} before and {facts['load_after']} after"
    lines = [f"{facts['cores']} cores ({facts['processor']}), {load}, {versions}, {facts['chromium']}."]
    if max(facts["load"], facts["load_after"]) > facts["cores"] / 2:
        lines.append("The machine was busy: times may be several times too long; trust the ratios.")
    if quick:
        lines.append("A quick run: too few repeats for conclusions.")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
