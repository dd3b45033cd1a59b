"""The bench tells the truth: verdicts, ratios, intervals, and an exit status that is not about speed."""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests.bench.interval import bootstrap
from tests.bench.rounds import interleaved, ratio
from tests.bench.row import HEADINGS, Row, table

RUN = Path(__file__).with_name("run.py")


@pytest.mark.parametrize(
    ("row", "verdict", "share"),
    [
        (Row("m", 15, "µs", limit=15), "within", 1.0),
        (Row("m", 15.1, "µs", limit=15), "over", 15.1 / 15),
        (Row("m", 3, "ms", peer=12, beside="other"), "reported", 0.25),
        (Row("m", 3, "ms", limit=2, peer=12, beside="other"), "over", 0.25),
        (Row("m", None, beside="other: not installed"), "peer missing", None),
    ],
)
def test_verdict_and_ratio(row: Row, verdict: str, share: float | None) -> None:
    assert row.verdict == verdict
    assert row.ratio == share
    assert row.stored()["verdict"] == verdict


def test_median_row_agrees_with_statistics() -> None:
    values = [5.0, 1.0, 4.0, 2.0, 3.0]
    row = Row.median("m", values, "ms")
    assert (row.ours, row.low, row.high, row.best, len(row.values)) == (
        statistics.median(values),
        2.0,
        4.0,
        1.0,
        5,
    )


def test_table_is_aligned_and_numbers_its_notes() -> None:
    text = table(
        [Row("short", 1, "ms", note="why"), Row("a much longer name", 12_345.6, "B", limit=2), Row("x", 2)]
    )
    head, rule, *lines = text.splitlines()
    places = [head.index(heading) for heading in HEADINGS]
    assert [place for place in range(len(rule)) if f" {rule}"[place : place + 2] == " ─"] == places
    assert lines[0].startswith("short [1]")
    assert lines[1][places[1] :].startswith("12,346 B")
    assert lines[1].endswith("over")
    assert lines[-1] == "[1] why"


def test_bootstrap_covers_a_known_mean_as_often_as_it_says() -> None:
    draw = random.Random(1)
    samples = [[draw.gauss(7, 2) for _ in range(30)] for _ in range(200)]
    ends = [bootstrap(sample, resamples=400) for sample in samples]
    covered = sum(low <= 7 <= high for low, high in ends)
    assert 175 <= covered <= 199
    with pytest.raises(ValueError, match="at least two"):
        bootstrap([1.0])


def test_interleaved_calls_each_way_equally_and_in_turns() -> None:
    called: list[str] = []
    found = interleaved({name: partial(called.append, name) for name in "ab"}, rounds=3, calls=2)
    assert "".join(called) == "ab" + "aabb" + "bbaa" + "aabb"
    assert {name: len(times) for name, times in found.items()} == {"a": 3, "b": 3}
    assert ratio([2, 9, 4], [1, 3, 4]) == 2


def test_command_writes_a_table_and_json(tmp_path: Path) -> None:
    stored = tmp_path / "bench.json"
    done = _run("bundle", "--output", str(stored))
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n")[0].split() == " ".join(HEADINGS).split()
    found = json.loads(stored.read_text("utf-8"))
    sizes = {row["measure"]: row["ours"] for row in found["measures"]["bundle"]["rows"]}
    views = sorted((RUN.parents[2] / "widgets" / "torchloupe").glob("*/view.js"))
    assert views
    for view in views:
        assert sizes[f"{view.parent.name}/view.js"] == view.stat().st_size
    assert found["machine"]["cores"] >= 1


def test_a_measure_that_cannot_run_fails_the_command(tmp_path: Path) -> None:
    """A PATH without a browser: the others still run, and the command says which could not."""
    stored = tmp_path / "bench.json"
    done = _run("paint", "bundle", "--output", str(stored), path=str(tmp_path))
    assert done.returncode == 1
    assert "paint could not run" in done.stderr
    assert "strides/view.js" in done.stdout
    assert list(json.loads(stored.read_text("utf-8"))["failed"]) == ["paint"]


def test_an_unknown_measure_is_refused() -> None:
    done = _run("capture", "speed")
    assert done.returncode == 2
    assert "no measure is called 'speed'" in done.stderr


def _run(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = None if path is None else {"PATH": path}
    command = [sys.executable, str(RUN), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
