"""The edge: help, versions, exit codes, pipes, faults of our own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from bondline import __version__
from bondline.cli.app import app
from bondline.cli.complaint import complain, own_fault
from bondline.cli.voice import Voice
from tests.build.plug_in import broken_package
from tests.cli.conftest import Call, start

HEAVY = ("numpy", "scipy", "lxml", "pint", "matplotlib", "PIL", "rich")
COMMANDS = (
    *("init", "info", "check", "run", "runs", "plot", "compare", "export"),
    *("report", "animate", "verify", "demo", "doctor", "modes", "frf", "static"),
    "picture",
    "reduce",
    "ui",
)


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from bondline.cli import main; main(['--help']);"
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "[]"
    for command in COMMANDS:
        assert re.search(rf"^  {command} ", done.stdout, re.M)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_and_json(call: Call, command: str) -> None:
    got = call(command, "--help")
    assert got.code == 0
    assert "--json" in got.out


def test_no_command_means_help(call: Call) -> None:
    assert call().out == call("--help").out


def test_the_version(call: Call) -> None:
    assert call("--version").out == f"bondline {__version__}\n"
    assert call("--version", "--json").json == {"bondline": __version__}


def test_an_unknown_command_names_the_nearest(call: Call) -> None:
    got = call("chek")
    assert got.code == 2
    assert "Did you mean 'check'" in got.err
    told = call("chek", "--json").json["error"]
    assert set(told) == {"code", "kind", "place", "finding", "remedy"}


def test_the_environment_names_the_project(
    call: Call, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BONDLINE_PROJECT", str(home))
    assert call("runs", "path").out.strip().endswith("good")


def test_quiet_leaves_answers(call: Call, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    assert call("--quiet", "--project", home, "export", "-o", path).out == ""
    assert call("-q", "--project", home, "runs", "path").out != ""


def test_a_fault_of_our_own_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise ZeroDivisionError("a / b")
    except ZeroDivisionError as error:
        code = complain(Voice(), own_fault(error, verbose=False))
    err = capsys.readouterr().err
    found = re.search(r"the traceback is in (\S+\.txt)\.", err)
    assert code == 70
    assert found is not None
    assert "not of your model" in err
    assert "try: Please report it" in err
    file = Path(found[1])
    assert "ZeroDivisionError: a / b" in file.read_text()
    file.unlink()


def test_any_exception_becomes_exit_code_70(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command with a fault, as a plug-in might bring one."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = list(app.registered_commands)

    def broken(ctx: typer.Context) -> None:
        raise LookupError("nobody expected this")

    app.command("broken")(broken)
    try:
        got = call("broken")
        told = call("--json", "broken")
    finally:
        app.registered_commands[:] = before
    assert got.code == told.code == 70
    assert "LookupError: nobody expected this" in got.err
    assert told.json["error"]["kind"] == "BondlineError"
    assert len(list(tmp_path.glob("bondline-*.txt"))) == 2


def test_ctrl_c_before_a_run_is_told_in_a_line(call: Call) -> None:
    before = list(app.registered_commands)

    def run(ctx: typer.Context) -> None:
        raise KeyboardInterrupt

    app.registered_commands[:] = [c for c in before if c.name != "run"]
    app.command("run")(run)
    try:
        got, told = call("run"), call("--json", "run")
    finally:
        app.registered_commands[:] = before
    assert (got.code, told.code) == (130, 130)
    assert got.err.strip() == "stopped  before a run began"
    assert told.json["error"]["code"] == 130
    assert "before a run began" in told.json["error"]["finding"]


@pytest.mark.parametrize("module", ["bondline.cli.entry", "typer", "bondline.cli.app"])
def test_ctrl_c_while_modules_are_loaded_shows_no_traceback(module: str) -> None:
    code = (
        "import sys\n"
        "class Press:\n"
        "    def find_spec(self, name, *more):\n"
        f"        if name == {module!r}: raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Press())\n"
        "from bondline.cli import main\n"
        "sys.exit(main(['run', 'x']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 130
    assert done.stderr == "stopped  before a run began\n"


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_fault(closed: str, home: Path) -> None:
    command = f'"$0" -m bondline runs path {closed}'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable], cwd=home, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize("args", [["--version"], ["--json", "chek"], ["--help"]])
def test_an_answer_without_room_is_an_error_of_storage(args: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "bondline", *args],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 40
    assert done.stderr.startswith("error  stdout: the answer cannot be written (No sp")
    assert "try: Make room" in done.stderr
    assert len(done.stderr.splitlines()) == 2


def test_a_closed_pipe_is_silent(home: Path) -> None:
    process = start("--project", home, "export", "good", cwd=home)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    assert process.wait(timeout=60) == 0
    assert err == ""
    process.stderr.close()


def test_the_doctor_is_content_here(call: Call, home: Path) -> None:
    got = call("--project", home, "doctor", "--json")
    assert got.code == 0
    assert got.json["ok"]
    names = {f["name"] for f in got.json["findings"]}
    assert {"python", "numpy", "BLAS threads", "sqlite", "schemas"} <= names
    assert {f["status"] for f in got.json["findings"]} <= {"ok", "WARN"}


def test_the_doctor_finds_what_is_wrong(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    got = call("--project", tmp_path / "nowhere", "doctor")
    assert got.code == 3
    assert re.search(r"^FAIL  project .*nowhere cannot be written$", got.out, re.M)
    assert re.search(r"^WARN  BLAS threads .*=7", got.out, re.M)
    assert "try: Give another folder: --project DIR" in got.out


def test_the_doctor_lists_kinds_that_cannot_be_loaded(tmp_path: Path) -> None:
    site = tmp_path / "site"
    broken_package(site)
    process = start("doctor", cwd=tmp_path, env={"PYTHONPATH": str(site)})
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    assert re.search(r"^ok    kinds of leaves pinned-bar, free-bar, chain", out, re.M)
    assert re.search(r"^WARN  kind gone .*of the package odd-leaves", out, re.M)
    assert "pip uninstall odd-leaves" in out


def test_a_page_over_no_folder_is_a_usage_error(call: Call, tmp_path: Path) -> None:
    answer = call("--json", "--project", tmp_path / "nowhere", "ui", "--port", "0")
    assert answer.code == 2
    assert "no such folder" in answer.json["error"]["finding"]


@pytest.mark.parametrize(
    ("name", "typed"),
    [("short", "short"), ("my run", "'my run'"), ("-dash", "runs/-dash")],
)
def test_a_name_is_told_as_one_types_it(
    name: str, typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bondline.cli.files import handle
    from bondline.run import Run

    monkeypatch.chdir(tmp_path)
    assert handle(Run(tmp_path / "runs" / name)) == typed
