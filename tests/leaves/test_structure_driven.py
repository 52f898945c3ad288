"""Ports that take motion: a structure cut in three behaves as the whole."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.build.kinds import kinds
from bondline.core import Effort, Motion, Signal, Window
from bondline.errors import SettingError
from bondline.gluing.couplings.probing import solves
from bondline.leaves import chain
from bondline.numerics import Kinematics, LinearSystem, Newmark

PARTS = {
    "a": {"masses": 3, "stiffness": 400.0, "damping": 2.0, "wall": 90.0},
    "b": {"masses": 4, "stiffness": 700.0, "damping": 1.0, "mass": 0.5},
    "c": {"masses": 2, "stiffness": 300.0, "damping": 3.0, "force": 40.0},
}
WHERE = {"a": [0, 1, 2], "b": [2, 3, 4, 5], "c": [5, 6]}
H = 0.05


class Whole:
    """All three chains as one matrix, stepped by Newmark's method."""

    def __init__(self, steps):
        M, C, K = np.zeros((3, 7, 7))
        for name, dofs in WHERE.items():
            at = np.ix_(dofs, dofs)
            for total, own in zip((M, C, K), chain(name, **PARTS[name]).system):  # noqa: B905
                total[at] += own
        self.method = Newmark(LinearSystem(M, C, K), H / steps)
        at_rest = Newmark(LinearSystem(M, C, K), 0.0)
        self.u0 = np.linspace(0.0, 0.3, 7)
        a0 = at_rest.solve(self.load(0.0) - K @ self.u0)
        self.path = [Kinematics(self.u0, np.zeros(7), a0)]
        for n in range(1, 20 * steps + 1):
            f = self.load(n * H / steps)
            self.path.append(self.method.step(self.path[-1], f))

    def load(self, t):
        f = np.zeros(7)
        f[-1] = 40.0 * np.sin(2 * np.pi * t)
        return f


def through(values):
    """The polynomial through `values` at s = 0, 1/k, 2/k … 1; of two, the last."""
    values = values[1:] if len(values) == 2 else values  # one step sees t₁ only
    s = np.linspace(0.0, 1.0, len(values)) if len(values) > 1 else np.ones(1)
    rows = np.linalg.solve(np.vander(s, increasing=True), np.array(values))
    return Signal(rows[:, None])


def needed(part, dofs, now, load):
    """What must act on a part so that it moves as in the whole."""
    (M, C, K), (u, v, a) = part.system, (y[dofs] for y in now)
    return M @ a + C @ v + K @ u - load


@pytest.mark.quick(5)
@pytest.mark.parametrize(
    ("steps", "led"),
    [
        (1, ()),
        (1, ("left",)),
        (1, ("right",)),
        (1, ("left", "right")),
        (3, ()),  # paths of several steps: test_structure_paths.py
    ],
)
@pytest.mark.parametrize("name", ["a", "b", "c"])
def test_a_part_led_as_in_the_whole_answers_as_in_the_whole(name, led, steps):
    part = chain(name, led, **PARTS[name], steps=steps)
    whole, dofs = Whole(steps), WHERE[name]
    ends = {"left": 0, "right": len(dofs) - 1}

    def own(t):
        return whole.load(t)[dofs] if name == "c" else np.zeros(len(dofs))

    def acting(now, t):
        f = needed(part, dofs, now, own(t))
        return {port: f[j] for port, j in ends.items()}

    start, forces = whole.path[0], acting(whole.path[0], 0.0)
    state = np.concatenate([y[dofs] for y in start])
    given = {
        p: np.array([start.a[dofs][j] if p in led else forces[p]])
        for p, j in ends.items()
    }
    now = part.press(state, 0.0, given)
    far = (
        1.0 if steps == 1 else 100.0
    )  # the polynomial through inner points rounds, too
    for n in range(21):
        at = whole.path[n * steps]
        forces = acting(at, n * H)
        for port, j in ends.items():
            shown = now.outputs[port]
            assert isinstance(shown, Effort) == (port in led)
            motion = shown.at if isinstance(shown, Effort) else shown
            assert motion.x == pytest.approx(at.u[dofs][[j]], abs=1e-13 * far)
            assert motion.v == pytest.approx(at.v[dofs][[j]], abs=1e-11 * far)
            assert motion.a == pytest.approx(at.a[dofs][[j]], abs=1e-9 * far)
            if isinstance(shown, Effort):
                assert shown.f == pytest.approx([forces[port]], abs=1e-9 * far)
        if n == 20:
            break
        inner = whole.path[n * steps : (n + 1) * steps + 1]
        inputs = {}
        for port, j in ends.items():
            f = [acting(k, (n + i / steps) * H)[port] for i, k in enumerate(inner)]
            u = [k.u[dofs][j] for k in inner]
            inputs[port] = through(u if port in led else f)
        now = part.advance(now.state, Window(n * H, (n + 1) * H), inputs)


def test_the_work_of_a_prescribed_motion_is_port_work():
    """Stored energy grows by what efforts at both ends of each step do."""
    part = chain("c", ("left", "right"), masses=5, damping=4.0, force=9.0, wall=20.0)
    now, gained = part.start(0.0), 0.0
    first = now.energy.stored
    for n in range(50):
        inputs = {
            p: Signal.hold(np.array([0.1 * np.sin(w * (n + 1) * H)]))
            for p, w in (("left", 3.0), ("right", 5.0))
        }
        after = part.advance(now.state, Window(n * H, (n + 1) * H), inputs)
        for port in part.ports:
            f0, f1 = now.outputs[port], after.outputs[port]
            gained += float(0.5 * (f0.f + f1.f) @ (f1.at.x - f0.at.x))
        gained += after.energy.supplied - after.energy.dissipated
        now = after
    assert now.energy.stored - first == pytest.approx(gained, rel=1e-9)


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize("led", [("left",), ("left", "right")])
def test_linearise_is_the_difference_of_two_advances(led, steps):
    part = chain("b", led, **PARTS["b"], steps=steps)
    rng = np.random.default_rng(2)
    state, window = rng.normal(size=12), Window(0.0, H)
    inputs = {p: Signal(rng.normal(size=(3, 1))) for p in part.ports}
    exact = part.linearise(state, window, inputs).blocks
    base = part.advance(state, window, inputs).outputs
    for port in part.ports:
        for k in range(3):
            moved = inputs[port].coefficients.copy()
            moved[k] += 1.0
            told = {**inputs, port: Signal(moved)}
            after = part.advance(state, window, told).outputs
            for out in part.ports:
                seen = levels(after[out]) - levels(base[out])
                block = exact[out, port]
                assert block.shape == (1 if out in led else 3, 1, 3, 1)
                scale = np.abs(levels(base[out])).max()
                expected = pytest.approx(seen, rel=1e-9, abs=1e-11 * scale)
                assert block[:, 0, k, 0] == expected


def levels(shown):
    if isinstance(shown, Effort):
        return shown.f
    return np.concatenate([shown.x, shown.v, shown.a])


def test_mixed_blocks_are_reciprocal():
    """Force per motion and motion per force differ by their sign only."""
    part = chain("b", ("left",), **PARTS["b"])
    blocks = part.linearise(part.start(0.0).state, Window(0.0, H), {}).blocks
    assert blocks["left", "right"][0] == pytest.approx(-blocks["right", "left"][0])


def test_a_led_port_that_is_told_nothing_stays_where_it_is():
    part = chain("b", ("left",), **PARTS["b"])
    state = np.concatenate([np.full(4, 0.2), np.zeros(8)])
    after = part.advance(state, Window(0.0, H), {}).outputs["left"]
    assert after.at.x.tolist() == [0.2]
    assert after.f == pytest.approx([0.0], abs=1e-11)


def test_a_start_under_accelerations_says_what_they_need():
    part = chain("b", ("left",), masses=2, mass=3.0, stiffness=10.0)
    pressed = part.press(np.zeros(6), 0.0, {"left": np.array([2.0])})
    assert pressed.outputs["left"].f == pytest.approx([6.0])
    assert isinstance(pressed.outputs["right"], Motion)
    assert solves(pressed) == 1


def test_an_end_that_does_not_exist_cannot_be_led():
    with pytest.raises(SettingError) as caught:
        chain("c", ("lef",))
    assert caught.value.place == "c: led"
    assert "'lef'" in caught.value.finding
    assert "'left'" in caught.value.remedy


def test_kinds_of_led_chains_have_the_ports_of_their_passports():
    for name in ("chain-xt", "chain-tx", "chain-xx"):
        kind = kinds()[name]
        made = kind.make("c", masses=2.0)
        assert made.ports == kind.passport.ports
        assert made.capabilities == kind.passport.capabilities
        takes = "".join(port.causality.value for port in made.ports.values())
        assert name == f"chain-{takes.lower()}"
