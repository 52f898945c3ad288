"""What an owner publishes: motion, stress and reactions, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from numpy.testing import assert_allclose

from bondline.errors import SettingError
from bondline.leaves.fe.leaf import fe_leaf
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.recover import nodal_stress, von_mises
from bondline.leaves.fe.static import static, total
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import Harmonic

from .parts import ALL, added, beam, plate, rows

WAVE = Harmonic(b=(1.0,), omega=10.0)


def sheet(**more):
    mesh = plate(3, 2)
    sets = {**mesh.node_sets, "mid": rows(5, 6), "tip": rows(3)}
    hold = (Support(mesh.node_sets["u0"], ALL),)
    loads = (NodalForce(rows(3), 2, 100.0), NodalForce(rows(7), 0, 1e4))
    return FeModel("m", replace(mesh, node_sets=sets), hold, (), loads, **more)


def at_rest(model, *wishes, **named):
    leaf = fe_leaf(model, {}, publish=named or wishes)
    rest = leaf.equilibrium(leaf.start(0.0).state, 1.0, {}, {})
    return leaf.observe(rest.state)


def test_nothing_is_published_unless_asked():
    leaf = fe_leaf(sheet(), {})
    assert leaf.observe(leaf.start(0.0).state) == {}


def test_motion_of_sets_and_nodes():
    model = sheet()
    u = static(model).u
    found = at_rest(model, "tip.z", "mid.ry", "12.x", "tip.vz", "tip.arx")
    assert {n: o.unit for n, o in found.items()} == {
        "tip.z": "m",
        "mid.6.ry": "rad",
        "mid.7.ry": "rad",
        "12.x": "m",
        "tip.vz": "m/s",
        "tip.arx": "rad/s²",
    }
    assert_allclose(found["tip.z"].value, u[3, 2], rtol=1e-9)
    assert_allclose(found["mid.7.ry"].value, u[6, 4], rtol=1e-9)
    assert_allclose(found["12.x"].value, u[11, 0], rtol=1e-9)
    assert found["tip.vz"].value == 0.0


def test_one_wish_may_stand_alone():
    leaf = fe_leaf(sheet(), {}, publish="tip.z")
    assert list(leaf.observe(leaf.start(0.0).state)) == ["tip.z"]


def test_velocities_and_accelerations():
    model = sheet()
    leaf = fe_leaf(model, {}, publish=("tip.az", "tip.vz"))
    start = leaf.start(0.0).state
    made = model.assembled
    a = made.dofs.spread(made.T @ start.reshape(3, -1)[2])
    assert_allclose(leaf.observe(start)["tip.az"].value, a[3, 2], rtol=1e-12)
    assert a[3, 2] > 0.0


def test_stress_is_that_of_recovery():
    model = sheet()
    u = static(model).u
    (field,) = nodal_stress(model.mesh, u)
    found = at_rest(model, "stress:mid", "stress:mid.xx", "stress:tip.xy")
    peak = max(von_mises(field.at(n)).max() for n in (5, 6))
    assert_allclose(found["mid.mises"].value, peak, rtol=1e-8)
    for layer, name in enumerate(field.layers):
        value = found[f"mid.6.{name}.xx"]
        assert_allclose(value.value, field.at(5)[layer, 0], rtol=1e-7)
        assert value.unit == "Pa"
        tip = found[f"tip.{name}.xy"].value
        assert_allclose(tip, field.at(3)[layer, 3], rtol=1e-6, atol=1.0)


def test_reactions_are_those_of_statics():
    model = sheet()
    solution = static(model)
    expected = total(model.mesh.points, solution.reactions).force
    found = at_rest(model, "reaction:u0")
    values = [found[f"u0.F{d}"].value for d in "xyz"]
    assert_allclose(values, expected, rtol=1e-7, atol=1e-6)
    assert found["u0.Fx"].unit == "N"


def test_the_owner_may_choose_names():
    found = at_rest(
        sheet(), **{"observed.z": "tip.z", "worst": "stress:mid", "two": "mid.x"}
    )
    assert sorted(found) == ["observed.z", "two.mid.6.x", "two.mid.7.x", "worst"]


@pytest.mark.parametrize("wish", ["stress:mid", "tip.z", "reaction:u0"])
@pytest.mark.parametrize("turned", [False, True])
def test_one_wish_may_go_by_two_names_in_any_order(wish, turned):
    both = {wish: "", "b": wish}
    own = dict(reversed(both.items())) if turned else both
    found = at_rest(sheet(), **own)
    alone = at_rest(sheet(), wish)
    assert len(found) == 2 * len(alone)
    for name, value in alone.items():
        other = f"b.{name}" if len(alone) > 1 else "b"
        assert found[name].value == found[other].value == value.value


def test_two_wishes_do_not_share_a_name():
    with pytest.raises(SettingError) as error:
        fe_leaf(sheet(), {}, publish={"tip.mises": "tip.x", "stress:tip": ""})
    assert error.value.place == "m: publish 'tip.mises'"
    assert error.value.finding == "two wishes have this name."
    assert "Leave one out" in error.value.remedy


def test_what_stands_still_may_be_published():
    """Enforced displacements that do not change in time are known at every instant."""
    base = sheet()
    lift = Support(rows(3), (2,), 1e-3)
    model = replace(base, supports=(*base.supports, lift), loads=())
    u = static(model).u
    (field,) = nodal_stress(model.mesh, u)
    found = at_rest(model, "tip.z", "stress:tip", "reaction:tip")
    assert found["tip.z"].value == 1e-3
    assert_allclose(found["tip.mises"].value, von_mises(field.at(3)).max(), rtol=1e-7)
    lifted = static(model).reactions[3, 2]
    assert_allclose(found["tip.Fz"].value, lifted, rtol=1e-7)


@pytest.mark.parametrize("wish", ["tip.z", "stress:mid", "reaction:tip"])
def test_what_follows_a_history_is_not_known_to_a_state(wish):
    base = sheet()
    lift = Support(rows(3), (2,), 1e-3, WAVE)
    near = {**base.mesh.node_sets, "mid": rows(3, 6)}
    mesh = replace(base.mesh, node_sets=near)
    model = replace(base, mesh=mesh, supports=(*base.supports, lift), loads=())
    with pytest.raises(SettingError, match="depends on a motion or load") as error:
        fe_leaf(model, {}, publish=(wish,))
    assert error.value.place == f"m: publish {wish!r}"
    assert "no enforced motion" in error.value.remedy


@pytest.mark.parametrize(
    ("wish", "finding", "remedy"),
    [
        ("tip.q", "no motion 'q'", "Write SET.az"),
        ("az", "no motion", "Write SET.az"),
        ("strain:tip", "'strain' cannot be published", "Known: reaction, stress"),
        ("reaction:tip", "no translation of its nodes is supported", "supported nodes"),
        ("top.z", "no such set", "Did you mean 'tip'"),
    ],
)
def test_wishes_that_cannot_be_met(wish, finding, remedy):
    with pytest.raises(SettingError) as error:
        fe_leaf(sheet(), {}, publish=(wish,))
    assert finding in error.value.finding
    assert remedy in error.value.remedy


def test_dofs_that_do_not_exist_cannot_be_published():
    mesh = added(beam(1), [(9.0, 9.0, 9.0)])
    with pytest.raises(SettingError, match="node 3, z does not exist") as error:
        fe_leaf(FeModel("m", mesh), {}, publish=("3.z",))
    assert error.value.place == "m: publish '3.z'"
    assert "an element gives" in error.value.remedy


def test_one_stress_where_two_sections_meet_is_refused():
    mesh = plate(2, 1)
    thick = plate(2, 1, thick=0.05).blocks[0]
    left, right = (
        replace(b, nodes=b.nodes[[k]], ids=b.ids[[k]])
        for k, b in enumerate((mesh.blocks[0], thick))
    )
    model = FeModel("m", replace(mesh, blocks=(left, right)))
    with pytest.raises(SettingError, match="two sections meet at node 2") as error:
        fe_leaf(model, {}, publish=("stress:2.xx",))
    assert "stress:2" in error.value.remedy
    assert list(fe_leaf(model, {}, publish=("stress:2",)).watch.peaks) == ["2.mises"]
