"""A composite rests as a leaf does."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.core import Rejected, Static, Yielding, ref
from bondline.errors import SettingError, SingularInterface
from bondline.gluing import TT, IntegratedModel, Newton, scheme
from tests.gluing.parts import mass
from tests.gluing.static_parts import assembly, displacements, rest, springs, tie
from tests.gluing.test_statics import chain, ladder

NEWMARK = "newmark/a,v,u"


def model(name, parts, joints, exports=None):
    ends = {n: ref(r) for n, r in (exports or {}).items()}
    named = {p.name: p for p in parts}
    return IntegratedModel(name, named, joints, TT(scheme(NEWMARK)), Newton(), ends)


def nested_ladder():
    """The clamped rail with its connectors is one model, the other rail the second."""
    flat = ladder()
    left = [p for n, p in flat.parts.items() if n != "right"]
    inner = [c for c in flat.connections if c.name.startswith("l")]
    half = model("half", left, inner, {f"r{k}": f"c{k}.r" for k in (1, 3, 5)})
    joints = [tie(f"r{k}", f"right.r{k}", f"half.r{k}") for k in (1, 3, 5)]
    return model("ladder", [half, flat.parts["right"]], joints)


def leaf_states(state):
    return {
        key: value
        for n, s in state.parts.items()
        for key, value in (leaf_states(s) if hasattr(s, "parts") else {n: s}).items()
    }


def test_nested_equals_flat():
    glued = nested_ladder()
    done = glued.equilibrium(glued.start(0.0).state, 1.0, {}, {})
    flat = rest(ladder())
    size = np.abs(displacements(flat)).max()
    found = leaf_states(done.state)
    for n, a in flat.advances.items():
        u = a.state[: len(a.state) // 3]
        assert_allclose(found[n][: len(u)], u, atol=1e-11 * size)


def test_the_force_in_an_inner_joint_is_the_same():
    glued = nested_ladder()
    done = glued.equilibrium(glued.start(0.0).state, 1.0, {}, {})
    inner = glued.reactions(done.state)["half.joint.l3"].coefficients.sum(axis=0)
    flat = ladder()
    at = [c.name for c in flat.connections].index("l3")
    forces = rest(flat).forces[6 * at : 6 * at + 6]
    assert_allclose(inner, forces, atol=1e-9 * np.abs(forces).max())


def pair():
    """Two pieces of the chain that float; both ends can be seen."""
    flat = chain()
    joints = [tie("bc", "b.r", "c.l", dofs="x")]
    return model(
        "pair", [flat.parts["b"], flat.parts["c"]], joints, {"l": "b.l", "r": "c.r"}
    )


def test_a_composite_is_static_and_yields():
    assert isinstance(pair(), Static)
    assert isinstance(pair(), Yielding)


def test_a_composite_that_floats_says_so():
    part = pair()
    found = part.equilibrium(part.start(0.0).state, 1.0, {}, {})
    assert isinstance(found, Rejected)
    assert isinstance(found.error, SingularInterface)
    assert found.error.place == "pair, static equilibrium"
    assert "1 free motion meets no resistance" in found.error.finding


def test_a_composite_that_floats_can_be_glued():
    flat = chain()
    glued = model(
        "row", [flat.parts["a"], pair()], [tie("ab", "a.r", "pair.l", dofs="x")]
    )
    found = leaf_states(glued.equilibrium(glued.start(0.0).state, 1.0, {}, {}).state)
    for n, a in rest(flat).advances.items():
        assert_allclose(found[n], a.state, rtol=1e-11, atol=1e-18)


def test_springs_on_exports_hold_what_floats():
    part, k = pair(), np.array([1e5])
    done = part.equilibrium(part.start(0.0).state, 1.0, {}, {"l": k})
    # the loads of both pieces, 9 N, go through the spring
    assert_allclose(done.outputs["l"].x, 9.0 / 1e5, rtol=1e-10)


@pytest.mark.parametrize("push", [{"l": 1.0}, {"r": 1.0}])
def test_compliance_is_what_unit_forces_do(push):
    part, k = pair(), {"l": np.array([1e5]), "r": np.array([2e5])}
    state = part.start(0.0).state
    G = part.compliance(state, k)
    base = part.equilibrium(state, 1.0, {}, k)
    ((port, force),) = push.items()
    moved = part.equilibrium(state, 1.0, {port: np.array([force])}, k)
    for out in ("l", "r"):
        difference = moved.outputs[out].x - base.outputs[out].x
        assert_allclose(G.blocks[out, port][0, :, 0, 0], difference, rtol=1e-9)


def test_compliance_is_symmetric():
    part, k = pair(), {"l": np.array([1e5])}
    G = part.compliance(part.start(0.0).state, k).blocks
    assert_allclose(G["l", "r"], G["r", "l"], rtol=1e-10)


def test_a_composite_with_a_part_that_cannot_rest_names_it():
    inner = model(
        "inner",
        [springs("s", [1e5], ground=1e5)],
        [],
        {"r": "s.r"},
    )
    odd = IntegratedModel(
        "odd",
        {"m": mass("m"), "inner": inner},
        [tie("j", "m.end", "inner.r", dofs="x")],
        TT(scheme("mixed/a,v,u")),
        Newton(),
        {"out": ref("m.end")},
    )
    found = odd.equilibrium(odd.start(0.0).state, 1.0, {}, {})
    assert isinstance(found, Rejected)
    assert isinstance(found.error, SettingError)
    assert found.error.finding == "no equilibrium is offered by m."
    glued = assembly(
        [odd, springs("w", [1e5], ground=1e5)], [tie("k", "odd.out", "w.r", dofs="x")]
    )
    outer = rest(glued)
    assert outer.error is found.error or outer.error.finding == found.error.finding
