"""Structures that answer together give what each gives by itself, to the bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.core import Advance, Rejected, Response, States, uniform
from bondline.gluing.crew import Threads

from .test_together import H, OneByOne, follow, nested, ring, states

WINDOW = uniform(0.0, H, 3)


def assert_same(one: Advance, other: Advance) -> None:
    assert one.state.tobytes() == other.state.tobytes()
    assert one.energy == other.energy
    assert one.stats == other.stats
    assert one.outputs.places == other.outputs.places
    assert one.outputs.levels.tolist() == other.outputs.levels.tolist()


def test_a_team_answers_as_its_members_do():
    """Also the one that has a load of its own."""
    model, state = ring(), follow(ring(), 3).state
    team, hands = model.assembly.team, model.assembly.hands
    answered = team.respond(state.parts, WINDOW, hands)
    stack = model.assembly.stack
    F = np.linspace(-1.0, 1.0, model.assembly.offsets[-1])[None, :]
    told = stack.loads(F)
    landed = team.realise(answered, stack.B_transposed.times(F)[0], hands)
    for n, part in model.parts.items():
        response = part.respond(state.parts[n], WINDOW, {})
        assert isinstance(response, Response)
        assert_same(answered[n].free, response.free)
        assert answered[n].G is answered.G[n] is response.G
        alone = part.realise(response, told[n])
        assert_same(landed[n], alone)
        assert_same(part.realise(answered[n], told[n]), alone)
        assert landed.states[n].tobytes() == alone.state.tobytes()
    each = [(e.stored, e.dissipated, e.supplied) for e in energies(landed)]
    assert [tuple(x) for x in zip(*landed.energies, strict=True)] == each
    assert any(supplied for _, _, supplied in each)


def energies(landed):
    return [advance.energy for advance in landed.values()]


def test_who_is_not_of_the_kind_is_asked_by_itself():
    assert ring().assembly.team is not None
    assert ring(OneByOne).assembly.team is None
    assert isinstance(follow(ring()).state.parts, States)
    assert not isinstance(follow(ring(OneByOne)).state.parts, States)


def test_windows_of_several_steps_are_not_for_a_team():
    model = ring(lambda part: replace(part, steps=4))
    team = model.assembly.team
    assert (
        team.respond(model.start(0.0).state.parts, WINDOW, model.assembly.hands) is None
    )


def test_states_of_a_team_are_a_mapping_like_any_other():
    """Taken one by one, or put together anew, they go on to the same bits."""
    model, state = ring(), follow(ring(), 3).state
    apart = replace(state, parts={n: y.copy() for n, y in state.parts.items()})
    one, other = (model.advance(s, WINDOW, {}) for s in (state, apart))
    assert model.dump(one.state) == model.dump(other.state)
    assert one.stats == other.stats


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_a_member_that_runs_away_is_named():
    model, state = ring(), follow(ring(), 3).state
    broken = {**state.parts, "b": np.full_like(state.parts["b"], np.inf)}
    hands = model.assembly.hands
    assert model.assembly.team.respond(broken, WINDOW, hands) is None
    done = replace(model, halvings=0).advance(replace(state, parts=broken), WINDOW, {})
    assert isinstance(done, Rejected)
    assert done.model == "ring.b"


@pytest.mark.parametrize("make", [ring, nested])
def test_threads_in_all_layers_change_no_bit(make):
    one, other = follow(make()), follow(crewed(make()))
    assert one.stats == other.stats
    for n, state in states(one).items():
        assert state.tobytes() == states(other)[n].tobytes()


def crewed(model):
    parts = {n: crewed(p) if hasattr(p, "parts") else p for n, p in model.parts.items()}
    return replace(model, parts=parts, crew=Threads(2))


def test_the_sides_of_joints_do_the_work_that_parts_gain():
    """Δ(½ vᵀM v + ½ uᵀK u) = work of the joints − h v̄ᵀC v̄, for a part without loads."""
    model, before = ring(), follow(ring(), 3).state
    done = model.advance(before, WINDOW, {})
    for n in ("b", "c"):
        M, C, K = model.parts[n].system
        (u0, v0, _), (u1, v1, _) = (
            s.parts[n].reshape(3, -1) for s in (before, done.state)
        )
        stored = [0.5 * (v @ (M @ v) + u @ (K @ u)) for u, v in ((u0, v0), (u1, v1))]
        mean = 0.5 * (v0 + v1)
        lost = WINDOW.h * mean @ (C @ mean)
        worked = sum(w for k, w in done.stats.items() if k.endswith(f".{n}.work"))
        assert worked == pytest.approx(stored[1] - stored[0] + lost, rel=1e-9)
