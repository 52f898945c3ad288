"""Parts without an inside here: the model names them, the operator places them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bondline.build import open_model, rehearse
from bondline.cli import main
from bondline.cli.partners import Where, partners
from bondline.errors import SettingError, UsageError
from bondline.remote.client.placement import connected, read_placement
from bondline.remote.owner.published import EVERYTHING
from bondline.run import Certificate, find, simulate
from tests.remote.conftest import Supply, parts_of, placement

PENDULUM = "examples/double_pendulum/SystemStructure.ssd"


@pytest.fixture
def without_lower(project: Path, tmp_path: Path) -> Path:
    """The double pendulum whose lower bar is at a supplier's."""
    text = (project / PENDULUM).read_text(encoding="utf-8")
    head, mark, tail = text.partition('<ssd:Component name="lower"')
    assert mark
    body, end, rest = tail.partition("</ssd:Component>")
    start = body.index("<ssd:ParameterBindings>")
    stop = body.index("</ssd:ParameterBindings>") + len("</ssd:ParameterBindings>")
    body = body[:start] + body[stop:]
    first = body.index('source="')
    body = f'{body[:first]}source="leaf:remote{body[body.index(chr(34), first + 8) :]}'
    file = tmp_path / "pendulum" / "SystemStructure.ssd"
    file.parent.mkdir()
    file.write_text(head + mark + body + end + rest, encoding="utf-8")
    return file


def test_a_part_that_is_nowhere_is_a_warning_and_cannot_be_built(without_lower: Path):
    _, problems = rehearse(without_lower)
    assert [(p.code, p.fatal) for p in problems] == [("BND080", False)]
    with pytest.raises(SettingError, match=r"nobody said where.*--placement"):
        open_model(without_lower)


PLACED = {  # which of upper and lower has a place, and what check has to say
    "the other is misspelt": (("lower", "uper"), ["BND082"]),
    "itself misspelt": (("lwoer",), ["BND080", "BND082"]),
}


@pytest.mark.parametrize("case", PLACED)
def test_who_gave_a_place_is_not_asked_for_it_because_of_another_slip(
    without_lower: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    case: str,
):
    """No advice to write what is written: the slip is all that is wrong."""
    parts, codes = PLACED[case]
    file = tmp_path / "p.toml"
    nobody = "address = '127.0.0.1:1'\ninsecure = true\n"
    text = "".join(f"[parts.{part}]\n{nobody}" for part in parts)
    file.write_text(text, encoding="utf-8")
    words = ["check", str(without_lower), "--placement", str(file), "--json"]
    assert main(words) == 1
    told = json.loads(capsys.readouterr().out)["problems"]
    assert [p["code"] for p in told] == codes
    assert f"part {parts[-1]} is placed, but" in told[-1]["finding"]
    assert told[-1]["file"] == str(file)
    assert "Did you mean" in told[-1]["remedy"]


def test_a_sweep_says_that_its_workers_do_not_go_to_partners(
    without_lower: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    head = ["--project", str(tmp_path), "sweep", str(without_lower)]
    assert main([*head, "--set", "upper.mass=8..12kg:2"]) == 2
    told = capsys.readouterr().err
    assert "part lower" in told
    assert "workers of a sweep do not go to partners" in told
    assert "bondline run MODEL --placement FILE" in " ".join(told.split())


def test_a_sweep_with_a_placement_says_what_to_do_instead(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    head = ["--project", str(tmp_path), "sweep", str(project / PENDULUM)]
    given = ["--set", "upper.mass=8..12kg:2", "--placement", "p.toml"]
    assert main([*head, *given]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "--placement p.toml: the workers of a sweep do not go to partners" in told
    assert "do bondline run MODEL --placement p.toml --set" in told
    assert not (tmp_path / "sweeps").exists()


def test_a_placed_part_needs_no_inside_here(
    project: Path, without_lower: Path, tmp_path: Path, supply: Supply
):
    there = supply(project / "examples" / "double_pendulum")
    file = placement(tmp_path / "p.toml", {"lower": there.address}, there.secrets)
    assert main(["check", str(without_lower), "--placement", str(file)]) == 0
    elsewhere = connected(read_placement(file))
    away = simulate(open_model(without_lower, None, elsewhere).model, 0.1, 0.01)
    here = simulate(open_model(project / PENDULUM).model, 0.1, 0.01)
    assert (away.state.forces == here.state.forces).all()
    elsewhere["lower"].close()


def test_values_that_a_placed_part_never_sees_are_a_warning(
    project: Path, supply: Supply
):
    there = supply(project / "examples" / "double_pendulum")
    lower = there.model("lower")
    _, problems = rehearse(project / PENDULUM, {"lower": lower})
    lower.close()
    (told,) = problems
    assert (told.code, told.fatal) == ("BND081", False)
    assert "lower is at a partner's" in told.finding
    assert "mass" in told.finding
    line = (project / PENDULUM).read_text(encoding="utf-8").splitlines()
    assert "lower.gravity" in line[told.where.line - 1]
    assert "--set" in told.remedy


def test_a_run_warns_of_them_too(
    project: Path, supply: Supply, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    there = supply(project / "examples" / "double_pendulum")
    file = placement(tmp_path / "p.toml", {"lower": there.address}, there.secrets)
    head = ["--project", str(tmp_path), "run", str(project / PENDULUM), "--name", "a"]
    assert main([*head, "--until", "20ms", "--placement", str(file)]) == 0
    assert "BND081" in capsys.readouterr().err


def test_a_part_in_a_process_of_ones_own_reads_the_file(project: Path, tmp_path: Path):
    file = tmp_path / "p.toml"
    file.write_text("[parts.lower]\nprocess = true", encoding="utf-8")
    where = Where(file, model=project / PENDULUM, store=tmp_path / "store")
    with partners(where) as elsewhere:
        assert rehearse(project / PENDULUM, elsewhere)[1] == []


MIXED = {"one": ("[parts.upper]\nprocess = true", ()), "all": ("", ("--processes",))}


@pytest.mark.parametrize("mixed", MIXED)
def test_parts_in_processes_go_beside_one_whose_inside_is_not_here(
    project: Path, without_lower: Path, tmp_path: Path, supply: Supply, mixed: str
):
    """A process reads its own part only."""
    text, more = MIXED[mixed]
    there = supply(project / "examples" / "double_pendulum")
    file = placement(tmp_path / "p.toml", {"lower": there.address}, there.secrets)
    file.write_text(f"{file.read_text(encoding='utf-8')}\n{text}", encoding="utf-8")
    head = ["--project", str(tmp_path), "run", "--until", "50ms"]
    flags = ["--placement", str(file), *more]
    assert main(["check", str(without_lower), "--placement", str(file)]) == 0
    assert main([*head, str(without_lower), "--name", "away", *flags]) == 0
    assert main([*head, str(project / PENDULUM), "--name", "here"]) == 0
    strict = ["--rtol", "0", "--atol", "0"]
    assert main([*head[:2], "compare", "away", "here", *strict]) == 0


def test_a_name_that_the_model_does_not_have_is_told(project: Path, supply: Supply):
    there = supply(project / "examples" / "double_pendulum")
    lower = there.model("lower")
    with pytest.raises(UsageError, match=r"no such part. Did you mean 'lower'"):
        open_model(project / PENDULUM, None, {"lowr": lower})
    lower.close()


WRONG = {
    "[parts.a]\naddress = 'nowhere'": "no address",
    "[parts.a]\naddress = 'h:99999'": "99999 is no port: they go from 1 to 65535",
    "[parts.a]\naddress = 'h:0'": "0 is no port",
    "[parts.a]\naddress = 'h'": "no address with a port",
    "[parts.a]\naddress = 'h:1'\nprocess = true": "and process = true",
    "": "it places no part",
    "[client]\ngrace = 1": "it places no part",
    "[parts.a]\naddress = 'h:1'": "cert, key, ca",
    "[parts.a]\nadress = 'h:1'": "Did you mean 'address'",
    "[parts]\na = 'h:1'": "no table",
    "[part.a]": "Did you mean 'parts'",
    "[parts.a": "not TOML",
    "[parts.a]\naddress='h:1'\ninsecure=true": "another machine",
    "[client]\ngrace = -1\n[parts.a]\naddress='[::1]:1'\ninsecure=true": "no time",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_bad_placement_file_says_what_is_wrong(text: str, tmp_path: Path):
    file = tmp_path / "p.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as told:
        read_placement(file)
    assert WRONG[text] in str(told.value)


def test_dotted_names_need_no_quotes(tmp_path: Path):
    file = tmp_path / "p.toml"
    file.write_text(
        "[parts.rear.axle]\naddress='127.0.0.1:1'\ninsecure=true", encoding="utf-8"
    )
    assert list(read_placement(file)) == ["rear.axle"]


NESTED = "examples/linear_chain/Nested.ssd"


@pytest.mark.parametrize(("model", "part"), [(NESTED, "near"), (PENDULUM, "lower")])
def test_a_run_that_is_resumed_without_its_partners_asks_for_them(
    project: Path,
    tmp_path: Path,
    supply: Supply,
    capsys: pytest.CaptureFixture[str],
    model: str,
    part: str,
):
    there = supply(project / model)
    file = placement(tmp_path / "p.toml", {part: there.address}, there.secrets)
    head = ["--project", str(tmp_path), "run", "--until"]
    flags = ["--placement", str(file), "--name", "away"]
    assert main([*head, "50ms", str(project / model), *flags]) == 0
    capsys.readouterr()
    assert main([*head, "100ms", "--resume", "away"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "{" not in said
    assert f"they are not placed now: {part} ({there.address})." in said
    again = f"run --resume {tmp_path / 'runs' / 'away'} --placement FILE"
    assert f"Say where they are: bondline {again}" in said
    assert main([*head, "100ms", "--resume", "away", *flags[:2]]) == 0


@pytest.mark.parametrize("inside", [False, True], ids=["its owner's", "known here"])
def test_a_report_of_a_run_with_partners_needs_none(
    project: Path, without_lower: Path, tmp_path: Path, supply: Supply, inside: bool
):
    """The model is drawn, and nobody is told to give what the command does not take."""
    there = supply(project / "examples" / "double_pendulum")
    file = placement(tmp_path / "p.toml", {"lower": there.address}, there.secrets)
    head, page = ["--project", str(tmp_path)], tmp_path / "r.html"
    model = project / PENDULUM if inside else without_lower
    run = ["run", str(model), "--until", "50ms", "--placement", str(file)]
    assert main([*head, *run, "--name", "away"]) == 0
    there.server.stop(1.0)
    assert main([*head, "report", "away", "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "cannot be built here" not in text
    assert "upper.A — lower.A" in text
    assert ("stays with its owner" in text) == (not inside)
    (again,) = (line for line in text.splitlines() if "bondline run" in line)
    assert again.endswith("--step 0.01 --placement FILE")


@pytest.mark.parametrize("energy", [False, True])
def test_the_certificate_names_the_part_whose_energy_is_not_known(
    project: Path, tmp_path: Path, supply: Supply, energy: bool
):
    shown = replace(EVERYTHING, energy=energy)
    near = parts_of(project / NESTED)["near"]
    there = supply({"near": replace(near, published=shown)})
    file = placement(tmp_path / "p.toml", {"near": there.address}, there.secrets)
    head = ["--project", str(tmp_path), "run", str(project / NESTED), "--name", "away"]
    assert main([*head, "--until", "50ms", "--placement", str(file)]) == 0
    told = Certificate.of(find(tmp_path / "runs", "away").certificate)
    (check,) = (c for c in told.checks() if c.title == "Energy balance")
    assert (told.silent == ("near",)) == (not energy)
    assert ("near does not" in check.finding) == (not energy)
    assert ("not reported by near" in "\n".join(told.lines())) == (not energy)


@pytest.mark.parametrize("counts", [False, True])
def test_solves_are_divided_by_all_leaves_that_are_known_and_who_is_silent_is_said(
    project: Path, tmp_path: Path, supply: Supply, counts: bool
):
    """A partner's assembly that tells its counts is as many leaves as it is here."""
    shown = replace(EVERYTHING, counts=counts)
    near = parts_of(project / NESTED)["near"]
    there = supply({"near": replace(near, published=shown)})
    file = placement(tmp_path / "p.toml", {"near": there.address}, there.secrets)
    head = ["--project", str(tmp_path), "run", str(project / NESTED), "--until", "50ms"]
    assert main([*head, "--name", "here"]) == 0
    assert main([*head, "--name", "away", "--placement", str(file)]) == 0
    here, away = (
        Certificate.of(find(tmp_path / "runs", name).certificate)
        for name in ("here", "away")
    )
    (line,) = (line for line in away.lines() if line.startswith("leaf solves"))
    assert "tell no counts" not in "\n".join(here.lines())
    assert ("; 1 of 3 leaves, at partners', tell no counts" in line) == (not counts)
    assert (away.leaves, away.uncounted) == ((4, 0) if counts else (3, 1))
    assert (away.solves_per_window == here.solves_per_window) == counts


@pytest.mark.parametrize("broken", [False, True], ids=["whole log", "broken log"])
def test_what_has_nothing_to_do_with_partners_is_told_as_it_is(
    project: Path,
    tmp_path: Path,
    supply: Supply,
    capsys: pytest.CaptureFixture[str],
    broken: bool,
):
    """An end that is over is no missing placement, and neither is a broken log."""
    there = supply(project / PENDULUM)
    file = placement(tmp_path / "p.toml", {"lower": there.address}, there.secrets)
    head = ["--project", str(tmp_path), "run", "--until"]
    flags = ["--placement", str(file), "--name", "away"]
    assert main([*head, "50ms", str(project / PENDULUM), *flags]) == 0
    if broken:
        log = tmp_path / "runs" / "away" / "audit.jsonl"
        first, *rest = log.read_text(encoding="utf-8").splitlines()
        log.write_text("\n".join([first, "{}", *rest]), encoding="utf-8")
    capsys.readouterr()
    until = "100ms" if broken else "10ms"
    code = main([*head, until, "--resume", "away"])
    said = " ".join(capsys.readouterr().err.split())
    assert "not placed now" not in said
    if broken:
        assert code == 50
        assert "cannot read the state it finds" in said
        assert "with the --placement or --processes that it had" in said
    else:
        assert code == 2
        assert "the run has already reached t = 0.05 s" in said
        assert "Give a later --until, or make a new run." in said
