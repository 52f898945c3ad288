"""`bondline static`: at rest under its loads."""

from __future__ import annotations

from pathlib import Path

import pytest

from bondline.build import open_model
from bondline.core import Rejected, Window
from bondline.run.static import Ramp
from tests.cli.conftest import Call


@pytest.fixture(scope="session")
def chain(project: Path) -> Path:
    return project / "examples" / "linear_chain"


@pytest.mark.parametrize("method", ["auto", "robin", "feti"])
def test_a_chain_stretches_as_springs_in_a_row_do(
    call: Call, chain: Path, tmp_path: Path, method: str
) -> None:
    got = call("--project", tmp_path, "static", chain, "--method", method, "--json")
    assert got.code == 0
    assert got.json["method"] == ("robin" if method == "auto" else method)
    assert "four" in got.json["why"]
    assert list(got.json["forces"].values()) == pytest.approx([10.0, 10.0, 10.0])
    one = got.json["values"]["one.left.x"]
    assert (one["value"], one["unit"]) == (pytest.approx(10.0 / 500.0), "m")
    assert got.json["load_factor"] == 1.0


def test_it_tells_people_values_and_forces(
    call: Call, chain: Path, tmp_path: Path
) -> None:
    got = call("--project", tmp_path, "static", chain / "Nested.ssd")
    for words in ("at rest   robin", "near.one.left.x", "0.02", "far.joint.c.Fx", "10"):
        assert words in got.out
    assert "next  bondline report" in got.out


def test_the_answer_is_an_ordinary_run_over_the_load_factor(
    call: Call, chain: Path, tmp_path: Path
) -> None:
    project = ("--project", tmp_path)
    call(*project, "static", chain, "--load-steps", 4, "--name", "steps")
    call(*project, "static", chain, "--name", "once")
    shown = call(*project, "runs", "show", "steps", "--json")
    assert (shown.json["windows"], shown.json["t"]) == (4, 1.0)
    assert call(*project, "verify", "steps").code == 0
    out = tmp_path / "steps.csv"
    assert call(*project, "export", "steps", "-o", out).code == 0
    head, *rows = out.read_text().splitlines()
    column = head.split(",").index("one.left.x")
    values = [float(row.split(",")[column]) for row in rows if row.strip()]
    assert values == pytest.approx([0.0, 0.005, 0.01, 0.015, 0.02])


@pytest.mark.parametrize("model", ["SystemStructure.ssd", "Nested.ssd"])
@pytest.mark.parametrize("steps", [1, 2, 4])
def test_joint_forces_grow_with_the_load_from_nothing(
    call: Call, chain: Path, tmp_path: Path, model: str, steps: int
) -> None:
    project, out = ("--project", tmp_path), tmp_path / "rest.csv"
    order = ("static", chain / model, "--load-steps", steps, "--name", "rest")
    assert call(*project, *order).code == 0
    assert call(*project, "export", "rest", "-o", out).code == 0
    head, *rows = out.read_text().splitlines()
    columns = [k for k, n in enumerate(head.split(",")) if n.endswith(".Fx")]
    assert len(columns) == 3
    found = [[float(row.split(",")[k]) for row in rows if row] for k in columns]
    shares = [10.0 * n / steps for n in range(steps + 1)]
    assert found == [pytest.approx(shares, abs=1e-9)] * 3
    assert call(*project, "verify", "rest").code == 0


def test_forces_of_a_load_step_outlast_a_checkpoint(chain: Path) -> None:
    ramp = Ramp(open_model(chain / "Nested.ssd").model)
    half = ramp.advance(ramp.start(0.0).state, Window(0.0, 0.5), {})
    assert not isinstance(half, Rejected)
    again = ramp.reactions(ramp.load(ramp.dump(half.state)))
    for name, force in ramp.reactions(half.state).items():
        assert again[name].coefficients.tolist() == force.coefficients.tolist()
        assert force.coefficients.tolist() == [[0.0], [pytest.approx(5.0)]]


def test_it_cannot_be_resumed_as_a_dynamic_run(
    call: Call, chain: Path, tmp_path: Path
) -> None:
    project = ("--project", tmp_path)
    call(*project, "static", chain, "--name", "rest")
    got = call(*project, "run", "--resume", "rest")
    assert got.code == 2
    assert "static" in got.err


def test_a_mechanism_is_named(call: Call, chain: Path, tmp_path: Path) -> None:
    got = call("--project", tmp_path, "static", chain, "--set", "one.wall=0")
    assert got.code == 32
    assert "1 free motion meets no resistance" in got.err
    assert "one.right x" in got.err
    assert "try: Add supports" in got.err


def test_parts_that_cannot_rest_are_named(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    got = call("--project", tmp_path, "static", pendulum)
    assert got.code == 3
    assert "no equilibrium is offered by upper, lower" in got.err
