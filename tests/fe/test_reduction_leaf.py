"""Reduced leaves in the place of full ones: alone, glued, recovered."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.core import Causality, Signal, Window, uniform
from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.gluing.frequency import modes as glued_modes
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.links import RigidLink
from bondline.leaves.fe.loads import Gravity, NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.recover import nodal_stress
from bondline.leaves.fe.reduction import Wanted, reduce_model, reduced_leaf
from bondline.leaves.fe.static import static
from bondline.leaves.fe.supports import Initial, Support
from bondline.leaves.histories import Harmonic
from bondline.numerics import Method
from bondline.testing import check_leaf

from .parts import ALL, DAMPED, added, beam, plate, rows, run

H = 5e-4
DOWN = Gravity(np.array([0.0, 0.0, -9.81]))
WAVE = Harmonic(b=(1.0,), omega=2.0 * pi * 20.0)
EVERYTHING = Wanted(modes=10_000, samples=0)


def frame(nx=4, ny=2):
    """Two shells of a frame that meet at a right angle; the first is clamped."""
    left = plate(nx, ny, (0.0, 0.5), material=DAMPED)
    right = plate(nx, ny, (0.5, 1.0), material=DAMPED)
    x, y, z = right.points.T
    right = replace(right, points=np.stack([0.5 + z, y, x - 0.5], axis=1))
    clamp = Support(left.node_sets["u0"], ALL)
    tip = int(right.node_sets["u1"][0])
    push = NodalForce(rows(tip), 0, 100.0, WAVE)
    return (
        FeModel("a", left, (clamp,), loads=(DOWN,)),
        FeModel("b", right, loads=(push, DOWN)),
        {"tip": f"{right.ids[tip]}.x", "atip": f"{right.ids[tip]}.ax"},
    )


def tower(storeys=3, n=4):
    """Columns of beams, one above the other; wind shakes the top."""
    top = np.array([0.0, 0.0, 3.0])
    made = []
    for k in range(storeys):
        mesh = beam(n, side=0.1, material=DAMPED, end=tuple(top))
        mesh = replace(mesh, points=mesh.points + k * top)
        foot = (Support(mesh.node_sets["u0"], ALL),) if k == 0 else ()
        wind = (NodalForce(mesh.node_sets["u1"], 0, 50.0, WAVE),)
        wind = wind if k == storeys - 1 else ()
        made.append(FeModel(f"s{k}", mesh, foot, loads=wind))
    return made


def glued_frame(reduce):
    a, b, publish = frame()
    parts = [
        reduce(a, {"seam": Plug("u1")}, ()),
        reduce(b, {"seam": Plug("u0")}, publish),
    ]
    return glue("both", parts, {"seam": ("a.seam", "b.seam")})


def glued_tower(reduce):
    models = tower()
    ends = [{"up": Plug("u1")}, *({"down": Plug("u0"), "up": Plug("u1")},) * 2]
    top = int(models[-1].mesh.ids[models[-1].mesh.node_sets["u1"][0]])
    tip = {"tip": f"{top}.x", "atip": f"{top}.ax"}
    parts = [
        reduce(m, ports, tip if m.name == "s2" else ())
        for m, ports in zip(models, ends, strict=True)
    ]
    joints = {f"j{k}": (f"s{k}.up", f"s{k + 1}.down") for k in range(2)}
    return glue("tower", parts, joints)


def full(model, ports, publish):
    return fe_leaf(model, ports, publish=publish)


def within(band):
    def reduce(model, ports, publish):
        return reduced_leaf(model, ports, band=band, publish=publish)

    return reduce


def whole_basis(model, ports, publish):
    return reduce_model(model, ports, EVERYTHING).leaf(publish=publish)


def only_band(model, ports, publish):
    wanted = Wanted(400.0, only_band=True, samples=0)
    return reduce_model(model, ports, wanted).leaf(publish=publish)


@pytest.mark.parametrize("make", [glued_frame, glued_tower])
def test_glued_with_every_mode_is_glued_in_full(make):
    exact, mine = make(full), make(whole_basis)
    one, two = run(exact, 60, H), run(mine, 60, H)
    known, found = exact.observe(one), mine.observe(two)
    assert list(known) == list(found)
    for name in known:
        assert_allclose(found[name].value, known[name].value, rtol=1e-7)


@pytest.mark.parametrize("make", [glued_frame, glued_tower])
@pytest.mark.parametrize("reduce", [within(400.0), only_band], ids=["cb", "band"])
def test_glued_reduced_parts_follow_the_glued_full_ones(make, reduce):
    exact, mine = make(full), make(reduce)
    signals = {"full": exact, "reduced": mine}
    history = {name: trace(model, "tip", 160) for name, model in signals.items()}
    apart = np.abs(history["reduced"] - history["full"]).max()
    assert apart < 2e-3 * np.abs(history["full"]).max()


def trace(model, name, windows):
    state, found = model.start(0.0).state, []
    for n in range(windows):
        done = model.advance(state, uniform(0.0, H, n), {})
        state = done.state
        values = model.observe(state)
        found.append(next(v.value for k, v in values.items() if k.endswith(f".{name}")))
    return np.array(found)


@pytest.mark.parametrize("make", [glued_frame, glued_tower])
def test_glued_reduced_parts_rest_where_the_full_ones_do(make):
    """Inside, too, and whatever the loads do over time: at rest a sine has its peak."""
    exact, mine = make(full), make(within(200.0))
    found = []
    for model in (exact, mine):
        rest = model.equilibrium(model.start(0.0).state, 1.0, {}, {})
        found.append([v.value for v in model.observe(rest.state).values()])
    assert_allclose(found[1], found[0], rtol=1e-6, atol=1e-12)


def shaken(history):
    """A plate on supports that are moved, and the name of a node in its middle."""
    mesh = plate(8, 4, (0.0, 0.5), material=DAMPED)
    foot = mesh.node_sets["u0"]
    supports = Support(foot, (0, 1, 3, 4, 5)), Support(foot, (2,), 0.01, history)
    node = int(mesh.ids[len(mesh.points) // 2])
    return FeModel("m", mesh, supports), {"middle": f"{node}.z"}


def test_enforced_supports_are_followed_inside_the_band():
    """Without the shapes that the supports give the part it is off by a tenth."""
    smooth = Harmonic(a0=1.0, a=(-1.0,), b=(0.0,), omega=2.0 * pi * 60.0)
    model, publish = shaken(smooth)
    ports, found = {"up": Plug("u1")}, []
    for leaf in (
        fe_leaf(model, ports, publish=publish),
        reduced_leaf(model, ports, band=2000.0, publish=publish),
    ):
        state, seen = leaf.start(0.0).state, []
        for n in range(100):
            state = leaf.advance(state, uniform(0.0, H, n), {}).state
            seen.append(leaf.observe(state)["middle"].value)
        found.append(np.array(seen))
    exact, mine = found
    assert np.abs(mine - exact).max() < 1e-4 * np.abs(exact).max()


def test_the_report_counts_the_shapes_of_loads():
    """A support that moves has two: where it is, and how it is accelerated."""
    model, _ = shaken(WAVE)
    ports = {"up": Plug("u1")}
    wanted = Wanted(200.0, samples=0)
    report = reduce_model(model, ports, wanted).report
    assert report.loads == 2
    assert report.size == report.boundary + report.modes + 2
    assert "2 shapes of own loads" in report.lines()[0]
    bare = reduce_model(replace(model, supports=()), ports, wanted).report
    assert bare.loads == 0
    assert "shapes" not in bare.lines()[0]
    guyan = reduce_model(model, ports, replace(wanted, modes=0, band=None)).report
    assert (guyan.modes, guyan.loads) == (0, 0)


def test_loads_that_the_modes_show_add_no_shape():
    model, _ = shaken(WAVE)
    assert reduce_model(model, {"up": Plug("u1")}, EVERYTHING).report.loads == 0


def test_reduced_parts_glued_have_the_frequencies_of_full_parts_glued():
    exact, mine = glued_frame(full), glued_frame(within(600.0))
    below = 2.0 * pi * 150.0
    known = [m.omega for m in glued_modes(exact, below)]
    found = [m.omega for m in glued_modes(mine, below)]
    assert len(found) == len(known) > 2
    assert_allclose(found, known, rtol=1e-3)
    assert all(f >= k * (1.0 - 1e-9) for f, k in zip(found, known, strict=True))


def test_a_reduced_leaf_has_the_ports_of_the_full_one():
    a, _, _ = frame()
    for takes in Causality:
        ports = {"seam": Plug("u1", causality=takes)}
        one, two = fe_leaf(a, ports), reduced_leaf(a, ports, band=200.0)
        mine, known = two.ports["seam"], one.ports["seam"]
        assert (mine.dofs, mine.nodes, mine.causality) == (
            known.dofs,
            known.nodes,
            known.causality,
        )
        assert_array_equal(mine.surface.points, known.surface.points)
        assert mine.surface.facets == known.surface.facets
        assert two.system.M.shape[0] < 0.6 * one.system.M.shape[0]


@pytest.mark.parametrize("takes", list(Causality))
def test_a_reduced_leaf_does_what_it_declares(takes):
    a, _, _ = frame(3, 1)
    leaf = reduced_leaf(a, {"seam": Plug("u1", causality=takes)}, band=200.0)
    check_leaf(leaf, window=1e-6).raise_if_failed()


def test_a_port_that_takes_motion_answers_as_in_full():
    a, _, _ = frame()
    ports = {"seam": Plug("u1", causality=Causality.MOTION_IN)}
    exact = fe_leaf(a, ports)
    mine = reduce_model(a, ports, EVERYTHING).leaf()
    lift = Signal(1e-4 * np.ones((1, exact.ports["seam"].size)))
    for leaf, kept in ((exact, found := []), (mine, found)):
        start = leaf.start(0.0).state
        done = leaf.advance(start, Window(0.0, H), {"seam": lift})
        kept.append(done.outputs["seam"].f)
    assert_allclose(found[1], found[0], rtol=1e-6, atol=1e-6 * np.abs(found[0]).max())


def test_ports_of_slaves_are_reduced_to_their_master():
    mesh = added(plate(3, 1, material=DAMPED), [(1.2, 0.1, 0.0)])
    link = RigidLink(len(mesh.points) - 1, mesh.node_sets["u1"])
    model = FeModel("m", mesh, (Support(mesh.node_sets["u0"], ALL),), (link,))
    ports = {"end": Plug("u1")}
    made = reduce_model(model, ports, EVERYTHING)
    assert len(made.reduced.boundary) == 6
    push = Signal.hold(np.arange(12.0))
    found = []
    for leaf in (fe_leaf(model, ports), made.leaf()):
        done = leaf.advance(leaf.start(0.0).state, Window(0.0, H), {"end": push})
        found.append(done.outputs["end"].a)
    assert_allclose(found[1], found[0], rtol=1e-7)


@pytest.mark.parametrize("modes", [0, 2, 9])
def test_displacements_and_stresses_inside_are_exact_at_rest(modes):
    """Modes do not carry gravity; what they miss at rest is added by the owner."""
    a, _, _ = frame()
    made = reduce_model(a, {"seam": Plug("u1")}, Wanted(modes=modes, samples=0))
    leaf, known = made.leaf(), static(a)
    rest = leaf.equilibrium(leaf.start(0.0).state, 1.0, {}, {})
    u = made.displacements(rest.state[: made.report.size])
    assert_allclose(u, known.u, atol=1e-8 * np.abs(known.u).max())
    mine, exact = (nodal_stress(a.mesh, w)[0].stress for w in (u, known.u))
    assert_allclose(mine, exact, atol=1e-7 * np.abs(exact).max())


def test_what_floats_inside_is_recovered_up_to_its_free_motion():
    """A bar of trusses behind a port that holds x alone: y and z fly."""
    from .parts import rod

    model = FeModel("rod", rod(4), loads=(Gravity(np.array([3.0, 0.0, 0.0])),))
    made = reduce_model(model, {"end": Plug("u0", (0,))}, Wanted(modes=10, samples=0))
    held = Support(model.mesh.node_sets["u0"], ALL)
    still = Support(np.arange(5), (1, 2))
    known = static(replace(model, supports=(held, still))).u
    y, K = np.zeros(made.report.size), made.reduced.system.K
    y[1:] = np.linalg.lstsq(K[1:, 1:], made.loads.static[1:], rcond=1e-9)[0]
    u = made.displacements(y)
    assert_allclose(u[:, 0], known[:, 0], rtol=1e-9, atol=1e-18)


def test_what_is_published_comes_from_the_owner():
    """Stress and reactions of a steady load, without any mode."""
    a, _, _ = frame()
    foot = {"foot": a.mesh.node_sets["u0"], **a.mesh.node_sets}
    a = replace(a, mesh=replace(a.mesh, node_sets=foot))
    wishes = ("reaction:foot", "stress:foot")
    ports = {"seam": Plug("u1")}
    found = []
    few = reduce_model(a, ports, Wanted(modes=0, samples=0)).leaf(publish=wishes)
    for leaf in (fe_leaf(a, ports, publish=wishes), few):
        rest = leaf.equilibrium(leaf.start(0.0).state, 1.0, {}, {})
        found.append(leaf.observe(rest.state))
    for name, known in found[0].items():
        size = max(abs(v.value) for v in found[0].values() if v.unit == known.unit)
        assert_allclose(found[1][name].value, known.value, atol=1e-7 * size)


def test_a_start_in_motion_is_kept():
    a, _, _ = frame()
    going = Initial(a.mesh.node_sets["u1"], 2, velocity=0.5)
    a = replace(a, initial=(going,), loads=())
    ports = {"seam": Plug("u1")}
    made = reduce_model(a, ports, EVERYTHING)
    found = [leaf.start(0.0) for leaf in (fe_leaf(a, ports), made.leaf())]
    assert_allclose(found[1].outputs["seam"].v, found[0].outputs["seam"].v, atol=1e-12)
    assert_allclose(found[1].energy.stored, found[0].energy.stored, rtol=1e-9)


def test_a_reduced_leaf_is_drawn_like_the_full_one():
    a, _, _ = frame()
    ports = {"seam": Plug("u1")}
    one = fe_leaf(a, ports, draw=True)
    two = reduce_model(a, ports, Wanted(200.0, samples=0)).leaf(draw=True)
    known, mine = (leaf.shapes(leaf.start(0.0).state) for leaf in (one, two))
    assert known.keys() == mine.keys()
    for name in known:
        assert_allclose(mine[name], known[name], atol=1e-12)


def test_a_reduced_leaf_shows_the_surface_of_the_full_one():
    a, _, _ = frame()
    ports = {"seam": Plug("u1")}
    one = fe_leaf(a, ports, skin="stress")
    two = reduce_model(a, ports, EVERYTHING).leaf(skin="stress")
    known, mine = (leaf.skins()[""] for leaf in (one, two))
    assert_array_equal(mine.points, known.points)
    push = {"seam": Signal.hold(np.ones(one.ports["seam"].size))}
    moved = []
    for leaf in (one, two):
        done = leaf.advance(leaf.start(0.0).state, Window(0.0, 0.01), push)
        moved.append(leaf.deformed(done.state, 0.01)[""])
    size = np.abs(moved[0].displacement).max()
    assert_allclose(moved[1].displacement, moved[0].displacement, atol=1e-7 * size)


def test_ports_without_mass_are_refused_by_name():
    light = beam(2, material=replace(DAMPED, rho=0.0))
    model = FeModel("light", light, (Support(light.node_sets["u0"], ALL),))
    made = reduce_model(model, {"end": Plug("u1")}, Wanted(modes=0, samples=0))
    with pytest.raises(SettingError) as caught:
        made.leaf()
    assert caught.value.place == "light: mass"
    assert "node" in caught.value.finding
    assert "density" in caught.value.remedy


def test_modal_damping_and_other_methods_are_as_in_full():
    a, _, _ = frame()
    ports, zeta, method = {"seam": Plug("u1")}, (0.02, 0.05), Method.hht(-0.1)
    tip = {"tip": f"{a.mesh.ids[a.mesh.node_sets['u1'][0]]}.z"}
    exact = fe_leaf(a, ports, modal=zeta, method=method, publish=tip)
    made = reduce_model(a, ports, replace(EVERYTHING, modal=zeta))
    mine = made.leaf(method=method, publish=tip)
    found = [leaf.observe(run(leaf, 50, H))["tip"].value for leaf in (exact, mine)]
    assert_allclose(found[1], found[0], rtol=1e-8)
