"""Commands about models: init, info, check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call


@pytest.fixture
def broken(pendulum: Path, tmp_path: Path) -> Path:
    """A pendulum whose joint names a port that is not there."""
    folder = tmp_path / "broken"
    folder.mkdir()
    text = (pendulum / "SystemStructure.ssd").read_text()
    wrong = text.replace(
        'element="lower" connector="A"', 'element="lowr" connector="A"'
    )
    assert wrong != text
    (folder / "SystemStructure.ssd").write_text(wrong)
    return folder


def test_init_makes_a_model_that_runs(call: Call, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    told = call("init", mine, "--template", "linear-chain", "--json").json
    assert told["template"] == "linear_chain"
    assert "SystemStructure.ssd" in told["files"]
    assert call("check", mine).code == 0
    here = ("--project", tmp_path, "run", mine, "--until", "50ms", "--json")
    assert call(*here).json["settings"]["coupling"]["scheme"] == "newmark/a,v,u"


def test_init_overwrites_nothing_unasked(call: Call, tmp_path: Path) -> None:
    got = call("init", tmp_path)
    assert (got.code, "--force" in got.err) == (2, True)
    assert list(tmp_path.iterdir()) == []
    assert call("init", tmp_path, "--force").code == 0
    assert (tmp_path / "SystemStructure.ssd").is_file()
    wrong = call("init", tmp_path / "x", "--template", "double-pendulm")
    assert (wrong.code, "'double_pendulum'" in wrong.err) == (2, True)


def test_info_says_what_a_model_is(call: Call, pendulum: Path) -> None:
    told = call("info", pendulum, "--json").json
    assert set(told) == {
        *("model", "start", "stop", "step", "notes"),
        *("tree", "interfaces", "parameters", "capabilities"),
    }
    assert told["interfaces"]["ports"]["upper.A"]["dofs"] == {"x": "m", "y": "m"}
    assert told["interfaces"]["joints"][0]["name"] == "joint.A"
    assert told["interfaces"]["joints"][0]["kind"] == "revolute"
    assert told["tree"]["scheme"]["name"] == "constant/e"
    assert told["tree"]["coupling"]["name"] == "T-T"
    assert told["tree"]["coupling"]["why"].startswith("T-T: every port takes force")
    values = {p["name"]: (p["value"], p["unit"]) for p in told["parameters"]}
    assert values["upper.mass"] == (10.0, "kg")
    assert "gravity" in values
    assert told["capabilities"]["lower"]["rollback"] is True


def test_info_lists_what_is_published(call: Call, pendulum: Path) -> None:
    signals = call("info", pendulum, "--interfaces", "--json").json["interfaces"]
    assert signals["signals"]
    name, unit = next(iter(signals["signals"].items()))
    page = call("info", pendulum).out
    assert f"{name} " in page
    assert unit in page


def test_info_shows_only_what_was_asked_for(call: Call, pendulum: Path) -> None:
    told = call("info", pendulum, "--parameters", "--json").json
    assert "parameters" in told
    assert not {"tree", "interfaces", "capabilities"} & set(told)
    assert "upper.mass" not in call("info", pendulum, "--interfaces").out
    assert "rollback" in call("info", pendulum, "--capabilities").out


def test_info_names_joints_by_their_kind(call: Call, project: Path) -> None:
    told = call("info", project / "examples" / "spatial_pendulum", "--json").json
    joints = told["interfaces"]["joints"]
    assert [(j["name"], j["kind"]) for j in joints] == [
        ("joint.pivot", "revolute"),
        ("joint.elbow", "revolute"),
    ]
    assert "every port takes force" in call("info", project / "examples/four_bar").out


def test_info_shows_nested_models(call: Call, project: Path) -> None:
    nested = project / "examples" / "linear_chain" / "Nested.ssd"
    tree = call("info", nested).out
    assert "└─" in tree
    assert "│  " in tree or "   ├─" in tree


def test_a_good_model_passes(call: Call, pendulum: Path) -> None:
    got = call("check", pendulum, "--strict")
    assert got.code == 0
    assert "0 errors, 0 warnings in 1 file" in got.out


def test_a_problem_is_told_like_a_compiler_does(call: Call, broken: Path) -> None:
    got = call("check", broken)
    file = broken / "SystemStructure.ssd"
    lines = file.read_text().splitlines()
    number = next(k for k, line in enumerate(lines, 1) if "lowr" in line)
    assert got.code == 1
    assert f"{file}:{number}:" in got.out
    assert f"{number:6} | {lines[number - 1]}" in got.out
    assert "error BND" in got.out
    assert "help: " in got.out
    assert "1 error, " in got.out or "2 errors, " in got.out


def test_a_broken_model_is_not_run(call: Call, broken: Path, tmp_path: Path) -> None:
    got = call("--project", tmp_path, "run", broken)
    assert got.code == 1
    assert "SystemStructure.ssd:" in got.err
    told = call("--project", tmp_path, "--json", "run", broken).json["error"]
    assert told["problems"][0]["line"] > 0
    assert not (tmp_path / "runs").exists()


def test_both_ways_to_json_are_one(call: Call, broken: Path) -> None:
    one, two = (
        call("check", broken, "--json"),
        call("check", broken, "--format", "json"),
    )
    assert one.code == two.code == 1
    assert one.json == two.json
    assert set(one.json) == {
        *("model", "ok", "errors", "warnings", "files", "problems", "notes"),
    }
    assert set(one.json["problems"][0]) == {
        *("code", "severity", "file", "line", "column", "finding", "remedy"),
    }


def test_sarif_has_the_shape_that_hosts_read(call: Call, broken: Path) -> None:
    got = call("check", broken, "--format", "sarif")
    log = json.loads(got.out)
    (run,) = log["runs"]
    result = next(r for r in run["results"] if r["level"] == "error")
    place = result["locations"][0]["physicalLocation"]
    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["name"] == "bondline"
    assert result["ruleId"] in [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert place["artifactLocation"]["uri"].endswith("SystemStructure.ssd")
    assert place["region"]["startLine"] > 1
    assert place["region"]["startColumn"] >= 1


def test_codes_are_explained(call: Call) -> None:
    assert "wrong:" in call("check", "--explain", "bnd012").out
    got = call("check", "--explain", "BND12")
    assert (got.code, "'BND012'" in got.err) == (2, True)


def test_check_names_what_is_missing(call: Call, pendulum: Path) -> None:
    assert call("check").code == 2
    got = call("check", pendulum, "--format", "sariff")
    assert (got.code, "'sarif'" in got.err) == (2, True)
