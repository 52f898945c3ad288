"""How an assembly starts: gaps are closed by the smallest change, or named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.core import Impulsive, Window, ref
from bondline.errors import SettingError, SingularInterface, StartGap
from bondline.gluing import TT, Bushing, IntegratedModel, Newton, scheme
from bondline.gluing.joints.makers import fixed, revolute, spherical
from bondline.leaves import FreeBar, FunctionLeaf, PinnedBar, RigidBody
from bondline.numerics import rotations as rot
from tests.gluing.parts import Odd, mass
from tests.gluing.parts import tie as point_tie
from tests.gluing.static_parts import springs, tie
from tests.gluing.test_statics import chain

ZERO = (0.0, 0.0, 0.0)


def model(parts, joints, start="given", name="constant/e", exports=None):
    return IntegratedModel(
        "start",
        {p.name: p for p in parts},
        joints,
        TT(scheme(name)),
        Newton(),
        {n: ref(r) for n, r in (exports or {}).items()},
        start_from=start,
    )


def shown(glued, part, port):
    state = glued.start(0.0).state
    return glued.parts[part].press(state.parts[part], 0.0, {}).outputs[port]


def wall(name="wall", **points):
    """Points that do not move, in space."""

    def motion(t, y, dy):
        return {p: (list(x), list(ZERO), list(ZERO)) for p, x in points.items()}

    dofs = {p: ("x", "y", "z") for p in points}
    return FunctionLeaf(name, [0.0], dofs, lambda t, y, f: [0.0], motion)


def rod(name, length=1.0, kind=RigidBody, **more):
    """A rod along its x axis with a frame at each end."""
    ends = {"a": (-length / 2, 0.0, 0.0), "b": (length / 2, 0.0, 0.0)}
    return kind(name, 2.0, (0.1, 0.4, 0.4), markers=ends, **more)


def turned(angle, axis=(0.0, 0.0, 1.0)):
    return tuple(rot.exp(angle * np.array(axis)).tolist())


class Fixed(RigidBody):
    """A body that stays where it was told to be."""

    place = None


def anchor(name="anchor", **more):
    """A rod that cannot be placed."""
    return rod(name, kind=Fixed, **more)


def test_a_ball_joint_moves_a_body_and_leaves_its_turn():
    free = rod("free", position=(3.0, 1.0, 0.0), turn=turned(0.4), spin=(0.0, 0.0, 2.0))
    held = wall(p=(1.0, 2.0, 3.0))
    glued = model([held, free], [spherical("ball", (ref("wall.p"), ref("free.a")))])
    at = shown(glued, "free", "a")
    assert_allclose(at.x, (1.0, 2.0, 3.0), atol=1e-13)
    assert_allclose(at.v[:3], 0.0, atol=1e-13)
    assert_allclose(at.v[3:], (0.0, 0.0, 2.0), atol=1e-13)
    assert_allclose(at.turn, turned(0.4), atol=1e-13)


def test_a_weld_takes_pose_and_twist_over():
    held = anchor(turn=turned(0.7, (1.0, 0.0, 0.0)), spin=(0.0, 0.3, 0.0))
    free = rod("free", position=(3.0, 1.0, 0.0), spin=(1.0, 0.0, 2.0))
    glued = model([held, free], [fixed("weld", (ref("anchor.b"), ref("free.a")))])
    one, two = shown(glued, "anchor", "b"), shown(glued, "free", "a")
    assert_allclose(two.x, one.x, atol=1e-12)
    assert_allclose(two.v, one.v, atol=1e-12)
    assert_allclose(np.abs(two.turn @ one.turn), 1.0, atol=1e-12)


def test_a_hinge_turns_a_body_no_further_than_it_must():
    held = anchor()
    # about the hinge by 0.5, which is free; 0.2 about y, which is not
    tilt = rot.product(
        rot.exp(np.array([0.0, 0.2, 0.0])), rot.exp(np.array([0.0, 0.0, 0.5]))
    )
    free = rod("free", position=(0.3, 0.2, 0.1), turn=tuple(tilt.tolist()))
    hinge = revolute("hinge", (ref("anchor.b"), ref("free.a")), (0.0, 0.0, 1.0))
    at = shown(model([held, free], [hinge]), "free", "a")
    assert_allclose(at.x, (0.5, 0.0, 0.0), atol=1e-12)
    axis = rot.matrix(at.turn) @ np.array([0.0, 0.0, 1.0])
    assert_allclose(axis, (0.0, 0.0, 1.0), atol=1e-12)
    assert_allclose(rot.log(at.turn)[2], 0.5, atol=0.05)


def test_a_part_that_fits_is_left_to_the_last_bit():
    free = rod("free", position=(0.1 + 0.5, 0.2, 0.3))
    told = free.start(0.0)
    held = wall(p=tuple(told.outputs["a"].x.tolist()))
    glued = model([held, free], [spherical("j", (ref("wall.p"), ref("free.a")))])
    assert np.array_equal(glued.start(0.0).state.parts["free"], told.state)


def triangle(first=0.3, second=-0.3, **more):
    """Two rods between two walls: the loop does not close as it is told."""
    held = wall(p=ZERO, q=(2.0, 0.0, 0.0))
    one = rod("one", 1.5, turn=turned(first))
    two = rod("two", 1.5, turn=turned(second), **more)
    joints = [
        spherical("p", (ref("wall.p"), ref("one.a"))),
        spherical("m", (ref("one.b"), ref("two.a"))),
        spherical("q", (ref("two.b"), ref("wall.q"))),
    ]
    return model([held, one, two], joints)


def test_a_loop_is_closed_by_all_of_its_parts_together():
    glued = triangle(spin=(0.0, 0.0, 1.0))
    ends = {
        port: shown(glued, *port.split("."))
        for port in ("one.a", "one.b", "two.a", "two.b")
    }
    assert_allclose(ends["one.a"].x, ZERO, atol=1e-9)
    assert_allclose(ends["one.b"].x, ends["two.a"].x, atol=1e-9)
    assert_allclose(ends["two.b"].x, (2.0, 0.0, 0.0), atol=1e-9)
    assert_allclose(ends["one.b"].v[:3], ends["two.a"].v[:3], atol=1e-9)
    assert_allclose(ends["two.b"].v[:3], 0.0, atol=1e-9)
    # the apex of an equal-sided triangle; the spin that one rod was told is shared
    assert_allclose(ends["one.b"].x[0], 1.0, atol=1e-6)
    assert_allclose(ends["one.b"].x[1], np.sqrt(1.5**2 - 1.0), atol=1e-6)


def test_a_loop_that_cannot_be_closed_is_named():
    held = wall(p=ZERO, q=(9.0, 0.0, 0.0))
    one = rod("one", 1.5)
    joints = [
        spherical("p", (ref("wall.p"), ref("one.a"))),
        spherical("q", (ref("one.b"), ref("wall.q"))),
    ]
    with pytest.raises(StartGap) as caught:
        model([held, one], joints).start(0.0)
    assert caught.value.place == "start: joint q"
    assert "x by -7.5 m" in caught.value.finding
    assert "where they meet" in caught.value.remedy


def loose(names, joints):
    """Three rods that nobody holds and that do not fit, in the given order."""
    told = {
        "one": {"position": (1.0, 0.3, 0.0), "turn": turned(0.2), "spin": (0, 1, 0)},
        "two": {
            "position": (5.0, 0.1, 0.7),
            "turn": turned(2.1),
            "velocity": (3, 1, 2),
        },
        "six": {"position": (2.0, 4.0, 0.1), "turn": turned(4.3), "spin": (1, 0, 2)},
    }
    parts = [rod(n, **told[n]) for n in names.split()]
    pairs = [tuple(ref(end) for end in pair.split()) for pair in joints]
    return model(parts, [spherical(f"j{k}", p) for k, p in enumerate(pairs)])


def assert_same_bits(first, other):
    one, two = first.start(0.0).state, other.start(0.0).state
    assert one.forces.tobytes() == two.forces.tobytes()
    for n, state in one.parts.items():
        assert state.tobytes() == two.parts[n].tobytes()


ROW = ("two.b six.a", "one.b two.a")
LOOP = (*ROW, "six.b one.a")


@pytest.mark.parametrize("joints", [ROW, LOOP], ids=["row", "loop"])
@pytest.mark.parametrize("order", ["one six two", "two one six", "six two one"])
def test_the_order_of_parts_changes_no_bit_of_the_start(order, joints):
    first, other = loose("one two six", joints), loose(order, joints)
    assert_same_bits(first, other)


@pytest.mark.parametrize("order", ["dcba", "badc", "cadb"])
def test_the_order_of_parts_changes_no_bit_of_impulses(order):
    m = dict(zip("abcd", (1.0, 0.3, 7.0, 1.1), strict=True))
    ties = [point_tie("c.end", "a.end", "d.end"), point_tie("b.end", "a.end", name="k")]
    first, other = (
        model([mass(n, m[n], v0=m[n] ** 2) for n in names], ties, "projected")
        for names in ("abcd", order)
    )
    assert_same_bits(first, other)


def test_where_nothing_is_held_the_first_end_of_the_first_joint_stays():
    glued = loose("one two six", ROW)
    told = glued.parts["two"].start(0.0).state
    assert np.array_equal(glued.start(0.0).state.parts["two"], told)


def test_a_bushing_may_start_with_a_gap():
    soft = Bushing(point_tie("a.end", "b.end"), (100.0,), (0.0,))
    glued = model([mass("a", x0=0.5), mass("b")], [soft])
    state = glued.start(0.0).state
    assert_allclose(state.parts["a"], (0.5, 0.0))
    assert_allclose(state.forces[0], -50.0)


# velocities


def closest(m, v):
    """All masses with one velocity: the nearest by kinetic energy."""
    return np.dot(m, v) / np.sum(m)


@pytest.mark.parametrize(
    ("m", "v"), [((1.0, 3.0), (2.0, -2.0)), ((5.0, 0.1), (1.0, 0.0))]
)
def test_projected_velocities_are_the_nearest_by_kinetic_energy(m, v):
    parts = [mass(n, mi, v0=vi) for n, mi, vi in zip("ab", m, v, strict=True)]
    glued = model(parts, [point_tie("a.end", "b.end")], "projected")
    state = glued.start(0.0).state
    for n in "ab":
        assert_allclose(state.parts[n], (0.0, closest(m, v)), atol=1e-13)


def test_projected_rods_keep_what_their_joint_leaves_free():
    # parts that cannot be placed: positions meet, velocities do not
    one = anchor("one", position=(-0.5, 0.0, 0.0), spin=(0.0, 0.0, 3.0))
    two = anchor("two", position=(0.5, 0.0, 0.0), velocity=(0.4, -1.0, 0.2))
    joint = spherical("j", (ref("one.b"), ref("two.a")))
    with pytest.raises(StartGap):
        model([one, two], [joint]).start(0.0)
    glued = model([one, two], [joint], "projected")
    after = glued.start(0.0).state.parts
    u, v = shown(glued, "one", "b"), shown(glued, "two", "a")
    assert_allclose(u.v[:3], v.v[:3], atol=1e-12)
    before = {p.name: p.start(0.0).state for p in (one, two)}
    inertia = np.array([2.0, 2.0, 2.0, 0.1, 0.4, 0.4])

    def energy(rates):
        return sum(0.5 * inertia @ rates[n] ** 2 for n in ("one", "two"))

    told, kept = ({n: y[7:] for n, y in ys.items()} for ys in (before, after))
    # Pythagoras: the change is perpendicular to what is left
    change = {n: told[n] - kept[n] for n in told}
    assert_allclose(energy(told), energy(kept) + energy(change), rtol=1e-12)
    # equal and opposite impulses add nothing to momentum
    momentum = 2.0 * (kept["one"][:3] + kept["two"][:3])
    assert_allclose(momentum, 2.0 * np.array(two.velocity), atol=1e-12)


def test_velocities_that_agree_are_left_to_the_last_bit():
    parts = [mass("a", v0=0.3), mass("b", 2.0, v0=0.3)]
    one, two = (
        model(parts, [point_tie("a.end", "b.end")], how).start(0.0).state
        for how in ("given", "projected")
    )
    assert all(np.array_equal(one.parts[n], two.parts[n]) for n in "ab")


def test_impulses_reach_into_nested_models():
    m, v = (1.0, 2.0, 4.0), (3.0, 3.0, -1.0)
    a, b, c = (mass(n, mi, v0=vi) for n, mi, vi in zip("abc", m, v, strict=True))
    pair = model([a, b], [point_tie("a.end", "b.end")], exports={"end": "b.end"})
    pair = replace(pair, name="pair")
    glued = model([pair, c], [point_tie("pair.end", "c.end")], "projected")
    state = glued.start(0.0).state
    for found in (*state.parts["pair"].parts.values(), state.parts["c"]):
        assert_allclose(found[1], closest(m, v), atol=1e-12)


def test_structures_take_impulses():
    part = springs("b", [1e3])  # masses of 1 kg
    hit = part.kick(part.start(0.0).state, 0.0, {"l": np.array([2.0])})
    assert_allclose(hit.outputs["l"].v, 2.0, rtol=1e-12)
    assert_allclose(hit.outputs["r"].v, 0.0)
    assert_allclose(hit.outputs["l"].x, 0.0)


@pytest.mark.parametrize(
    "bar", [PinnedBar("bar", 3.0, 2.0, 0.4), FreeBar("bar", 3.0, 2.0, 0.4)]
)
def test_an_impulse_is_a_short_push(bar):
    assert isinstance(bar, Impulsive)
    state, p = bar.start(0.0).state, np.array([1.0, -2.0])
    kick = bar.kick(state, 0.0, {"A": p}).outputs["A"].v
    before, under = (
        bar.press(state, 0.0, {"A": f}).outputs["A"].a for f in (np.zeros(2), p)
    )
    assert_allclose(kick, under - before, rtol=1e-12)


def test_a_part_that_takes_no_impulse_is_named():
    still = Odd("odd", lambda window, force: [0.0, 0.0, 0.0])
    glued = model(
        [still, mass("a", v0=1.0)], [point_tie("odd.end", "a.end")], "projected"
    )
    with pytest.raises(StartGap) as caught:
        glued.start(0.0)
    assert caught.value.place == "start: start"
    assert "odd takes no impulse" in caught.value.finding
    assert "`kick`" in caught.value.remedy


def test_positions_are_not_projected():
    glued = model(
        [mass("a", x0=0.5), mass("b")], [point_tie("a.end", "b.end")], "projected"
    )
    with pytest.raises(StartGap) as caught:
        glued.start(0.0)
    assert "positions of a.end and b.end differ" in caught.value.finding


# at rest


def test_a_static_start_stays_where_it_is():
    flat = chain()
    loaded = [
        replace(p, external=lambda t, f=p.static_load: f) for p in flat.parts.values()
    ]
    glued = model(loaded, flat.connections, "static", "newmark/a,v,u")
    start = glued.start(0.0)
    state = glued.advance(start.state, Window(0.0, 0.01), {}).state
    for n, first in start.state.parts.items():
        size = np.abs(first).max()
        assert_allclose(state.parts[n], first, atol=1e-9 * size)
        assert size > 0.0
    assert np.abs(start.state.forces[0]).min() > 1.0


def test_a_static_start_needs_parts_that_rest():
    glued = model([mass("a"), mass("b")], [point_tie("a.end", "b.end")], "static")
    with pytest.raises(SettingError) as caught:
        glued.start(0.0)
    assert "no equilibrium is offered by a, b" in caught.value.finding


def test_a_static_start_of_a_mechanism_names_it():
    parts = [springs("a", [1e3]), springs("b", [1e3])]
    glued = model(parts, [tie("j", "a.r", "b.l", dofs="x")], "static", "newmark/a,v,u")
    with pytest.raises(SingularInterface) as caught:
        glued.start(0.0)
    assert "a with b" in caught.value.finding


def test_an_unknown_start_gets_the_nearest():
    with pytest.raises(SettingError) as caught:
        model([mass("a")], [], "projcted")
    assert caught.value.place == "start: start_from"
    assert "Did you mean 'projected'" in caught.value.remedy


def test_the_start_is_a_setting():
    assert model([mass("a")], [], "projected").settings()["start_from"] == "projected"


def driven(name, bend):
    """A point at rest that is led, whatever pulls at it: it has an acceleration."""

    def motion(t, y, dy):
        return {"end": ([bend * t**2 / 2], [bend * t], [bend])}

    return FunctionLeaf(name, [0.0], {"end": ("x",)}, lambda t, y, f: [0.0], motion)


def test_accelerations_that_no_force_makes_agree_are_told():
    parts = [driven("a", 1.0), driven("b", 4.0), mass("c", k=2.0, x0=1.0)]
    step = model(parts, [point_tie("a.end", "b.end")]).start(0.0)
    (note,) = step.notes
    assert "joint j: no joint forces make accelerations agree at the start" in note
    assert "a.end and b.end stay apart by 3 (SI units) along Fx" in note
    assert "look at what leads the parts" in note
    assert not step.state.forces.any()


@pytest.mark.parametrize("bend", [1.0, 1.0 + 1e-13])
def test_round_off_of_accelerations_is_not_told(bend):
    parts = [driven("a", 1.0), driven("b", bend)]
    assert not model(parts, [point_tie("a.end", "b.end")]).start(0.0).notes


def test_a_nested_model_tells_it_too():
    inner = model(
        [driven("a", 1.0), driven("b", 4.0)],
        [point_tie("a.end", "b.end")],
        exports={"end": "b.end"},
    )
    outer = model([inner, mass("c")], [point_tie("start.end", "c.end", name="o")])
    assert any("joint j: no joint forces" in note for note in outer.start(0.0).notes)
