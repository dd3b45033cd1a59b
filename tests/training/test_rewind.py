"""Going back, against a training that was never interrupted: the same losses, to the last bit."""

import random

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset

from torchloupe.training.archive import open as read
from torchloupe.training.checkpoints import Checkpoints
from torchloupe.training.run import Run

EPOCHS, BATCHES = 3, 6


@pytest.fixture(autouse=True, scope="module")
def _one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class Noisy(Dataset):
    """Draws from every source of random numbers for each item."""

    def __len__(self):
        return BATCHES * 4

    def __getitem__(self, place):
        noise = torch.rand(()) + random.random() + np.random.rand()
        return torch.full((5,), float(place)) / 24 + 0.01 * noise.float()


def stacked(rows):
    return torch.stack([row[0] for row in rows])


class Count:
    """Something of the person's own."""

    def __init__(self):
        self.total = 0.0

    def state_dict(self):
        return {"total": self.total}

    def load_state_dict(self, state):
        self.total = state["total"]


def net():
    return torch.nn.Sequential(
        torch.nn.Linear(5, 16),
        torch.nn.BatchNorm1d(16),
        torch.nn.ReLU(),
        torch.nn.Dropout(0.4),
        torch.nn.Linear(16, 1),
    )


OPTIMIZERS = {
    "Adam": lambda model: torch.optim.Adam(model.parameters(), lr=1e-2, amsgrad=True),
    "SGD": lambda model: torch.optim.SGD(model.parameters(), lr=1e-2, momentum=0.9, nesterov=True),
    "AdamW": lambda model: torch.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.1),
    "RMSprop": lambda model: torch.optim.RMSprop(model.parameters(), lr=1e-3, centered=True),
}


class Training:
    """A training that goes back where it is told to, for a loop with everything in it that could differ."""

    def __init__(
        self, folder, back=(), optimizer="Adam", workers=0, accumulate=1, every=4, turns=(), **options
    ):
        torch.manual_seed(3), random.seed(3), np.random.seed(3)
        self.model = net()
        self.optimizer = OPTIMIZERS[optimizer](self.model)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, 20)
        self.scaler = torch.amp.GradScaler("cpu", init_scale=2.0**8, growth_interval=3)
        self.count = Count()
        self.run = Run(
            None, folder, self.model, self.optimizer, scheduler=self.scheduler, scaler=self.scaler,
            checkpoint_every=every, **options,
        )  # fmt: skip
        self.run.keep(self.count)
        self.noise = self.run.knob("noise", 1e-3)
        self.run.knob("lr")
        self.back, self.turns, self.accumulate = dict(back), dict(turns), accumulate
        self.loader = DataLoader(
            Noisy(), batch_size=4, shuffle=True, num_workers=workers, generator=options.get("generator")
        )
        self.seen = []

    def train(self, loader=None):
        for batch in self.run.loop(loader or self.loader, epochs=EPOCHS):
            at = self.run.at
            noise = float(self.noise) * (torch.randn(()) + random.gauss(0, 1) + float(np.random.randn()))
            loss = (self.model(batch) + noise).square().mean()
            self.scaler.scale(loss).backward()
            if at % self.accumulate == self.accumulate - 1:
                self.scaler.step(self.optimizer)
                self.scaler.update()
                self.optimizer.zero_grad()
                self.scheduler.step()
            self.count.total += loss.item()
            self.seen.append(at)
            self.run.log(loss=loss, total=self.count.total, lr=self.optimizer.param_groups[0]["lr"])
            if at in self.turns:
                name, value = self.turns.pop(at)
                self.run.orders.set_knob(name, value)
            if at in self.back:
                self.run.orders.rewind(self.back.pop(at))
        self.run.close()
        return self

    def lines(self, branch=None):
        return {
            name: self.run.series(name, branch=branch).values.tolist() for name in ("loss", "total", "lr")
        }


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("to", [0, 3, 4, 9, 11])
def test_a_branch_goes_on_exactly_as_the_original(tmp_path, to, optimizer):
    plain = Training(tmp_path, optimizer=optimizer).train()
    again = Training(tmp_path, {10: to}, optimizer).train()
    assert len(plain.lines()["loss"]) == EPOCHS * BATCHES
    assert again.lines() == plain.lines()
    assert again.lines("a")["loss"] == plain.lines()["loss"][:11]
    assert [(branch.name, branch.at) for branch in again.run.branches] == [("a", None), ("b", to)]
    start = max(step for step in (0, 4, 8) if step <= to)
    assert again.seen == [*range(11), *range(start, 18)]
    for ours, theirs in zip(
        again.model.state_dict().values(), plain.model.state_dict().values(), strict=True
    ):
        assert torch.equal(ours, theirs)


@pytest.mark.parametrize("every", [1, 5, None])
@pytest.mark.parametrize("accumulate", [1, 3])
def test_several_times_and_with_accumulated_gradients(tmp_path, accumulate, every):
    plain = Training(tmp_path, accumulate=accumulate).train()
    again = Training(tmp_path, {7: 2, 12: 6, 16: 13}, accumulate=accumulate, every=every).train()
    assert again.lines() == plain.lines()
    assert [branch.at for branch in again.run.branches] == [None, 2, 6, 13]
    assert read(again.run.folder).series("loss").steps.tolist() == list(range(18))


def test_loaders_of_every_kind(tmp_path):
    def made(back):
        training, own = Training(tmp_path, back), torch.Generator().manual_seed(5)
        return {
            "its own generator": DataLoader(Noisy(), 4, shuffle=True, generator=own),
            "workers": DataLoader(Noisy(), 4, shuffle=True, num_workers=2),
            "a list": [torch.full((4, 5), number / 6) for number in range(6)],
            "tensors": DataLoader(TensorDataset(torch.randn(24, 5)), 4, shuffle=True, collate_fn=stacked),
        }, training  # fmt: skip

    def trained(kind, back):
        loaders, training = made(back)
        return training.train(loaders[kind])

    for kind in made({})[0]:
        plain, again = trained(kind, {}), trained(kind, {9: 5, 14: 8})
        assert again.lines() == plain.lines(), kind
        assert len(again.run.branches) == 3


def test_knobs_turned_before_are_turned_again_and_those_after_are_not(tmp_path):
    turns = {5: ("lr", 5e-3), 6: ("noise", 0.1), 9: ("lr", 1e-4)}
    plain = Training(tmp_path, turns={key: turns[key] for key in (5, 6)}).train()
    again = Training(tmp_path, {10: 8}, turns=turns).train()
    assert again.lines() == plain.lines()
    assert again.lines("a")["lr"][10] < 1e-3
    assert [flag.kind for flag in again.run.branches[0].flags] == ["knob", "epoch", "knob", "knob", "rewind"]


def test_a_changed_knob_makes_the_branch_differ_from_there_on(tmp_path):
    again = Training(tmp_path, {10: 6}, turns={10: ("lr", 5e-2)}).train()
    plain = Training(tmp_path).train()
    assert again.lines()["loss"][:7] == plain.lines()["loss"][:7]
    assert again.lines()["lr"][6] > plain.lines()["lr"][6] * 4
    assert [flag.sentence.id for flag in again.run.branch.flags if flag.kind == "knob"] == [
        "flag.knob_scheduler"
    ]
    assert again.lines()["loss"][7:] != plain.lines()["loss"][7:]


def test_what_cannot_be_repeated_says_why(tmp_path):
    def refusal(loader=range(3), model=True, **options):
        training = net() if model else None
        run = Run(None, tmp_path, training, **options)
        for _ in run.loop(loader):
            run.orders.rewind(0) if run.at == 1 else None
            found = run.rewinding.refusal
        assert len(run.branches) == 1
        return found and found.id

    assert refusal(model=False) == "rewind.no_model"
    assert refusal(iter(range(3))) == "rewind.iterator"
    assert refusal(DataLoader(range(3), num_workers=1, persistent_workers=True)) == "rewind.workers"
    assert refusal(checkpoint_every=0) == "rewind.off"
    assert refusal(checkpoint_bytes=10) == "rewind.budget"
    run = Run(None, tmp_path, net())
    assert run.rewinding.refusal.id == "rewind.idle"
    with run.step():
        assert run.rewinding.refusal.id == "rewind.by_hand"
    with pytest.raises(TypeError, match="keep got a int"):
        run.keep(3)


def test_a_step_that_is_not_there_is_not_gone_to(tmp_path):
    again = Training(tmp_path, {5: 50}).train()
    assert len(again.run.branches) == 1 and again.seen == list(range(18))
    assert [flag.sentence.id for flag in again.run.branch.flags if flag.kind == "note"] == [
        "flag.no_checkpoint"
    ]


def test_stop_ends_a_replay(tmp_path):
    again = Training(tmp_path, {10: 7})
    for _ in again.run.loop(range(20)):
        if again.run.at == 10 and again.run.rewinding.target is None:
            again.run.orders.rewind(7)
        if again.run.rewinding.target is not None:
            again.run.orders.stop()
    assert again.run.state == "stopped" and again.run.at == 5 and again.run.rewinding.target is None


def test_checkpoints_stay_in_the_budget_spread_evenly(tmp_path):
    model = torch.nn.Linear(100, 100)
    one = 101 * 100 * 4
    run = Run("r", tmp_path, model, checkpoint_every=1, checkpoint_bytes=one * 9)
    for _ in run.loop(range(200)):
        kept = run.checkpoints
        assert kept.nbytes <= kept.budget and kept.steps[0] == 0 and kept.steps[-1] == run.at
        steps = kept.steps
        assert kept.nearest(run.at) == run.at and (len(steps) < 2 or kept.nearest(steps[1] - 1) == 0)
    gaps = np.diff(steps[:-1])
    assert len(steps) == 9 and gaps.max() <= 4 * np.median(gaps)
    assert kept.nbytes == 0


def test_a_checkpoint_shares_no_memory_with_the_training(tmp_path):
    training = Training(tmp_path)
    training.train()
    position = None
    run = training.run
    kept = Checkpoints(1, 2**30)
    from torchloupe.training.place import Place

    position = Place([1], 1).position
    kept.take(run, position)
    before = {name: value.clone() for name, value in training.model.state_dict().items()}
    momenta = [state["exp_avg"].clone() for state in training.optimizer.state.values()]
    addresses = [value.data_ptr() for value in training.model.parameters()]
    with torch.no_grad():
        for value in training.model.parameters():
            value.add_(1)
        for state in training.optimizer.state.values():
            state["exp_avg"].mul_(0)
    for _ in range(2):
        kept.restore(run, run.at)
        for name, value in training.model.state_dict().items():
            assert torch.equal(value, before[name])
        for state, momentum in zip(training.optimizer.state.values(), momenta, strict=True):
            assert torch.equal(state["exp_avg"], momentum)
            state["exp_avg"].zero_()
    assert [value.data_ptr() for value in training.model.parameters()] == addresses
