"""A partner whose model is not the one that the files speak of: told where."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bondline.cli import main
from bondline.leaves import chain
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from tests.remote.conftest import Supply, parts_of, placement

PENDULUM = "examples/double_pendulum/SystemStructure.ssd"
OUTPUT = '<ssd:Connector name="tip" kind="output"/>'


def told(
    capsys: pytest.CaptureFixture[str], model: Path, file: Path, code: str
) -> Mapping[str, str | int]:
    """What check says under that code; a run refuses with the same words."""
    capsys.readouterr()
    words = [str(model), "--placement", str(file)]
    assert main(["check", *words, "--json"]) == 1
    every = json.loads(capsys.readouterr().out)["problems"]
    (problem,) = (p for p in every if p["severity"] == "error")
    assert problem["code"] == code
    head = ["--project", str(file.parent), "run", "--until", "20ms"]
    assert main([*head, *words]) == 1
    said = " ".join(capsys.readouterr().err.split())
    where = f"{problem['file']}:{problem['line']}:"
    assert where in said
    assert f"{code} {problem['finding']}" in said
    assert problem["remedy"] in said
    return problem


def at(file: Path, text: str) -> tuple[str, int]:
    """Where a text is for the only time."""
    lines = file.read_text(encoding="utf-8").splitlines()
    (line,) = (k for k, each in enumerate(lines, 1) if text in each)
    return str(file), line


NAMES = {
    "one": (("lowre",), "Did you mean 'lowre', the only one there?"),
    "several": (("lowre", "upper"), "Ask the owner for the name of the model"),
}


@pytest.mark.parametrize("case", NAMES)
def test_a_name_that_the_partner_does_not_have_is_told_at_its_line(
    project: Path, tmp_path: Path, supply: Supply, capsys, case: str
):
    names, remedy = NAMES[case]
    lower = parts_of(project / PENDULUM)["lower"]
    there = supply({name: replace(lower, name=name) for name in names})
    file = placement(tmp_path / "p.toml", {"lower": there.address}, there.secrets)
    problem = told(capsys, project / PENDULUM, file, "BND083")
    assert (problem["file"], problem["line"]) == at(file, '[parts."lower"]')
    assert f"lower (partner {there.address})" in str(problem["finding"])
    assert "no model 'lower'" in str(problem["finding"])
    assert remedy in str(problem["remedy"])


def test_a_port_that_the_partner_does_not_have_is_told_at_its_joint(
    project: Path, tmp_path: Path, supply: Supply, capsys
):
    model = project / PENDULUM
    there = supply({"lower": Served("lower", lambda: chain("x"), "d", EVERYTHING)})
    file = placement(tmp_path / "p.toml", {"lower": there.address}, there.secrets)
    problem = told(capsys, model, file, "BND084")
    side = '<g:side element="lower" connector="A"/>'
    assert (problem["file"], problem["line"]) == at(model, side)
    assert "joint A needs port A of lower" in str(problem["finding"])
    assert "Known: left, right." in str(problem["remedy"])
    assert "[parts.lower]" in str(problem["remedy"])


def with_output(model: Path, folder: Path, value: str) -> Path:
    """The pendulum, whose lower bar shows one value under the name `tip`."""
    text = model.read_text(encoding="utf-8")
    text = text.replace(
        "<ssd:ParameterBindings>",
        f"<ssd:Connectors>{OUTPUT}</ssd:Connectors><ssd:ParameterBindings>",
        1,
    )
    head, mark, tail = text.partition('<ssd:Component name="lower"')
    port = f'<ssd:Connector name="{value}" kind="output"/></ssd:Connectors>'
    tail = tail.replace("</ssd:Connectors>", port, 1)
    line = f'<ssd:Connection startElement="lower" startConnector="{value}"'
    lines = f'<ssd:Connections>\n{line} endConnector="tip"/>\n</ssd:Connections>'
    tail = tail.replace("</ssd:Elements>", f"</ssd:Elements>{lines}", 1)
    file = folder / "pendulum" / "SystemStructure.ssd"
    file.parent.mkdir()
    file.write_text(head + mark + tail, encoding="utf-8")
    return file


PUBLISHED = {
    "nothing": (False, "It publishes nothing."),
    "another": (frozenset({"angle"}), "Known: angle."),
}


@pytest.mark.parametrize("case", PUBLISHED)
def test_an_output_that_the_owner_does_not_publish_is_told_at_its_connection(
    project: Path, tmp_path: Path, supply: Supply, capsys, case: str
):
    values, remedy = PUBLISHED[case]
    model = with_output(project / PENDULUM, tmp_path, "energy")
    lower = parts_of(project / PENDULUM)["lower"]
    shown = replace(lower, published=replace(EVERYTHING, values=values))
    there = supply({"lower": shown})
    file = placement(tmp_path / "p.toml", {"lower": there.address}, there.secrets)
    problem = told(capsys, model, file, "BND085")
    where = '<ssd:Connection startElement="lower"'
    assert (problem["file"], problem["line"]) == at(model, where)
    assert "output tip of double_pendulum is energy of lower" in str(problem["finding"])
    assert remedy in str(problem["remedy"])


def test_an_output_that_is_published_is_no_problem(
    project: Path, tmp_path: Path, supply: Supply
):
    model = with_output(project / PENDULUM, tmp_path, "angle")
    there = supply(project / PENDULUM)
    file = placement(tmp_path / "p.toml", {"lower": there.address}, there.secrets)
    assert main(["check", str(model), "--placement", str(file)]) == 0
