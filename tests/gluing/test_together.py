"""Ports in one array are the ports one by one."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.sparse import csr_array, diags_array, eye_array, kron

from bondline.core import Advance, Motions, Port, Response, uniform
from bondline.gluing import glue
from bondline.gluing.crew import Threads
from bondline.leaves import Structure
from bondline.numerics import LinearSystem

from .wrapped import Shown

ROWS, COLUMNS, H = 36, 4, 1e-3  # enough that all joints are one vector


def line(n):
    """Springs one after the other."""
    return diags_array(
        [-np.ones(n - 1), 2.0 * np.ones(n), -np.ones(n - 1)], offsets=(-1, 0, 1)
    )


def strip(name, *more, load=0.0):
    """Masses in a grid; its first and last columns are ports, and what is named."""
    n = ROWS * COLUMNS
    K = kron(line(COLUMNS), eye_array(ROWS)) + kron(eye_array(COLUMNS), line(ROWS))
    K, M = csr_array(1e4 * K), eye_array(n, format="csr")
    edges = {"left": np.arange(ROWS), "right": np.arange(n - ROWS, n)}
    edges |= {port: np.arange(ROWS, ROWS + 3) for port in more}
    push = load * np.arange(n)
    return Structure(
        name,
        LinearSystem(M, 1e-4 * K, K),
        edges,
        {p: Port(p, ("x",), nodes=len(d)) for p, d in edges.items()},
        external=(lambda t: push * np.sin(100.0 * t)) if load else None,
    )


@dataclass(frozen=True, eq=False)
class OneByOne(Shown):
    """A part that knows no arrays of ports: it shows and takes plain mappings."""

    inner: Structure

    def start(self, t0):
        return plain(self.inner.start(t0))

    def press(self, state, t, forces):
        return plain(self.inner.press(state, t, forces))

    def advance(self, state, window, inputs):
        return plain(self.inner.advance(state, window, dict(inputs)))

    def respond(self, state, window, inputs):
        done = self.inner.respond(state, window, dict(inputs))
        return Response(plain(done.free), done.G, done.inside)

    def realise(self, response, inputs):
        return plain(self.inner.realise(response, dict(inputs)))


def plain(done):
    return replace(done, outputs=dict(done.outputs))


def ring(wrap=lambda part: part, extra=()):
    """Three strips in a ring."""
    a, b, c = strip("a", load=1.0), strip("b", *extra), strip("c")
    seams = {"ab": ("a.right", "b.left"), "bc": ("b.right", "c.left")}
    seams["ca"] = ("c.right", "a.left")
    return glue("ring", [wrap(a), b, wrap(c)], seams)


def nested():
    """The same, two of them in a model of their own."""
    seam = {"ab": ("a.right", "b.left")}
    pair = [strip("a", load=1.0), strip("b")]
    inner = glue("inner", pair, seam, exports={"left": "a.left", "right": "b.right"})
    joints = {"bc": ("inner.right", "c.left"), "ca": ("c.right", "inner.left")}
    return glue("outer", [inner, strip("c")], joints)


def follow(model, windows=6):
    step = model.start(0.0)
    for n in range(windows):
        step = model.advance(step.state, uniform(0.0, H, n), {})
        assert isinstance(step, Advance)
    return step


def states(step):
    parts = dict(step.state.parts)
    inner = parts.pop("inner", None)
    return {**(inner.parts if inner else {}), **parts}


def test_a_part_that_shows_ports_one_by_one_is_glued_to_the_same_bits():
    one, other = follow(ring()), follow(ring(OneByOne))
    assert isinstance(one.state.motions, Motions)
    assert not isinstance(other.state.motions, Motions)
    for n, state in states(one).items():
        assert state.tolist() == states(other)[n].tolist()
    assert {r: m.x.tolist() for r, m in one.state.motions.items()} == {
        r: m.x.tolist() for r, m in other.state.motions.items()
    }
    assert one.stats == pytest.approx(other.stats, rel=1e-12)


def test_a_port_that_nobody_glued_changes_nothing():
    one, other = follow(ring()), follow(ring(extra=("spare",)))
    assert one.stats["speed"] == pytest.approx(other.stats["speed"], rel=1e-12)
    for n, state in states(one).items():
        assert states(other)[n] == pytest.approx(state, rel=1e-11, abs=1e-15)


def test_a_model_inside_shows_its_exports_in_one_array_and_moves_as_the_flat_one():
    one, other = follow(ring()), follow(nested())
    assert isinstance(other.state.motions, Motions)
    for n, state in states(one).items():
        assert states(other)[n] == pytest.approx(state, rel=1e-9, abs=1e-13)


def test_threads_change_no_bit():
    one, other = follow(ring()), follow(replace(ring(), crew=Threads(2)))
    for n, state in states(one).items():
        assert state.tobytes() == states(other)[n].tobytes()


def test_a_state_read_back_goes_on_to_the_same_bits():
    model = ring()
    half = follow(model, 3).state
    again = model.load(model.dump(half))
    window = uniform(0.0, H, 3)
    one, other = (model.advance(s, window, {}) for s in (half, again))
    assert model.dump(one.state) == model.dump(other.state)
