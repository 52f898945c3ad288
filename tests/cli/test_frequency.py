"""Commands about frequencies: modes, frf."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Call


@pytest.fixture
def chain(project: Path) -> Path:
    return project / "examples" / "linear_chain"


def test_modes_lists_them_in_order(call: Call, chain: Path) -> None:
    told = call("modes", chain, "--below", "20Hz", "--json").json
    found = [m["omega"] for m in told["modes"]]
    assert found == sorted(found)
    assert len(found) > 1
    assert told["below"] == pytest.approx(40.0 * np.pi)
    first = told["modes"][0]
    assert first["frequency"] == pytest.approx(first["omega"] / (2.0 * np.pi))
    assert any("left" in port for port in first["shape"])
    shown = call("modes", chain, "--below", f"{40.0 * np.pi!r}rad/s").out
    assert f"{len(found)} modes below" in shown
    assert f"{found[0]:.6g}" in shown


def test_frf_draws_and_tabulates(call: Call, chain: Path, tmp_path: Path) -> None:
    ports = [
        p
        for p in call("info", chain, "--interfaces", "--json").json["interfaces"][
            "ports"
        ]
    ]
    ends = ("--load", f"{ports[0]}.x", "--at", f"{ports[-1]}.x")
    table = tmp_path / "h.csv"
    told = call(
        "frf", chain, *ends, "--to", "20Hz", "--points", "40", "-o", table, "--json"
    ).json
    rows = np.loadtxt(table, delimiter=",", skiprows=1)
    assert rows.shape == (40, 5)
    assert rows[:, 3] == pytest.approx(np.hypot(rows[:, 1], rows[:, 2]))
    assert told["peak"]["magnitude"] == pytest.approx(rows[:, 3].max())
    picture = tmp_path / "h.svg"
    got = call("frf", chain, *ends, "--to", "20Hz", "--points", "20", "-o", picture)
    assert (got.code, "largest at" in got.out) == (0, True)
    assert "frequency [Hz]" in picture.read_text()


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("modes", "--below", "fast"), "not a frequency"),
        (("modes", "--below", "3mHz"), "no unit 'mHz'"),
        (("modes", "--below", "0Hz"), "above 0"),
        (("frf", "--load", "a.b.x", "--at", "a.b.x", "--to", "0"), "the band is empty"),
        (("frf", "--load", "a.b.x", "--at", "a.b.x", "--to", "9"), "no such dof"),
    ],
)
def test_what_is_impossible_is_told(
    call: Call, chain: Path, args: tuple[str, ...], words: str
) -> None:
    command, *rest = args
    got = call(command, chain, *rest)
    assert (got.code, words in got.err) == (2, True)


def test_nonlinear_models_are_refused_with_the_part(call: Call, pendulum: Path) -> None:
    got = call("modes", pendulum, "--below", "10Hz")
    assert got.code == 3
    assert "part upper" in got.err
    assert "not linear" in got.err


def test_parameters_can_be_set(call: Call, chain: Path, tmp_path: Path) -> None:
    softer = ("--set", "one.wall=1N/m")
    stiff = call("modes", chain, "--below", "5Hz", "--json").json["modes"]
    soft = call("modes", chain, "--below", "5Hz", *softer, "--json").json["modes"]
    assert soft[0]["omega"] < 0.5 * stiff[0]["omega"]
    ends = ("--load", "four.right.x", "--at", "one.left.x", "--to", "1Hz")
    rest = ("--points", "200", "-o", tmp_path / "h.csv", "--json")
    peak = call("frf", chain, *ends, *softer, *rest).json["peak"]
    assert peak["frequency"] == pytest.approx(soft[0]["frequency"], abs=0.01)
    wrong = call("modes", chain, "--below", "5Hz", "--set", "one.wal=1N/m")
    assert wrong.code == 2
    assert "one.wall" in wrong.err


def test_the_package_of_commands_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "bondline.cli", "modes", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "--set" in done.stdout
