"""The remedy that lets a message reach a busy widget; test_busy_cell.py asks a real kernel."""

from __future__ import annotations

import subprocess
import sys

import pytest
from comm.base_comm import BaseComm as PlainComm
from ipykernel.comm.comm import BaseComm

from torchloupe.core.control import answer_while_busy, subshells_supported

ROUTED = hasattr(BaseComm, "_reply_subshell_for")
routed = pytest.mark.skipif(
    not ROUTED, reason="this ipykernel sends no message back to the shell it came from"
)

MESSAGE = {"method": "custom", "content": {"id": "1"}}


@routed
def test_the_front_ends_choice_stands_once_the_remedy_is_in() -> None:
    comm = BaseComm(target_name="t", comm_id="c")
    comm._reply_subshell_id = None  # as after a message sent from the main shell
    assert comm._reply_subshell_for(MESSAGE, "asked for") is None, "upstream no longer needs the remedy"
    assert answer_while_busy(comm)
    assert comm._reply_subshell_for(MESSAGE, "asked for") == "asked for"
    assert comm._reply_subshell_for({}, None) is None


@routed
def test_only_the_comm_given_is_changed() -> None:
    ours, other = BaseComm(target_name="t", comm_id="a"), BaseComm(target_name="t", comm_id="b")
    route = BaseComm._reply_subshell_for
    answer_while_busy(ours)
    other._reply_subshell_id = "main"
    assert other._reply_subshell_for(MESSAGE, "asked for") == "main"
    assert BaseComm._reply_subshell_for is route


@routed
def test_the_remedy_may_be_given_twice() -> None:
    comm = BaseComm(target_name="t", comm_id="c")
    assert answer_while_busy(comm)
    assert answer_while_busy(comm)
    assert comm._reply_subshell_for(MESSAGE, 5) == 5


@pytest.mark.parametrize("comm", [None, object(), 3])
def test_what_has_no_such_route_is_left_alone(comm: object) -> None:
    assert not answer_while_busy(comm)
    assert not hasattr(comm, "_reply_subshell_for")


def test_a_comm_of_an_older_kernel_is_left_alone() -> None:
    class OldComm(PlainComm):
        def publish_msg(self, *_: object, **__: object) -> None:
            pass

    comm = OldComm(target_name="t", comm_id="c")
    assert not answer_while_busy(comm)
    assert "_reply_subshell_for" not in vars(comm)


def test_outside_a_kernel_nothing_is_supported_and_none_is_started() -> None:
    program = """
from torchloupe.core.control import subshells_supported
from ipykernel.kernelbase import Kernel
print(subshells_supported(), Kernel.initialized())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
    assert not subshells_supported()
