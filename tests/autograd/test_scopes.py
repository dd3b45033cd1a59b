"""Modules guessed from parameters, against those that a trace saw."""

from __future__ import annotations

from itertools import pairwise

import pytest
import torch
from torch import Tensor, nn

from torchloupe.autograd.capture import capture
from torchloupe.autograd.record import GraphRecord
from torchloupe.autograd.tracing import trace

from .traced_models import Gpt, Shared, Unrolled


def scopes(record: GraphRecord) -> list[str]:
    return [node.scope for node in record.nodes if node.kind != "leaf"]


def both(model: nn.Module, x: Tensor) -> tuple[GraphRecord, GraphRecord]:
    """The same graph without and with a trace."""
    guessed = capture(model(x).sum(), model)
    with trace(model):
        y = model(x)
    return guessed, capture(y.sum(), model)


@pytest.mark.parametrize("between", [False, True])
@pytest.mark.parametrize("blocks", [1, 2, 12])
def test_a_guess_says_less_than_a_trace_but_nothing_else(blocks: int, between: bool) -> None:
    guessed, traced = both(Gpt(blocks, between=between), torch.randint(50, (2, 5)))
    assert (guessed.scopes, traced.scopes) == ("inferred", "traced")
    wrong = [
        (found, told)
        for found, told in zip(scopes(guessed), scopes(traced), strict=True)
        if found and found != told and not told.startswith(f"{found}.")
    ]
    assert wrong == []
    assert sum(map(bool, scopes(guessed))) > 0.8 * sum(map(bool, scopes(traced)))


def test_every_node_that_uses_a_parameter_is_in_its_module() -> None:
    guessed, traced = both(Gpt(2), torch.randint(50, (2, 5)))
    uses = {edge.source for edge in guessed.edges if guessed.nodes[edge.target].kind == "leaf"}
    for node in uses:
        assert guessed.nodes[node].scope == traced.nodes[node].scope != ""


def test_a_residual_sum_stays_in_its_block() -> None:
    guessed, traced = both(Gpt(3), torch.randint(50, (2, 5)))
    sums = [
        (found.scope, told.scope)
        for found, told in zip(guessed.nodes, traced.nodes, strict=True)
        if found.type == "AddBackward0"
    ]
    assert {told for _, told in sums} == {"", "h.0", "h.1", "h.2"}
    assert all(found == told for found, told in sums)


def test_work_of_the_parent_is_not_given_to_its_parts() -> None:
    class Gated(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = nn.Linear(2, 2), nn.Linear(2, 2)

        def forward(self, x: Tensor) -> Tensor:
            x = self.a(x)
            return self.b(x.relu() * x)

    guessed, traced = both(Gated(), torch.ones(1, 2))
    assert scopes(traced) == ["", "b", "b", "", "", "a", "a"]
    assert scopes(guessed) == scopes(traced)


def test_a_shared_parameter_belongs_to_the_module_of_that_operation() -> None:
    guessed, _ = both(Gpt(1), torch.randint(50, (1, 4)))
    found = {node.type: node.scope for node in guessed.nodes if node.scope in ("wte", "lm_head")}
    assert found["EmbeddingBackward0"] == "wte"
    assert found["MmBackward0"] == found["TBackward0"] == "lm_head"


def test_a_parameter_is_reached_through_the_casts_of_autocast() -> None:
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))
    x = torch.randn(3, 4)
    with torch.autocast("cpu", torch.bfloat16):
        guessed = capture(model(x).sum(), model)
    with torch.autocast("cpu", torch.bfloat16), trace(model):
        y = model(x).sum()
    traced = capture(y, model)
    matrices = [
        (node.scope, told.scope)
        for node, told in zip(guessed.nodes, traced.nodes, strict=True)
        if node.type == "AddmmBackward0"
    ]
    assert matrices == [("2", "2"), ("0", "0")]


def test_without_a_model_nothing_is_claimed() -> None:
    model = Unrolled(2)
    record = capture(model(torch.randn(1, 4)))
    assert record.scopes == "none" and set(scopes(record)) == {""}
    other = capture(model(torch.randn(1, 4)), nn.Linear(2, 2))
    assert other.scopes == "none" and set(scopes(other)) == {""}


def test_modules_are_known_by_class() -> None:
    guessed, traced = both(Shared(), torch.ones(1, 2))
    for record in (guessed, traced):
        classes = {span.path: span.cls for span in record.spans}
        assert classes["encoder"] == "Half" and classes["encoder.inner"] == "Sequential"
        assert classes["encoder.inner.0"] == "Linear"


def test_calls_are_counted() -> None:
    model = Unrolled(4)
    with trace(model):
        y = model(torch.randn(1, 4))
    spans = capture(y, model).spans
    assert [(span.path, span.cls, span.call) for span in spans] == [
        ("", "Unrolled", 0),
        *(("cell", "LSTMCell", call) for call in range(4)),
    ]
    assert [span.first for span in spans[1:]] == sorted(span.first for span in spans[1:])
    assert all(a.last == b.first for a, b in pairwise(spans[1:]))
    assert (spans[-1], spans[1:3]) == (list(spans)[-1], list(spans)[1:3])
    with pytest.raises(IndexError):
        spans[5]
