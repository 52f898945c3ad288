"""FMUs are leaves: they repeat, they start anew, they agree with exact solutions."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

pytest.importorskip("fmpy", reason="FMUs need the extra `fmi`: ./run extras")

from bondline.build import fmus, open_model
from bondline.core import Motion, Port, Rejected, Signal, SignalPort, Window
from bondline.description import Place
from bondline.description.spec import FmuSpec, InterfaceSpec
from bondline.errors import LeafInconsistent, SettingError
from bondline.gluing import glue
from bondline.leaves.fmu import machine
from bondline.leaves.fmu.child import OPEN, Server
from bondline.leaves.fmu.leaf import FmuLeaf, ForwardFmu
from bondline.leaves.oscillator import Oscillator
from bondline.run import Keep, simulate
from bondline.testing import check_leaf
from bondline.wire import pack, unpack
from tests.fmi.making import fmu, leaf, part
from tests.fmi.models import component, joint, model


@pytest.mark.parametrize("version", [2, pytest.param(3, marks=pytest.mark.full)])
def test_it_passes_the_conformance_kit(shelf: Path, version: int) -> None:
    made = leaf(shelf / f"oscillator{version}.fmu", m=2.0, k=40.0, c=0.5)
    assert isinstance(made, FmuLeaf)
    assert made.machine.layers[-2:] == ("limits", "seccomp")
    report = check_leaf(made, windows=3)
    report.raise_if_failed()
    passed = {f.check for f in report.findings if f.verdict == "passed"}
    assert {"rollback", "repeatability", "serialisation"} <= passed


def test_two_of_them_glued_agree_with_the_exact_solution_at_order_four(
    shelf: Path, tmp_path: Path
) -> None:
    for version in (2, 3):
        name = f"oscillator{version}.fmu"
        (tmp_path / name).write_bytes((shelf / name).read_bytes())
    first = {"m": 2.0, "k": 40.0, "x0": 0.1}
    second = {"m": 3.0, "k": 100.0, "x0": 0.1}
    model(
        tmp_path,
        [
            component("a", "oscillator2.fmu", values=first),
            component("b", "oscillator3.fmu", values=second),
        ],
        [joint("J", "a.p", "b.p")],
        stop=0.4,
    )
    opened = open_model(tmp_path)
    omega = math.sqrt(140.0 / 5.0)
    errors = []
    for step in (0.02, 0.01):
        end = simulate(opened.model, 0.4, step).state.motions
        places = [float(motion.x[0]) for motion in end.values()]
        assert places[0] == pytest.approx(places[1], abs=1e-15)
        errors.append(abs(places[0] - 0.1 * math.cos(omega * 0.4)))
    assert 3.8 < math.log2(errors[0] / errors[1]) < 4.2  # positions of constant/e
    assert errors[1] < 1e-9


@pytest.mark.full
def test_an_fmu_and_a_leaf_of_ours_are_glued_as_two_leaves_of_ours(
    shelf: Path,
) -> None:
    ours = Oscillator("b", mass=3.0, stiffness=100.0, damping=1.0, force=2.0)
    there = leaf(shelf / "oscillator2.fmu", m=2.0, k=40.0, c=0.3)
    here = Oscillator("a", mass=2.0, stiffness=40.0, damping=0.3)
    ends = []
    for first in (there, here):
        whole = glue("pair", [first, ours], {"J": ("a.p", "b.p")})
        state = simulate(whole, 0.2, 0.01).state
        ends.append([m.x[0] for m in state.motions.values()])
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-9)


def test_one_that_does_not_restore_is_found_out(tmp_path: Path) -> None:
    path = fmu(tmp_path / "x.fmu", "oscillator", 2, defines=["FORGETFUL"])
    made = leaf(path, k=40.0, x0=1.0)
    assert type(made) is ForwardFmu
    assert not made.capabilities.repeatable
    assert "says that it restores its state, and" in made.notes[0]


def test_one_without_states_goes_forward_only(tmp_path: Path) -> None:
    path = fmu(tmp_path / "x.fmu", "oscillator", 2, flags={})
    made = leaf(path, k=40.0, x0=1.0)
    assert "cannot save its state" in made.notes[0]
    start, window = made.start(0.0).state, Window(0.0, 0.01)
    once = made.advance(start, window, {})
    assert once.outputs["p"].x[0] == pytest.approx(math.cos(math.sqrt(40.0) * 0.01))
    twice = made.advance(start, window, {})
    assert isinstance(twice, Rejected)
    assert isinstance(twice.error, LeafInconsistent)
    assert "asked for twice" in str(twice.error)
    fresh = made.advance(made.start(0.0).state, window, {})
    assert fresh.outputs["p"].x.tobytes() == once.outputs["p"].x.tobytes()
    ours = Oscillator("b", mass=3.0, stiffness=10.0)
    made = leaf(path, k=40.0)
    whole = glue("pair", [made, ours], {"J": ("a.p", "b.p")})
    assert "in one pass" in whole.why
    begun = simulate(
        glue("s", [leaf(path, k=40.0), ours], {"J": ("a.p", "b.p")}), 0.1, 0.01
    )
    gap = np.ptp([float(m.x[0]) for m in begun.state.motions.values()])
    assert gap < 1e-9


def test_one_without_states_goes_on_only_from_where_it_is(tmp_path: Path) -> None:
    path = fmu(tmp_path / "x.fmu", "oscillator", 2, flags={})
    made = leaf(path, k=40.0, x0=1.0)
    first, second = Window(0.0, 0.01), Window(0.01, 0.02)
    a, other = made.start(0.0).state, made.start(0.0).state
    b = made.advance(a, first, {}).state
    assert not isinstance(made.advance(other, first, {}), Rejected)
    c = made.advance(b, second, {}).state
    for old, window in ((other, first), (a, first), (b, second)):
        again = made.advance(old, window, {})
        assert isinstance(again, Rejected)
        assert isinstance(again.error, LeafInconsistent)
    assert not isinstance(made.advance(c, Window(0.02, 0.03), {}), Rejected)


def test_a_process_without_fmpy_says_what_to_install(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = leaf(shelf / "oscillator2.fmu")
    made.machine.end()
    without = "import sys; sys.modules['fmpy'] = None\n"
    script = without + "from bondline.leaves.fmu.child import main; main()"
    told = ([sys.executable, "-c", script], str(made.unit.folder))
    with monkeypatch.context() as patch:
        patch.setattr(machine, "command", lambda name, folder: told)
        with pytest.raises(SettingError, match=r"fmpy.*pip install bondline\[fmi\]"):
            made.start(0.0)
    assert made.machine.pid is None
    assert made.start(0.0).state.number, "a new process is opened before it is asked"


def test_an_instance_that_ends_badly_spoils_no_answer() -> None:
    class Broken:
        def terminate(self) -> None:
            raise OSError("it does not end")

    server = Server()
    server.instances[1] = Broken()
    asked = {"close": [1], "jailed": False}
    assert unpack(server.answer(OPEN, pack(asked))) == {"ok": {"layers": []}}
    assert server.instances == {}


def test_ports_are_what_the_annotation_says(shelf: Path) -> None:
    names = {
        "force": ("p_F_x",),
        "position": ("p_r_x",),
        "velocity": ("p_v_x",),
        "acceleration": (),
        "turn": (),
    }
    where = Place("model.ssd", 3, 1)
    said = FmuSpec(
        where, interfaces=(InterfaceSpec("tip", ("y",), where=where, **names),)
    )
    found = fmus.examined(part(shelf / "oscillator3.fmu", said=said))
    assert found.problems == ()
    assert found.passport is not None
    ports = found.passport.ports
    assert ports["tip"] == Port("tip", ("y",))
    assert ports["u"] == SignalPort("u", "N", True)
    assert ports["p_a_x"] == SignalPort("p_a_x", "m/s2", False)
    assert not found.passport.capabilities.acceleration


def test_a_force_that_varies_keeps_its_impulse(shelf: Path) -> None:
    said = FmuSpec(Place("m", 1, 1), steps=4)
    made = leaf(shelf / "oscillator2.fmu", said=said, m=2.0)
    ramp = {"p": Signal.line(np.array([0.0]), np.array([8.0]))}
    done = made.advance(made.start(0.0).state, Window(0.0, 0.5), ramp)
    shown = done.outputs["p"]
    assert isinstance(shown, Motion)
    assert shown.v[0] == pytest.approx(0.5 * 8.0 * 0.5 / 2.0)  # its impulse
    assert shown.a is not None
    assert shown.a[0] == pytest.approx(8.0 / 2.0)  # the force at the end


def _run(path: Path, until: float, step: float, **values: float) -> Any:
    made, record = leaf(path, **values), Keep()
    simulate(made, until, step, record=record)
    return record.results()


@pytest.mark.parametrize("version", [2, pytest.param(3, marks=pytest.mark.full)])
def test_known_equations_have_their_known_solutions(shelf: Path, version: int) -> None:
    got = _run(shelf / f"rates{version}.fmu", 2.0, 0.1, mu=1.5)
    np.testing.assert_allclose(got.signals["x"], np.exp(-got.t), rtol=1e-12)

    def van_der_pol(t: float, y: Any) -> list[float]:
        return [y[1], 1.5 * (1.0 - y[0] ** 2) * y[1] - y[0]]

    there = solve_ivp(
        van_der_pol, (0.0, 2.0), [2.0, 0.0], t_eval=got.t, rtol=1e-11, atol=1e-12
    )
    np.testing.assert_allclose(got.signals["x0"], there.y[0], atol=1e-9)


def test_a_ball_bounces_where_it_must(shelf: Path) -> None:
    got = _run(shelf / "ball3.fmu", 1.2, 0.05)
    fall = math.sqrt(2.0 / 9.81)  # then up with 0.7 times the speed
    rise = 0.7 * 9.81 * fall
    free = got.t < fall
    np.testing.assert_allclose(
        got.signals["h"][free], 1.0 - 0.5 * 9.81 * got.t[free] ** 2, atol=1e-9
    )
    up = (got.t > fall) & (got.t < fall + 2.0 * rise / 9.81)
    since = got.t[up] - fall
    exact = rise * since - 0.5 * 9.81 * since**2
    np.testing.assert_allclose(
        got.signals["h"][up], exact, atol=1e-3
    )  # inner step 1e-4
