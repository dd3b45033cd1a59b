"""The checks against right answers and the wrong ones people really give."""

import json
import math
import re
from importlib.resources import files

import pytest
import torch

from torchloupe.core import language
from torchloupe.course import check
from torchloupe.course.verdict import MIME

BLOCK = torch.arange(24.0).reshape(2, 3, 4)
PIECE = BLOCK[:, 1:, ::2]
WORDS = json.loads(files("torchloupe.course").joinpath("words.json").read_text("utf-8"))


@pytest.fixture(autouse=True, params=["en", "zh-CN"])
def spoken(request):
    """Every test runs in both languages, and the sentence shown must be the one of that language."""
    with language.worded_in(request.param):
        yield request.param


def words_of(id: str, spoken: str) -> re.Pattern[str]:
    pieces = re.split(r"\{[^}]*\}", WORDS[id][spoken])
    return re.compile(".*".join(map(re.escape, pieces)), re.DOTALL)


def assert_wrong(verdict, id, spoken, state="wrong"):
    assert (verdict.sentence.id, verdict.state, verdict.passed) == (id, state, False)
    bundle = verdict._repr_mimebundle_()
    assert bundle[MIME] == {"exercise": verdict.exercise, "passed": False}
    assert words_of(id, spoken).search(bundle["text/plain"])
    assert WORDS["check." + state][spoken] in bundle["text/html"]


def assert_passed(verdict, spoken):
    assert verdict.passed
    bundle = verdict._repr_mimebundle_()
    assert bundle[MIME] == {"exercise": verdict.exercise, "passed": True}
    assert words_of(f"check.{verdict.exercise}.passed", spoken).search(bundle["text/plain"])
    assert WORDS["check.passed"][spoken] in bundle["text/html"]
    assert f'lang="{spoken}"' in bundle["text/html"]


class Hostile:
    """Raises wherever one touches it."""

    def __getattribute__(self, name):
        raise RuntimeError(name)

    def __eq__(self, other):
        raise RuntimeError("eq")

    __hash__ = None


# predict_stride


@pytest.mark.parametrize("stride", [PIECE.stride(), list(PIECE.stride()), torch.Size(PIECE.stride())])
def test_the_stride_pytorch_says_is_right(stride, spoken):
    verdict = check.predict_stride(BLOCK, PIECE, stride, PIECE.storage_offset())
    assert_passed(verdict, spoken)
    assert verdict.tensors == (BLOCK, PIECE)


@pytest.mark.parametrize(
    ("stride", "id"),
    [
        (12, "check.stride.kind"),
        ("12, 4, 2", "check.stride.kind"),
        ((12.0, 4.0, 2.0), "check.stride.kind"),
        ((12, 4, math.nan), "check.stride.kind"),
        ((12, 4, True), "check.stride.kind"),
        ((12, None, 2), "check.stride.kind"),
        ({12, 4, 2}, "check.stride.kind"),
        (torch.tensor([12, 4, 2]), "check.stride.kind"),
        ((12, 2), "check.stride.length"),
        ((), "check.stride.length"),
        (tuple(4 * step for step in PIECE.stride()), "check.stride.bytes"),
        (PIECE.contiguous().stride(), "check.stride.of-a-copy"),
        (BLOCK.stride(), "check.stride.of-the-block"),
        (PIECE.stride()[::-1], "check.stride.reversed"),
        ((12, 8, 2), "check.stride.dimension"),
        ((10**30, 4, 2), "check.stride.dimension"),
    ],
)
def test_a_wrong_stride_is_named(stride, id, spoken):
    verdict = check.predict_stride(BLOCK, PIECE, stride, PIECE.storage_offset())
    assert_wrong(verdict, id, spoken)
    assert verdict.tensors == (BLOCK,), "the picture must not give the answer away"


def test_the_wrong_dimension_is_the_one_named():
    assert check.predict_stride(BLOCK, PIECE, (12, 8, 2), 4).sentence.args == {"dim": 1, "got": 8}


@pytest.mark.parametrize(
    ("offset", "id"),
    [
        ("4", "check.offset.kind"),
        (4.0, "check.offset.kind"),
        (math.nan, "check.offset.kind"),
        (True, "check.offset.kind"),
        ((4,), "check.offset.kind"),
        (16, "check.offset.bytes"),
        (1, "check.offset.wrong"),
        (0, "check.offset.wrong"),
    ],
)
def test_a_wrong_offset_is_named(offset, id, spoken):
    assert_wrong(check.predict_stride(BLOCK, PIECE, PIECE.stride(), offset), id, spoken)


def test_open_predictions_say_what_is_next(spoken):
    assert_wrong(
        check.predict_stride(BLOCK, PIECE, None, None), "check.predict-stride.open", spoken, state="open"
    )
    assert_wrong(
        check.predict_stride(BLOCK, PIECE, PIECE.stride(), None), "check.offset.open", spoken, state="open"
    )


def test_hostile_predictions_do_not_raise(spoken):
    hostile = Hostile()
    for stride, offset in ((hostile, 4), ((12, hostile, 2), 4), (PIECE.stride(), hostile)):
        assert not check.predict_stride(BLOCK, PIECE, stride, offset).passed
    assert not check.predict_stride(None, "no tensor", (1,), 0).passed


# channels_first

CHANNELS_FIRST = [
    lambda image: image.permute(2, 0, 1),
    lambda image: image.movedim(-1, 0),
    lambda image: image.transpose(0, 2).transpose(1, 2),
    lambda image: image.mT.transpose(0, 1),
    lambda image: torch.as_strided(
        image,
        (image.shape[2], image.shape[0], image.shape[1]),
        (image.stride(2), image.stride(0), image.stride(1)),
    ),
]


@pytest.mark.parametrize("solution", CHANNELS_FIRST)
def test_every_way_to_move_the_channels_without_a_copy_passes(solution, spoken):
    verdict = check.channels_first(solution)
    assert_passed(verdict, spoken)
    image, answer = verdict.tensors
    assert torch.equal(answer, image.permute(2, 0, 1))
    assert answer.untyped_storage().data_ptr() == image.untyped_storage().data_ptr()
    assert len(verdict.names) == 2


def hard_coded(image):
    height, width, channels = image.shape
    return torch.as_strided(image, (channels, height, width), (1, width * channels, channels))


@pytest.mark.parametrize(
    ("attempt", "id"),
    [
        (lambda image: image.permute(2, 0, 1).contiguous(), "check.copy"),
        (lambda image: image.permute(2, 0, 1).clone(), "check.copy"),
        (lambda image: torch.stack([image[..., c] for c in range(3)]), "check.copy"),
        (lambda image: image.reshape(3, 2, 4), "check.channels-first.walk"),
        (lambda image: image.view(3, 2, 4), "check.channels-first.walk"),
        (lambda image: image.permute(2, 0, 1) * math.nan, "check.values"),
        (lambda image: torch.zeros(3, 2, 4), "check.values"),
        (lambda image: image.permute(1, 2, 0), "check.shape"),
        (lambda image: image, "check.shape"),
        (lambda image: image.permute(2, 0, 1).double(), "check.converted"),
        (lambda image: image.permute(2, 0, 1).to_sparse(), "check.converted"),
        (lambda image: image.permute(2, 0, 1).to("meta"), "check.converted"),
        (lambda image: image.transpose_(0, 2).transpose_(1, 2), "check.changed"),
        (lambda image: image.zero_().permute(2, 0, 1), "check.changed"),
        (hard_coded, "check.strided"),
        (lambda image: image.permute(2, 0, 1).numpy(), "check.not-a-tensor"),
        (lambda image: (2, 0, 1), "check.not-a-tensor"),
        (lambda image: ..., "check.not-a-tensor"),
        (lambda image: image.permute(0, 1), "check.raised"),
        (lambda: None, "check.raised"),
        ("permute(2, 0, 1)", "check.not-a-function"),
        (math.nan, "check.not-a-function"),
        (None, "check.not-a-function"),
    ],
)
def test_what_is_wrong_with_an_image_is_named(attempt, id, spoken):
    assert_wrong(check.channels_first(attempt), id, spoken)


def test_a_function_without_a_result_is_open(spoken):
    assert_wrong(check.channels_first(lambda image: None), "check.channels-first.open", spoken, state="open")
    assert_wrong(check.windows(lambda *_: None), "check.windows.open", spoken, state="open")


def test_hostile_answers_do_not_raise():
    assert not check.channels_first(lambda image: Hostile()).passed
    assert not check.channels_first(Hostile()).passed
    assert not check.windows(lambda *_: torch.func.vmap).passed


def test_an_error_text_is_shown_as_text():
    def attempt(image):
        raise ValueError('<img src=x onerror="alert(1)">')

    bundle = check.channels_first(attempt)._repr_mimebundle_()
    assert "<img" not in bundle["text/html"]
    assert "&lt;img src=x" in bundle["text/html"]
    assert "<img src=x" in bundle["text/plain"]


# windows


def strided(signal, size, step):
    hop = signal.stride(0)
    return signal.as_strided(((len(signal) - size) // step + 1, size), (step * hop, hop))


@pytest.mark.parametrize("solution", [strided, lambda signal, size, step: signal.unfold(0, size, step)])
def test_windows_that_read_the_signal_pass(solution, spoken):
    verdict = check.windows(solution)
    assert_passed(verdict, spoken)
    signal, answer = verdict.tensors
    assert torch.equal(answer, signal.unfold(0, 3, 1))


@pytest.mark.parametrize(
    ("attempt", "id"),
    [
        (
            lambda signal, size, step: torch.stack(
                [signal[n : n + size] for n in range(0, len(signal) - size + 1, step)]
            ),
            "check.copy",
        ),
        (lambda signal, size, step: signal.unfold(0, size, step).contiguous(), "check.copy"),
        (
            lambda signal, size, step: signal.as_strided(((len(signal) - size) // step + 1, size), (step, 1)),
            "check.strided",
        ),
        (
            lambda signal, size, step: signal.as_strided(((len(signal) - size) // step + 1, size), (1, 1)),
            "check.windows.walk",
        ),
        (lambda signal, size, step: signal.unfold(0, size, 1), "check.shape"),
        (lambda signal, size, step: signal.as_strided((99, 99), (1, 1)), "check.raised"),
    ],
)
def test_what_is_wrong_with_windows_is_named(attempt, id, spoken):
    assert_wrong(check.windows(attempt), id, spoken)


def test_a_later_example_can_fail_too():
    """Right for step 1 and wrong for step 2: the sentence names the call that showed it."""

    def attempt(signal, size, step):
        return signal.as_strided(((len(signal) - size) // step + 1, size), (1, 1))

    assert check.windows(attempt).sentence.args["call"] == "windows(torch.arange(10.), 4, 2)"


def test_every_sentence_exists_in_both_languages():
    for id, entry in WORDS.items():
        assert set(entry) == {"en", "zh-CN"}, id
        slots = {tongue: set(re.findall(r"\{\w+\}", text)) for tongue, text in entry.items()}
        assert slots["en"] == slots["zh-CN"], id
