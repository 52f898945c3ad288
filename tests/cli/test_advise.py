"""`bondline advise`, the guard and `bondline certify`, as a user meets them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bondline.errors import SettingError
from tests.cli.conftest import Call


def test_advice_is_words_then_numbers(call: Call, pendulum: Path) -> None:
    told = call("advise", pendulum, "--windows", "1")
    assert told.code == 0
    assert "Joint A: T-T coupling converges whatever the inertias" in told.out
    assert "Recommended" in told.out
    assert "leaf solves a window" in told.out
    assert f"bondline run {pendulum} --scheme " in told.out


def test_the_order_at_the_end_carries_what_was_set(call: Call, pendulum: Path) -> None:
    told = call("advise", pendulum, "--windows", "1", "--set", "upper.mass=12kg")
    assert f"run {pendulum} --set upper.mass=12kg --scheme " in told.out


def test_advice_as_json(call: Call, pendulum: Path) -> None:
    told = call("--json", "advise", pendulum, "--windows", "1", "--step", "5ms")
    assert told.code == 0
    assert told.json["window"] == 0.005
    assert "infinite" in told.out  # the pinned bar along itself
    titles = [s["title"] for s in told.json["sections"]]
    assert titles[:3] == ["Coupling", "Inertia at the joints", "Stability"]
    assert told.json["recommended"]["coupling"] == "T-T"


@pytest.fixture(scope="session")
def four_bar(project: Path) -> Path:
    return project / "examples" / "four_bar"


def test_garbage_is_refused_before_it_is_made(
    call: Call, four_bar: Path, tmp_path: Path
) -> None:
    order = ("--project", tmp_path, "run", four_bar, "--until", "5ms")
    scheme = ("--scheme", "linear-discontinuous/e,v")
    told = call(*order, *scheme, "--step", "1ms")
    assert told.code == SettingError.exit_code
    assert "part third (C.Fx, C.Fy) has a mode too quick" in told.err
    assert "--step 0.000125 or less" in told.err
    assert "constant/e" in told.err
    assert call(*order, *scheme, "--step", "0.1ms").code == 0


def test_a_doubtful_window_is_told_once_and_kept(
    call: Call, four_bar: Path, tmp_path: Path
) -> None:
    order = ("--project", tmp_path, "run", four_bar, "--until", "1ms", "--name", "x")
    told = call(*order, "--scheme", "linear-discontinuous/e,v", "--step", "0.25ms")
    assert told.code == 0
    assert told.err.count("is hardly resolved by windows of 0.00025 s") == 1
    seen = call("--json", "--project", tmp_path, "runs", "show", "x").json
    assert "hardly resolved" in seen["certificate"]["warnings"][0]


def test_adaptive_windows_are_not_certified_and_that_is_said_before_the_run(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    where = ("--json", "--project", tmp_path)
    order = (*where, "run", pendulum, "--until", "0.05s", "--adaptive", "1e-6")
    told = call(*order, "--certify")
    assert told.code == 2
    assert "chooses its windows" in told.json["error"]["finding"]
    assert "without --adaptive" in told.json["error"]["remedy"]
    assert call(*where, "runs", "list").json["runs"] == []
    assert call(*order, "--name", "later").code == 0
    assert call(*where, "certify", "later").code == 2


def test_a_run_is_certified_with_it_or_after_it(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    where = ("--json", "--project", tmp_path)
    order = (*where, "run", pendulum, "--until", "0.3s", "--name")
    first = call(*order, "with", "--certify").json
    assert call(*order, "without").json["certificate"]["refined"] is None
    after = call(*where, "certify", "without").json
    assert after["certificate"] == first["certificate"]
    orders = {
        o["signal"]: o["order"] for o in after["certificate"]["refined"]["orders"]
    }
    assert orders["lower.com.vy"] == pytest.approx(2.0, abs=0.3)
    assert call(*where, "verify", "without").code == 0
    page = tmp_path / "report.html"
    assert call(*where, "report", "without", "-o", page).code == 0
    assert "Converges with the step" in page.read_text(encoding="utf-8")
    assert "Error of each signal" in page.read_text(encoding="utf-8")
    assert "Work through the joints" in page.read_text(encoding="utf-8")
