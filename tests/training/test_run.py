"""Recording: what is accepted, where it lands, what begins a branch, and what is said about it."""

import gc
import math
import threading
import weakref
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from torchloupe.core import language
from torchloupe.training.ledger import MOST_BRANCHES
from torchloupe.training.run import Run
from torchloupe.training.waiting import MOST


@pytest.fixture
def run(tmp_path):
    made = Run("r", tmp_path)
    yield made
    made.close()


ACCEPTED = [
    3, 2.5, True, Fraction(1, 4), np.float32(0.5), np.int64(7), np.array(1.5), np.array([2.5]),
    np.bool_(True),
    torch.tensor(1.5), torch.tensor([2.5]), torch.tensor([[3.5]], dtype=torch.float64), torch.tensor(True),
    torch.tensor(0.5, dtype=torch.bfloat16), torch.tensor(4, dtype=torch.uint8),
    torch.nn.Parameter(torch.ones([])),
    torch.tensor(0.25, dtype=torch.float8_e4m3fn), math.inf, -math.inf,
]  # fmt: skip


@pytest.mark.parametrize("value", ACCEPTED, ids=repr)
def test_numbers_and_tensors_of_one_element_are_values(run, value):
    run.log(loss=value)
    assert run.series("loss").values.tolist() == [float(value.item() if hasattr(value, "item") else value)]


REFUSED = [
    "x", None, [1.0], 1j, Decimal(1), np.complex64(1), np.ones(2), torch.ones(2), torch.tensor(1j),
    slice(None),
    torch.empty((), device="meta"), torch.ones(0), {}, 10**400, np.array("x"),
]  # fmt: skip


@pytest.mark.parametrize("value", REFUSED, ids=repr)
def test_the_rest_is_refused_by_name_and_nothing_of_that_call_is_kept(run, value):
    with pytest.raises(TypeError, match="accuracy"):
        run.log(loss=1.0, accuracy=value)
    with language.worded_in("zh-CN"), pytest.raises(TypeError, match=r"accuracy.*[\u4e00-\u9fff]"):
        run.log(loss=1.0, accuracy=value)
    assert run.branch.series == {} or run.last_step == -1


def test_a_tensor_without_a_value_is_refused(run):
    with pytest.raises(TypeError, match="holds no value"):
        torch.vmap(lambda x: run.log(loss=x) or x)(torch.ones(3))
    with torch._subclasses.FakeTensorMode(), pytest.raises(TypeError, match="loss"):
        run.log(loss=torch.ones(()))
    assert run.last_step == -1


@pytest.mark.parametrize(
    ("keywords", "error", "words"),
    [
        ({"step": 1.0}, TypeError, "step is a float"),
        ({"step": True}, TypeError, "step is a bool"),
        ({"step": "3"}, TypeError, "step is a str"),
        ({"step": torch.ones(2, dtype=torch.int64)}, TypeError, "step is a Tensor"),
        ({"step": -1}, ValueError, "step is -1"),
        ({"step": 2**63}, ValueError, "64 bits"),
        ({"group": None}, TypeError, "group is a NoneType"),
        ({"group": 3}, TypeError, "group is a int"),
        ({"group": ""}, ValueError, "group"),
        ({"group": "a/b"}, ValueError, "slash"),
    ],
)
def test_a_wrong_step_or_group_is_refused_by_name(run, keywords, error, words):
    for _ in range(2):
        with pytest.raises(error, match=words):
            run.log(loss=1.0, **keywords)
        run.log(loss=1.0)
    assert run.series("loss").steps.tolist() == [0, 1]


def test_names_that_are_no_python_names_go_through_log_dict(run):
    run.log_dict({"loss/inner part": 1.0, "准确率": 2.0}, step=np.int32(4), group="val")
    assert run.series("loss/inner part", "val").steps.tolist() == [4]
    assert run.series("准确率", "val").values.tolist() == [2.0]
    for bad, error in (([("a", 1.0)], TypeError), ({3: 1.0}, TypeError), ({"": 1.0}, ValueError)):
        with pytest.raises(error):
            run.log_dict(bad)
    with pytest.raises(TypeError):
        run.log({"loss": 1.0})


def test_without_a_step_the_next_of_that_curve_is_meant(run):
    for value in range(4):
        run.log(loss=value)
    run.log(loss=9.0, step=20)
    run.log(loss=10.0, acc=1.0)
    assert run.series("loss").steps.tolist() == [0, 1, 2, 3, 20, 21]
    assert run.series("acc").steps.tolist() == [0]
    assert len(run.branches) == 1


def test_in_a_loop_the_step_of_the_loop_is_meant_and_after_it_its_last(run):
    run.log(group="val", loss=9.0)
    for epoch in range(2):
        for batch in run.loop([0.5, 0.25]):
            run.log(loss=batch)
        run.log(group="val", loss=float(epoch))
    run.log(group="val", loss=7.0)
    assert run.series("loss").steps.tolist() == [0, 1, 2, 3]
    assert run.series("loss", "val").steps.tolist() == [0, 1, 3, 4]
    assert len(run.branches) == 1


def test_a_curve_logged_twice_in_a_step_of_the_loop_is_refused(run):
    def body():
        for _ in run.loop(range(3)):
            run.log(loss=1.0)
            if run.at == 1:
                run.log(loss=2.0)

    with pytest.raises(ValueError, match="loss/train was logged already in step 1"):
        body()
    assert run.series("loss").steps.tolist() == [0, 1] and len(run.branches) == 1


def test_a_repeated_step_begins_a_branch_of_the_whole_run(run):
    for step in range(6):
        run.log(loss=step, acc=step / 10, step=step)
    for step in range(3, 8):
        run.log(acc=step, loss=-step, step=step)
    assert [(b.name, b.at, b.ended) for b in run.branches] == [("a", None, 5), ("b", 3, None)]
    assert run.series("loss").steps.tolist() == list(range(8))
    assert run.series("loss").values.tolist() == [0, 1, 2, -3, -4, -5, -6, -7]
    assert run.series("acc").values.tolist() == [0, 0.1, 0.2, 3, 4, 5, 6, 7]
    assert run.series("loss", branch="a").values.tolist() == list(range(6))


def test_a_branch_of_a_branch_before_its_beginning_follows_the_first(run):
    for first, last in ((0, 9), (6, 9), (2, 4)):
        for step in range(first, last):
            run.log(loss=first, step=step)
    assert run.series("loss").values.tolist() == [0, 0, 2, 2]
    assert run.series("loss", branch="b").values.tolist() == [0] * 6 + [6] * 3


def test_a_sparse_curve_goes_on_in_a_branch_where_it_was(run):
    for step in range(50):
        run.log(loss=1.0, step=step)
        if step % 10 == 0:
            run.log(loss=2.0, group="val")
    run.log(loss=3.0, step=30)
    run.log(loss=4.0, group="val")
    assert len(run.branches) == 2
    assert run.series("loss", "val").steps.tolist() == [0, 1, 2, 3, 4, 5]


@given(st.lists(st.tuples(st.integers(0, 12), st.sampled_from("xy")), max_size=60))
@settings(deadline=None, max_examples=60)
def test_no_line_ever_runs_backwards(tmp_path_factory, points):
    run = Run(None, tmp_path_factory.mktemp("runs"))
    logged = dict.fromkeys("xy", 0)
    for number, (step, name) in enumerate(points):
        run.log_dict({name: float(number)}, step=step)
        logged[name] += 1
        assert run.series(name).values[-1] == number and run.series(name).steps[-1] == step
    run.close()
    for branch in run.branches:
        for name in {key[0] for stretch, _ in branch.line() for key in stretch.series}:
            assert (np.diff(run.series(name, branch=branch.name).steps) > 0).all()
    kept = {
        name: sum(len(b.series[name, "train"]) for b in run.branches if (name, "train") in b.series)
        for name in "xy"
    }
    assert kept == logged


def test_steps_that_are_epochs_by_mistake_are_found_out(run):
    def body():
        for _ in range(MOST_BRANCHES + 1):
            run.log(loss=1.0, step=0)

    with pytest.raises(RuntimeError, match="repeated again and again"):
        body()


def test_nan_is_kept_and_marked_once_a_stretch(run):
    for value in (1.0, math.nan, math.nan, math.inf, 0.5, -math.inf):
        run.log(loss=value, other=1.0)
    assert np.array_equal(
        run.series("loss").values, [1, math.nan, math.nan, math.inf, 0.5, -math.inf], equal_nan=True
    )
    assert [(flag.step, flag.kind) for flag in run.branch.flags] == [(1, "nan"), (5, "nan")]
    assert run.series("other").steps.tolist() == list(range(6))


def test_no_graph_and_no_tensor_is_kept(run):
    weights = torch.nn.Linear(9, 9)
    kept = []
    for _ in range(3):
        loss = weights(torch.ones(2, 9)).sum()
        loss.grad_fn.metadata["mark"] = mark = type("Mark", (), {})()
        kept += [weakref.ref(mark), weakref.ref(loss)]
        run.log(loss=loss)
        del loss, mark
    gc.collect()
    assert [one() for one in kept] == [None] * 6


def test_values_of_a_device_come_later_in_order_and_are_never_many(run):
    ledger = run.ledger
    for step in range(MOST + 10):
        ledger.waiting.add(
            ledger.branch.curve("loss", "train"), step, torch.tensor(step / 2, dtype=torch.bfloat16), 0.0
        )
        assert len(ledger.waiting._queue) <= MOST
    run.log(loss=5.0)
    line = run.series("loss")
    assert line.steps.tolist() == list(range(MOST + 11))
    expected = (torch.arange(MOST + 10) / 2).bfloat16().double().tolist()
    assert line.values.tolist() == [*expected, 5.0]
    assert not ledger.waiting.series


def test_a_device_that_failed_leaves_gaps(run):
    run.ledger.waiting.add(run.branch.curve("loss", "train"), 0, torch.empty((), device="meta"), 0.0)
    run.log(loss=2.0)
    assert np.array_equal(run.series("loss").values, [math.nan, 2.0], equal_nan=True)
    assert [flag.kind for flag in run.branch.flags] == ["nan"]


def test_reading_says_what_there_is(run):
    run.log(loss=1.0)
    with pytest.raises(KeyError, match="loss/train"):
        run.series("lose")
    with pytest.raises(KeyError, match="branch z"):
        run.series("loss", branch="z")


def test_a_run_is_one_line_of_text_in_both_languages(run):
    assert repr(run) == "r: not begun, nothing logged yet"
    for step in range(1241):
        run.log(loss=0.416, step=step)
    run.log(group="val", loss=0.472, step=1200)
    run.log(loss=1.0, step=640)
    assert repr(run) == "r: running, step 640, train 1, branch b from 640"
    with language.worded_in("zh-CN"):
        assert repr(run) == "r：运行中，第 640 步，train 1，分支 b，自第 640 步"


def test_a_run_nobody_holds_is_written_and_gone(tmp_path):
    from torchloupe.training.archive import open as read

    model = torch.nn.Linear(1, 1)
    run = Run("gone", tmp_path, model=model)
    for _ in run.loop(range(2)):
        run.log(loss=0.5)
    gone = weakref.ref(run), weakref.ref(model)
    del run, model
    gc.collect()
    assert [one() for one in gone] == [None, None]
    assert read(tmp_path / "gone").series("loss").values.tolist() == [0.5, 0.5]


def test_two_threads_may_log_two_curves(run):
    def log(name):
        for step in range(3000):
            run.log_dict({name: float(step)}, step=step)

    threads = [threading.Thread(target=log, args=(name,)) for name in ("x", "y")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert run.series("x").steps.tolist() == run.series("y").steps.tolist() == list(range(3000))


@pytest.mark.parametrize(
    ("name", "error"),
    [("a/b", ValueError), ("..", ValueError), ("", ValueError), (" ", ValueError), ("a\nb", ValueError),
     ("x" * 200, ValueError), (3, TypeError)],
)  # fmt: skip
def test_a_name_that_is_no_folder_is_refused(tmp_path, name, error):
    with pytest.raises(error):
        Run(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_other_wrong_arguments_are_refused(tmp_path):
    for keywords, error in (
        ({"hyper": [1]}, TypeError),
        ({"on_nan": "stop"}, ValueError),
        ({"logdir": 3}, TypeError),
    ):
        with pytest.raises(error):
            Run("x", **{"logdir": tmp_path, **keywords})


def test_runs_without_a_name_never_share_a_folder(tmp_path):
    runs = [Run(logdir=tmp_path) for _ in range(3)]
    assert len({run.folder for run in runs}) == 3
    for run in runs:
        run.close()
