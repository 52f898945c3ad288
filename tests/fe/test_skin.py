"""The surface of a model: shown where its owner says so, and where the nodes are."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.errors import SettingError, UsageError
from bondline.gluing import glue
from bondline.gluing.frequency import lowest, mode_shape
from bondline.leaves.expression import Expression
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.modes import modes
from bondline.leaves.fe.recover import nodal_stress, von_mises
from bondline.leaves.fe.reduction import Wanted, reduce_model
from bondline.leaves.fe.sections import PointMass
from bondline.leaves.fe.skin import MARKS
from bondline.leaves.fe.static import static
from bondline.leaves.fe.supports import Support

from .parts import ALL, added, beam, block, plate, rod, spring


def cantilever(**more):
    mesh = plate(3, 2)
    tip = mesh.node_sets["u1"]
    clamp = Support(mesh.node_sets["u0"], ALL)
    return FeModel("m", mesh, (clamp,), loads=(NodalForce(tip, 2, 9.0),), **more)


def rest_of(leaf):
    return leaf.equilibrium(leaf.start(0.0).state, 1.0, {}, {}).state


def test_nothing_is_shown_unless_the_owner_says_so():
    leaf = fe_leaf(cantilever(), {"tip": Plug("u1")})
    state = leaf.start(0.0).state
    assert leaf.skins() == leaf.deformed(state, 0.0) == {}
    assert leaf.swinging(1.0, {"tip": np.zeros(18)}) == {}
    outline = fe_leaf(cantilever(), {}, draw=True)
    assert outline.skins() == {}


def test_a_skin_that_is_none_is_refused():
    with pytest.raises(SettingError) as caught:
        fe_leaf(cantilever(), {}, skin="mash")
    assert caught.value.place == "m: skin 'mash'"
    assert "no such way" in caught.value.finding
    assert "Did you mean 'mesh'" in caught.value.remedy
    with pytest.raises(SettingError) as caught:
        fe_leaf(cantilever(), {}, skin="mesh seats")
    assert caught.value.place == "m: skin 'mesh seats'"
    assert "'seats'" in caught.value.finding
    assert "Did you mean 'sets'" in caught.value.remedy


def marks_of(skin, model=None):
    """What is shown besides the surface and its ports."""
    (shown,) = fe_leaf(model or cantilever(), {}, skin=skin).skins().values()
    found = {
        "numbers": shown.ids,
        "sets": shown.sets,
        "supports": shown.held,
        "loads": shown.loaded,
    }
    assert len(shown.pushes) == len(shown.loaded)
    return {word for word, what in found.items() if len(what)}


@pytest.mark.parametrize("skin", ["mesh", "stress"])
def test_a_surface_tells_nothing_but_itself_and_its_ports(skin):
    """Names of sets, numbers, supports and loads need a word of the owner each."""
    assert marks_of(skin) == set()
    for word in MARKS:
        assert marks_of(f"{skin} {word}") == {word}
    assert marks_of(" ".join([skin, *MARKS])) == set(MARKS)


def test_where_nodes_coincide_the_port_is_at_its_own():
    """A spring without length: its far node is at the place of the beam's tip."""
    near = beam(2)
    soft = spring([1e5] * 6, [0.0] * 6)
    end = PointMass(1.0, np.eye(3))
    parts = [("SPRING", [[2, 3]], soft), ("MASS", [[3]], end)]
    mesh = added(near, [near.points[2]], parts)
    model = FeModel("b", mesh, (Support(np.array([0]), ALL),))
    for rows in ([3], [2]):
        plugs = {"far": Plug(np.array(rows), (0, 1, 2))}
        full = fe_leaf(model, plugs, skin="mesh numbers")
        small = reduce_model(model, plugs, Wanted(modes=1, samples=0))
        for leaf in (full, small.leaf(skin="mesh numbers")):
            (skin,) = leaf.skins().values()
            assert skin.ids[skin.ports["far"]].tolist() == mesh.ids[rows].tolist()


def test_shells_are_shown_as_they_are_with_ports_supports_and_loads():
    model = cantilever()
    leaf = fe_leaf(model, {"tip": Plug("u1")}, skin="mesh sets supports loads")
    (skin,) = leaf.skins().values()
    assert (len(skin.quads), len(skin.triangles), len(skin.bars)) == (6, 0, 0)
    assert_allclose(skin.points, model.mesh.points)
    assert_allclose(skin.points[skin.ports["tip"]][:, 0], 1.0)
    assert_allclose(skin.points[skin.held][:, 0], 0.0)
    assert sorted(skin.loaded) == sorted(skin.sets["u1"])
    assert_allclose(skin.pushes, [[0.0, 0.0, 1.0]] * 3)


def test_of_solids_the_outside_is_shown_and_no_inner_node():
    model = FeModel("m", block((3, 3, 3)))
    (skin,) = fe_leaf(model, {}, skin="mesh").skins().values()
    assert len(skin.quads) == 6 * 9
    assert len(skin.points) == 64 - 8
    inner = ((skin.points > 0.1) & (skin.points < 0.9)).all(axis=1)
    assert not inner.any()


def test_a_shell_on_a_solid_does_not_make_a_hole():
    solid = block((1, 1, 1))
    face = [[0, 1, 3, 2]]
    section = plate().blocks[0].section
    both = added(solid, (), [("S4", face, section)])
    (skin,) = fe_leaf(FeModel("m", both), {}, skin="mesh").skins().values()
    assert len(skin.quads) == 6


@pytest.mark.parametrize("mesh", [rod(3), beam(3)])
def test_bars_and_beams_are_lines(mesh):
    clamp = Support(np.arange(4), (1, 2, 3))
    (skin,) = fe_leaf(FeModel("m", mesh, (clamp,)), {}, skin="mesh").skins().values()
    assert len(skin.bars) == 3
    assert skin.facets == 0


def test_the_surface_is_where_statics_puts_the_nodes_and_their_stress():
    model = cantilever()
    leaf = fe_leaf(model, {}, skin="stress")
    (moved,) = leaf.deformed(rest_of(leaf), None).values()
    u = static(model).u
    assert_allclose(moved.displacement, u[:, :3], rtol=1e-9, atol=1e-18)
    (nodal,) = nodal_stress(model.mesh, u)
    assert_allclose(moved.mises, von_mises(nodal.stress).max(axis=0), rtol=1e-8)


def test_what_a_history_leads_is_where_it_leads_it():
    mesh = plate(2, 1)
    wall = Support(mesh.node_sets["u0"], (2,), 0.5, Expression("1 + t"))
    held = Support(mesh.node_sets["u0"], (0, 1, 3, 4, 5))
    leaf = fe_leaf(FeModel("m", mesh, (wall, held)), {}, skin="mesh supports")
    state = leaf.start(0.0).state
    (skin,), led = leaf.skins().values(), mesh.node_sets["u0"]
    assert len(skin.held) == len(led)
    for t, share, z in ((0.0, 1.0, 0.5), (2.0, 1.0, 1.5), (None, 0.4, 0.2)):
        (moved,) = leaf.deformed(state, t, share).values()
        assert_allclose(moved.displacement[led, 2], z)


def test_a_reduced_leaf_shows_the_surface_of_the_full_one():
    model, ports = cantilever(), {"tip": Plug("u1")}
    full = fe_leaf(model, ports, skin="mesh")
    small = reduce_model(model, ports, Wanted(100.0, samples=0)).leaf(skin="mesh")
    (one,) = full.deformed(rest_of(full), None).values()
    (two,) = small.deformed(rest_of(small), None).values()
    assert_allclose(
        two.displacement, one.displacement, atol=1e-9 * one.displacement.max()
    )
    assert small.skins()[""].facets == full.skins()[""].facets


def pieces():
    """A cantilever in three pieces, two of them glued before."""
    cuts = (0.0, 0.4, 0.7, 1.0)
    cut = [plate(2, 2, x) for x in pairwise(cuts)]
    clamp = Support(cut[0].node_sets["u0"], ALL)
    a = fe_leaf(FeModel("a", cut[0], (clamp,)), {"s": Plug("u1")}, skin="mesh")
    b, c = (
        fe_leaf(FeModel(n, p), {"l": Plug("u0"), "r": Plug("u1")}, skin="mesh")
        for n, p in zip("bc", cut[1:], strict=True)
    )
    inner = glue("ab", [a, b], {"j": ("a.s", "b.l")}, exports={"s": "b.r"})
    return glue("all", [inner, c], {"k": ("ab.s", "c.l")})


def test_parts_of_parts_are_named_by_their_path():
    both = pieces()
    assert sorted(both.skins()) == ["ab.a", "ab.b", "c"]
    state = both.start(0.0).state
    assert sorted(both.deformed(state, 0.0)) == ["ab.a", "ab.b", "c"]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_modes_of_parts_join_to_a_mode_of_the_whole(number):
    """Against one model of all elements, up to sign and size."""
    both = pieces()
    found, above = lowest(both, number)
    mode = found[number - 1]
    shape = mode_shape(both, mode, above)
    seen = {}
    for part, moved in shape.items():
        points = np.round(both.skins()[part].points, 9).tolist()
        for x, u in zip(points, moved.displacement, strict=True):
            seen.setdefault(tuple(x), []).append(u)
    size = max(np.abs(u).max() for each in seen.values() for u in each)
    for each in seen.values():
        assert np.ptp(each, axis=0).max() < 1e-6 * size  # the seams are closed
    x = np.array(list(seen))
    glued = np.array([each[0] for each in seen.values()])
    exact = modes(one_model(), number)
    assert_allclose(mode.omega / (2 * np.pi), exact.frequencies[number - 1], rtol=1e-6)
    own = {
        tuple(p): k for k, p in enumerate(np.round(one_model().mesh.points, 9).tolist())
    }
    whole = exact.shapes[number - 1][[own[tuple(p)] for p in x.tolist()], :3]
    alike = np.sum(glued * whole) / np.linalg.norm(glued) / np.linalg.norm(whole)
    assert abs(alike) == pytest.approx(1.0, abs=1e-6)


def one_model():
    """All elements in one model."""
    from bondline.leaves.fe.generate import bilinear, grid

    mesh = grid((6, 2), bilinear([(0, 0, 0), (1, 0, 0), (1, 0.5, 0), (0, 0.5, 0)]))
    made = mesh.mesh("S4", plate().blocks[0].section)
    cuts = np.array([0.0, 0.2, 0.4, 0.55, 0.7, 0.85, 1.0])
    made.points[:, 0] = cuts[np.round(6 * made.points[:, 0]).astype(int)]
    return FeModel("one", made, (Support(made.node_sets["u0"], ALL),))


def test_a_mode_that_is_not_there_is_refused():
    two = FeModel("m", rod(1), (Support(np.arange(2), (1, 2)),))
    with pytest.raises(UsageError) as caught:
        lowest(fe_leaf(two, {}), 9)
    assert caught.value.place == "m: mode 9"
    assert "only 2 modes" in caught.value.finding
    assert "lower" in caught.value.remedy
