"""Whether a person may be looking, told by what a front end sends and a bare kernel does not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.core import kernel
from tests.core.kernel import LiveKernel
from torchloupe.core import front_end

ASK = "from torchloupe.core import front_end; print(front_end.present())"


@pytest.fixture(scope="module")
def live() -> Iterator[LiveKernel]:
    with kernel.running() as started:
        yield started


def test_outside_a_kernel_nobody_looks() -> None:
    assert front_end.present() is False


def test_a_cell_of_nbclient_has_no_front_end(live: LiveKernel) -> None:
    assert live.run(ASK).strip() == "False"


def test_a_cell_with_an_id_has_one(live: LiveKernel) -> None:
    """As JupyterLab's `CodeCell.execute` sends it."""
    assert "".join(live.stream(live.start(ASK, {"cellId": "1b2c"}))).strip() == "True"


def test_a_thread_that_the_cell_started_knows_it_too(live: LiveKernel) -> None:
    code = f"import threading\nt = threading.Thread(target=lambda: exec({ASK!r})); t.start(); t.join()"
    assert "".join(live.stream(live.start(code, {"cellId": "1b2c"}))).strip() == "True"


def test_a_view_that_spoke_proves_one(live: LiveKernel) -> None:
    live.run("import torch, torchloupe as loupe; lens = loupe.strides.show(torch.ones(2))")
    live.run("lens._receive({'type': 'hello', 'language': 'en'}, [])")
    assert live.run(ASK).strip() == "True"
