"""The base of every lens: what its output holds, what crosses the comm, and what is left when it closes."""

from __future__ import annotations

import base64
import gc
import io
import threading
import time
import weakref
from xml.etree import ElementTree as ET

import comm
import pytest
from ipywidgets.widgets import widget
from PIL import Image

from tests.core.clockwork import Clockwork
from tests.core.tiny import Frame, TinyLens, Wire, wire
from torchloupe.core import flow, fonts, language
from torchloupe.core.lens import MIME
from torchloupe.core.words import Sentence

WIDGET = "application/vnd.jupyter.widget-view+json"
pytestmark = pytest.mark.usefixtures("wires")


@pytest.fixture
def clockwork(monkeypatch: pytest.MonkeyPatch) -> Clockwork:
    """A standing clock for the flows of lenses made after it."""
    clockwork = Clockwork()
    monkeypatch.setattr(flow, "threading", clockwork.threading)
    monkeypatch.setattr(flow.Flow.__init__, "__defaults__", (clockwork.clock,))
    return clockwork


def seen(lens: TinyLens) -> Wire:
    """A lens with one view that has drawn its first frame."""
    line = wire(lens)
    line.hear({"type": "hello", "language": "en"})
    line.hear({"type": "ack", "number": line.frames[-1]["number"]})
    return line


def test_the_output_holds_the_widget_a_picture_and_text() -> None:
    lens = TinyLens()
    bundle = lens._repr_mimebundle_()
    assert set(bundle) == {MIME, WIDGET, "image/svg+xml", "image/png", "text/plain"}
    assert bundle[MIME] == {"model_id": lens.model_id, "room": "tiny"}
    assert bundle[WIDGET] == {"version_major": 2, "version_minor": 0, "model_id": lens.model_id}
    assert bundle["text/plain"] == repr(lens) == "tiny lens"
    root = ET.fromstring(bundle["image/svg+xml"])
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "tiny lens"
    assert Image.open(io.BytesIO(base64.b64decode(bundle["image/png"]))).size == (120, 60)


def test_the_output_speaks_the_language_in_force() -> None:
    lens = TinyLens()
    language.language("zh-CN")
    bundle = lens._repr_mimebundle_()
    assert bundle["text/plain"] == "小透镜"
    assert "小透镜" in bundle["image/svg+xml"]


def test_a_png_without_a_chinese_font_is_worded_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    lens = TinyLens()
    english = lens._repr_mimebundle_()["image/png"]
    language.language("zh-CN")
    monkeypatch.setattr(fonts, "_chinese", lambda: None)
    bundle = lens._repr_mimebundle_()
    assert bundle["image/png"] == english
    assert "小透镜" in bundle["image/svg+xml"]
    assert language.current() == "zh-CN"


def test_the_first_frame_crosses_with_the_widget() -> None:
    lens = TinyLens(Frame([1.0], notes=[Sentence("tiny.count", {"n": 2, "name": "x"})]))
    opened = [data["state"] for kind, data in wire(lens).sent if kind == "comm_open"]
    assert len(opened) == 1
    frame = opened[0]["frame"]
    assert frame["points"] == [1.0]
    assert frame["number"] == 0
    assert frame["notes"] == [{"id": "tiny.count", "args": {"n": 2, "name": "x"}}]
    assert frame["words"] == {
        "tiny.count": {"en": "{n} {n:cell|cells} of {name}", "zh-CN": "{name} 的 {n} 个单元"}
    }
    assert opened[0]["_esm"] == TinyLens._esm


def test_an_unknown_keyword_is_refused_by_its_name(recwarn: pytest.WarningsRecorder) -> None:
    before = set(widget._instances)
    with pytest.raises(TypeError, match=r"TinyLens has no 'colour'"):
        TinyLens(width=3, colour="red")
    gc.collect()
    assert set(widget._instances) == before
    assert not recwarn.list


def test_a_lens_that_was_never_made_whole_goes_without_a_word(recwarn: pytest.WarningsRecorder) -> None:
    class Refusing(TinyLens):
        def __init__(self) -> None:
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        Refusing()
    gc.collect()
    assert not recwarn.list


def test_close_frees_the_lens_its_layout_and_what_it_shows(wires: list[Wire]) -> None:
    class Shown:
        pass

    before = set(widget._instances)
    shown = Shown()
    lens = TinyLens()
    lens.shown = shown
    seen(lens)
    lens._repr_mimebundle_()
    lens.post(Frame([1.0]))
    lens.post(Frame([2.0]))
    layout = weakref.ref(lens.layout)
    assert set(widget._instances) - before
    lens.close()
    assert set(widget._instances) == before
    gone = weakref.ref(lens), weakref.ref(shown), layout
    del lens, shown
    wires.clear()
    end_timers()
    gc.collect()
    assert [reference() for reference in gone] == [None, None, None]


def test_a_closed_lens_is_inert() -> None:
    lens = TinyLens()
    line = seen(lens)
    lens.close()
    sent = len(line.sent)
    lens.close()
    lens.post(Frame([1.0]))
    lens.reply({"type": "x"})
    line.hear({"type": "fail"})
    lens.look_again()
    assert len(line.sent) == sent
    assert line.sent[-1][0] == "comm_close"
    assert repr(lens) == "tiny lens"


def test_without_a_front_end_nothing_is_sent_and_nothing_waits() -> None:
    lens = TinyLens()
    opened = len(wire(lens).sent)
    started = time.perf_counter()
    for number in range(10_000):
        lens.post(Frame([float(number)]))
    assert time.perf_counter() - started < 0.5
    assert len(wire(lens).sent) == opened


def test_a_view_that_comes_late_gets_the_latest(clockwork: Clockwork) -> None:
    lens = TinyLens()
    lens.post(Frame([1.0]))
    lens.post(Frame([2.0]))
    wire(lens).hear({"type": "hello", "language": "en"})
    assert [(frame["points"], frame["number"]) for frame in wire(lens).frames] == [([2.0], 1)]


def test_any_message_proves_a_view(clockwork: Clockwork) -> None:
    """While a cell is busy, hello may wait on the main shell; the next message comes by a subshell."""
    lens = TinyLens()
    wire(lens).hear({"type": "language", "language": "en"})
    lens.post(Frame([3.0]))
    assert [frame["points"] for frame in wire(lens).frames] == [[3.0]]


def test_a_second_view_gets_a_whole_frame_too(clockwork: Clockwork) -> None:
    lens = TinyLens(Frame([1.0]))
    line = seen(lens)
    clockwork.advance(1)
    line.hear({"type": "hello", "language": "en"})
    assert [frame["points"] for frame in line.frames] == [[1.0], [1.0]]
    assert [frame["number"] for frame in line.frames] == [1, 2]


def test_two_views_may_both_acknowledge(clockwork: Clockwork) -> None:
    lens = TinyLens()
    line = seen(lens)
    for number in range(1, 4):
        clockwork.advance(0.2)
        lens.post(Frame([float(number)]))
        line.hear({"type": "ack", "number": line.frames[-1]["number"]})
        line.hear({"type": "ack", "number": line.frames[-1]["number"] - 1})
    assert [frame["points"] for frame in line.frames] == [[], [1.0], [2.0], [3.0]]


def test_the_next_frame_waits_for_the_acknowledgement(clockwork: Clockwork) -> None:
    lens = TinyLens()
    line = wire(lens)
    line.hear({"type": "hello", "language": "en"})
    lens.post(Frame([1.0]))
    clockwork.advance(0.5)
    assert len(line.frames) == 1
    line.hear({"type": "ack", "number": 1})
    assert [frame["points"] for frame in line.frames] == [[], [1.0]]


def test_each_change_is_sent_exactly_once_however_deep_it_lies(clockwork: Clockwork) -> None:
    """Synced traits miss edits in place and nested ones; a posted frame never is."""
    lens = TinyLens()
    line = seen(lens)
    heard: list[dict] = []
    lens.observe(lambda change: heard.append(change["new"]), "frame")
    points: list[float] = []
    nested = {"a": {"b": 1}}
    wanted = []
    for number in range(4):
        clockwork.advance(0.2)
        points.append(float(number))
        nested["a"]["b"] = number
        lens.post(Frame(points, nested))
        line.hear({"type": "ack", "number": line.frames[-1]["number"]})
        wanted.append((list(points), {"a": {"b": number}}))
    clockwork.advance(0.2)
    lens.post(Frame(points, nested))  # equal to the one before: a view that asks again is answered again
    wanted.append(wanted[-1])
    assert [(frame["points"], frame["nested"]) for frame in heard] == wanted
    assert [(frame["points"], frame["nested"]) for frame in line.frames[1:]] == wanted


def test_a_message_reaches_the_room() -> None:
    lens = TinyLens()
    wire(lens).hear({"type": "poke", "at": [1, 2]})
    assert lens.heard == [{"type": "poke", "at": [1, 2]}]


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"type": "fail"}, "ValueError: one two"),
        ({"type": "fail", "error": KeyError("x" * 1000)}, "KeyError: 'xxx"),
        ({}, "KeyError: 'type'"),
        ({"type": "ack"}, "KeyError: 'number'"),
        ({"type": "ack", "number": "one"}, "ValueError: invalid literal"),
        ({"type": "hello"}, "KeyError: 'language'"),
        ("not a dict", "TypeError: "),
        (None, "TypeError: "),
    ],
)
def test_a_fault_is_told_to_the_view_and_raised_nowhere(message: object, text: str) -> None:
    lens = TinyLens()
    wire(lens).hear(message)
    (reply,) = wire(lens).replies
    assert reply["type"] == "fault"
    assert reply["text"].startswith(text)
    assert len(reply["text"]) < 330
    assert "\n" not in reply["text"]


def test_a_lens_lives_on_after_a_fault(clockwork: Clockwork) -> None:
    lens = TinyLens()
    line = seen(lens)
    line.hear({"type": "fail"})
    clockwork.advance(1)
    lens.post(Frame([5.0]))
    assert line.frames[-1]["points"] == [5.0]


def test_a_view_reports_its_language() -> None:
    lens = TinyLens()
    wire(lens).hear({"type": "hello", "language": "zh-CN"})
    assert language.current() == "zh-CN"
    wire(lens).hear({"type": "language", "language": "en"})
    assert language.current() == "en"
    assert lens.heard == [], "the room is not asked"


def test_a_reply_brings_its_words() -> None:
    lens = TinyLens()
    lens.reply_sentence("invalid", Sentence("tiny.count", {"n": 1, "name": "x"}))
    assert wire(lens).replies == [
        {
            "type": "invalid",
            "sentence": {"id": "tiny.count", "args": {"n": 1, "name": "x"}},
            "words": {"tiny.count": {"en": "{n} {n:cell|cells} of {name}", "zh-CN": "{name} 的 {n} 个单元"}},
        }
    ]


def test_a_lens_works_where_there_is_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comm, "create_comm", comm._create_comm)  # what `comm` does without a kernel
    lens = TinyLens()
    assert isinstance(lens.comm, comm.DummyComm)
    lens.post(Frame([1.0]))
    assert lens._repr_mimebundle_()["text/plain"] == "tiny lens"
    lens.close()


def end_timers() -> None:
    """A cancelled timer lets go of what it would have called when its thread ends."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join(5)
