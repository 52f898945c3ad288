"""Laws of the glued assembly in frequency, against dense all-at-once models."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import eigh, eigvalsh_tridiagonal

from bondline.core import Assembly, Causality, Port, ref
from bondline.errors import SettingError, UsageError, WiringError
from bondline.gluing import TT, Bushing, IntegratedModel, Newton, glue, scheme
from bondline.gluing.frequency import interface, modes, response
from bondline.gluing.joints.makers import fixed
from bondline.leaves import Ground, Structure, chain
from bondline.numerics import LinearSystem
from tests.gluing.parts import mass, tie

BAND = 300.0


class AllAtOnce:
    """The same parts with the constraints eliminated: M, C, K of the whole."""

    def __init__(self, parts, joints):
        sizes = [len(p.system.M) for p in parts]
        starts = dict(
            zip([p.name for p in parts], np.cumsum([0, *sizes])[:-1], strict=True)
        )
        self.n = sum(sizes)
        self.rows = {
            f"{p.name}.{q}": np.pad(
                L, ((0, 0), (starts[p.name], self.n - starts[p.name] - L.shape[1]))
            )
            for p in parts
            for q, L in p.select.items()
        }
        blocks = [np.zeros((self.n, self.n)) for _ in range(3)]
        for p in parts:
            at = slice(starts[p.name], starts[p.name] + len(p.system.M))
            for A, own in zip(blocks, p.system, strict=True):
                A[at, at] = own
        C = [np.zeros((1, self.n))]
        C += [
            self.rows[ends[0]] - self.rows[end] for ends in joints for end in ends[1:]
        ]
        _, s, Vt = np.linalg.svd(np.concatenate(C))
        self.Z = Vt[np.count_nonzero(s > 1e-12) :].T
        self.M, self.C, self.K = (self.Z.T @ A @ self.Z for A in blocks)

    def modes(self, band):
        squares, shapes = eigh(self.K, self.M)
        omegas = np.sqrt(np.clip(squares, 0.0, None))
        omegas[omegas < 1e-5 * band] = 0.0
        inside = omegas < band
        return omegas[inside], self.Z @ shapes[:, inside]

    def response(self, omegas, load, at):
        f = self.Z.T @ self.rows[load].T
        return np.array(
            [
                (self.rows[at] @ self.Z)
                @ np.linalg.solve(self.K + 1j * w * self.C - w * w * self.M, f)
                for w in omegas
            ]
        )[:, 0, 0]


def glued(parts, joints, **more):
    return glue("m", parts, {f"j{k}": ends for k, ends in enumerate(joints)}, **more)


LINE = [("a.right", "b.left"), ("b.right", "c.left")]


def line():
    return [
        chain("a", masses=4, stiffness=900.0, wall=50.0, damping=1.0),
        chain("b", masses=3, mass=2.0, stiffness=400.0, damping=0.3),
        chain("c", masses=5, stiffness=1500.0),
    ]


SETS = {
    "line": (line(), LINE),
    "twins": ([chain("a"), chain("b")], [("a.right", "b.left")]),
    "mirrored": (
        [chain("a", wall=9.0), chain("b", wall=9.0)],
        [("a.right", "b.right")],
    ),
    "ring": (
        [chain(n, masses=4) for n in "abc"],
        [*LINE, ("c.right", "a.left")],
    ),
    "star": (
        [chain(n, masses=4, wall=500.0) for n in "abcd"],
        [tuple(f"{n}.right" for n in "abcd")],
    ),
    "single masses": (
        [chain("a", masses=1), chain("b", masses=1)],
        [("a.right", "b.left")],
    ),
    "closed round": (
        [chain(n, masses=3, mass=m) for n, m in zip("abc", (1, 2, 3), strict=True)],
        [("a.right", "b.left"), ("b.left", "c.left"), ("c.left", "a.right")],
    ),
    "not glued": ([chain("a", wall=30.0), chain("b")], []),
}


@pytest.mark.parametrize("name", SETS)
def test_all_modes_are_found_and_none_is_missed(name):
    """Rigid-body modes, repeated modes, and modes that a part has by itself."""
    parts, joints = SETS[name]
    if joints:
        expected, _ = AllAtOnce(parts, joints).modes(BAND)
        model = glued(parts, joints)
    else:
        expected = sorted(m.omega for p in parts for m in modes(p, BAND))
        model = IntegratedModel(
            "m", {p.name: p for p in parts}, [], TT(scheme("newmark/a,v,u")), Newton()
        )
    found = [m.omega for m in modes(model, BAND)]
    assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", ["line", "twins", "ring", "star", "closed round"])
def test_shapes_at_the_ports_have_unit_modal_mass(name):
    """Σ φφᵀ over the modes of one frequency does not depend on the choice of φ."""
    parts, joints = SETS[name]
    whole = AllAtOnce(parts, joints)
    omegas, shapes = whole.modes(BAND)
    found = modes(glued(parts, joints), BAND)
    ports = [r for r in found[0].shape]
    rows = np.concatenate([whole.rows[str(r)] for r in ports])
    mine = np.array([np.concatenate([m.shape[r] for r in ports]) for m in found]).T
    for omega in np.unique(omegas.round(6)):
        same = np.abs(omegas - omega) < 1e-5
        expected = rows @ shapes[:, same]
        got = mine[:, same] @ mine[:, same].T
        assert np.allclose(got, expected @ expected.T, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("ends", [("a.left", "c.right"), ("b.right", "b.right")])
def test_response_with_damping_is_that_of_the_whole(ends):
    omegas = np.linspace(0.5, 120.0, 60)
    expected = AllAtOnce(line(), LINE).response(omegas, *ends)
    got = response(glued(line(), LINE), omegas, *(f"{e}.x" for e in ends))
    assert np.abs(got - expected).max() < 1e-9 * np.abs(expected).max()


def test_response_is_reciprocal():
    model, omegas = glued(line(), LINE), np.linspace(1.0, 90.0, 20)
    there = response(model, omegas, "a.left.x", "c.right.x")
    back = response(model, omegas, "c.right.x", "a.left.x")
    assert there == pytest.approx(back, rel=1e-9)


def nested():
    a, b, c = line()
    inner = glue(
        "ab",
        [a, b],
        {"i": LINE[0]},
        exports={"end": "b.right", "tip": "a.left"},
    )
    return glue("m", [inner, c], {"o": ("ab.end", "c.left")})


def test_nested_equals_flat():
    flat, deep = glued(line(), LINE), nested()
    assert [m.omega for m in modes(deep, BAND)] == pytest.approx(
        [m.omega for m in modes(flat, BAND)], rel=1e-11
    )
    omegas = np.linspace(0.5, 120.0, 30)
    one = response(flat, omegas, "a.left.x", "c.right.x")
    two = response(deep, omegas, "ab.tip.x", "c.right.x")
    assert two == pytest.approx(one, rel=1e-9)


@given(st.floats(0.3, 290.0))
@settings(max_examples=25, deadline=None)
def test_a_composite_counts_its_own_modes(omega):
    inner = nested().parts["ab"]
    expected, _ = AllAtOnce(line()[:2], LINE[:1]).modes(1e4)
    if np.abs(expected - omega).min() > 1e-6:
        assert inner.receptance(omega, damped=False).below == np.sum(expected < omega)


def bushed(k, c):
    """Two chains with a bushing between them, and the same with a spring inside."""
    a, b = chain("a", wall=60.0, damping=0.5), chain("b", mass=2.0, masses=4)
    joint = Bushing(tie("a.right", "b.left"), (k,), (c,))
    parts = {"a": a, "b": b}
    model = IntegratedModel("m", parts, [joint], TT(scheme("newmark/a,v,u")), Newton())
    whole = AllAtOnce([a, b], [])
    across = (whole.rows["a.right"] - whole.rows["b.left"]) @ whole.Z
    whole.K += k * across.T @ across
    whole.C += c * across.T @ across
    return model, whole


@pytest.mark.parametrize(("k", "c"), [(300.0, 4.0), (1e-3, 0.0), (0.0, 4.0)])
def test_a_bushing_is_a_spring_and_a_damper(k, c):
    model, whole = bushed(k, c)
    found = [m.omega for m in modes(model, BAND)]
    assert found == pytest.approx(whole.modes(BAND)[0], rel=1e-8)
    omegas = np.linspace(1.0, 100.0, 25)
    expected = whole.response(omegas, "a.left", "b.right")
    got = response(model, omegas, "a.left.x", "b.right.x")
    assert np.abs(got - expected).max() < 1e-9 * np.abs(expected).max()


def test_the_ground_holds_what_is_tied_to_it():
    """A free body of six dofs on a bushing of six springs."""
    masses = np.array([2.0, 2.0, 2.0, 0.3, 0.4, 0.5])
    springs = (50.0, 60.0, 70.0, 8.0, 9.0, 10.0)
    dofs = ("x", "y", "z", "rx", "ry", "rz")
    body = Structure(
        "body",
        LinearSystem(np.diag(masses), np.zeros((6, 6)), np.zeros((6, 6))),
        {"a": np.arange(6)},
        {"a": Port("a", dofs)},
    )
    joint = fixed("j", (ref("body.a"), ref("ground.a")))
    parts = {"body": body, "ground": Ground("ground")}
    held = Bushing(joint, springs, (0.0,) * 6)
    free = sorted(np.sqrt(np.array(springs) / masses))
    for connection, expected in ((held, free), (joint, [])):
        level = interface("m", Assembly(parts, (connection,)), {})
        model = SimpleNamespace(
            name="m", assembly=Assembly(parts, (connection,)), exports={}
        )
        assert level.B.shape == (6, 12)
        assert [m.omega for m in modes(model, 50.0)] == pytest.approx(expected)


def test_order_of_parts_does_not_matter():
    parts = line()
    one = [m.omega for m in modes(glued(parts, LINE), BAND)]
    two = [m.omega for m in modes(glued(parts[::-1], LINE[::-1]), BAND)]
    assert one == pytest.approx(two, rel=1e-12)


def test_a_leaf_alone_has_its_own_modes():
    part = chain("a", masses=6, wall=70.0)
    expected = np.sqrt(eigh(part.system.K, part.system.M)[0])
    assert [m.omega for m in modes(part, 1e3)] == pytest.approx(expected, rel=1e-11)
    static = response(part, [0.0], "right.x", "right.x")
    compliance = np.linalg.inv(part.system.K)[-1, -1]
    assert static == pytest.approx([compliance], rel=1e-9)


def rope(n=810):
    """A sparse row of unequal masses, too long to find all its modes first."""
    from scipy.sparse import csr_array, diags_array

    k = np.full(n - 1, -1e4)
    K = csr_array(diags_array([k, np.full(n, 2e4), k], offsets=[-1, 0, 1]))
    M = csr_array(diags_array(1.0 + np.random.default_rng(1).random(n)))
    port = Port("e", ("z",), nodes=3)
    ends = np.array([0, n // 2, n - 1])
    return Structure("rope", LinearSystem(M, 1e-4 * K, K), {"e": ends}, {"e": port})


def test_large_sparse_parts_count_pivots():
    part = rope()
    (M, C, K), L = (A.toarray() for A in part.system), np.eye(810)[part.select["e"]]
    root = 1.0 / np.sqrt(np.diag(M))
    scaled = root[:, None] * K * root
    squares = eigvalsh_tridiagonal(np.diag(scaled), np.diag(scaled, 1))
    for omega in (60.0, 150.0):
        shown = part.receptance(omega, damped=False)
        assert shown.below == np.sum(squares < omega**2)
        expected = L @ np.linalg.solve(K - omega**2 * M, L.T)
        assert np.allclose(shown.blocks["e", "e"], expected, rtol=1e-8, atol=1e-12)
        damped = part.receptance(omega).blocks["e", "e"]
        expected = L @ np.linalg.solve(K + 1j * omega * C - omega**2 * M, L.T)
        assert np.allclose(damped, expected, rtol=1e-8, atol=1e-16)


def test_a_frequency_that_is_an_eigenvalue_of_a_part_is_answered():
    part = chain("a", masses=2, stiffness=50.0)  # ω = 0 and 10 rad/s
    assert np.isfinite(part.receptance(10.0, damped=False).blocks["left", "left"]).all()


def test_ports_that_take_motion_are_held():
    base = chain("a", masses=3, stiffness=100.0)
    held = Structure(
        "a",
        base.system,
        base.select,
        {**base.ports, "left": Port("left", ("x",), causality=Causality.MOTION_IN)},
    )
    K, M = base.system.K[1:, 1:], base.system.M[1:, 1:]
    expected = np.sqrt(eigh(K, M, eigvals_only=True))
    assert [m.omega for m in modes(held, 1e3)] == pytest.approx(expected, rel=1e-11)


def test_a_nonlinear_part_is_named():
    model = glue("pair", [chain("a"), mass("b", hard=3.0)], {"j": ("a.right", "b.end")})
    with pytest.raises(SettingError) as caught:
        modes(model, 10.0)
    assert caught.value.place == "pair: part b"
    assert "not linear" in caught.value.finding
    assert "linear part" in caught.value.remedy
    with pytest.raises(SettingError, match="part b"):
        model.receptance(1.0)


def test_a_joint_at_a_port_that_takes_motion_is_named():
    a, b = chain("a"), chain("b")
    led = Structure(
        "a",
        a.system,
        a.select,
        {**a.ports, "right": Port("right", ("x",), causality=Causality.MOTION_IN)},
    )
    joint = tie("a.right", "b.left", name="j")
    with pytest.raises(WiringError) as caught:
        interface("pair", Assembly({"a": led, "b": b}, (joint,)), {})
    assert caught.value.place == "pair: joint j"
    assert "a.right takes motion" in caught.value.finding
    assert "take force" in caught.value.remedy


def test_a_dof_that_does_not_exist_is_told_with_those_that_do():
    with pytest.raises(UsageError) as caught:
        response(glued(line(), LINE), [1.0], "a.lefft.x", "c.right.x")
    assert caught.value.place == "m: a.lefft.x"
    assert "no such dof" in caught.value.finding
    assert "Did you mean 'a.left.x'?" in caught.value.remedy


def test_a_band_must_be_above_zero():
    with pytest.raises(UsageError) as caught:
        modes(chain("a"), 0.0)
    assert caught.value.place == "modes"
    assert "above 0" in caught.value.remedy
    assert "below = 0" in caught.value.finding


def test_exported_ports_answer_by_their_own_name():
    model = glued(line(), LINE, exports={"tip": "c.right"})
    one = response(model, [3.0], "tip.x", "tip.x")
    assert one == pytest.approx(response(model, [3.0], "c.right.x", "c.right.x"))
    assert ref("c.right") in modes(model, 50.0)[0].shape


def two_ends(name, masses, k):
    """A free chain whose one port has both of its ends."""
    K = k * (np.diag([1.0, *[2.0] * (masses - 2), 1.0]) - np.eye(masses, k=1))
    K -= k * np.eye(masses, k=-1)
    system = LinearSystem(np.eye(masses), np.zeros_like(K), K)
    select = np.eye(masses)[[0, masses - 1]]
    return Structure(name, system, {"p": select}, {"p": Port("p", ("x", "y"))})


@pytest.mark.parametrize("first", [0.0, 1e-6, 1e-3, 1.0, 1e7])
def test_counts_do_not_depend_on_what_was_asked_before(first):
    """At ω = 0 the rigid-body motions hide all else, also from those who ask later."""
    parts = [two_ends("a", 4, 1000.0), two_ends("b", 5, 3000.0)]
    model = glued(parts, [("a.p", "b.p")], exports={"o": "a.p"})
    model.receptance(first, False)
    omegas, _ = AllAtOnce(parts, [("a.p", "b.p")]).modes(200.0)
    asked = np.linspace(3.0, 120.0, 60)
    counts = [model.receptance(float(w), False).below for w in asked]
    assert counts == [int((omegas < w).sum()) for w in asked]


@pytest.mark.parametrize("masses", [1, 2])
def test_conditions_that_only_the_parts_make_redundant_are_counted_once(masses):
    """Both ports of a single mass are one dof: of three ties in a ring one repeats."""
    parts = [
        chain(n, masses=masses, wall=w) for n, w in zip("abc", (9, 0, 4), strict=True)
    ]
    ring = [*LINE, ("c.right", "a.left")]
    model = glued(parts, ring, exports={"o": "a.left"})
    omegas, _ = AllAtOnce(parts, ring).modes(BAND)
    for w in (0.5, 1.3, 7.0, 40.0, 250.0):
        assert model.receptance(w, False).below == int((omegas < w).sum())


class Asked:
    """A part that remembers at which frequencies it was asked."""

    def __init__(self, part):
        self.part, self.omegas = part, set()

    def __getattr__(self, name):
        return getattr(self.part, name)

    def receptance(self, omega, damped=True):
        self.omegas.add(omega)
        return self.part.receptance(omega, damped)


def doubled(name, mass):
    """Two equal rows of masses side by side: every frequency comes twice."""
    one = chain(name, masses=4, mass=mass, wall=60.0)
    matrices = LinearSystem(*(np.kron(np.eye(2), A) for A in one.system))
    select = {end: np.kron(np.eye(2), L) for end, L in one.select.items()}
    return Structure(name, matrices, select, {e: Port(e, ("x", "y")) for e in select})


@pytest.mark.parametrize("ties", [1, 3])
def test_a_repeated_mode_takes_no_more_frequencies_than_two(ties):
    """Also where joints repeat each other: three ties of three ends."""
    names = "ab" if ties == 1 else "abc"
    parts = {n: Asked(doubled(n, 1.0 + k / 3.0)) for k, n in enumerate(names)}
    joints = [("a.right", "b.left"), ("b.left", "c.left"), ("c.left", "a.right")][:ties]
    both = [tie(*ends, name=ends[0], dofs=("x", "y")) for ends in joints]
    model = IntegratedModel("m", parts, both, TT(scheme("newmark/a,v,u")), Newton())
    expected, _ = AllAtOnce([p.part for p in parts.values()], joints).modes(BAND)
    found = [m.omega for m in modes(model, BAND)]
    assert found == pytest.approx(expected, rel=1e-11)
    assert len(parts["a"].omegas) < 8 * len(found)


def test_a_wide_band_costs_no_digits():
    """From far below the first mode on, rigid motion of the parts is very large."""
    turn = np.array([[0.8, 0.6], [-0.6, 0.8]])
    port = {"p": Port("p", ("x", "y"))}
    springs = turn.T @ np.diag([3.0, 5e3]) @ turn
    none = np.zeros((2, 2))
    parts = [
        Structure(
            "a", LinearSystem(1e-4 * np.eye(2), none, springs), {"p": np.eye(2)}, port
        ),
        Structure(
            "b", LinearSystem(np.diag([2.0, 3.0]), none, none), {"p": np.eye(2)}, port
        ),
    ]
    expected, _ = AllAtOnce(parts, [("a.p", "b.p")]).modes(60.0)
    found = [m.omega for m in modes(glued(parts, [("a.p", "b.p")]), 60.0)]
    assert found == pytest.approx(expected, rel=1e-13)
