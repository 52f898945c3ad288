"""`bondline run`: what it says, what it keeps, how it stops."""

from __future__ import annotations

import signal
import sqlite3
from pathlib import Path

import pytest

from bondline.cli.stopping import listening
from bondline.cli.voice import Voice
from bondline.description import contents, pack
from tests.cli.conftest import Call, start

KEYS = {
    *("run", "path", "model", "status", "t", "windows", "new_windows", "seconds"),
    *("sha256", "step", "settings", "warnings", "certificate"),
}


def test_a_run_answers_with_one_document(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    got = call("--project", tmp_path, "run", pendulum, "--until", "50ms", "--json")
    assert got.code == 0
    assert set(got.json) == KEYS
    assert (got.json["windows"], got.json["status"]) == (5, "done")
    assert (Path(got.json["path"]) / "model.ssp").is_file()


def test_a_run_tells_people_what_happened(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    got = call("--project", tmp_path, "run", pendulum, "--until", "50ms")
    for words in ("2 leaves, 1 joint", "constant/e", "done  5 windows", "largest gap"):
        assert words in got.out
    assert "T-T: every port takes force; constant/e suits all parts." in got.out
    assert "next  bondline plot" in got.out
    assert "\x1b" not in got.out


def test_what_comes_next_is_told_as_it_is_called(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clone has no `bondline` on the path, but its ./run."""
    monkeypatch.setenv("BONDLINE_RUN", "./run")
    told = call("init", tmp_path / "mine").out
    assert f"next  ./run bondline run {tmp_path / 'mine'}" in told


def test_settings_reach_the_run(call: Call, pendulum: Path, tmp_path: Path) -> None:
    got = call(
        *("--project", tmp_path, "run", pendulum, "--until", "0.05", "--step", "5ms"),
        *("--set", "upper.mass=12000g", "--set", "lower.angle=90deg"),
        *("--set", "gravity=9.81", "--scheme", "linear-discontinuous/e,v"),
        *("--tol", "1e-9", "--max-iter", "9", "--refresh", "window"),
        *("--update", "none", "--epsilon", "0.1", "--json"),
    )
    settings = got.json["settings"]
    assert got.json["windows"] == 10
    assert settings["parameters"]["upper.mass"] == 12.0
    assert settings["parameters"]["lower.angle"] == pytest.approx(1.5707963267948966)
    assert settings["parameters"]["upper.gravity"] == 9.81
    coupling, solver = settings["coupling"], settings["solver"]
    assert coupling["scheme"] == "linear-discontinuous/e,v"
    assert coupling["epsilon"] == 0.1
    assert (solver["tolerance"], solver["max_iterations"]) == (1e-9, 9)
    assert (solver["refresh"], solver["update"]) == ("window", "none")


def test_a_run_may_be_solved_otherwise_and_resumed_to_the_same_bits(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    flags = ("--solver", "iqn-ils", "--threads", "2", "--coupling", "auto")
    here = ("--project", tmp_path, "--json", "run")
    whole = call(*here, pendulum, "--until", "60ms", *flags).json
    part = call(*here, pendulum, "--until", "30ms", *flags).json
    rest = call(*here, "--resume", part["run"], "--until", "60ms").json
    settings = whole["settings"]
    assert settings["solver"]["kind"] == "iqn-ils"
    assert settings["coupling"]["method"] == "T-T"
    assert settings["given"] == {"solver": "iqn-ils", "threads": 2, "coupling": "auto"}
    assert rest["sha256"] == whole["sha256"] != part["sha256"]
    refused = call(*here, "--resume", part["run"], *flags)
    assert refused.code == 2
    for flag in ("--solver", "--threads", "--coupling"):
        assert flag in refused.json["error"]["place"]


def test_windows_may_choose_their_length(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    here = ("--project", tmp_path, "--json", "run", pendulum, "--until", "50ms")
    got = call(*here, "--adaptive", "1e-7").json
    assert got["settings"]["pace"]["tolerance"] == 1e-7
    assert got["settings"]["given"] == {"adaptive": 1e-7}
    assert got["windows"] == 5


def test_a_run_says_its_solver_if_it_is_another(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    here = ("--project", tmp_path, "run", pendulum, "--until", "20ms")
    assert "T-T, constant/e, tolerance 1e-10" in call(*here).out
    assert "T-T, constant/e, anderson, tolerance 1e-10" in (
        call(*here, "--solver", "anderson").out
    )


def test_a_run_records_how_every_level_was_solved(
    call: Call, pendulum: Path, project: Path, tmp_path: Path
) -> None:
    here = ("--project", tmp_path, "--json", "run", "--until", "50ms")
    solver = call(*here, pendulum, "--refresh", "lagged").json["settings"]["solver"]
    assert (solver["kind"], solver["refresh"]) == ("lagged", "lagged")
    assert {"force_tolerance", "patience", "contraction"} <= set(solver)
    nested = project / "examples" / "linear_chain" / "Nested.ssd"
    settings = call(*here, nested, "--tol", "1e-9").json["settings"]
    assert settings["parts"]["near"]["solver"]["tolerance"] == 1e-9
    shown = call("--project", tmp_path, "runs", "show").out
    assert "parts.near.solver.tolerance 1e-09" in shown


def test_a_run_is_not_resumed_with_other_files_than_its_own(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    here = ("--project", tmp_path, "--json", "run")
    run = call(*here, pendulum, "--until", "50ms").json
    files = contents(pendulum)
    main = "SystemStructure.ssd"
    changed = {**files, main: files[main].replace(b"constant/e", b"linear/deadbeat")}
    (Path(run["path"]) / "model.ssp").write_bytes(pack(changed))
    got = call(*here, "--resume", run["run"], "--until", "0.1")
    assert got.code == 50
    assert "the model has changed" in got.json["error"]["finding"]


@pytest.mark.parametrize(
    "wrong",
    [
        (["--set", "uper.mass=1"], 2, "--set uper.mass=1", "nothing", "'upper.mass'"),
        (["--set", "upper.mass=3s"], 1, "--set upper.mass=3s", "[time]", "in kg"),
        (["--set", "upper.mass"], 2, "--set upper.mass", "not a name", "=12kg"),
        (["--scheme", "constnt/e"], 3, "--scheme", "no scheme", "'constant/e'"),
        (["--scheme", "linear/e"], 3, "--scheme", "3.73", "constant/e"),
        (["--refresh", "windw"], 3, "--refresh", "no such choice", "'window'"),
        (["--update", "broydn"], 3, "--update", "no such choice", "'broyden'"),
        (["--solver", "newtn"], 3, "--solver", "no such choice", "'newton'"),
        (["--coupling", "TT"], 3, "--coupling", "no such choice", "'T-T'"),
        (["--coupling", "X-X"], 3, "--coupling X-X", "takes force", "auto"),
        (["--threads", "0"], 2, "bondline run", "--threads", "--help"),
        (
            ["--solver", "iqn-ils", "--refresh", "window"],
            *(3, "--refresh window --solver iqn-ils", "no setting", "Leave refresh"),
        ),
        (["--tol", "-1"], 2, "--tol", "-1.0", "positive"),
        (["--adaptive", "-1"], 2, "--adaptive", "-1.0", "positive"),
        (["--until", "3kg"], 2, "--until 3kg", "[mass]", "in s"),
        (["--until", "soon"], 2, "--until soon", "not a duration", "10ms"),
        (["--step", "0"], 2, "--step 0", "positive", "10ms"),
        (["--name", "latest"], 2, "run 'latest'", "cannot be", "letters"),
        (["--stp", "1"], 2, "bondline run", "--stp", "--help"),
    ],
)
def test_errors_of_run_name_place_finding_remedy(
    call: Call,
    pendulum: Path,
    tmp_path: Path,
    wrong: tuple[list[str], int, str, str, str],
) -> None:
    flags, code, place, finding, remedy = wrong
    got = call("--project", tmp_path, "run", pendulum, *flags)
    assert got.code == code
    assert got.out == ""
    assert got.err.startswith(f"error  {place}: ")
    assert finding in got.err
    assert remedy in got.err.split("try: ")[1]
    told = call("--project", tmp_path, "--json", "run", pendulum, *flags)
    assert told.json["error"]["code"] == told.code == code
    assert told.json["error"]["place"] == place


def test_a_model_that_is_not_there(call: Call, pendulum: Path) -> None:
    got = call("run", pendulum.parent / "double_pendulm")
    assert (got.code, "'double_pendulum'" in got.err) == (2, True)
    assert call("run").code == 2


def test_divergence_keeps_what_was_accepted(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    flags = ("--max-iter", "2", "--refresh", "never", "--update", "none")
    got = call("--project", tmp_path, "run", pendulum, *flags)
    assert got.code == 31
    assert "kept " in got.err
    assert "try: " in got.err
    told = call("--project", tmp_path, "--json", "run", pendulum, *flags)
    assert len(told.json["error"]["history"]) == 3


def test_a_forgotten_joint_is_told_and_certified(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    """What `check` warns of goes with the run, also when it is resumed."""
    text = (pendulum / "SystemStructure.ssd").read_text()
    lower = '<ssd:Component name="lower"'
    loose = (
        '<ssd:Component name="loose" type="application/x-bondline-leaf" '
        'source="leaf:free-bar"/>'
    )
    model = tmp_path / "SystemStructure.ssd"
    model.write_text(text.replace(lower, loose + lower))
    here = ("--project", tmp_path, "run")
    got = call(*here, model, "--until", "20ms", "--name", "x")
    assert got.code == 0
    assert got.err.startswith("warning  BND018: loose is glued to nothing.")
    told = call("--json", *here, "--resume", "x", "--until", "40ms")
    assert "BND018" in told.err
    (warning,) = told.json["warnings"]
    assert warning.startswith("BND018: loose is glued to nothing.")
    assert warning in told.json["certificate"]["warnings"]


def test_a_run_that_lost_windows_says_that_and_nothing_else(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    here = ("--project", tmp_path, "run")
    assert call(*here, pendulum, "--until", "50ms", "--name", "x").code == 0
    with sqlite3.connect(tmp_path / "runs" / "x" / "run.sqlite") as db:
        db.execute("DELETE FROM windows WHERE n > 3")
    db.close()
    got = call(*here, "--resume", "x", "--until", "0.1")
    assert got.code == 41
    assert "window 3" in got.err
    assert "verify" in got.err.split("try: ")[1]


def test_a_name_is_taken_once(call: Call, home: Path, pendulum: Path) -> None:
    got = call("--project", home, "run", pendulum, "--name", "good")
    assert (got.code, "runs rm good" in got.err) == (2, True)


def test_a_longer_end_continues_to_the_same_bits(
    call: Call, pendulum: Path, tmp_path: Path
) -> None:
    here = ("--project", tmp_path, "--json", "run")
    whole = call(*here, pendulum, "--until", "0.2", "--set", "upper.mass=11kg").json
    part = call(*here, pendulum, "--until", "0.1", "--set", "upper.mass=11kg").json
    rest = call(*here, "--resume", part["run"], "--until", "0.2").json
    assert rest["sha256"] == whole["sha256"] != part["sha256"]
    assert rest["new_windows"] == 10


def test_a_resumed_run_keeps_model_and_settings(
    call: Call, home: Path, project: Path
) -> None:
    here = ("--project", home, "run", "--resume", "good")
    other = call(*here, project / "examples" / "linear_chain")
    assert other.code == 50
    assert "the model has changed" in other.err
    got = call(*here, "--tol", "1e-3", "--step", "1ms")
    assert got.code == 2
    assert "keeps its settings" in got.err
    assert "Leave --tol --step away" in got.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_resumes_to_the_same_bits(
    call: Call, pendulum: Path, tmp_path: Path, number: signal.Signals
) -> None:
    """The run is stopped once it has begun to write, wherever it is then."""
    process = start("run", pendulum, "--until", "1000s", "--name", "x", cwd=tmp_path)
    assert process.stdout is not None
    while "lower" not in process.stdout.readline():
        pass  # the header is out: handlers come next, and 1000 s take long enough
    _wait_for_windows(tmp_path / "runs" / "x")
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 10
    assert "bondline run --resume x" in err
    where = ("--project", tmp_path, "--json")
    reached = call(*where, "runs", "show", "x").json
    assert reached["status"] == "interrupted"
    more = reached["t"] + 0.05
    resumed = call(*where, "run", "--resume", "x", "--until", repr(more)).json
    fresh = call(*where, "run", pendulum, "--until", repr(more)).json
    assert resumed["sha256"] == fresh["sha256"]
    assert call(*where, "verify", "x").json["sha256"] == fresh["sha256"]


def test_what_a_stopped_run_says_has_all_that_going_on_needs(
    pendulum: Path, tmp_path: Path
) -> None:
    """Where parts are is no setting of a run: it is said again."""
    file = tmp_path / "my parts.toml"
    file.write_text("[parts.lower]\nprocess = true\n", encoding="utf-8")
    away = ("--placement", file.name, "--processes")
    long = ("--until", "1000s", "--name", "x", *away)
    process = start("run", pendulum, *long, cwd=tmp_path)
    assert process.stdout is not None
    while "lower" not in process.stdout.readline():
        pass
    _wait_for_windows(tmp_path / "runs" / "x")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 10
    assert "run --resume x --placement 'my parts.toml' --processes" in err


def test_the_first_signal_asks_and_the_second_insists() -> None:
    before = signal.getsignal(signal.SIGINT)
    with listening(Voice(quiet=True)) as stop:
        assert not stop()
        signal.raise_signal(signal.SIGINT)
        assert stop()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_signal_is_answered_between_windows_not_inside_a_write(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with listening(Voice()) as stop:
        signal.raise_signal(signal.SIGINT)
        assert capsys.readouterr().err == ""
        assert stop()
        assert stop()
    assert capsys.readouterr().err.count("once more to stop at once") == 1


def _wait_for_windows(folder: Path) -> None:
    from bondline.run import Run

    while not Run(folder).summary.windows:
        pass
