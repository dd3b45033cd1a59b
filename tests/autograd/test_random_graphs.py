"""Random graphs: edges against a second walk, order against the engine, and gradients that do not change."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.autograd import naive
from tests.autograd.random_graphs import outputs_of, programs, run
from torchloupe.autograd.capture import capture
from torchloupe.autograd.running_order import running_order
from torchloupe.autograd.walk import find


@settings(max_examples=200, deadline=None)
@given(programs(), st.integers(1, 3))
def test_edges_and_order(program, count):
    _, values = run(program)
    outputs = outputs_of(values, count)
    assume(outputs)
    record = capture(outputs)
    assert naive.recorded_edges(record) == naive.edges(*outputs)
    assert len(record.edges) == len(naive.edges(*outputs))
    assert all(edge.source < edge.target for edge in record.edges)
    ran = naive.run(outputs, find(record))
    assert naive.unordered_leaves(ran, record) == naive.unordered_leaves(list(range(len(ran))), record)


@settings(max_examples=100, deadline=None)
@given(programs(), st.integers(1, 3))
def test_a_capture_changes_no_gradient(program, count):
    found = []
    for look in (False, True):
        leaves, values = run(program)
        outputs = outputs_of(values, count)
        assume(outputs)
        if look:
            before = [(v._version, v.requires_grad) for v in values], torch.get_rng_state().tolist()
            str(capture(outputs))
            assert ([(v._version, v.requires_grad) for v in values], torch.get_rng_state().tolist()) == before
            assert all(leaf.grad is None for leaf in leaves)
        torch.autograd.backward(outputs, [torch.ones_like(o) for o in outputs])
        found.append([None if leaf.grad is None else leaf.grad.numpy().tobytes() for leaf in leaves])
    assert found[0] == found[1]


@settings(max_examples=200, deadline=None)
@given(st.integers(2, 12), st.data())
def test_numbers_of_several_threads_still_give_a_topological_order(count, data):
    """Numbers as they come from two threads: nothing about them follows the edges."""
    edges = data.draw(
        st.lists(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)), min_size=1, max_size=30)
    )
    edges = sorted({(a, b) for a, b in edges if a < b})
    assume(edges)
    source, target = np.array(edges).T
    sequence = np.array(data.draw(st.lists(st.integers(0, 5), min_size=count, max_size=count)))
    leaf = np.isin(np.arange(count), target) & ~np.isin(np.arange(count), source)
    leaf &= np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    order = running_order(sequence, leaf, source, target)
    place = np.argsort(order)
    assert sorted(order.tolist()) == list(range(count))
    assert (place[source] < place[target]).all()
    done = set()
    for node in order.tolist():
        ready = [n for n in range(count) if n not in done and all(a in done for a, b in edges if b == n)]
        newest = max(np.inf if leaf[n] else sequence[n] for n in ready)
        assert (np.inf if leaf[node] else sequence[node]) == newest
        done.add(node)
