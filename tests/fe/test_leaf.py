"""Finite-element models as leaves: alone, led, and glued to a whole."""

from __future__ import annotations

from dataclasses import replace
from math import cos, pi, sin, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.core import Causality, Signal, Window
from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.leaves.expression import Expression
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.links import RigidLink
from bondline.leaves.fe.loads import Gravity, NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.static import static
from bondline.leaves.fe.supports import Initial, Support
from bondline.leaves.histories import Harmonic, Table
from bondline.numerics import Method

from .parts import (
    ALL,
    DAMPED,
    STEEL,
    added,
    beam,
    block,
    mass,
    plate,
    rod,
    rows,
    run,
    spring,
)

H = 1e-4
WAVE = Harmonic(b=(1.0,), omega=100.0 * pi)


def oscillator(k=100.0, m=1.0, supports=(), c=0.0, **more):
    """A mass on a spring along x, ends in rows 0 (wall) and 1 (mass)."""
    mesh = added(
        rod(1, area=1e-30),
        (),
        [
            ("SPRING", [[0, 1]], spring([k, 0, 0, 0, 0, 0], [c, 0, 0, 0, 0, 0])),
            ("MASS", [[1]], mass(m)),
        ],
    )
    held = (Support(rows(0, 1), (1, 2)), *supports)
    return FeModel("oscillator", replace(mesh, blocks=mesh.blocks[1:]), held, **more)


@pytest.mark.parametrize("steps", [1, 4])
@pytest.mark.parametrize(
    "history", [Harmonic(b=(1.0,), omega=7.0), Expression("sin(7*t)")]
)
def test_a_moving_wall_is_a_moving_frame(history, steps):
    """x'' = −ω² (x − w) with w = a sin Ωt, from rest: in closed form."""
    w0, W, a = 10.0, 7.0, 0.1
    model = oscillator(supports=(Support(rows(0), (0,), a, history),))
    leaf = fe_leaf(model, {}, steps=steps, publish=("2.x", "2.ax"))
    h, n = 1e-3, 700
    found = leaf.observe(run(leaf, n, h))
    t, A = n * h, a * w0**2 / (w0**2 - W**2)
    exact = A * (sin(W * t) - W / w0 * sin(w0 * t))
    assert_allclose(found["2.x"].value, exact, rtol=2e-4 / steps**2)
    again = A * (w0 * W * sin(w0 * t) - W**2 * sin(W * t))
    assert_allclose(found["2.ax"].value, again, rtol=2e-3 / steps**2)


def test_a_moving_wall_drags_by_its_dashpot_too():
    """With c and no k the mass creeps after the wall: m x'' = −c (x' − w')."""
    wall = Support(rows(0), (0,), 1.0, Expression("0.5 * t**2"))
    model = oscillator(k=1e-9, c=2.0, supports=(wall,))
    leaf = fe_leaf(model, {}, publish=("2.vx",))
    found = leaf.observe(run(leaf, 1000, 1e-3))["2.vx"].value
    assert_allclose(found, 1.0 - (1.0 - np.exp(-2.0)) / 2.0, rtol=1e-6)


def test_a_shaken_table_is_gravity_in_its_frame():
    """A cantilever whose foot moves with w'' = g: relative to it, gravity −g."""
    mesh = beam(3)
    foot = (
        Support(rows(0), (0, 1, 3, 4, 5)),
        Support(rows(0), (2,), 9.81, Expression("t*t/2")),
    )
    shaken = fe_leaf(FeModel("m", mesh, foot), {}, publish=("4.z",))
    hung = FeModel(
        "m", mesh, (Support(rows(0), ALL),), loads=(Gravity(np.array([0, 0, -9.81])),)
    )
    still = fe_leaf(hung, {}, publish=("4.z",))
    moved = shaken.observe(run(shaken, 100, H))["4.z"].value - 9.81 * (100 * H) ** 2 / 2
    assert_allclose(moved, still.observe(run(still, 100, H))["4.z"].value, rtol=1e-6)


def test_reactions_in_motion_are_what_is_missing_to_newton():
    """Σ reactions + loads = Σ m a, at every instant."""
    mesh = plate(3, 2, material=DAMPED)
    hold, wide = (Support(mesh.node_sets["u0"], ALL),), np.arange(len(mesh.points))
    model = FeModel(
        "m",
        mesh,
        hold,
        (),
        (NodalForce(rows(3), 2, 50.0, WAVE), Gravity(np.array([0, 0, -9.81]))),
    )
    sets = {"foot": mesh.node_sets["u0"], "all": wide}
    model = replace(model, mesh=replace(mesh, node_sets=sets))
    leaf = fe_leaf(model, {}, publish=("reaction:foot",))
    state = run(leaf, 37, H)
    found = leaf.observe(state)["foot.Fz"].value
    made = model.assembled
    a = made.dofs.spread(made.T @ state.reshape(3, -1)[2])
    unit = FeModel("g", mesh, loads=(Gravity(np.array([0, 0, 1.0])),)).assembled
    weight = unit.dofs.spread(unit.load(0.0))
    v = made.dofs.spread(made.T @ state.reshape(3, -1)[1])
    inertia = float((weight * (a + 5.0 * v)).sum())  # α M v pulls from outside
    loads = 50.0 * WAVE.at(37 * H)[0] - 9.81 * float(weight[:, 2].sum())
    assert_allclose(found, inertia - loads, rtol=1e-8)


def halves(nx=4, ny=3, **more):
    """A cantilever plate along x whole, and cut in two at its middle."""
    whole, left, right = (
        plate(n, ny, x, material=DAMPED)
        for n, x in ((2 * nx, (0, 1)), (nx, (0, 0.5)), (nx, (0.5, 1)))
    )
    down = Gravity(np.array([0.0, 0.0, -9.81]))
    clamp = [Support(m.node_sets["u0"], ALL) for m in (whole, left)]

    def tip(mesh):
        corner = int(np.flatnonzero((mesh.points == [1.0, 0.0, 0.0]).all(axis=1))[0])
        return NodalForce(rows(corner), 2, 100.0, WAVE), f"{mesh.ids[corner]}"

    force, at = tip(whole)
    one = fe_leaf(
        FeModel("one", whole, (clamp[0],), loads=(force, down)),
        {},
        publish={"z": f"{at}.z", "az": f"{at}.az"},
        **more,
    )
    force, at = tip(right)
    a = fe_leaf(
        FeModel("a", left, (clamp[1],), loads=(down,)), {"seam": Plug("u1")}, **more
    )
    b = fe_leaf(
        FeModel("b", right, loads=(force, down)),
        {"seam": Plug("u0")},
        publish={"z": f"{at}.z", "az": f"{at}.az"},
        **more,
    )
    return one, a, b


def test_two_halves_glued_are_the_whole_in_motion():
    one, a, b = halves()
    both = glue("both", [a, b], {"seam": ("a.seam", "b.seam")})
    whole, glued = run(one, 200, H), run(both, 200, H)
    for key in ("z", "az"):
        assert_allclose(
            both.observe(glued)[f"b.{key}"].value,
            one.observe(whole)[key].value,
            rtol=1e-7,
        )


def test_two_halves_glued_are_the_whole_at_rest():
    one, a, b = halves()
    both = glue("both", [a, b], {"seam": ("a.seam", "b.seam")})
    rest = [m.equilibrium(m.start(0.0).state, 1.0, {}, {}) for m in (one, both)]
    z = one.observe(rest[0].state)["z"].value
    assert z < -1e-4
    assert_allclose(both.observe(rest[1].state)["b.z"].value, z, rtol=1e-8)


def test_two_halves_glued_have_the_modes_of_the_whole():
    from scipy.linalg import eigh

    from bondline.gluing.frequency.modes import modes

    one, a, b = halves(3, 2)
    both = glue("both", [a, b], {"seam": ("a.seam", "b.seam")})
    M, _, K = (A.toarray() for A in one.system)
    exact = np.sqrt(eigh(K, M, eigvals_only=True)[:3])
    found = [m.omega for m in modes(both, 1.05 * exact[-1])][:3]
    assert_allclose(found, exact, rtol=1e-6)


def test_several_steps_a_window_glue_as_well():
    """Forces inside a window are polynomials: near the whole, not equal to it."""
    one, a, b = halves(2, 2, steps=4)
    both = glue("both", [a, b], {"seam": ("a.seam", "b.seam")})
    whole, glued = run(one, 50, 4 * H), run(both, 50, 4 * H)
    assert_allclose(
        both.observe(glued)["b.z"].value, one.observe(whole)["z"].value, rtol=1e-2
    )


@pytest.mark.parametrize("method", [Method.hht(-0.1), Method.generalized_alpha(0.8)])
def test_other_methods_glue_as_well(method):
    one, a, b = halves(2, 2, method=method)
    both = glue("both", [a, b], {"seam": ("a.seam", "b.seam")})
    whole, glued = run(one, 50, H), run(both, 50, H)
    assert_allclose(
        both.observe(glued)["b.z"].value, one.observe(whole)["z"].value, rtol=1e-7
    )


def test_a_port_may_take_motion():
    """The seam of the left half, led along the path it took in the whole."""
    mesh = plate(4, 2)
    hold = (Support(mesh.node_sets["u0"], ALL),)
    led = Plug("u1", causality=Causality.MOTION_IN)
    leaf = fe_leaf(FeModel("m", mesh, hold), {"end": led}, steps=4)
    port = leaf.ports["end"]
    assert (port.nodes, port.causality) == (3, Causality.MOTION_IN)
    lift = np.zeros((1, port.size))
    lift[0, 2::6] = 1e-3
    path = Signal(np.vstack([0 * lift, 0 * lift, 3 * lift, -2 * lift]))
    done = leaf.advance(leaf.start(0.0).state, Window(0.0, 1.0), {"end": path})
    assert_allclose(done.outputs["end"].at.x, lift[0], atol=1e-15)
    assert done.outputs["end"].f[2::6].sum() > 0.0


def test_ports_show_the_nodes_of_their_set():
    mesh = plate(2, 3)
    leaf = fe_leaf(FeModel("m", mesh), {"p": Plug("u1"), "q": Plug(rows(0, 1), (2, 0))})
    p, q = leaf.ports["p"], leaf.ports["q"]
    assert (p.dofs, p.nodes) == (("x", "y", "z", "rx", "ry", "rz"), 4)
    assert_array_equal(p.surface.points, mesh.points[mesh.node_sets["u1"]])
    assert p.surface.facets == ((0, 1), (1, 2), (2, 3))
    assert (q.dofs, q.nodes, q.fixed) == (("z", "x"), 2, ())
    solid = block((1, 1, 2))
    face = fe_leaf(FeModel("m", solid), {"p": Plug("w1")}).ports["p"]
    assert face.dofs == ("x", "y", "z")
    assert [sorted(f) for f in face.surface.facets] == [[0, 1, 2, 3]]


def test_a_port_of_slaves_moves_with_their_master():
    mesh = added(plate(2, 1), [(1.2, 0.1, 0.0)])
    link = RigidLink(6, mesh.node_sets["u1"])
    model = FeModel("m", mesh, (Support(mesh.node_sets["u0"], ALL),), (link,))
    ports = {"slaves": Plug("u1"), "master": Plug(rows(6))}
    leaf = fe_leaf(model, ports)
    push = np.zeros(12)
    push[2] = push[8] = 1.0  # two forces along z: at the master, one and its moment
    arm = mesh.points[link.slaves] - mesh.points[6]
    wrench = np.array([0, 0, 2.0, *np.cross(arm, [0, 0, 1.0]).sum(axis=0)])
    h, start = Window(0.0, H), leaf.start(0.0).state
    one = leaf.advance(start, h, {"slaves": Signal.hold(push)})
    two = leaf.advance(start, h, {"master": Signal.hold(wrench)})
    assert_allclose(one.state, two.state, atol=1e-12 * np.abs(two.state).max())
    moved = one.outputs["slaves"].a.reshape(2, 6)
    master = one.outputs["master"].a
    assert_allclose(moved[:, :3], master[:3] + np.cross(master[3:], arm))


def test_kinks_of_loads_break_windows():
    ramp = Table((0.0, 2.5e-4, 1.0), (0.0, 1.0, 1.0))
    model = FeModel(
        "m", beam(1), (Support(rows(0), ALL),), (), (NodalForce(rows(1), 2, 1.0, ramp),)
    )
    leaf = fe_leaf(model, {})
    assert leaf.breaks(Window(2e-4, 3e-4)) == [2.5e-4]


def test_a_start_in_motion():
    model = oscillator(
        supports=(Support(rows(0), (0,)),), initial=(Initial(rows(1), 0, 0.2, 3.0),)
    )
    leaf = fe_leaf(model, {}, publish=("2.x", "2.vx", "2.ax"))
    now = leaf.observe(leaf.start(0.0).state)
    assert [now[f"2.{k}"].value for k in ("x", "vx", "ax")] == [0.2, 3.0, -20.0]
    t = 0.3
    exact = 0.2 * cos(10 * t) + 0.3 * sin(10 * t)
    assert_allclose(leaf.observe(run(leaf, 300, 1e-3))["2.x"].value, exact, rtol=1e-3)


def test_statics_of_a_leaf_is_that_of_its_model():
    wave = Harmonic(b=(1.0,), omega=pi)
    mesh = plate(3, 2)
    model = FeModel(
        "m",
        mesh,
        (Support(mesh.node_sets["u0"], ALL),),
        (),
        (NodalForce(rows(3), 2, 5.0, wave),),
        static_time=0.5,
    )
    leaf = fe_leaf(model, {"tip": Plug(rows(3))})
    rest = leaf.equilibrium(leaf.start(0.0).state, 1.0, {}, {})
    found = static(model).u
    assert found[3, 2] > 0.0
    assert_allclose(rest.outputs["tip"].x, found[3], rtol=1e-9)


def test_the_outline_moves_with_the_model():
    mesh = plate(2, 2)
    model = FeModel("m", mesh, (Support(mesh.node_sets["u0"], ALL),))
    leaf = fe_leaf(model, {}, draw=True)
    state = leaf.start(0.0).state
    (line,) = leaf.shapes(state).values()
    assert len(line) == 9  # eight edges, closed
    assert_allclose(line[0], line[-1])
    assert fe_leaf(model, {}).shapes(state) == {}
    edges = fe_leaf(FeModel("m", block((2, 2, 2))), {}, draw=True)
    lines = edges.shapes(edges.start(0.0).state).values()
    assert sum(len(rows) - 1 for rows in lines) == 24  # twelve edges of two pieces


@pytest.mark.parametrize(
    ("model", "named", "remedy"),
    [
        (
            FeModel("m", plate(1, 1, material=replace(STEEL, rho=0.0))),
            "node 1, x",
            "density",
        ),
        (
            FeModel("m", added(rod(1), (), [("SPRING", [[0, 1]], spring(1.0))])),
            "node 1, rx",
            "add rotary inertia",
        ),
        (
            FeModel(
                "m",
                added(
                    rod(1, material=replace(STEEL, rho=0.0)),
                    [(0.0, 0.0, 0.5)],
                    [("MASS", [[2]], mass(1.0)), ("SPRING", [[1, 2]], spring(1.0))],
                ),
                links=(RigidLink(0, rows(2)),),
            ),
            "node 2, x",
            "rotary inertia",
        ),
    ],
)
def test_dynamics_without_mass_is_refused(model, named, remedy):
    with pytest.raises(SettingError, match="no mass resists") as error:
        fe_leaf(model, {})
    assert error.value.place == "m: mass"
    assert named in error.value.finding
    assert remedy in error.value.remedy


def test_statics_needs_no_mass():
    light = FeModel("m", plate(1, 1, material=replace(STEEL, rho=0.0)))
    held = replace(light, supports=(Support(light.mesh.node_sets["u0"], ALL),))
    pulled = replace(held, loads=(NodalForce(rows(1), 0, 1.0),))
    assert static(pulled).u[1, 0] > 0.0


@pytest.mark.parametrize(
    ("plug", "finding", "remedy"),
    [
        (Plug("u9"), "no node set", "Known: corners, u0"),
        (Plug(rows()), "its node set is empty", "Give a node set"),
        (Plug(rows(77)), "no row 77 in a mesh of 27 nodes", "Give rows"),
        (Plug(rows(1, 1)), "node 2 is in it twice", "once"),
        (Plug(rows(1), (3,)), "node 2, rx does not exist", "all its nodes: x y z"),
        (Plug(rows(1), (8,)), "no component 8", "all its nodes: x y z"),
        (
            Plug("u0", causality=Causality.MOTION_IN),
            "supports hold node 1, x",
            "the port holds them",
        ),
        (
            Plug(rows(19, 20), causality=Causality.MOTION_IN),
            "links lead node 20, x",
            "masters of the links",
        ),
        (Plug("v1"), "an enforced motion leads node 9, y", "not both"),
    ],
)
def test_ports_that_cannot_be_are_refused(plug, finding, remedy):
    mesh = block((2, 2, 2))
    held = Support(mesh.node_sets["u0"], (0,))
    led = Support(rows(8), (1,), 1.0)
    link = RigidLink(20, rows(19), (0, 1, 2))
    model = FeModel("m", mesh, (held, led), (link,))
    with pytest.raises(SettingError) as error:
        fe_leaf(model, {"p": plug})
    assert error.value.place.startswith("m.p")
    assert finding in error.value.finding
    assert remedy in error.value.remedy


@pytest.mark.parametrize(
    ("nodes", "component"), [(rows(0), 0), (rows(5), 5), (rows(1), 0)]
)
def test_starts_of_dofs_that_follow_are_refused(nodes, component):
    mesh = rod(3)
    model = FeModel(
        "m",
        mesh,
        (Support(rows(0), (0, 1, 2)),),
        (RigidLink(2, rows(1), (0,)),),
        initial=(Initial(rows(2) if nodes[0] == 5 else nodes, component, 1.0),),
    )
    with pytest.raises(SettingError, match="is supported, or follows a link") as error:
        fe_leaf(model, {})
    assert error.value.place.startswith("m: start of node")
    assert "independent dofs" in error.value.remedy


def test_the_frequency_of_an_oscillator():
    leaf = fe_leaf(
        oscillator(supports=(Support(rows(0), (0,)),)), {"m": Plug(rows(1), (0,))}
    )
    H2 = leaf.receptance(5.0, damped=False).blocks["m", "m"][0, 0]
    assert_allclose(H2, 1.0 / (100.0 - 25.0))
    assert leaf.receptance(sqrt(101.0), damped=False).below == 1
