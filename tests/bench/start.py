"""What the extension adds to the start of JupyterLab."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser

from tests.bench.interval import bootstrap
from tests.bench.page import RESTORED, Bare, browsing, fresh_page, served
from tests.bench.rounds import repeats
from tests.bench.row import Row
from tests.browser.server import Jupyter

LIMIT_MS = 100
ACTIVATE = "torchloupe:activate"

_TIMES = f"""async () => {{
  await window.jupyterapp.allPluginsActivated;
  const resources = performance.getEntriesByType("resource");
  const ours = resources.filter(({{ name }}) => name.includes("/extensions/torchloupe/"));
  return {{
    ready: performance.getEntriesByName("{RESTORED}")[0].startTime,
    measures: performance.getEntriesByType("measure").map(({{ name, duration }}) => [name, duration]),
    requests: ours.length,
    nbytes: ours.reduce((sum, entry) => sum + entry.decodedBodySize, 0),
  }};
}}"""


@dataclass(frozen=True)
class Start:
    """One start of JupyterLab, in milliseconds since the navigation began."""

    ready: float
    measures: dict[str, float]
    requests: int
    nbytes: int
    processor: float
    """Milliseconds the page's main thread was running, whatever else the machine did."""


def measure(share: float) -> list[Row]:
    starts: dict[bool, list[Start]] = {True: [], False: []}
    with browsing() as browser, served() as full, served(Bare) as bare:
        servers = {True: full, False: bare}
        for ours in servers:
            _start(browser, servers[ours], ours=ours)  # The servers and the system's file cache warm up.
        for turn in range(repeats(20, share)):
            for ours in (True, False) if turn % 2 else (False, True):
                starts[ours].append(_start(browser, servers[ours], ours=ours))
    return _rows(starts[True], starts[False])


def _start(browser: Browser, jupyter: Jupyter, *, ours: bool) -> Start:
    with fresh_page(browser, jupyter) as lab:
        devtools = lab.page.context.new_cdp_session(lab.page)
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        lab.open()
        found: dict[str, Any] = lab.page.evaluate(_TIMES)
        metrics = {
            entry["name"]: entry["value"] for entry in devtools.send("Performance.getMetrics")["metrics"]
        }
        # JupyterLab goes on asking its server when it is ready: the next start is not to meet that work.
        lab.page.wait_for_load_state("networkidle")
    start = Start(**{**found, "measures": dict(found["measures"])}, processor=metrics["TaskDuration"] * 1e3)
    if (start.requests > 0) != ours or (ACTIVATE in start.measures) != ours:
        raise RuntimeError(f"the extension was {'not ' if ours else ''}there: {start}")
    return start


def _rows(full: list[Start], bare: list[Start]) -> list[Row]:
    differences = [a.ready - b.ready for a, b in zip(full, bare, strict=True)]
    worked = [a.processor - b.processor for a, b in zip(full, bare, strict=True)]
    interval = (
        "of interleaved pairs of starts, with its 95 % bootstrap interval (percentile) as the middle column"
    )
    rows = [
        Row.median(
            "activation of our plugins", [start.measures[ACTIVATE] for start in full], "ms", limit=LIMIT_MS
        )
    ]
    rows += [
        Row.median(
            f"of that, {name.removeprefix(ACTIVATE + ':')}", [start.measures[name] for start in full], "ms"
        )
        for name in sorted(full[0].measures)
        if name.startswith(ACTIVATE + ":")
    ]
    return [
        *rows,
        Row("our front end, loaded at start", full[-1].nbytes, "B"),
        Row.median(
            "page ready, with the extension",
            [start.ready for start in full],
            "ms",
            peer=statistics.median(start.ready for start in bare),
            beside="without",
            note="JupyterLab's `restored`, in a fresh browser context with an empty cache",
        ),
        _mean("page ready, mean difference", differences, interval),
        _mean("the page's main thread, mean difference of its processor time", worked, interval),
    ]


def _mean(name: str, values: list[float], note: str) -> Row:
    low, high = bootstrap(values)
    return Row(name, statistics.fmean(values), "ms", values=tuple(values), low=low, high=high, note=note)
