"""Orders between two threads: where the loop waits, what lets it go, and what is told about it."""

import threading
from queue import Queue

import pytest

from torchloupe.training.orders import Orders

PHASES = [None, "forward", "backward", "step"]
PATIENCE_S = 20


def orders_of():
    return Orders(lambda: None, lambda *_: None)


class Loop:
    """A loop on a thread that goes through steps and phases, and says where it waits."""

    def __init__(self, steps=4):
        self.places = Queue()
        self.passed = []
        self.answers = []
        self.orders = orders_of()
        self.thread = threading.Thread(target=self._run, args=(steps,), daemon=True)

    def _run(self, steps):
        self.orders.begin()
        for step in range(steps):
            for phase in PHASES:
                waits = self.told(step, phase)
                answer = self.orders.at_boundary(step, phase, waits)
                self.passed.append((step, phase))
                if answer != "go":
                    self.answers.append((step, answer))
                    if answer == "stop":
                        self.orders.end()
                        self.places.put("ended")
                        return
        self.orders.end()
        self.places.put("ended")

    def told(self, step, phase):
        return lambda begins: self.places.put((step, phase)) if begins else None

    def where(self):
        return self.places.get(timeout=PATIENCE_S)


@pytest.fixture
def loop():
    made = Loop()
    made.orders.pause()
    made.thread.start()
    yield made
    made.orders.resume()
    made.orders.stop()
    made.thread.join(PATIENCE_S)
    assert not made.thread.is_alive()


def test_pause_waits_and_resume_goes_on(loop):
    assert loop.where() == (0, None)
    assert loop.passed == []
    paused = loop.orders.last
    assert (paused.kind, paused.effective_step, loop.orders.pending) == ("pause", 0, None)
    assert 0 <= paused.effective_after_s < PATIENCE_S
    loop.orders.resume()
    assert loop.where() == "ended"
    assert len(loop.passed) == 16
    assert loop.orders.last.kind == "resume" and loop.orders.paused_s > 0


def test_step_phase_waits_before_each_phase(loop):
    seen = [loop.where()]
    for _ in range(5):
        loop.orders.step_phase()
        seen.append(loop.where())
    assert seen == [(0, None), (0, "forward"), (0, "backward"), (0, "step"), (1, None), (1, "forward")]
    assert loop.orders.paused_before == "forward"
    assert loop.orders.last.kind == "step_phase" and loop.orders.last.effective_step == 1


def test_step_batch_waits_at_the_same_point_of_the_next_step(loop):
    assert loop.where() == (0, None)
    loop.orders.step_batch()
    assert loop.where() == (1, None)
    loop.orders.step_phase()
    loop.where()
    loop.orders.step_phase()
    assert loop.where() == (1, "backward")
    loop.orders.step_batch()
    assert loop.where() == (2, "backward")


def test_a_point_that_does_not_come_again_is_not_waited_for_for_ever():
    orders, waited = orders_of(), []

    def told(begins):
        if begins:
            waited.append(place)
            orders.step_batch() if len(waited) < 2 else orders.resume()

    orders.pause()
    for place in [(0, "rare"), (1, None), (1, "forward"), (2, None), (2, "forward")]:
        orders.at_boundary(*place, told)
    assert waited == [(0, "rare"), (2, None)]


def test_stop_comes_at_a_steps_start_also_from_a_pause_in_it(loop):
    loop.where()
    loop.orders.step_phase()
    assert loop.where() == (0, "forward")
    loop.orders.stop()
    assert loop.orders.is_stopping
    assert loop.where() == "ended"
    assert loop.answers == [(1, "stop")]
    assert loop.orders.last.kind == "stop" and loop.orders.last.effective_step == 1


def test_going_back_is_answered_at_a_steps_start(loop):
    loop.where()
    loop.orders.rewind(0)
    assert loop.where() == "ended"
    assert loop.answers == [(0, "rewind")]
    assert loop.orders.last.step == 0


def test_a_second_press_takes_the_request_back():
    orders, waited = orders_of(), []
    orders.begin()
    for ask in (orders.pause, orders.stop, orders.step_batch, lambda: orders.rewind(3)):
        ask()
        assert orders.pending is not None
        orders.cancel()
        assert orders.pending is None
        assert orders.at_boundary(5, None, waited.append) == "go"
    orders.pause()
    orders.resume()
    assert orders.pending is None and orders.at_boundary(6, None, waited.append) == "go"
    assert waited == []


def test_stop_without_a_loop_does_not_end_the_next_one():
    orders = orders_of()
    orders.stop()
    orders.rewind(3)
    assert orders.pending is None
    orders.begin()
    assert orders.at_boundary(0, None, lambda _: None) == "go"
    orders.stop()
    orders.end()
    orders.begin()
    assert orders.at_boundary(0, None, lambda _: None) == "go"


def test_an_interrupt_ends_the_wait():
    orders = orders_of()

    def told(begins):
        if begins:
            raise KeyboardInterrupt

    orders.pause()
    with pytest.raises(KeyboardInterrupt):
        orders.at_boundary(0, None, told)
    orders.end()
    assert orders.at_boundary(0, None, lambda _: None) == "go"


def test_values_of_knobs_wait_for_a_step_the_newest_counts():
    changes = []
    orders = Orders(lambda: changes.append(1), lambda *_: None)
    orders.set_knob("lr", 1.0)
    orders.set_knob("lr", 2.0)
    orders.set_knob("p", 0.5)
    assert orders.waiting_values() == {"lr": 2.0, "p": 0.5} and len(changes) == 3
    assert orders.knob_values() == {"lr": 2.0, "p": 0.5}
    assert orders.knob_values() == {} == orders.waiting_values()
