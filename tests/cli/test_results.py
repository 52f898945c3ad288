"""Commands that read a finished run."""

from __future__ import annotations

import csv
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.cli.conftest import Call

HEADER = (
    "t,joint.A.Fx,joint.A.Fy,upper.angle,lower.angle,"
    "lower.com.x,lower.com.y,lower.com.vx,lower.com.vy"
)


def test_the_list_shows_every_run(call: Call, home: Path) -> None:
    told = call("--project", home, "runs", "--json").json
    assert set(told) == {"runs", "unreadable"}
    (only,) = told["runs"]
    assert (only["id"], only["status"], only["windows"]) == ("good", "done", 300)
    assert "good" in call("--project", home, "runs", "list", "--last", "1").out


def test_an_empty_project_says_what_to_do(call: Call, tmp_path: Path) -> None:
    assert "bondline run MODEL" in call("--project", tmp_path, "runs").out
    got = call("--project", tmp_path, "runs", "show")
    assert (got.code, "bondline run MODEL" in got.err) == (2, True)


def test_one_run_in_full(call: Call, home: Path) -> None:
    told = call("--project", home, "runs", "show", "good", "--json").json
    assert {"id", "sha256", "facts", "certificate", "events", "size"} <= set(told)
    page = call("--project", home, "runs", "show", "goo").out
    assert told["sha256"] in page
    assert "largest gap" in page


def test_the_path_is_for_scripts(call: Call, home: Path) -> None:
    expected = str((home / "runs" / "good").resolve())
    assert call("--project", home, "runs", "path", "latest").out == f"{expected}\n"
    assert call("--project", home, "runs", "path", "--json").json == {"path": expected}


def test_rm_removes_what_was_named_and_nothing_else(
    call: Call, home: Path, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        shutil.copytree(home / "runs" / "good", tmp_path / "runs" / name)
    assert call("--project", tmp_path, "runs", "rm", "one", "nope").code == 2
    assert (tmp_path / "runs" / "one").is_dir()
    got = call("--project", tmp_path, "runs", "rm", "one", "--json")
    assert got.json == {"removed": ["one"]}
    assert [p.name for p in (tmp_path / "runs").iterdir()] == ["two"]


def test_verify_finds_a_changed_bit(call: Call, home: Path, tmp_path: Path) -> None:
    good = call("--project", home, "verify", "--json").json
    assert (good["ok"], good["windows"], len(good["sha256"])) == (True, 300, 64)
    copy = tmp_path / "runs" / "bad"
    shutil.copytree(home / "runs" / "good", copy)
    with sqlite3.connect(copy / "run.sqlite") as db:
        db.execute("UPDATE windows SET blob = zeroblob(length(blob)) WHERE n = 7")
    db.close()
    got = call("--project", tmp_path, "verify", "bad")
    assert got.code == 41
    assert "window 7" in got.err


def test_the_table_has_the_fixed_header(call: Call, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    told = call("--project", home, "export", "good", "-o", path, "--json").json
    assert told["rows"] == 301
    text = path.read_text()
    assert text.splitlines()[0] == HEADER
    rows = list(csv.reader(text.splitlines()))
    assert (rows[1][0], rows[-1][0], len(rows)) == ("0.0", "3.0", 302)
    assert call("--project", home, "export", "--to", "csv", "-o", "-").out == text


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["export", "--to", "cvs"], 2, "Did you mean 'csv'"),
        (["export", "-o", "no/such/x.csv"], 40, "cannot be written"),
        (["export", "--json"], 2, '"remedy": "Give a file: -o signals.csv."'),
        (["plot", "good", "jint.A.Fx"], 2, "Did you mean 'joint.A.Fx'"),
        (["plot", "good", "-o", "no/such/x.svg"], 40, "cannot be written"),
        (["plot", "good", "-o", "x.sgv"], 2, "Did you mean '.svg'"),
        (["plot", "--vs", "good", "--reference", "x.csv"], 2, "Give one of them"),
        (["report", "--reference", "no.csv"], 2, "Give a CSV file"),
        (["animate", "-o", "x.gig"], 2, "Did you mean '.gif'"),
        (["compare", "good"], 2, "Give a second run"),
        (["compare", "good", "god"], 2, "Did you mean 'good'"),
        (["compare", "good", "good", "--map", "x"], 2, "OURS=THEIRS"),
        (["verify", "god"], 2, "Did you mean 'good'"),
        (["runs", "shw"], 2, "Did you mean 'show'"),
    ],
)
def test_errors_of_reading_commands(
    call: Call, home: Path, args: list[str], code: int, words: str
) -> None:
    got = call("--project", home, *args)
    assert got.code == code
    assert words in got.err + got.out


def test_a_plot_shows_joint_forces_by_itself(
    call: Call, home: Path, pendulum: Path, tmp_path: Path
) -> None:
    path = tmp_path / "x.svg"
    flags = ("-o", path, "--reference", pendulum / "reference.csv", "--json")
    told = call("--project", home, "plot", "good", *flags).json
    assert told["signals"] == ["joint.A.Fx", "joint.A.Fy"]
    assert "<svg" in path.read_text()
    png = tmp_path / "x.png"
    call("--project", home, "plot", "good", "*.angle", "--vs", "good", "-o", png)
    assert png.read_bytes().startswith(b"\x89PNG")


def test_the_pendulum_agrees_with_the_reference(
    call: Call, home: Path, pendulum: Path
) -> None:
    """Forces of constant/e are second order, positions fourth (numerics, 2)."""
    table = ("compare", "good", "--reference", pendulum / "reference.csv")
    close = call("--project", home, *table, "--rtol", "2e-2", "--json")
    assert close.code == 0
    assert close.json["ok"]
    names = [row["signal"] for row in close.json["signals"]]
    assert ["t", *names] == HEADER.split(",")
    x = call("--project", home, *table, "--signals", "lower.com.?", "--rtol", "1e-5")
    assert (x.code, "all 2 agree" in x.out) == (0, True)
    plain = ("compare", "good", pendulum / "reference.csv", "--json")
    assert call("--project", home, *plain, "--rtol", "2e-2").json == close.json
    tight = call("--project", home, *table, "--rtol", "1e-9", "--atol", "0")
    assert tight.code == 1
    assert "8 of 8 out of tolerance" in tight.out


def test_other_names_can_be_mapped(call: Call, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "theirs.csv"
    path.write_text("time,fx\n0.5,-64.0\n1.5,495.5\n")
    got = call(
        *("--project", home, "compare", "good", "--reference", path),
        *("--map", "joint.A.Fx=fx", "--atol", "5", "--json"),
    )
    assert (got.code, got.json["instants"]) == (0, 2)


def test_a_run_agrees_with_itself(call: Call, home: Path) -> None:
    flags = ("--rtol", "0", "--atol", "0", "--json")
    got = call("--project", home, "compare", "good", "latest", *flags)
    assert got.code == 0
    assert all(row["largest"] == 0.0 for row in got.json["signals"])


def test_a_report_stands_alone(
    call: Call, home: Path, pendulum: Path, tmp_path: Path
) -> None:
    path = tmp_path / "r.html"
    flags = ("-o", path, "--reference", pendulum / "reference.csv", "--json")
    told = call("--project", home, "report", "good", *flags).json
    page = path.read_text()
    assert told["file"] == str(path.resolve())
    for words in ("double_pendulum", "bondline verify", "joint.A.Fx", "All checks"):
        assert words in page
    assert "<script" not in page


def test_an_animation_moves(call: Call, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.gif"
    flags = ("-o", path, "--fps", "10", "--speed", "2")
    assert call("--project", home, "animate", "good", *flags).code == 0
    assert path.read_bytes().startswith(b"GIF8")


def test_info_of_a_run_is_that_of_its_model(
    call: Call, home: Path, pendulum: Path
) -> None:
    run = call("--project", home, "info", "good", "--json").json
    assert run == call("--project", home, "info", pendulum, "--json").json


def test_a_report_judges_the_residual_not_the_gap(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    """Of linear/deadbeat the gap is one term only: 1e-6 m where 1e-10 m is closed."""
    flags = ("--scheme", "linear/deadbeat", "--until", "0.5")
    run = call("--project", tmp_path, "--json", "run", pendulum, *flags).json
    assert run["certificate"]["gap"] > run["settings"]["solver"]["tolerance"]
    page = tmp_path / "report.html"
    assert call("--project", tmp_path, "report", "-o", page).code == 0
    text = page.read_text("utf-8")
    assert "All checks passed" in text
    assert "Largest residual" in text
