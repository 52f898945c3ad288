"""A row of masses cut into four parts, wang2003 section 3: exact, one correction."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from bondline.core import ref, uniform
from bondline.gluing import TT, IntegratedModel, Newton, Tie, default_scheme
from bondline.leaves import chain
from bondline.numerics import Kinematics, LinearSystem, Newmark

H, WINDOWS = 1e-3, 1000
PARTS = {
    "a": {"masses": 5, "mass": 2.0, "stiffness": 4e5, "damping": 40.0, "wall": 1e6},
    "b": {"masses": 4, "mass": 1.0, "stiffness": 2e5, "damping": 10.0},
    "c": {"masses": 6, "mass": 0.5, "stiffness": 3e5, "damping": 30.0},
    "d": {"masses": 3, "mass": 1.5, "stiffness": 1e5, "force": 200.0, "frequency": 7.0},
}


def parts():
    return {name: chain(name, **values) for name, values in PARTS.items()}


def tie(left, right):
    return Tie(f"{left}_{right}".replace(".", "_"), (ref(left), ref(right)), ("x",))


def glue(name, parts, ties, **exports):
    coupling = TT(default_scheme(parts))
    shown = {port: ref(target) for port, target in exports.items()}
    return IntegratedModel(name, parts, ties, coupling, Newton(), shown)


def flat(order="abcd"):
    p = parts()
    ties = [tie(f"{x}.right", f"{y}.left") for x, y in ("ab", "bc", "cd")]
    return glue("flat", {n: p[n] for n in order}, ties)


def nested():
    """((a b) (c d)): three coordinators, each with a gluing matrix of its own."""
    p = parts()
    ab = glue("ab", {"a": p["a"], "b": p["b"]}, [tie("a.right", "b.left")], r="b.right")
    cd = glue("cd", {"c": p["c"], "d": p["d"]}, [tie("c.right", "d.left")], l="c.left")
    return glue("abcd", {"ab": ab, "cd": cd}, [tie("ab.r", "cd.l")])


def deep():
    """(((a b) c) d)."""
    p = parts()
    ab = glue("ab", {"a": p["a"], "b": p["b"]}, [tie("a.right", "b.left")], r="b.right")
    abc = glue("abc", {"ab": ab, "c": p["c"]}, [tie("ab.r", "c.left")], r="c.right")
    return glue("abcd", {"abc": abc, "d": p["d"]}, [tie("abc.r", "d.left")])


@cache
def run(build, *order):
    model = build(*order)
    step, seen, stats = model.start(0.0), [], []
    for n in range(WINDOWS):
        step = model.advance(step.state, uniform(0.0, H, n), {})
        seen.append({k: o.value for k, o in model.observe(step.state).items()})
        stats.append(step.stats)
    by_leaf = {
        ".".join(k.split(".")[-3:]): np.array([s[k] for s in seen]) for k in seen[0]
    }
    return by_leaf, {k: np.array([s[k] for s in stats]) for k in stats[0]}


def all_at_once():
    """The uncut row, assembled by hand; the ends of each part by name."""
    sizes = [round(v["masses"]) for v in PARTS.values()]
    starts = np.concatenate([[0], np.cumsum([n - 1 for n in sizes])])[:-1]
    n = starts[-1] + sizes[-1]
    M, C, K = np.zeros((3, n, n))
    for values, at, size in zip(PARTS.values(), starts, sizes, strict=True):
        for i in range(size):
            M[at + i, at + i] += values["mass"]
        K[at, at] += values.get("wall", 0.0)
        for i in range(at, at + size - 1):
            link = np.array([[1.0, -1.0], [-1.0, 1.0]])
            K[i : i + 2, i : i + 2] += values["stiffness"] * link
            C[i : i + 2, i : i + 2] += values.get("damping", 0.0) * link
    method, now = Newmark(LinearSystem(M, C, K), H), Kinematics(*np.zeros((3, n)))
    history = []
    for k in range(1, WINDOWS + 1):
        f = np.zeros(n)
        f[-1] = 200.0 * np.sin(2 * np.pi * 7.0 * k * H)
        now = method.step(now, f)
        history.append(now.u)
    u = np.array(history)
    ends = {}
    for name, at, size in zip(PARTS, starts, sizes, strict=True):
        ends[f"{name}.left.x"], ends[f"{name}.right.x"] = u[:, at], u[:, at + size - 1]
    return ends


@pytest.mark.parametrize("build", [flat, nested, deep])
def test_glued_is_all_at_once_to_round_off(build):
    found, _ = run(build)
    reference = all_at_once()
    largest = max(np.abs(u).max() for u in reference.values())
    for name, u in reference.items():
        assert np.abs(found[name] - u).max() < 1e-11 * largest, name


@pytest.mark.parametrize("build", [flat, nested, deep])
def test_linear_parts_need_exactly_one_correction_and_one_gluing_matrix(build):
    _, stats = run(build)
    moving = slice(1, None)  # nothing moves before the load does
    assert set(stats["iterations"][moving]) == {1}
    assert stats["builds"].sum() == 1
    assert stats["gap"].max() < 1e-15


def test_flat_is_nested():
    one, two = run(flat)[0], run(nested)[0]
    largest = max(np.abs(u).max() for u in one.values())
    assert max(np.abs(one[n] - two[n]).max() for n in one) < 1e-11 * largest


def test_the_order_of_the_parts_does_not_change_a_bit():
    one, two = run(flat)[0], run(flat, "dbca")[0]
    assert all(np.array_equal(one[n], two[n]) for n in one)


def test_energy_balances_to_round_off():
    model = flat()
    step = model.start(0.0)
    work = lost = 0.0
    for n in range(WINDOWS):
        step = model.advance(step.state, uniform(0.0, H, n), {})
        work += step.energy.supplied + step.stats["interface_work"]
        lost += step.energy.dissipated
    assert lost > 0.0
    assert step.energy.stored == pytest.approx(work - lost, rel=1e-9)
