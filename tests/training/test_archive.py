"""Runs come back from disk: ours with their branches, other writers' as far as event files tell."""

import json
import math

import numpy as np
import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from torch.utils.tensorboard import SummaryWriter

from torchloupe.training.archive import open as read
from torchloupe.training.run import Run


def written(tmp_path, name="r"):
    run = Run(name, tmp_path, hyper={"lr": 0.1, "inf": math.inf, "odd": object, "list": (1, "x"), 3: None})
    for step in range(6):
        run.log(loss=step / 3, acc=1.0, step=step)
    for step in range(3, 8):
        run.log(loss=-step / 3, step=step)
    run.log(loss=math.nan, group="val", step=7)
    run.close()
    return run


def test_every_branch_comes_back_in_single_precision(tmp_path):
    run = written(tmp_path)
    back = read(tmp_path / "r")
    assert (run.precision, back.precision) == ("float64", "float32")
    assert [(b.name, b.at, b.ended) for b in back.branches] == [("a", None, 5), ("b", 3, None)]
    for name, group, branch in (
        ("loss", "train", None),
        ("loss", "train", "a"),
        ("acc", "train", "b"),
        ("loss", "val", "b"),
    ):
        ours, theirs = run.series(name, group, branch=branch), back.series(name, group, branch=branch)
        assert theirs.steps.tolist() == ours.steps.tolist()
        assert np.array_equal(theirs.values, ours.values.astype(np.float32), equal_nan=True)
        assert np.array_equal(theirs.wall_time, ours.wall_time)
    assert back.branch.flags == run.branch.flags and len(back.branch.flags) == 1
    assert back.state == "finished"
    assert back.hyper == {"lr": 0.1, "inf": "inf", "odd": "<class 'object'>", "list": [1, "x"], "3": None}
    assert back.text() == run.text()


def test_tensorboard_shows_each_branch_as_a_run_of_its_own(tmp_path):
    written(tmp_path)
    for folder, steps in ((".", list(range(6))), ("b-from-3", list(range(3, 8)))):
        peer = EventAccumulator(str(tmp_path / "r" / folder), size_guidance={"scalars": 0})
        peer.Reload()
        assert [event.step for event in peer.Scalars("loss/train")] == steps


def test_a_name_that_is_there_is_resumed(tmp_path):
    written(tmp_path)
    run = Run("r", tmp_path, hyper={"lr": 0.2})
    assert run.series("loss").steps.tolist() == list(range(8))
    run.log(loss=8.0)
    for _ in run.loop(range(2)):
        run.log(loss=9.0)
    run.close()
    back = read(tmp_path / "r")
    assert [(b.name, b.at) for b in back.branches] == [("a", None), ("b", 3), ("c", 0)]
    assert back.series("loss", branch="b").steps.tolist() == list(range(9))
    assert back.series("loss").values.tolist() == [9.0, 9.0]
    assert back.hyper["lr"] == 0.2 and back.hyper["inf"] == "inf"


def test_a_cell_run_again_takes_the_folder_over(tmp_path):
    first = Run("same", tmp_path)
    first.log(loss=1.0)
    second = Run("same", tmp_path)
    assert first.state == "finished"
    second.log(loss=2.0)
    second.close()
    assert read(tmp_path / "same").series("loss").values.tolist() == [1.0, 2.0]


def test_what_is_logged_after_close_is_written_too(tmp_path):
    run = Run("r", tmp_path)
    for value in (1.0, 2.0):
        run.log(loss=value)
        run.close()
        run.close()
    assert read(tmp_path / "r").series("loss").values.tolist() == [1.0, 2.0]


def test_other_writers_tags_become_names_and_groups(tmp_path):
    with SummaryWriter(str(tmp_path)) as writer:
        for step in range(4):
            writer.add_scalar("Loss/train", step / 7, step)
            writer.add_scalar("val/loss", step / 3, step)
            writer.add_scalar("optimizer/lr", 0.5, step)
            writer.add_scalars("both", {"x": 1.0, "y": 2.0}, step)
        writer.add_text("note", "hello")
    back = read(tmp_path)
    assert back.series("Loss").values.tolist() == [float(np.float32(step / 7)) for step in range(4)]
    assert back.series("loss", "val").steps.tolist() == list(range(4))
    assert back.series("optimizer/lr").values.tolist() == [0.5] * 4
    assert back.series("both", "both_x").values.tolist() == [1.0] * 4
    assert back.state == "finished" and back.name == tmp_path.name


def test_a_folder_of_runs_names_them(tmp_path):
    written(tmp_path, "one")
    written(tmp_path, "two")
    with pytest.raises(FileNotFoundError, match="one, one/b-from-3, two"):
        read(tmp_path)
    with pytest.raises(FileNotFoundError, match="no TensorBoard event file"):
        read(tmp_path / "none")


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "3", '{"branches": 3}', '{"branches": [null, {"name": 4}]}',
     '{"state": "flying", "error": [1]}', '{"total": "x", "hyper": 4, "name": {"a": 1}}',
     '{"branches": [{"name": "a", "flags": [{"step": 1}, 4]}]}'],
)  # fmt: skip
def test_a_run_json_of_anybody_does_no_harm(tmp_path, text):
    run = Run("r", tmp_path)
    run.log(loss=1.0)
    run.close()
    (tmp_path / "r" / "run.json").write_text(text)
    back = read(tmp_path / "r")
    assert back.series("loss").values.tolist() == [1.0]
    assert back.text() and back.branch.flags == []


def test_flags_with_words_nobody_knows_are_left_out(tmp_path):
    run = Run("r", tmp_path)
    run.log(loss=math.nan)
    run.close()
    path = tmp_path / "r" / "run.json"
    content = json.loads(path.read_text())
    good = content["branches"][0]["flags"][0]
    content["branches"][0]["flags"] += [
        {**good, "sentence": {"id": "error.none.such", "args": {}}},
        {**good, "sentence": {"id": "flag.nan", "args": {}}},
        {**good, "kind": "bomb"},
    ]
    path.write_text(json.dumps(content))
    assert read(tmp_path / "r").branch.flags == run.branch.flags


def test_a_branch_cannot_lead_out_of_the_folder(tmp_path):
    run = Run("r", tmp_path)
    run.log(loss=1.0)
    run.close()
    other = Run("other", tmp_path)
    other.log(secret=1.0)
    other.close()
    path = tmp_path / "r" / "run.json"
    content = json.loads(path.read_text())
    content["branches"].append({"name": "../../other/..", "parent": "a", "at": 0})
    path.write_text(json.dumps(content))
    with pytest.raises(KeyError):
        read(tmp_path / "r").series("secret")
