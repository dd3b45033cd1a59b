"""`run.loop`, `run.step`, `run.phase` and `run.start`: what they give, what they obey, how they end."""

import threading
from queue import Queue

import pytest
import torch
from torch.utils.data import DataLoader, TensorDataset

from torchloupe.training.archive import open as read
from torchloupe.training.ending import Stopped
from torchloupe.training.run import Run

PATIENCE_S = 20


@pytest.fixture
def run(tmp_path):
    made = Run("r", tmp_path)
    yield made
    made.close()


def paused(run):
    """Somebody who is told when the loop waits."""
    told, seen = Queue(), []

    def look():
        if run.state == "paused" and run.orders.last not in seen:
            seen.append(run.orders.last)
            told.put(None)

    run.listeners.append(look)
    return lambda: told.get(timeout=PATIENCE_S)


def test_a_loop_gives_what_the_loader_gives(run):
    loader = DataLoader(TensorDataset(torch.arange(10.0)), batch_size=4)
    seen = [
        (run.at, run.epoch, run.total, run.epochs, run.stepping.batch_size, batch[0].tolist())
        for batch in run.loop(loader, epochs=2)
    ]
    batches = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]] * 2
    assert seen == [(at, at // 3, 6, 2, len(batch), batch) for at, batch in enumerate(batches)]
    assert (run.state, run.at, run.error) == ("finished", 6, "")
    assert [(flag.kind, flag.step) for flag in run.branch.flags] == [("epoch", 3)]


def test_a_second_loop_goes_on_counting(run):
    for _ in range(2):
        for _ in run.loop(iter([1, 2, 3])):
            run.log(loss=1.0)
    assert run.at == 6 and run.total is None
    assert run.series("loss").steps.tolist() == list(range(6))


def test_a_loader_without_anything_is_a_loop_without_steps(run):
    assert list(run.loop([], epochs=3)) == [] and run.state == "finished"
    assert list(run.loop([1], epochs=0)) == []


@pytest.mark.parametrize(
    ("loader", "epochs", "error"),
    [([1], 1.0, TypeError), ([1], True, TypeError), ([1], -1, ValueError), (3, 1, TypeError)],
)
def test_wrong_arguments_are_refused_at_once(run, loader, epochs, error):
    with pytest.raises(error):
        run.loop(loader, epochs)
    assert run.state == "idle"


def test_an_iterator_for_several_epochs_is_refused_when_it_is_used_up(run):
    def body():
        for _ in run.loop(iter([1, 2]), epochs=2):
            run.log(loss=1.0)

    with pytest.raises(ValueError, match="epoch 2"):
        body()
    assert run.state == "failed" and len(run.series("loss")) == 2


def test_l06_stop_ends_all_epochs_and_everything_is_on_disk(run, tmp_path):
    done = []
    for batch in run.loop(range(5), epochs=3):
        run.log(loss=float(batch))
        if run.at == 2:
            run.orders.stop()
            assert run.state == "stopping"
        done.append(batch)
    assert done == [0, 1, 2] and run.state == "stopped" and run.why.id == "ended.stopped"
    assert run.orders.last.effective_step == 3
    back = read(tmp_path / "r")
    assert back.state == "stopped" and len(back.series("loss")) == 3
    assert [flag.kind for flag in back.branch.flags] == ["stop"]


def test_l06_an_interrupt_leaves_a_record_to_go_on_with(run, tmp_path):
    def body():
        for _ in run.loop(Interrupted()):
            run.log(loss=1.0)

    with pytest.raises(KeyboardInterrupt):
        body()
    assert (run.state, run.error, run.at) == ("stopped", "KeyboardInterrupt", 2)
    assert len(read(tmp_path / "r").series("loss")) == 2
    for _ in run.loop(range(2)):
        run.log(loss=2.0)
    assert run.state == "finished" and run.series("loss").steps.tolist() == [0, 1, 2, 3]


class Interrupted:
    def __iter__(self):
        yield from range(2)
        raise KeyboardInterrupt


def test_l06_stop_while_paused(run):
    waits = paused(run)
    steps = []
    run.orders.pause()
    started = run.start(lambda: steps.extend(run.loop(range(4))))
    waits()
    run.orders.stop()
    assert started.join(PATIENCE_S)
    assert steps == [] and run.state == "stopped"


def test_pause_holds_the_loop_at_a_step_and_is_marked(run):
    waits = paused(run)
    steps = []

    def train():
        for step in run.loop(range(6)):
            steps.append(step)
            if step == 1:
                run.orders.pause()

    started = run.start(train)
    waits()
    assert (steps, run.state, run.at) == ([0, 1], "paused", 2)
    run.orders.step_batch()
    waits()
    assert (steps, run.at) == ([0, 1, 2], 3)
    run.orders.resume()
    assert started.join(PATIENCE_S) and run.state == "finished" and len(steps) == 6
    assert [(flag.kind, flag.step) for flag in run.branch.flags] == [("pause", 2)]


def test_marked_phases_can_be_stepped_and_have_times(run):
    waits = paused(run)
    order = []

    def train():
        for _ in run.loop(range(2)):
            for name in ("forward", "backward"):
                run.phase(name)
                order.append(name)
            with run.phase("step"):
                order.append("step")
            assert run.phases.current is None

    run.orders.pause()
    started = run.start(train)
    seen = []
    for _ in range(6):
        waits()
        seen.append((run.at, run.orders.paused_before, len(order)))
        run.orders.step_phase()
    run.orders.resume()
    assert started.join(PATIENCE_S)
    assert seen == [
        (0, None, 0),
        (0, "forward", 0),
        (0, "backward", 1),
        (0, "step", 2),
        (1, None, 3),
        (1, "forward", 3),
    ]
    assert list(run.phases.seconds) == ["forward", "backward", "step"] and all(run.phases.seconds.values())


def trained(run, model, optimizer, steps=3):
    losses = []
    for _ in run.loop(range(steps)):
        optimizer.zero_grad()
        loss = model(torch.ones(2, 3)).square().sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def made(seed=0):
    torch.manual_seed(seed)
    model = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Tanh())
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


def test_phases_are_seen_on_model_and_optimizer_and_every_hook_goes_away(tmp_path):
    model, optimizer = made()
    run = Run("seen", tmp_path, model, optimizer)
    seen = []
    before = run.phases._boundary
    run.phases._boundary = lambda name: (seen.append(name), before(name))
    losses = trained(run, model, optimizer, 2)
    assert seen == ["zero_grad", "forward", "loss", "backward", "step"] * 2
    assert list(run.phases.seconds) == seen[:5]
    assert not model._forward_hooks and not model._forward_pre_hooks
    assert not optimizer._optimizer_step_pre_hooks and not optimizer._optimizer_step_post_hooks
    assert "zero_grad" not in vars(optimizer)
    assert losses == trained(Run("plain", tmp_path), *made(), 2)


def test_evaluation_is_no_phase_and_marks_by_hand_go_first(tmp_path):
    model, optimizer = made()
    run = Run("r", tmp_path, model, optimizer)
    for _ in run.loop(range(1)):
        model.eval()
        model(torch.ones(2, 3))
        model.train()
        with torch.no_grad():
            model(torch.ones(2, 3))
    assert run.phases.seconds == {}
    for _ in run.loop(range(1)):
        run.phase("mine")
        model(torch.ones(2, 3)).sum().backward()
        optimizer.step()
    assert list(run.phases.seconds) == ["mine"]


def test_gradients_are_measured_every_so_often_before_the_update(tmp_path):
    model, optimizer = made()
    run = Run("r", tmp_path, model, optimizer, gradients_every=2)
    seen = []

    class Health:
        def measure(self, of, step):
            seen.append((step, model[0].weight.grad.abs().sum().item() > 0))

    run.health = Health()
    trained(run, model, optimizer, 5)
    assert seen == [(0, True), (2, True), (4, True)]


def test_nan_pauses_only_when_somebody_looks(run, tmp_path):
    values = [1.0, float("nan"), 2.0]
    run.on_nan = "pause"
    for value in run.loop(values):
        run.log(loss=value)
    assert run.state == "finished"
    seen = Run("seen", tmp_path, on_nan="pause")
    seen.front = True
    waits = paused(seen)

    def train():
        for value in seen.loop(values):
            seen.log(loss=value)

    started = seen.start(train)
    waits()
    assert seen.at == 2
    seen.orders.resume()
    assert started.join(PATIENCE_S) and seen.state == "finished"


def test_steps_of_ones_own_loop(run):
    for step in range(3):
        with run.step():
            assert run.at == step and run.state == "running"
            run.log(loss=float(step))
        run.log(group="val", loss=1.0)
    assert run.series("loss").steps.tolist() == run.series("loss", "val").steps.tolist() == [0, 1, 2]
    run.close()
    assert run.state == "finished"


def test_stop_goes_through_all_loops_of_ones_own(run):
    steps = []
    with run:
        for _ in range(3):
            for _ in range(3):
                with run.step():
                    try:
                        steps.append(run.at)
                        if run.at == 4:
                            run.orders.stop()
                    except Exception:
                        raise AssertionError from None
    assert steps == [0, 1, 2, 3, 4]
    assert (run.state, run.at) == ("stopped", 5) and run.orders.last.effective_step == 5
    with pytest.raises(Stopped, match="r: Stopped before step 6"), run.step():
        run.orders.stop()
    assert not issubclass(Stopped, Exception)


def test_an_exception_in_a_step_ends_the_run_with_its_text(run, tmp_path):
    def body():
        with run.step():
            run.log(loss=1.0)
            raise torch.OutOfMemoryError("CUDA out of memory.\nTried to allocate 48 MiB")

    with pytest.raises(torch.OutOfMemoryError):
        body()
    assert run.state == "failed"
    assert run.error == "OutOfMemoryError: CUDA out of memory. Tried to allocate 48 MiB"
    back = read(tmp_path / "r")
    assert (back.state, back.error, len(back.series("loss"))) == ("failed", run.error, 1)
    assert [(flag.kind, flag.step) for flag in back.branch.flags] == [("error", 0)]


def test_with_run_ends_it_whatever_happens(tmp_path):
    run = Run("bad", tmp_path)

    def body():
        with run:
            run.log(loss=1.0)
            raise ValueError("no")

    with pytest.raises(ValueError):
        body()
    assert (run.state, run.error) == ("failed", "ValueError: no")
    with Run("good", tmp_path) as run:
        run.log(loss=1.0)
    assert run.state == "finished"


def test_start_runs_the_loop_on_a_thread(run):
    def train(count, *, scale):
        for step in run.loop(range(count)):
            run.log(loss=step * scale)
        return threading.current_thread().name

    started = run.start(train, 3, scale=0.5)
    assert started.join(PATIENCE_S) and not started.is_running
    assert started.result == "torchloupe-r" and run.series("loss").values.tolist() == [0, 0.5, 1.0]
    with pytest.raises(TypeError):
        run.start(train)
    with pytest.raises(TypeError, match="start got a int"):
        run.start(3)
    gate = threading.Event()
    first = run.start(gate.wait)
    with pytest.raises(RuntimeError, match="still runs"):
        run.start(gate.wait)
    gate.set()
    assert first.join(PATIENCE_S)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_start_keeps_an_exception(run):
    def train():
        for _ in run.loop(range(3)):
            run.log(loss=1.0)
            raise ValueError("in the background")

    started = run.start(train)
    assert started.join(PATIENCE_S)
    assert isinstance(started.error, ValueError)
    assert (run.state, run.error) == ("failed", "ValueError: in the background")
    assert [flag.kind for flag in run.branch.flags] == ["error"]


def test_stop_ends_steps_in_the_background_quietly(run, capsys):
    def train():
        while True:
            with run.step():
                run.orders.stop()

    started = run.start(train)
    assert started.join(PATIENCE_S) and started.error is None
    assert run.state == "stopped" and capsys.readouterr().err == ""
