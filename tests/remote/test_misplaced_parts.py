"""A part that is misspelt in a placement file: told where, before anybody is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bondline.cli import main
from bondline.remote.client.placement import read_placement
from tests.remote.certificates import Authority
from tests.remote.conftest import placement

NESTED = "examples/linear_chain/Nested.ssd"  # near.one, near.two ...
NOBODY = 'address = "127.0.0.1:1"\ninsecure = true\n'  # waited for, if it were asked


def placed(folder: Path, *headers: str) -> Path:
    file = folder / "partners.toml"
    blocks = "".join(f"\n[parts.{header}]\n{NOBODY}" for header in headers)
    file.write_text(f"# our partners\n{blocks}", encoding="utf-8")
    return file


SLIPS = {
    "outer": ("naer", "part naer is placed", "Did you mean 'near'?"),
    "inner": ("near.onee", "part near.onee is placed", "Did you mean 'near.one'?"),
    "quoted": ('"near.onee"', "part near.onee is placed", "Did you mean 'near.one'?"),
    "too deep": ("near.one.tip", "part near.one.tip is placed", "'near.one'?"),
    "strange": ("wheel", "part wheel is placed", "Known: "),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_check_names_the_line_the_slip_and_the_nearest_part(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], slip: str
):
    header, finding, remedy = SLIPS[slip]
    file = placed(tmp_path, "far", header)
    model = project / NESTED
    words = ["check", str(model), "--placement", str(file), "--json"]
    assert main(words) == 1
    (told,) = json.loads(capsys.readouterr().out)["problems"]
    assert (told["code"], told["severity"]) == ("BND082", "error")
    at = file.read_text(encoding="utf-8").splitlines().index(f"[parts.{header}]") + 1
    assert (told["file"], told["line"]) == (str(file), at)
    assert told["finding"] == f"{finding}, but {model} has no such part."
    assert remedy in told["remedy"]


def test_all_slips_are_told_at_once_with_their_lines(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file = placed(tmp_path, "naer", "near.onee")
    words = ["check", str(project / NESTED), "--placement", str(file)]
    assert main(words) == 1
    seen = capsys.readouterr().out
    assert f"{file}:3:1" in seen
    assert "3 | [parts.naer]" in seen
    assert "7 | [parts.near.onee]" in seen
    assert "2 errors" in seen


@pytest.mark.parametrize("command", ["run", "info", "static"])
def test_other_commands_say_the_same(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
):
    file, model = placed(tmp_path, "near.onee"), project / NESTED
    head = ["--project", str(tmp_path), command, str(model), "--placement", str(file)]
    assert main(head) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert f"{file}:3:1: BND082 part near.onee is placed, but {model} has no" in said
    assert "Did you mean 'near.one'?" in said


@pytest.mark.parametrize("command", [["leaf", "test"], ["db", "add"]], ids=" ".join)
def test_commands_about_one_part_say_the_same(
    project: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: list[str],
):
    file, model = placed(tmp_path, "near.onee"), project / NESTED
    words = [*command, f"{model}:near.one", "--placement", str(file)]
    assert main(["--project", str(tmp_path), *words]) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert f"{file}:3:1: BND082 part near.onee is placed, but {model} has no" in said
    assert "Did you mean 'near.one'?" in said


def test_a_server_says_so_before_it_asks_its_partners(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    file = placed(tmp_path, "near.onee")
    words = ["leaf", "serve", f"{project / NESTED}:near", "--insecure-loopback"]
    assert main([*words, "--placement", str(file)]) == 1
    assert f"{file}:3:1: BND082" in " ".join(capsys.readouterr().err.split())


def test_a_server_of_several_models_names_them_all(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    file, first = placed(tmp_path, "near.one", "lowr"), project / NESTED
    other = project / "examples" / "double_pendulum"
    words = ["leaf", "serve", str(first), str(other), "--insecure-loopback"]
    assert main([*words, "--placement", str(file)]) == 1
    said = " ".join(capsys.readouterr().err.split())
    finding = f"part lowr is placed, but {first} and {other} have no such part."
    assert f"{file}:7:1: BND082 {finding}" in said
    assert "Did you mean 'lower'?" in said
    assert "near.one is placed" not in said


@pytest.mark.parametrize("key", ["cert", "key", "ca"])
def test_a_certificate_that_is_not_there_is_told_where_it_is_written(
    project: Path,
    tmp_path: Path,
    ca: Authority,
    key: str,
    capsys: pytest.CaptureFixture[str],
):
    mine = ca.issue("integrator")
    file = placement(tmp_path / "p.toml", {"lower": "127.0.0.1:1"}, mine)
    file.write_text(f'{file.read_text()}\n{key} = "nope.pem"\n', encoding="utf-8")
    model = project / "examples" / "double_pendulum"
    assert main(["check", str(model), "--placement", str(file)]) == 3
    told = " ".join(capsys.readouterr().err.split())
    assert f"{file}:5, part lower: {tmp_path / 'nope.pem'}: it cannot be read" in told
    assert "from the folder of the placement file" in told


def test_every_place_knows_its_line(tmp_path: Path):
    file = tmp_path / "p.toml"
    text = "[parts]\nx = {process = true}\n\n[parts.a.b]\nprocess = true\n"
    file.write_text(f'{text}[parts."c.d"]\nprocess = true\n', encoding="utf-8")
    lines = {name: p.written for name, p in read_placement(file).items()}
    assert lines == {"x": (str(file), 2), "a.b": (str(file), 4), "c.d": (str(file), 6)}
