"""Flow control against its own rule: ten a second, one under way, the latest wins, the last always comes."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Iterator

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from tests.core.clockwork import LATE_S, Clockwork
from torchloupe.core import flow
from torchloupe.core.flow import INTERVAL_S, PATIENCE_S, Flow

SLACK_S = 1e-5


class Story:
    """A flow on a standing clock, and what it sent: when, which number, which value."""

    def __init__(self) -> None:
        self.clockwork = Clockwork()
        self.value = 0
        self.sent: list[tuple[float, int, int]] = []
        self._threading = flow.threading
        flow.threading = self.clockwork.threading
        self.flow = Flow(self._send, self.clockwork.clock)

    def _send(self, number: int) -> None:
        self.sent.append((self.clockwork.now, number, self.value))

    def push(self) -> None:
        self.value += 1
        self.flow.push()

    def end(self) -> None:
        flow.threading = self._threading


@pytest.fixture
def story() -> Iterator[Story]:
    story = Story()
    yield story
    story.end()


class Rule(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.story = Story()
        self.acknowledged_at: dict[int, float] = {}
        self.closed_with: int | None = None

    def teardown(self) -> None:
        self.story.end()

    @rule(times=st.integers(1, 5))
    def push(self, times: int) -> None:
        for _ in range(times):
            self.story.push()

    @rule(seconds=st.sampled_from([0.001, 0.03, 0.0999, 0.1, 0.15, 0.4, 0.9, 1.0, 2.5]))
    def wait(self, seconds: float) -> None:
        self.story.clockwork.advance(seconds)

    @precondition(lambda self: self.story.sent)
    @rule(behind=st.integers(0, 2))
    def acknowledge(self, behind: int) -> None:
        number = len(self.story.sent) - behind
        for known in range(1, number + 1):
            self.acknowledged_at.setdefault(known, self.story.clockwork.now)
        self.story.flow.acknowledge(number)

    @rule(number=st.integers(1, 9))
    def acknowledge_what_was_never_sent(self, number: int) -> None:
        for known in range(1, len(self.story.sent) + 1):
            self.acknowledged_at.setdefault(known, self.story.clockwork.now)
        self.story.flow.acknowledge(len(self.story.sent) + number)

    @rule()
    def close(self) -> None:
        self.story.flow.close()
        if self.closed_with is None:
            self.closed_with = len(self.story.sent)

    @invariant()
    def frames_are_numbered_in_order(self) -> None:
        assert [number for _, number, _ in self.story.sent] == list(range(1, len(self.story.sent) + 1))

    @invariant()
    def no_frame_comes_too_soon(self) -> None:
        for (before, number, _), (after, _, _) in zip(self.story.sent, self.story.sent[1:], strict=False):
            assert after - before >= INTERVAL_S - 1e-9
            if self.acknowledged_at.get(number, float("inf")) > after:
                assert after - before >= PATIENCE_S - 1e-9

    @invariant()
    def no_value_is_sent_twice_or_out_of_order(self) -> None:
        values = [value for _, _, value in self.story.sent]
        assert values == sorted(set(values))

    @invariant()
    def the_latest_is_sent_as_soon_as_it_may(self) -> None:
        if self.closed_with is not None:
            return
        sent = self.story.sent
        if not sent:
            assert self.story.value == 0
            return
        at, number, value = sent[-1]
        if value < self.story.value:
            due = at + (INTERVAL_S if number in self.acknowledged_at else PATIENCE_S)
            assert self.story.clockwork.now <= due + SLACK_S

    @invariant()
    def a_closed_flow_is_silent(self) -> None:
        if self.closed_with is not None:
            assert len(self.story.sent) == self.closed_with
            assert self.story.clockwork.armed == 0

    @invariant()
    def at_most_one_timer_is_armed(self) -> None:
        assert self.story.clockwork.armed <= 1


TestRule = Rule.TestCase
TestRule.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)


def test_a_burst_is_two_frames_the_first_and_the_last(story: Story) -> None:
    for _ in range(1000):
        story.push()
    story.flow.acknowledge(1)
    story.clockwork.advance(5)
    assert [(number, value) for _, number, value in story.sent] == [(1, 1), (2, 1000)]
    assert story.sent[1][0] - story.sent[0][0] == pytest.approx(INTERVAL_S, abs=2 * LATE_S)


def test_a_burst_makes_few_timers(story: Story) -> None:
    story.push()
    story.flow.acknowledge(1)
    for _ in range(1000):
        story.push()
    assert story.clockwork.made == 1


def test_a_silent_view_gets_one_frame_a_second(story: Story) -> None:
    for _ in range(500):
        story.push()
        story.clockwork.advance(0.01)
    assert [round(at - story.sent[0][0], 2) for at, _, _ in story.sent] == [0, 1, 2, 3, 4]


def test_nothing_is_built_when_nothing_is_new(story: Story) -> None:
    story.push()
    story.flow.acknowledge(1)
    story.clockwork.advance(60)
    assert len(story.sent) == 1
    assert story.clockwork.made == 0


def test_what_is_pushed_while_a_frame_is_built_comes_too(story: Story) -> None:
    pushing = iter([True, False])
    sent: list[tuple[int, int]] = []

    def send(number: int) -> None:
        sent.append((number, story.value))
        if next(pushing):
            story.value += 1
            again.push()

    again = Flow(send, story.clockwork.clock)
    again.push()
    again.acknowledge(1)
    story.clockwork.advance(1)
    assert sent == [(1, 0), (2, 1)]


def test_a_send_that_fails_does_not_stop_the_flow(story: Story) -> None:
    tried: list[int] = []

    def send(number: int) -> None:
        tried.append(number)
        if number == 1:
            raise RuntimeError("no")

    failing = Flow(send, story.clockwork.clock)
    with pytest.raises(RuntimeError):
        failing.push()
    failing.push()
    story.clockwork.advance(1.1)
    assert tried == [1, 2]


def test_many_threads_push_and_the_last_value_arrives() -> None:
    """On the real clock: a quarter of a second of eight pushers, each frame acknowledged at once."""
    sent: list[tuple[float, int]] = []
    value, arrived = 0, threading.Event()
    lock = threading.Lock()

    def send(number: int) -> None:
        sent.append((time.monotonic(), value))
        if value == last:
            arrived.set()
        threading.Thread(target=stream.acknowledge, args=(number,)).start()

    last = -1
    stream = Flow(send)
    started = time.monotonic()

    def push_for_a_while() -> None:
        nonlocal value
        while time.monotonic() - started < 0.25:
            with lock:
                value += 1
            stream.push()

    pushers = [threading.Thread(target=push_for_a_while) for _ in range(8)]
    for pusher in pushers:
        pusher.start()
    for pusher in pushers:
        pusher.join()
    last = value = value + 1
    stream.push()
    assert arrived.wait(3)
    stream.close()
    assert sent[-1][1] == last
    gaps = [after - before for (before, _), (after, _) in itertools.pairwise(sent)]
    assert min(gaps) >= INTERVAL_S * 0.9
    assert len(sent) <= (sent[-1][0] - started) / INTERVAL_S + 1
    assert value > 100, "too few pushes to mean anything"
