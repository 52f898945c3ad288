"""Threads in every layer of a nested model: no layer waits for another, same bits."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from bondline.core import Advance, uniform
from bondline.gluing import glue
from bondline.gluing.crew import Threads
from bondline.leaves import chain

LINK = {"mass": 1.0, "stiffness": 1e4, "damping": 2.0}


def layered(threads: int):
    """(a - b) - c, both layers with a crew of their own."""
    a, b, c = (
        chain(n, masses=5, **LINK, wall=1e4 * (n == "a"), **loaded(n)) for n in "abc"
    )
    exports = {"right": "b.right"}
    inner = glue("inner", [a, b], {"ab": ("a.right", "b.left")}, exports=exports)
    crew = {"crew": Threads(threads)} if threads > 1 else {}
    inner = replace(inner, **crew)
    outer = glue("outer", [inner, c], {"bc": ("inner.right", "c.left")})
    return replace(outer, **crew)


def loaded(name: str) -> dict[str, float]:
    return {"force": 10.0, "frequency": 3.0} if name == "c" else {}


def last(threads: int, windows: int = 5) -> bytes:
    model = layered(threads)
    step = model.start(0.0)
    for n in range(windows):
        done = model.advance(step.state, uniform(0.0, 1e-3, n), {})
        assert isinstance(done, Advance)
        step = done
    inner = step.state.parts["inner"]
    return b"".join(y.tobytes() for y in (*inner.parts.values(), step.state.parts["c"]))


def test_a_layer_does_not_wait_for_the_one_that_asks_it():
    """In a process of its own, because the failure is a run that never ends."""
    code = "from tests.gluing.test_threads_in_layers import last; last(2)"
    try:
        done = subprocess.run([sys.executable, "-c", code], timeout=60)
    except subprocess.TimeoutExpired:
        pytest.fail("two layers of threads wait for each other")
    assert done.returncode == 0


def test_threads_in_both_layers_change_no_bit():
    assert last(2) == last(1)
