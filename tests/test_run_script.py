"""./run: makes its environment once, whatever happens, and says what is missing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

COMMANDS = "bench, bondline, chaos, demo, docs, extras, fuzz, ladder, test"
GATES = ("ruff", "mypy", "lint-imports", "sphinx-build", "pytest")
TOOL = """\
#!/bin/sh
echo "$(basename "$0") $*" >>"$FAKE_CALLS"
case " $FAKE_BROKEN " in *" $(basename "$0") "*) echo "broken as told"; exit 1 ;; esac
[ "$(basename "$0")" != pytest ] || echo "=== 7 passed in 0.1s ==="
"""
NEEDED = (
    *("basename", "cat", "chmod", "cksum", "cp", "dirname", "env", "find", "grep"),
    *("id", "ls", "mkdir", "mv", "readlink", "rm", "tail"),
)  # by ./run and by the fakes
SHOW = '#!/bin/sh\nprintf "%s|" "$PWD" "$OMP_NUM_THREADS" "$XDG_CACHE_HOME" "$@"\n'


@dataclass
class Clone:
    """A small clone whose Python is `fake_python.sh`."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)

    @property
    def stamp(self) -> Path:
        return self.root / ".venv" / ".bondline-stamp"

    def calls(self, start: str) -> list[str]:
        """What was asked of the fakes, as far as it starts like that."""
        lines = Path(self.env["FAKE_CALLS"]).read_text().splitlines()
        return [line for line in lines if line.startswith(start)]

    def run(
        self, *words: str, shell: str = "sh", cwd: Path | None = None, **env: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [shell, str(self.root / "run"), *words],
            cwd=cwd or self.root,
            env={**self.env, **env},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
            start_new_session=True,
        )


@pytest.fixture
def clone(project, tmp_path) -> Clone:
    root, tools = tmp_path / "my clone", tmp_path / "tools"
    for folder in (root, tools, tmp_path / "home"):
        folder.mkdir()
    shutil.copy(project / "run", root)
    shutil.copy(project / "tests" / "fake_python.sh", tmp_path / "python3")
    (root / "requirements.lock").write_text("uv==0\n")
    (root / "pyproject.toml").write_text("[project]\n")
    for name, text in {**dict.fromkeys(GATES, TOOL), "show": SHOW}.items():
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    (tmp_path / "calls").touch()
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / "home"),
        "PYTHON": str(tmp_path / "python3"),
        "FAKE_CALLS": str(tmp_path / "calls"),
        "FAKE_TOOLS": str(tools),
        "FAKE_REAL": sys.executable,
        "FAKE_BROKEN": "",
    }
    return Clone(root, env)


def identity(path: Path) -> tuple[int, int]:
    return path.stat().st_ino, path.stat().st_mtime_ns


SHELLS = [shell for shell in ("sh", "dash", "bash") if shutil.which(shell)]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_first_call_makes_the_environment_and_the_second_touches_nothing(
    clone, shell
):
    first = clone.run("show", shell=shell)
    before = identity(clone.stamp)
    second = clone.run("show", shell=shell)
    assert (first.returncode, second.returncode) == (0, 0)
    assert "making" in first.stderr
    assert second.stderr == ""
    assert identity(clone.stamp) == before
    assert len(clone.calls("uv pip sync")) == 1


def test_uv_is_the_one_of_the_lock(clone):
    clone.run("show")
    (pip,) = clone.calls("python -I -m pip install")
    assert pip.endswith(" uv==0")
    (install,) = clone.calls("uv pip install")
    assert install.endswith("--no-deps --no-build-isolation --editable .")


def test_a_changed_lock_updates_in_place(clone):
    clone.run("show")
    (clone.root / "requirements.lock").write_text("uv==0\nnumpy==2\n")
    again = clone.run("show")
    assert "updating" in again.stderr
    assert len(clone.calls("uv pip sync")) == 2
    assert len(clone.calls("python -I -m venv")) == 1


def test_a_changed_pyproject_needs_no_network(clone):
    clone.run("show")
    (clone.root / "pyproject.toml").write_text("[changed]\n")
    assert "installing bondline again" in clone.run("show").stderr
    assert len(clone.calls("uv pip sync")) == 1
    first, second = clone.calls("uv pip install")
    assert "--offline" in first
    assert "--offline" in second


def test_killed_in_the_middle_it_starts_over(clone):
    assert clone.run("show", FAKE_KILL="1").returncode == -9
    assert clone.stamp.read_text() == ""
    (clone.root / ".venv" / "rubbish").touch()
    assert clone.run("show").returncode == 0
    assert not (clone.root / ".venv" / "rubbish").exists()
    assert len(clone.calls("python -I -m venv")) == 2


def test_a_clone_that_moved_makes_its_environment_anew(clone, tmp_path):
    clone.run("show")
    clone.root = clone.root.rename(tmp_path / "moved")
    assert "making" in clone.run("show").stderr


def test_two_at_once_install_once(clone, tmp_path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    command = ["sh", str(clone.root / "run"), "show"]
    env = {**clone.env, "FAKE_GATE": str(gate)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    first = subprocess.Popen(command, env=env, **pipes)
    with gate.open("w") as opened:  # opens when the first one is installing
        second = subprocess.Popen(command, env=env, **pipes)
        assert second.stderr is not None
        assert "another ./run" in second.stderr.readline()
        opened.write("go\n")
    assert [p.communicate(timeout=60) and p.returncode for p in (first, second)] == [
        0,
        0,
    ]
    assert len(clone.calls("uv pip sync")) == 1


def test_it_works_through_a_link_from_anywhere_and_keeps_arguments(clone, tmp_path):
    link, elsewhere = tmp_path / "bl", tmp_path / "else where"
    link.symlink_to(clone.root / "run")
    elsewhere.mkdir()
    done = subprocess.run(
        [link, "show", "a b", "*", ""],
        cwd=elsewhere,
        env=clone.env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{elsewhere}|1||a b|*||"
    assert (clone.root / ".venv").is_dir()


def test_without_a_home_caches_go_into_the_environment(clone):
    del clone.env["HOME"]
    assert f"|{clone.root}/.venv/cache|" in clone.run("show").stdout
    assert f"|{clone.root}/.venv/cache|" in clone.run("show", HOME="/nowhere").stdout


def test_bondline_knows_by_what_it_was_called(clone):
    (clone.root.parent / "tools" / "bondline").symlink_to("told")
    (clone.root.parent / "tools" / "told").write_text('#!/bin/sh\necho "$BONDLINE_RUN"')
    (clone.root.parent / "tools" / "told").chmod(0o755)
    assert clone.run("bondline").stdout.strip().endswith("run")
    assert clone.run("told").stdout.strip() == ""


def test_the_environment_may_be_elsewhere(clone, tmp_path):
    done = clone.run("show", BONDLINE_VENV="../en v")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "en v" / "bin" / "uv").exists()
    assert not (clone.root / ".venv").exists()


@pytest.mark.parametrize(
    ("word", "finding"),
    [
        (
            "tset",
            f"Did you mean 'test'? Commands: {COMMANDS}.",
        ),
        ("pytets", "Did you mean 'pytest'?"),
        ("../show", "Did you mean 'show'?"),
        ("xyzzy", f"run: Commands: {COMMANDS}."),
    ],
)
def test_an_unknown_command_is_named_with_the_nearest_one(clone, word, finding):
    done = clone.run(word)
    assert done.returncode == 2
    assert f"there is no command or tool '{word}'." in done.stderr
    assert finding in done.stderr


@pytest.mark.parametrize(
    ("verdict", "findings"),
    [
        ("old", ["needs Python >= 3.11; found", "(3.99.0)", "python3-venv"]),
        ("bare", ["(3.99.0), which cannot make environments", "python3-venv"]),
    ],
)
def test_an_unsuitable_python_is_named_with_what_to_install(clone, verdict, findings):
    done = clone.run("show", FAKE_VERDICT=verdict)
    assert done.returncode == 3
    assert all(finding in done.stderr for finding in findings)
    assert not (clone.root / ".venv").exists()


def test_a_missing_python_is_said_to_be_missing(clone):
    done = clone.run("show", PYTHON="/nowhere/python3")
    assert done.returncode == 3
    assert "found none, looking only at PYTHON=/nowhere/python3" in done.stderr


def test_a_python_without_ensurepip_borrows_pip(clone):
    assert clone.run("show", FAKE_VERDICT="pip").returncode == 0
    assert clone.calls("python -I -m venv --without-pip")
    assert clone.calls("python -I -m pip --python")


def test_without_a_c_compiler_one_is_installed_as_a_package(clone, tmp_path):
    few = tmp_path / "few"
    few.mkdir()
    for name in NEEDED:
        (few / name).symlink_to(shutil.which(name))
    done = clone.run("show", shell="/bin/sh", PATH=str(few))
    assert done.returncode == 0, done.stderr
    assert "no C compiler" in done.stderr
    assert clone.calls("uv pip install")[0].endswith("ziglang==0.17.0")


def test_a_c_compiler_that_is_there_is_enough(clone, tmp_path):
    compiler = tmp_path / "my-cc"
    compiler.write_text("#!/bin/sh\n")
    compiler.chmod(0o755)
    assert clone.run("show", CC=str(compiler)).returncode == 0
    assert not any("ziglang" in call for call in clone.calls("uv"))


def test_without_a_network_it_says_so(clone):
    done = clone.run("show", FAKE_PIP="Temporary failure in name resolution")
    assert done.returncode == 3
    assert "could not install uv" in done.stderr
    assert "no network" in done.stderr
    assert clone.run("show").returncode == 0


def test_where_nothing_can_be_written_it_says_so(clone):
    done = clone.run("show", BONDLINE_VENV="/proc/nowhere")
    assert done.returncode == 3
    assert "cannot write /proc/nowhere (you are " in done.stderr
    assert "BONDLINE_VENV" in done.stderr


def test_a_folder_with_something_else_in_it_is_left_alone(clone, tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "final.tex").touch()
    done = clone.run("show", BONDLINE_VENV=str(tmp_path / "thesis"))
    assert done.returncode == 3
    assert "is not empty and not an environment" in done.stderr
    assert (tmp_path / "thesis" / "final.tex").exists()


def test_an_environment_as_it_is_is_never_changed(clone):
    clone.run("show")
    (clone.root / "pyproject.toml").write_text("[changed]\n")
    assert clone.run("show", BONDLINE_AS_IS="1").stderr == ""
    assert len(clone.calls("uv pip sync")) == 1
    done = clone.run("show", BONDLINE_AS_IS="1", BONDLINE_VENV="/nowhere")
    assert "has no bin/python" in done.stderr


def test_help_needs_no_environment(clone):
    assert "usage: ./run COMMAND" in clone.run("--help").stdout
    nothing = clone.run()
    assert (nothing.returncode, "usage:" in nothing.stderr) == (2, True)
    assert not (clone.root / ".venv").exists()


def test_every_gate_is_run_and_named_even_when_one_fails(clone):
    done = clone.run("test", "-k", "a or b", FAKE_BROKEN="mypy")
    assert done.returncode == 1
    assert "broken as told" in done.stdout
    verdicts = [line.split() for line in done.stdout.splitlines() if line[-1:] == "s"]
    assert [v[0] for v in verdicts if "FAILED" in v] == ["mypy", "mypy"]
    assert [" ".join(v[:-3]) for v in verdicts[-6:]] == [
        "ruff check",
        "ruff format",
        "mypy",
        "lint-imports",
        "pytest",
        "docs (the rest)",
    ]
    assert done.stdout.index("7 passed") < done.stdout.rindex("ruff check")
    (pytest_call,) = clone.calls("pytest")
    assert pytest_call.endswith("-m not full -k a or b")


def test_docs_that_fail_beside_the_tests_are_told_of(clone):
    done = clone.run("test", FAKE_BROKEN="sphinx-build")
    assert done.returncode == 1
    assert done.stdout.index("7 passed") < done.stdout.index("broken as told")
    assert re.search(r"^docs \(the rest\) +FAILED", done.stdout, re.MULTILINE)
    assert clone.calls("sphinx-build -q -E -n -W")


def test_all_gates_together_pass(clone):
    done = clone.run("test")
    assert done.returncode == 0, done.stdout
    assert "FAILED" not in done.stdout


def test_the_long_forms_are_only_those(clone):
    assert clone.run("test", "-x", "--full").returncode == 0
    (call,) = clone.calls("pytest")
    assert call.endswith("-m full -x")
    assert not clone.calls("ruff")


def test_a_failing_benchmark_does_not_hide_the_next(clone):
    (clone.root / "benchmarks").mkdir()
    for name in ("a", "b"):
        text = f"print({name!r}); raise SystemExit({int(name == 'a')})"
        (clone.root / "benchmarks" / f"bench_{name}.py").write_text(text)
    done = clone.run("bench")
    assert done.returncode == 1
    assert done.stdout.splitlines()[1::2] == ["a", "b"]


def test_the_ladder_is_climbed_from_the_root(clone, tmp_path):
    folder = clone.root / "tests" / "cases" / "ladder"
    folder.mkdir(parents=True)
    text = "import os, sys; print(os.getcwd(), *sys.argv[1:]); raise SystemExit(1)"
    (folder / "__main__.py").write_text(text)
    done = clone.run("ladder", "--fast", "le 1", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout == f"{clone.root} --fast le 1\n"


@pytest.mark.parametrize(
    ("codes", "expected"), [("0 0", 0), ("1 0", 1), ("0 5", 1), ("1 1", 1)]
)
def test_continuous_integration_runs_both_and_is_honest(
    project, tmp_path, codes, expected
):
    short, long = codes.split()
    scripts = {
        "run": f'echo "$*"; [ "$*" = "test --full" ] && exit {long}; exit {short}',
        "dpkg-query": "echo install ok installed",
    }
    for name, text in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)
    (tmp_path / ".ci").mkdir()
    shutil.copy(project / ".ci" / "run", tmp_path / ".ci")
    done = subprocess.run(
        [tmp_path / ".ci" / "run"],
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "CI": "true"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("test")]
    assert lines == ["test", "test --full"]
    assert done.returncode == expected
    assert done.stdout.splitlines()[-1].startswith(
        "ci: FAILED after" if expected else "ci: passed after"
    )
