"""The collapse tree: it holds every node once, never makes a cycle, and folds only what is identical."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from torchloupe.autograd.capture import capture
from torchloupe.autograd.first_picture import Arrived, first
from torchloupe.autograd.hierarchy import GROUP_KINDS, Hierarchy, hierarchy
from torchloupe.autograd.record import GraphRecord
from torchloupe.autograd.tracing import trace

from .drawn import Drawn, acyclic, assert_first_is_the_level, check, collapses
from .random_graphs import outputs_of, programs, run
from .traced_models import Gpt, Shared, Unrolled


class Random(nn.Module):
    """Modules called at random, some twice, some within others, with operations between."""

    def __init__(self, plan: list[int]) -> None:
        super().__init__()
        self.plan = plan
        self.parts = nn.ModuleList(nn.Linear(3, 3) for _ in range(3))
        self.deep = nn.Sequential(nn.Sequential(nn.Linear(3, 3), nn.Tanh()), self.parts[0])
        self.blocks = nn.ModuleList(nn.Sequential(nn.LayerNorm(3), nn.Linear(3, 3)) for _ in range(4))

    def forward(self, x: Tensor) -> Tensor:
        values = [x]
        for step in self.plan:
            a, b = values[-1], values[step % len(values)]
            what = step % 9
            if what < 3:
                values.append(self.parts[what](a))
            elif what == 3:
                values.append(self.deep(a) * b)
            elif what == 4:
                for block in self.blocks:
                    a = a + block(a)
                values.append(a)
            elif what == 5:
                for block in self.blocks:
                    a = block(a).sin()
                values.append(a)
            else:
                values.append([a + b, a * x, a.exp().log1p()][what - 6])
        return values[-1]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(0, 99), min_size=1, max_size=25), st.booleans())
def test_random_models(plan: list[int], traced: bool) -> None:
    torch.manual_seed(0)
    model = Random(plan)
    x = torch.ones(2, 3, requires_grad=True)
    if traced:
        with trace(model):
            y = model(x)
    else:
        y = model(x)
    drawn = check(capture(y.sum(), model))
    assert all(acyclic(drawn, collapsed) for collapsed in collapses(drawn))
    assert_first_is_the_level(drawn)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs(), st.integers(1, 8))
def test_random_graphs(program: list[tuple[str, int, int]], repeated: int) -> None:
    _, values = run(program * repeated)
    outputs = outputs_of(values, 3)
    if outputs:
        drawn = check(capture(outputs))
        assert all(acyclic(drawn, collapsed) for collapsed in collapses(drawn))
        assert_first_is_the_level(drawn)


MODELS: dict[str, Callable[[], tuple[nn.Module, Tensor]]] = {
    "gpt": lambda: (Gpt(12), torch.randint(50, (1, 6))),
    "gpt with work between": lambda: (Gpt(12, between=True), torch.randint(50, (1, 6))),
    "lstm": lambda: (Unrolled(40), torch.randn(2, 4)),
    "gru": lambda: (Unrolled(40, nn.GRUCell(4, 8)), torch.randn(2, 4)),
    "shared": lambda: (Shared(), torch.ones(1, 2)),
    "transformer": lambda: (
        nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 6),
        torch.randn(2, 3, 8),
    ),
}


def record_of(name: str, traced: bool, model_known: bool = True) -> GraphRecord:
    torch.manual_seed(0)
    model, x = MODELS[name]()
    if traced:
        with trace(model):
            y = model(x)
    else:
        y = model(x)
    return capture(y.sum(), model if model_known else None)


@pytest.mark.parametrize("how", ["traced", "inferred", "none"])
@pytest.mark.parametrize("name", MODELS)
def test_real_models(name: str, how: str) -> None:
    record = record_of(name, how == "traced", how != "none")
    assert record.scopes == how
    drawn = check(record)
    assert all(acyclic(drawn, collapsed) for collapsed in collapses(drawn))
    assert_first_is_the_level(drawn)
    assert len(drawn.children[0]) <= (64 if how == "none" else 25)


@pytest.mark.parametrize("traced", [False, True])
def test_a_gpt_opens_with_its_blocks_folded(traced: bool) -> None:
    drawn = Drawn(record_of("gpt", traced))
    level = drawn.level()
    assert "h ×12" in level and {"lm_head", "ln_f", "wte", "wpe"} <= set(level)
    fold = next(group for group in range(len(drawn.parent)) if drawn.kind[group] == "fold")
    assert drawn.cls(fold) == "Block"
    blocks = [child for _, child in drawn.children[fold]]
    assert [drawn.name(block) for block in blocks] == [f"h.{at}" for at in range(11, -1, -1)]
    assert {drawn.cls(block) for block in blocks} == {"Block"}
    assert {"attn", "mlp", "ln_1", "ln_2"} <= set(drawn.level(blocks[0]))
    assert len({int(drawn.tree.shape[block]) for block in blocks}) == 1


def test_work_between_blocks_is_folded_with_them() -> None:
    drawn = Drawn(record_of("gpt with work between", True))
    assert "h ×12" in drawn.level()
    fold = drawn.kind.index("fold")
    members = [child for _, child in drawn.children[fold]]
    assert {drawn.kind[member] for member in members} == {"repeat"}
    assert [drawn.name(member) for member in members][:2] == ["h.11", "h.10"]
    assert "MulBackward0" in drawn.level(members[0]) and "TanhBackward0" in drawn.level(members[0])


@pytest.mark.parametrize("traced", [False, True])
def test_three_thousand_steps_are_a_few_boxes(traced: bool) -> None:
    cell = nn.LSTMCell(4, 8)
    x, h, c = torch.randn(1, 4), torch.zeros(1, 8), torch.zeros(1, 8)

    def steps() -> Tensor:
        nonlocal h, c
        for _ in range(3000):
            h, c = cell(x, (h, c))
        return h.sum()

    if traced:
        with trace(cell):
            y = steps()
    else:
        y = steps()
    record = capture(y)
    assert (len(record.nodes), len(record.edges)) == (45_005, 68_999)
    tree = hierarchy(record)
    top = int((tree.parent == 0).sum()) + int((tree.group == 0).sum())
    assert top <= 25
    fold = int(np.flatnonzero(tree.kind == GROUP_KINDS.index("fold"))[0])
    members = int((tree.parent == fold).sum())
    assert members == 2999
    sizes = np.unique((tree.end - tree.start)[tree.parent == fold])
    assert sizes.tolist() == [15]
    box = next(box for box in first(record, tree).boxes if box.kind == "fold")
    assert (box.members, box.nodes) == (2999, 44_985)
    assert (box.title, box.suffix) == (("LSTMCell", "") if traced else ("Mul … T", ""))


def test_small_graphs_without_modules_stay_flat() -> None:
    y = x = torch.ones(2, requires_grad=True)
    for _ in range(20):
        y = y.sin()
    drawn = check(capture(y.sum()))
    assert len(drawn.parent) == 1
    assert drawn.level() == ["SumBackward0"] + ["SinBackward0"] * 20 + ["AccumulateGrad"]
    for _ in range(20):
        y = y.sin()
    drawn = check(capture(y.sum()))
    assert drawn.level() == ["SumBackward0", "fold ×39", "SinBackward0", "AccumulateGrad"]
    box = first(drawn.record, drawn.tree).boxes
    assert [(b.kind, b.title, b.suffix, b.members, b.nodes) for b in box] == [
        ("node", "Sum", "Backward0", 1, 1),
        ("fold", "Sin", "", 39, 39),
        ("node", "Sin", "Backward0", 1, 1),
        ("leaf", "x", "", 1, 1),
    ]
    assert x.grad is None


def test_more_than_sixty_four_children_become_sections() -> None:
    torch.manual_seed(0)
    operations = [torch.sin, torch.exp, torch.tanh, torch.cos, torch.sigmoid]
    y = torch.ones(2, requires_grad=True)
    generator = torch.Generator().manual_seed(1)
    for _ in range(5000):
        y = operations[int(torch.randint(5, (), generator=generator))](y) + y.detach().mean() * y
    drawn = check(capture(y.sum()))
    sections = [group for group, kind in enumerate(drawn.kind) if kind == "section"]
    assert len(sections) > 64
    assert {drawn.kind[drawn.parent[group]] for group in sections} == {"root", "section"}
    sizes = [len(drawn.children[group]) for group in sections]
    assert max(sizes) <= 64 and min(sizes) > 16


def test_a_loop_in_one_module_is_that_module_folded() -> None:
    class Loop(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            for _ in range(30):
                x = (x.sin() * 2).exp()
            return x

    model = nn.Sequential(nn.Linear(2, 2), Loop())
    with trace(model):
        y = model(torch.ones(1, 2))
    drawn = check(capture(y, model))
    assert drawn.level() == ["1 ×30", "0"]
    assert drawn.cls(drawn.kind.index("fold")) == "Loop"


def test_parallel_heads_fold_and_names_that_differ_do_not() -> None:
    class Heads(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.heads = nn.ModuleList(nn.Linear(4, 2) for _ in range(8))
            self.q_proj, self.k_proj, self.v_proj = (nn.Linear(4, 4) for _ in range(3))

        def forward(self, x: Tensor) -> Tensor:
            x = torch.cat([head(x) for head in self.heads], -1)[:, :4]
            return torch.stack([self.q_proj(x), self.k_proj(x), self.v_proj(x)])

    model = Heads()
    with trace(model):
        y = model(torch.ones(1, 4))
    drawn = check(capture(y, model))
    assert drawn.level() == [
        "StackBackward0",
        "v_proj",
        "k_proj",
        "q_proj",
        "SliceBackward0",
        "CatBackward0",
        "heads ×8",
    ]


def test_a_model_called_twice_is_two_boxes() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    with trace(model):
        y = model(torch.ones(1, 2)) - model(torch.zeros(1, 2))
    drawn = check(capture(y, model))
    assert drawn.level() == ["SubBackward0", "Sequential", "Sequential"]


def test_drawn_leaves_and_chips() -> None:
    x, w = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    model = nn.Linear(2, 2)
    y = model(x) * w
    for _ in range(9):
        y = y + w
    drawn = check(capture(y, model))
    shown = {leaf.names[0]: bool(d) for leaf, d in zip(drawn.record.leaves, drawn.tree.drawn, strict=True)}
    assert shown == {"x": True, "w": False, "weight": False, "bias": False}


def test_a_record_without_a_graph_is_an_empty_root() -> None:
    tree: Hierarchy = hierarchy(capture(torch.ones(2)))
    assert (tree.parent.tolist(), tree.group.tolist(), tree.drawn.tolist()) == ([-1], [], [])
    assert first(capture(torch.ones(2)), tree).boxes == []


def test_the_first_picture_shows_what_arrived() -> None:
    record = record_of("gpt", True)
    seen = list[int]()

    def arrived(node: int) -> Arrived:
        seen.append(node)
        return Arrived(1, float(node), str(node))

    picture = first(record, hierarchy(record), arrived)
    assert [box.norm for box in picture.boxes] == sorted(map(float, seen))
    assert [box.value for box in picture.boxes] == [str(node) for node in seen]
    head = next(box for box in picture.boxes if box.title == "lm_head")
    assert (head.suffix, head.parameters, head.more_parameters) == ("Linear", ["weight = wte.weight"], 0)
    blocks = next(box for box in picture.boxes if box.kind == "fold")
    assert (blocks.title, blocks.suffix, blocks.members) == ("h", "Block", 12)
    assert len(blocks.parameters) == 3 and blocks.more_parameters == 12 * 12 - 3


def test_lines_of_code_stand_on_nodes() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    with trace(source=True):
        y = x**2 + 3 * x + 1
    record = capture(y)
    boxes = first(record, hierarchy(record)).boxes
    assert [box.text for box in boxes] == ["x**2 + 3 * x + 1", "x**2 + 3 * x", "3 * x", "x**2", ""]
    assert boxes[-1].kind == "leaf" and boxes[-1].title == "x"
