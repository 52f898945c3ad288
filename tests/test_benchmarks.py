"""The benchmarks in short: what they count and that they are right, never time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import block_diag, csr_array

from bondline.gluing import IntegratedModel
from bondline.gluing.crew import Threads
from bondline.numerics import Kinematics, LinearSystem, Newmark
from tests.gluing.wrapped import Shown

FOLDER = Path(__file__).parents[1] / "benchmarks"
ITERATED = (
    "T-T, Newton",
    "T-T, Broyden",
    "T-T, IQN-ILS",
    "X-T, IQN-ILS as preCICE",
    "X-T, IQN-ILS, best filter",
    "X-T, Aitken",
)


@pytest.fixture(scope="module")
def bench():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        names = ("plate", "cut", "methods", "pendulum", "kratos")
        found = {n: import_module(f"coupling_{n}") for n in names}
        found["interface"] = import_module("bench_interface")
        found["coupling"] = import_module("bench_coupling")
        yield SimpleNamespace(**found)


@pytest.mark.parametrize("ratio", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("method", ["T-T, superposition", "X-T, superposition"])
def test_superposition_is_one_solve_whatever_the_masses(bench, ratio, method):
    row = bench.methods.measure(bench.cut.oscillator(ratio), method, 20)
    assert (row.solves, row.builds) == (1.0, 1.0)
    assert row.error < 1e-12


@pytest.mark.parametrize("method", ITERATED)
def test_iterations_reach_the_uncut_structure_and_pay_for_it(bench, method):
    plate = bench.plate.Plate(4, 2, 1.0, 0.5)
    row = bench.methods.measure(bench.cut.cantilever(plate), method, 15)
    assert row.trouble == ""
    assert row.error < 1e-9
    assert row.sweeps == row.solves >= 2.0


def test_the_gap_to_secant_methods_grows_with_the_interface(bench):
    solves = [
        bench.methods.measure(bench.cut.cantilever(plate), "T-T, IQN-ILS", 10).solves
        for plate in (
            bench.plate.Plate(4, 2, 1.0, 0.5),
            bench.plate.Plate(8, 9, 1.0, 0.5),
        )
    ]
    assert 2.0 <= solves[0] < solves[1]


def test_one_pass_is_unstable_where_theory_says(bench):
    measure, masses = bench.methods.measure, bench.cut.oscillator
    method = "X-T, Gauss-Seidel, 1 pass"
    assert measure(masses(0.01), method).trouble == ""
    assert "unstable" in measure(masses(100.0), method).trouble


def test_both_pendulums_follow_lagrange(bench):
    case = bench.pendulum.Pendulum()
    assert bench.methods.measure(case, "T-T, Broyden", 50).error < 1e-5
    errors = [
        bench.methods.measure(replace(case, h=h), "X-T, Broyden", round(0.3 / h)).error
        for h in (0.01, 0.005)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.2)


def test_the_table_says_what_went_wrong(bench):
    row = bench.methods.Row("two masses", "X-T", trouble="unstable, t = 0.2 s")
    assert "unstable, t = 0.2 s" in bench.coupling.table([row])


@dataclass(frozen=True, eq=False)
class Counting(Shown):
    """A structure that keeps a list of what it is asked for."""

    inner: object
    asked: list = field(default_factory=list)

    def start(self, t0):
        return self.inner.start(t0)

    def press(self, state, t, forces):
        return self.inner.press(state, t, forces)

    def advance(self, state, window, inputs):
        self.asked.append("advance")
        return self.inner.advance(state, window, inputs)

    def respond(self, state, window, inputs):
        self.asked.append("respond")
        return self.inner.respond(state, window, inputs)

    def realise(self, response, inputs):
        return self.inner.realise(response, inputs)

    def linearise(self, state, window, inputs):
        self.asked.append("linearise")
        return self.inner.linearise(state, window, inputs)


def test_500_dofs_and_ten_leaves_are_one_solve_a_leaf(bench):
    band = bench.interface.band(2)
    parts = {n: Counting(p) for n, p in band.parts.items()}
    model = replace(band, parts=parts)
    _, first, *later = bench.interface.run(model, 4)
    assert bench.interface.step_size(first) == 500
    assert len(parts) == 10
    assert (first.stats["builds"], first.stats["solves"]) == (1, 10 * (1 + 100))
    for step in later:
        assert (step.stats["builds"], step.stats["solves"]) == (0, 10)
        assert step.stats["gap"] < 1e-12
    assert {tuple(p.asked) for p in parts.values()} == {("respond",) * 4}


def test_unit_responses_are_found_once(bench):
    leaf = next(iter(bench.interface.band(2, 3).parts.values()))
    window, state = bench.interface.uniform(0.0, 1e-5, 0), leaf.start(0.0).state
    one, two = (leaf.respond(state, window, {}).G for _ in range(2))
    assert one is two


def test_two_threads_give_the_same_bits(bench):
    model = bench.interface.band(2, 6)
    both = replace(model, crew=Threads(2))
    one, two = (bench.interface.run(m, 5)[-1].state.parts for m in (model, both))
    assert [y.tobytes() for y in one.values()] == [y.tobytes() for y in two.values()]


def test_the_band_is_the_uncut_ring(bench):
    model, h, windows = bench.interface.band(3, 4), bench.interface.H, 30
    steps = bench.interface.run(model, windows)
    whole = uncut(model, h, windows)
    glued = np.concatenate([y[: len(y) // 3] for y in steps[-1].state.parts.values()])
    assert np.abs(glued - whole).max() < 1e-11 * np.abs(whole).max()


def uncut(model: IntegratedModel, h: float, windows: int) -> np.ndarray:
    """Displacements of all parts, one after the other, from one Newmark run."""
    parts = list(model.parts.values())
    n, edge = parts[0].system.M.shape[0], parts[0].ports["left"].size
    at = np.arange(len(parts) * n).reshape(len(parts), n)
    at[:, -edge:] = np.roll(at[:, :edge], -1, axis=0)
    kept, where = np.unique(at.ravel(), return_inverse=True)
    L = csr_array((np.ones(at.size), (np.arange(at.size), where)))
    system = [
        csr_array(L.T @ block_diag([p.system[i] for p in parts]) @ L) for i in range(3)
    ]
    method, now = (
        Newmark(LinearSystem(*system), h),
        Kinematics(*np.zeros((3, len(kept)))),
    )
    for k in range(1, windows + 1):
        f = np.concatenate(
            [p.external(h * k) if p.external else np.zeros(n) for p in parts]
        )
        now = method.step(now, L.T @ f)
    return now.u[where]


@pytest.fixture
def kratos(bench):
    absent = bench.kratos.missing()
    if absent:
        pytest.skip(f"{absent} is not installed: it comes with the extra 'kratos'")
    return bench.kratos


@pytest.mark.parametrize("linear", [True, False])
def test_feti_of_kratos_condenses_once_or_in_every_step(bench, kratos, linear):
    plate, steps = bench.plate.Plate(4, 2, 1.0, 0.5), 3
    drive = kratos.Drive((0.0, 1e3), 2000.0, 1e-4, steps)
    blocks = (kratos.Block(plate),) * 2
    done = kratos.feti(blocks, drive, True, linear, count=True)
    assert np.isfinite(done.u).all()
    assert done.steps == steps
    assert done.units == plate.edge * (1 if linear else steps)


def test_feti_of_kratos_is_the_uncut_structure(bench, kratos):
    plate = bench.plate.Plate(6, 3, 1.0, 0.5)
    case = bench.cut.cantilever(plate, 20)
    row = bench.coupling.kratos(case, (kratos.Block(plate),) * 2, True)
    assert (row.solves, row.first) == (1.0, 1.0 + plate.edge)
    assert row.error < 1e-11
    ours = bench.methods.measure(case, "T-T, superposition")
    assert (ours.solves, ours.first) == (row.solves, row.first)


@pytest.fixture(scope="module")
def fe():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        names = ("bench_fe", "bench_frame", "fe_sizes", "frame_case")
        yield SimpleNamespace(**{n: import_module(n) for n in names})


def test_sizes_are_what_they_are_called(fe):
    shells, solids = fe.fe_sizes.plate((40, 40)), fe.fe_sizes.block(5)
    assert shells.assembled.system.K.shape[0] == 6 * 41 * 40  # an edge is clamped
    assert solids.assembled.system.K.shape[0] == 3 * 36 * 5
    assert fe.frame_case.ladder().assembled.system.K.shape[0] == 10_200


def test_every_way_to_factor_is_in_the_table(fe):
    rows = list(fe.bench_fe.sized("shells", fe.fe_sizes.plate((6, 6))))
    assert {"band", "superlu"} <= {row.method for row in rows}
    assert "exponents" not in "".join(fe.bench_fe.size_lines(rows))
    assert fe.bench_fe.exponent((1.0, 2.0, 4.0), (3.0, 12.0, 48.0)) == pytest.approx(2)


def test_a_strip_of_shells_is_one_solve_a_leaf(fe):
    row = fe.bench_fe.glued(3, 4, 2, windows=2)
    assert (row.leaves, row.interface, row.solves) == (3, 2 * 3 * 6, 1.0)


def test_the_frame_in_threads_is_the_frame(fe):
    runs = [fe.bench_frame.Run(fe.bench_frame.glued("Flat.ssd", n)) for n in (1, 2)]
    for run in runs:
        run.go(2)
    one, two = (run.state.parts for run in runs)
    assert [y.tobytes() for y in one.values()] == [y.tobytes() for y in two.values()]


def test_what_is_not_installed_is_said(fe):
    absent = [("CalculiX", "ccx (Debian package calculix-ccx)")]
    (text,) = fe.bench_frame.compared(np.ones(2), {"whole": 1.0}, absent)
    assert text.endswith("skipped: ccx (Debian package calculix-ccx) is not installed")


def test_the_quickest_other_code_is_what_counts(fe):
    z, run = np.ones(2), fe.frame_case.Transient
    others = [("a", run(1.1 * z, 0.2)), ("b", run(z, 0.1))]
    *rows, last = fe.bench_frame.compared(z, {"whole": 0.01}, others)
    assert [row.split()[-1] for row in rows] == ["10.0%", "0.0%"]
    assert last.endswith("/ whole: 10.0, below 15")


@pytest.fixture(scope="module")
def multirate():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        yield import_module("bench_multirate")


def test_the_papers_times_are_those_of_a_slow_share_of_45_percent(multirate):
    F, S = multirate.fitted(multirate.PAPER)
    share = F / (F + S)
    assert share == pytest.approx(0.55, abs=5e-3)


def test_larger_ratios_evaluate_less_and_err_more(multirate):
    rows = multirate.measure(next(multirate.models()), "paper", rounds=1)
    assert [row.counts.full for row in rows] == [20007, 10017, 4047, 2097]
    assert [row.error for row in rows] == sorted(row.error for row in rows)


@pytest.mark.full
@pytest.mark.parametrize("kind", ["resets", "half-open"])
def test_windows_are_counted_beside_a_flood_and_within(kind):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)
        bench = import_module("bench_floods")
        assert min(bench.share(kind, 1, 0.3)) > 0
