"""The Reference FMUs of the FMI project, where they are at hand.

Their sources are not ours to carry. Build them (cmake, FMI_VERSION=2 and =3) and name
the folder with their sources, in which `build2` and `build3` are, in REFERENCE_FMUS.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("fmpy", reason="FMUs need the extra `fmi`: ./run extras")

from bondline.build import open_model
from bondline.core import Advance, Signal, Window
from bondline.errors import SettingError
from bondline.leaves.fmu.leaf import FmuLeaf
from bondline.run import Keep, Results, simulate
from tests.fmi.making import leaf
from tests.fmi.models import component, model

FOLDER = Path(os.environ.get("REFERENCE_FMUS", ""))
if not os.environ.get("REFERENCE_FMUS"):
    pytest.skip(
        "REFERENCE_FMUS names no folder with the Reference FMUs of the FMI project",
        allow_module_level=True,
    )


def _published(name: str) -> dict[str, np.ndarray]:
    with (FOLDER / name / f"{name}_out.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}


@pytest.mark.parametrize("version", [2, 3])
@pytest.mark.parametrize(
    ("name", "step", "until"),
    [
        ("BouncingBall", 0.01, 3.0),
        ("Dahlquist", 0.1, 10.0),
        ("VanDerPol", 0.01, 20.0),
        ("Stair", 0.2, 8.8),
        ("Resource", 1.0, 1.0),
    ],
)
def test_it_runs_as_a_leaf_with_its_published_results(
    name: str, step: float, until: float, version: int
) -> None:
    made = leaf(FOLDER / f"build{version}" / "fmus" / f"{name}.fmu")
    assert isinstance(made, FmuLeaf), made.notes
    record = Keep()
    simulate(made, until, step, record=record)
    got, there = record.results(), _published(name)
    times = there.pop("time")
    for key, values in there.items():
        at = np.searchsorted(times, got.t + 1e-9, side="right") - 1
        worst = float(np.abs(got.signals[key] - values[at]).max())
        print(f"{name} FMI {version} {key}: {worst:.3g}")
        assert worst < 1e-9


@pytest.mark.parametrize("version", [2, 3])
def test_what_goes_in_comes_out(version: int) -> None:
    made = leaf(FOLDER / f"build{version}" / "fmus" / "Feedthrough.fmu")
    kinds = {n for n, p in made.ports.items() if getattr(p, "incoming", False)}
    told = {n: Signal.hold(np.array([1.0])) for n in kinds}
    done = made.advance(made.start(0.0).state, Window(0.0, 0.1), told)
    assert isinstance(done, Advance)
    shown = {n: v for n, v in done.outputs.items() if "output" in n}
    assert shown
    assert set(shown.values()) == {1.0}


@pytest.mark.parametrize(
    ("name", "why"), [("Clocks", "no CoSimulation"), ("Roberts", "two entries")]
)
def test_what_cannot_be_a_part_is_refused_with_the_reason(name: str, why: str) -> None:
    """Clocks is for scheduled execution; Roberts' build packs files twice."""
    with pytest.raises(SettingError, match=why):
        leaf(FOLDER / "build3" / "fmus" / f"{name}.fmu")


def _state_space(until: float, **values: float) -> Results:
    made = leaf(FOLDER / "build3" / "fmus" / "StateSpace.fmu", **values)
    assert isinstance(made, FmuLeaf), made.notes
    record = Keep()
    simulate(made, until, 1.0, record=record)
    return record.results()


def test_arrays_run_element_by_element_with_their_published_results() -> None:
    """StateSpace has nothing but arrays; structural parameters say how large."""
    got = _state_space(10.0)
    with (FOLDER / "StateSpace" / "StateSpace_out.csv").open(encoding="utf-8") as file:
        rows = [row["y"].split() for row in csv.DictReader(file)]
    there = np.array(rows, dtype=float)
    shown = np.array([got.signals[f"y[{k}]"] for k in (1, 2, 3)]).T
    worst = float(np.abs(shown / there - 1.0).max())
    print(f"StateSpace FMI 3 y: {worst:.3g}")
    assert shown.shape == there.shape
    assert worst < 1e-14


def test_an_element_of_a_matrix_is_set() -> None:
    """y = C x + u: the second row of C is left at rest, its first takes x of both."""
    plain = _state_space(1.0).signals
    got = _state_space(1.0, **{"C[1,2]": 1.0, "C[2,2]": 0.0}).signals
    x = [plain[f"y[{k}]"][-1] - k for k in (1, 2)]
    assert got["y[1]"][-1] == pytest.approx(1.0 + x[0] + x[1], rel=1e-14)
    assert got["y[2]"][-1] == 2.0
    assert got["y[3]"][-1] == plain["y[3]"][-1]


def test_arrays_are_connected_element_by_element(tmp_path: Path) -> None:
    """One without a motion of its own (B = 0) shows what the other one tells it."""
    name = "StateSpace.fmu"
    (tmp_path / name).write_bytes((FOLDER / "build3" / "fmus" / name).read_bytes())
    shown = [(f"y[{k}]", "output") for k in (1, 2, 3)]
    told = [(f"u[{k}]", "input") for k in (1, 2, 3)]
    still = {f"B[{k},{k}]": 0.0 for k in (1, 2, 3)}
    model(
        tmp_path,
        [component("a", name, shown), component("b", name, told + shown, still)],
        wires=[(f"a.y[{k}]", f"b.u[{4 - k}]") for k in (1, 2, 3)],
        gluing='step="0.5" signals="iterated"',
    )
    record = Keep()
    simulate(open_model(tmp_path).model, 2.0, 0.5, record=record)
    got = record.results().signals
    for k in (1, 2, 3):
        np.testing.assert_array_equal(got[f"b.y[{k}]"], got[f"a.y[{4 - k}]"])
    assert got["a.y[1]"][-1] == pytest.approx(7.381675653556159, rel=1e-12)
