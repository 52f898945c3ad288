"""`bondline demo`, run once for all tests here."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from bondline.cli import main


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
