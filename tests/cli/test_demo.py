"""`bondline demo`, run once for all tests here."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from bondline.build import Given
from bondline.cli import main
from bondline.cli.studies import Bench


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("demo")
    with redirect_stdout(StringIO()) as out:
        assert main(["demo", "--out", str(folder), "--json"]) == 0
    return json.loads(out.getvalue())


def test_the_demo_writes_report_picture_and_animation(told: Any) -> None:
    starts = {"report": b"<!doctype html>", "picture": b"\x89PNG", "animation": b"GIF8"}
    for name, start in starts.items():
        assert Path(told[name]).read_bytes().startswith(start)


def test_the_demo_agrees_with_the_all_at_once_solution(told: Any) -> None:
    assert told["reference"]["ok"]
    assert told["reference"]["signals"]["lower.com.x"] < 1e-5


def test_the_report_has_both_studies(told: Any) -> None:
    page = Path(told["report"]).read_text()
    assert "(wang2003: 61)" in page
    assert "Effect of the probe" in page
    assert "All checks passed" in page


def test_how_long_a_study_runs_has_nothing_to_do_with_the_solver(
    pendulum: Path,
) -> None:
    told: list[None] = []
    bench = Bench(pendulum, lambda: told.append(None))
    lagged = bench.measure(Given(refresh="lagged", update="none"), 0.1)
    paper = bench.measure(Given(refresh="paper", update="none"), 0.1)
    assert lagged.t[-1] == paper.t[-1] == pytest.approx(0.1)
    assert lagged.windows["builds"].min() >= 1  # one for the next window, every time
    assert paper.windows["builds"].min() == 0
    assert len(told) == 2
