"""Laws of the certificate: what a run says about its own quality."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from run_models import Bare, Swing, double_pendulum, two_masses
from tests.gluing.two_rates_parts import slow

from bondline.core import Energy, Frame, Window, ref, remark
from bondline.gluing import TT, TwoRates, glue, scheme
from bondline.leaves import FunctionLeaf, chain
from bondline.run import Certificate, Keep, Plan, begin, certify, resume, simulate
from bondline.run.certificate import certify_results


def frames(
    stored: list[float],
    supplied: float = 0.0,
    dissipated: float = 0.0,
    work: float = 0.0,
) -> list[Frame]:
    made = []
    for n, E in enumerate(stored):
        window = Window(n - 1.0, float(n)) if n else None
        energy = Energy(E, dissipated, supplied) if n else Energy(E)
        stats = {"gap": 1e-11 * n, "interface_work": work, "iterations": 2.0 + n % 2}
        stats |= {"builds": 1.0, "solves": 10.0}
        made.append(Frame(n, window, float(n), {}, {}, {}, energy, stats if n else {}))
    return made


def test_supplied_minus_dissipated_plus_interface_work_balances() -> None:
    gains = frames([10.0, 11.5, 13.0, 14.5], supplied=2.0, dissipated=1.0, work=0.5)
    energy = certify(gains).energy
    assert energy is not None
    assert energy.defect == pytest.approx(0.0, abs=1e-14)
    assert energy.drift == pytest.approx(1.5)


def test_the_defect_is_what_is_left_over_and_says_when() -> None:
    energy = certify(frames([10.0, 10.0, 10.5, 10.1])).energy
    assert energy is not None
    assert energy.defect == pytest.approx(0.5)
    assert energy.defect_at == 2.0
    assert energy.defect_end == pytest.approx(0.1)
    assert energy.largest == 10.5
    assert energy.relative == pytest.approx(0.5 / 10.5)


def one_pass(lags: list[float], stored: list[float]) -> list[Frame]:
    """A run in one pass: residuals are told for the scale that was known so far."""
    made = frames(stored)
    for frame, lag in zip(made[1:], lags, strict=True):
        own = {"residual": 1.03, "lag": lag, "force": 2000.0, "halvings": 0.0}
        own |= {"gap_rate": 0.0, "speed": 1.0}
        frame.stats.update(own)  # type: ignore[attr-defined]
    note = f"arm: {remark('linear/explicit was chosen.')}"
    made[1] = replace(made[1], notes=(note,))
    return made


def test_one_pass_is_judged_by_its_lag_and_not_by_a_tolerance() -> None:
    """And told which scheme was chosen, it has no warning: that is no fault."""
    good = certify(one_pass([50.0, 180.0], [100.0, 100.0, 100.9]), method="X-T")
    assert all(check.good for check in good.checks(1e-10, "X-T"))
    assert good.warnings == ()
    assert good.remarks == ("arm: linear/explicit was chosen. (first at t = 1 s)",)
    assert good.lag is not None
    assert (good.lag.most, good.lag.at, good.lag.share) == (180.0, 2.0, 0.09)
    assert Certificate.load(good.dump()) == good
    assert "180 N at t = 2 s, 0.09 of the largest force" in "\n".join(good.lines())


@pytest.mark.parametrize(
    ("lag", "energy", "words"),
    [(220.0, 100.0, "up to 0.11 of the largest"), (9.0, 101.2, "off by 1.2%")],
)
def test_one_pass_that_does_not_resolve_its_forces_is_told_so(
    lag: float, energy: float, words: str
) -> None:
    (warning,) = certify(one_pass([0.0, lag], [100.0, 100.0, energy])).warnings
    assert words in warning


def test_a_residual_that_is_a_share_of_forces_excuses_no_gap() -> None:
    """1e-3 of the largest force is not 1 mm."""
    made = []
    for frame in frames([1.0] * 45):
        gap = 1e-6 * frame.n**2
        stats = {**frame.stats, "gap": gap, "residual": 1e-2} if frame.n else {}
        made.append(replace(frame, stats=stats))
    shares, lengths = certify(made, method="X-T").drift, certify(made).drift
    assert shares is not None
    assert lengths is not None
    assert (shares.grows, lengths.grows) == (True, False)


def test_counts_are_sums_means_and_maxima() -> None:
    made = certify(frames([1.0] * 5, work=-0.25), leaves=2)
    assert made.windows == 4
    assert made.gap == pytest.approx(4e-11)
    assert made.gap_at == 4.0
    assert (made.work_error, made.work_net) == (1.0, -1.0)
    assert (made.iterations_mean, made.iterations_max) == (2.5, 3)
    assert (made.builds, made.solves) == (4, 40)
    assert made.solves_per_window == 40 / 2 / 4


def test_parts_that_report_nothing_are_quoted_as_silent() -> None:
    keep = Keep()
    simulate(Bare(), 0.3, 0.1, record=keep)
    made = certify(keep.frames)
    assert made.energy is None
    assert made.gap is None
    text = "\n".join(made.lines())
    assert "energy balance        not reported by the parts" in text
    assert text.count("not reported by the parts") == 7


@pytest.mark.parametrize(
    ("silent", "words"),
    [
        (("rear.axle",), "energy: rear.axle does not."),
        (("a", "b"), "energy: a, b do not."),
        (("a", "b", "c", "d", "e"), "energy: a, b, c and 2 more do not."),
        ((), "energy."),
    ],
)
def test_parts_that_do_not_say_their_energy_are_named(silent, words) -> None:
    keep = Keep()
    simulate(Bare(), 0.3, 0.1, record=keep)
    made = Certificate.load(certify(keep.frames, silent=silent).dump())
    (check,) = (c for c in made.checks() if c.title == "Energy balance")
    assert check.finding == f"Not every part reports its {words}"


def shy(kind: type[FunctionLeaf] = FunctionLeaf) -> FunctionLeaf:
    """A leaf that evaluates equations has no energy."""
    return kind(
        "shy",
        y0=[0.0, 0.0],
        dofs={"end": ("x",)},
        rate=lambda t, y, force: [y[1], force["end"][0] - 100.0 * y[0]],
        motion=lambda t, y, dy: {"end": ([y[0]], [y[1]], [dy[1]])},
    )


def test_a_finished_run_that_is_resumed_still_names_who_said_no_energy(
    tmp_path: Path,
) -> None:
    def model():
        return glue("both", [chain("a"), shy()], {"one": ("a.left", "shy.end")})

    run = begin(tmp_path, model(), Plan(0.03, 0.01)).run
    before = run.certificate["silent"]
    assert before == ["shy"]
    resume(run, model())
    assert run.certificate["silent"] == before


def test_a_glued_model_knows_who_did_not_say_its_energy() -> None:
    """Nested, with its whole name."""
    inner = glue("inner", [chain("a"), shy()], {"one": ("a.left", "shy.end")})
    inner = replace(inner, exports={"right": ref("a.right")})
    outer = glue("outer", [inner, chain("b")], {"two": ("inner.right", "b.left")})
    assert simulate(outer, 0.02, 0.01).silent == ("inner.shy",)
    told = glue("told", [chain("a"), chain("b")], {"two": ("a.right", "b.left")})
    assert simulate(told, 0.02, 0.01).silent == ()


def test_inner_parts_of_a_fast_part_are_named_as_elsewhere() -> None:
    inner = glue("inner", [slow(x=0.0, name="a"), shy()], {"one": ("a.q", "shy.end")})
    inner = replace(inner, exports={"end": ref("a.p")})
    rates = TwoRates("inner", order=2)
    both = [inner, slow(x=0.0, name="b")]
    model = glue("outer", both, {"two": ("inner.end", "b.p")}, coupling=rates)
    assert simulate(model, 0.02, 0.01).silent == ("inner.a", "inner.shy", "b")


def test_who_said_no_energy_is_in_the_advance_and_not_in_the_model() -> None:
    """A window that is dropped leaves nothing behind."""

    class Moody(FunctionLeaf):
        """Says its energy after short windows only."""

        def advance(self, state, window, inputs):
            known = Energy(0.0) if window.h < 0.015 else None
            return replace(super().advance(state, window, inputs), energy=known)

    model = glue("both", [chain("a"), shy(Moody)], {"one": ("a.left", "shy.end")})
    state = model.start(0.0).state
    long, short = (
        model.advance(state, Window(0.0, h), {}).silent for h in (0.02, 0.01)
    )
    assert (long, short) == (("shy",), ())


def test_a_start_without_energy_is_balanced_from_the_first_window_on() -> None:
    made = frames([0.0, 5.0, 5.0, 5.25])
    made[0] = replace(made[0], energy=None)
    energy = certify(made).energy
    assert energy is not None
    assert (energy.defect, energy.defect_at) == (0.25, 3.0)


def test_a_certificate_survives_json() -> None:
    made = certify(frames([1.0, 1.2, 1.1]), leaves=3, notes=["beware."])
    assert Certificate.load(made.dump()) == made
    empty = certify(frames([1.0]))
    assert Certificate.load(empty.dump()) == empty


def test_warnings_are_words_with_a_remedy() -> None:
    made = certify(frames([10.0, 10.5], work=0.2), notes=["resumed elsewhere."])
    assert made.warnings[0] == "resumed elsewhere."
    assert "energy balance is off by 2.9%" in made.warnings[1]
    assert "shorten the step" in made.warnings[1]
    assert "interfaces made or lost 1.9%" in made.warnings[2]
    assert [line for line in made.lines() if line.startswith("warning")]


def test_doubts_about_the_model_reach_the_certificate(tmp_path: Path) -> None:
    plan = Plan(0.3, 0.1)
    doubted = begin(tmp_path / "a", Swing(), replace(plan, notes=("beware.",))).run
    trusted = begin(tmp_path / "b", Swing(), plan).run
    assert doubted.certificate["warnings"][0] == "beware."
    assert "beware." not in trusted.certificate["warnings"]
    assert doubted.summary.sha256 == trusted.summary.sha256


def test_a_window_that_struggles_is_named() -> None:
    made = frames([1.0] * 30)
    made[20] = replace(made[20], stats={**made[20].stats, "iterations": 20.0})
    (warning,) = certify(made).warnings
    assert "window 20 needed 20 iterations" in warning
    assert "refresh" in warning


def test_a_step_too_long_for_the_motion_is_told_from_the_velocities() -> None:
    keep = Keep()
    simulate(double_pendulum(), 3.0, 0.1, record=keep)
    made = certify(keep.frames, leaves=2)
    assert made.gap is not None
    assert made.gap < 1e-9  # the gap is closed, and says nothing
    assert any("velocities at the joints differ" in w for w in made.warnings)
    assert any("Halve it" in w for w in made.warnings)


def test_halved_windows_are_told() -> None:
    made = frames([1.0] * 5)
    made[1:] = [replace(f, stats={**f.stats, "halvings": 0.0}) for f in made[1:]]
    made[3] = replace(made[3], stats={**made[3].stats, "halvings": 3.0})
    (warning,) = certify(made).warnings
    assert "1 windows did not converge" in warning


def test_a_good_run_has_no_warnings() -> None:
    keep = Keep()
    simulate(double_pendulum(), 0.5, 0.01, record=keep)
    made = certify(keep.frames, leaves=2)
    assert made.warnings == ()
    assert made.gap is not None
    assert made.gap < 1e-9
    assert made.energy is not None
    assert made.energy.relative < 1e-8
    assert len(made.lines()) == 12


def test_a_certificate_is_the_same_from_a_stream() -> None:
    keep = Keep()
    simulate(Swing(), 1.0, 0.1, record=keep)
    assert certify(iter(keep.frames)) == certify(keep.frames)


@pytest.mark.parametrize("name", ["constant/e", "linear/deadbeat"])
def test_the_residual_is_judged_and_the_gap_is_told(name: str) -> None:
    model, keep = replace(double_pendulum(), coupling=TT(scheme(name))), Keep()
    simulate(model, 0.5, 0.01, record=keep)
    checks = certify(keep.frames, leaves=2).checks(model.solver.tolerance)
    assert [check.title for check in checks if not check.good] == []
    assert "Largest gap" in checks[0].finding


@pytest.mark.parametrize(
    ("residuals", "allowed", "good"),
    [
        ((5e-9, 1e-11), (8e-9, 1e-10), True),  # round-off, as the solver saw it
        ((5e-9, 1e-11), (1e-10, 8e-9), False),  # the room of another window
        ((5e-9, 1e-11), (1e-10, 1e-10), False),
    ],
)
def test_a_residual_is_judged_by_what_its_window_allowed(
    residuals: tuple[float, float], allowed: tuple[float, float], good: bool
) -> None:
    made = frames([1.0] * 3)
    made[1:] = [
        replace(f, stats={**f.stats, "residual": r, "allowed": a})
        for f, r, a in zip(made[1:], residuals, allowed, strict=True)
    ]
    told = certify(made)
    assert Certificate.load(told.dump()) == told
    check = told.checks(1e-10, "T-T")[0]
    assert check.good is good
    assert "Largest residual 5e-09 m, tolerance 1e-10 m" in check.finding
    assert ("or 8e-09 m where that is round-off" in check.finding) is (8e-9 in allowed)


@pytest.mark.parametrize(
    ("method", "unit"),
    [("T-T", " m"), ("X-X", " of the largest force"), ("X-T", " of the largest force")],
)
def test_residuals_are_told_in_what_the_coupling_compares(
    method: str, unit: str
) -> None:
    made = frames([1.0] * 2)
    made[1] = replace(made[1], stats={**made[1].stats, "residual": 2e-11})
    finding = certify(made).checks(1e-10, method)[0].finding
    assert f"Largest residual 2e-11{unit}, tolerance 1e-10{unit}." in finding


def test_every_window_says_what_residual_it_allowed() -> None:
    model, keep = double_pendulum(), Keep()
    simulate(model, 0.1, 0.01, record=keep)
    allowed = [f.stats["allowed"] for f in keep.frames[1:]]
    assert min(allowed) >= model.solver.tolerance
    assert all(f.stats["residual"] <= f.stats["allowed"] for f in keep.frames[1:])


def test_every_warning_is_a_check_that_failed() -> None:
    made = certify(frames([10.0, 10.5], work=0.2), notes=["resumed elsewhere."])
    failed = [check for check in made.checks() if check.good is False]
    assert [check.advice for check in failed[:-1]] == list(made.warnings[1:])
    assert failed[-1].finding == "1 in the certificate, listed below."


def test_results_are_certified_like_the_frames_they_came_from() -> None:
    keep = Keep()
    simulate(double_pendulum(), 0.3, 0.01, record=keep)
    frames, results = certify(keep.frames), certify_results(keep.results("x"))
    assert replace(results, energy=None) == replace(frames, energy=None)
    stored = replace(keep.results("x"), certificate=json.loads(frames.dump()))
    assert certify_results(stored) == frames


def test_the_sides_of_a_joint_share_what_flows_through_it() -> None:
    """What b has, it has from the joint; the joint took it from a."""
    keep = Keep()
    simulate(two_masses(), 0.5, 0.01, record=keep)
    made = certify(keep.frames, leaves=2)
    a, b = made.sides
    assert (a.joint, a.side, b.side) == ("joint.j", "a", "b")
    v = keep.frames[-1].values["b.v"].value
    assert b.work == pytest.approx(0.5 * 2.0 * v**2, rel=1e-3)
    assert made.work_net is not None
    assert a.work + b.work == pytest.approx(made.work_net, abs=1e-12)
    assert any(line.startswith("work of j") for line in made.lines())


def test_power_is_the_largest_work_of_a_window_over_its_length() -> None:
    made, name = frames([1.0] * 4), "in.joint.A.left.work"
    made[1:] = [
        replace(f, stats={**f.stats, name: work})
        for f, work in zip(made[1:], (1.0, -5.0, 2.0), strict=True)
    ]
    (side,) = certify(made).sides
    assert (side.joint, side.side) == ("in.joint.A", "left")
    assert (side.work, side.power, side.power_at) == (-2.0, -5.0, 2.0)


def test_the_largest_condition_is_told_with_its_time() -> None:
    made = frames([1.0] * 4)
    made[1:] = [
        replace(f, stats={**f.stats, "condition": c})
        for f, c in zip(made[1:], (3.0, 7e4, 0.0), strict=True)
    ]
    told = certify(made)
    assert (told.condition, told.condition_at) == (7e4, 2.0)
    assert "Lambda condition      7e+04 at t = 2 s" in told.lines()
    silent = certify(frames([1.0] * 4))
    assert silent.condition is None


@pytest.mark.parametrize(("growth", "good"), [(1e-9, False), (0.0, True)])
def test_a_gap_that_grows_is_a_drift(growth: float, good: bool) -> None:
    made = frames([1.0] * 81)
    made[1:] = [
        replace(f, stats={**f.stats, "gap": 1e-12 + growth * f.t}) for f in made[1:]
    ]
    told = certify(made)
    assert told.drift is not None
    assert told.drift.rate == pytest.approx(growth, abs=1e-24)
    (check,) = [c for c in told.checks() if c.title == "Gap does not drift"]
    assert check.good is good
    assert any("the gap grows by 1e-09 m/s" in w for w in told.warnings) is not good


def test_a_gap_that_stays_is_no_credit_to_a_run_that_failed() -> None:
    made = frames([1.0] * 81)
    made[1:] = [
        replace(f, stats={**f.stats, "gap": 1.0, "residual": 1.0}) for f in made[1:]
    ]
    checks = {c.title: c for c in certify(made).checks(1e-6)}
    assert checks["Interfaces closed"].good is False
    assert checks["Gap does not drift"].good is None
    assert "Interfaces closed" in checks["Gap does not drift"].finding


def test_a_gap_within_the_residual_does_not_drift() -> None:
    made = frames([1.0] * 81)
    made[1:] = [
        replace(f, stats={**f.stats, "gap": 1e-9 * f.t, "residual": 1e-6})
        for f in made[1:]
    ]
    drift = certify(made).drift
    assert drift is not None
    assert not drift.grows


def test_a_certificate_of_an_older_version_is_read() -> None:
    made = certify(frames([1.0, 1.2, 1.1]))
    tree = json.loads(made.dump())
    for key in ("condition", "condition_at", "sides", "drift", "refined"):
        del tree[key]
    assert Certificate.of(tree) == made
