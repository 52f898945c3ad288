"""Runs whose model cannot be shown: made from Python, or of kinds that are gone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bondline.build import open_model, plan_of
from bondline.description import pack
from bondline.run import begin
from tests.cli.conftest import Call


def stored(runs: Path, pendulum: Path, package: bytes) -> None:
    opened = open_model(pendulum)
    plan = plan_of(opened, until=0.05)
    begin(runs, opened.model, replace(plan, package=package))


def without_its_plug_in(pendulum: Path) -> bytes:
    files = open_model(pendulum).files
    return pack(
        {n: b.replace(b"leaf:free-bar", b"leaf:gone") for n, b in files.items()}
    )


@pytest.mark.parametrize(
    ("foreign", "words"),
    [(False, "it was made from Python"), (True, "the kind &#x27;gone&#x27;")],
)
def test_such_a_run_has_a_report_and_says_why_there_is_no_model(
    call: Call, pendulum: Path, tmp_path: Path, foreign: bool, words: str
) -> None:
    package = without_its_plug_in(pendulum) if foreign else b""
    stored(tmp_path / "runs", pendulum, package)
    page = tmp_path / "report.html"
    got = call("--project", tmp_path, "report", "latest", "-o", page)
    assert got.code == 0
    text = page.read_text("utf-8")
    assert words in text
    assert "Interface force of joint.A" in text
    assert ("bondline run" in text) is foreign


@pytest.mark.parametrize(
    ("foreign", "words"),
    [(False, "it was made from Python"), (True, "the kind 'gone'")],
)
def test_such_a_run_still_tells_its_grid_and_settings(
    call: Call, pendulum: Path, tmp_path: Path, foreign: bool, words: str
) -> None:
    package = without_its_plug_in(pendulum) if foreign else b""
    stored(tmp_path / "runs", pendulum, package)
    got = call("--project", tmp_path, "info", "latest", "--json")
    assert got.code == 0
    assert words in got.json["note"]
    assert (got.json["stop"], got.json["step"]) == (0.05, 0.01)
    assert got.json["settings"]["parameters"]["upper.mass"] == 10.0
    page = call("--project", tmp_path, "info", "latest").out
    assert words in page
    assert "parameters.upper.mass" in page
