"""FT-14: the disk of a coordinator says no: 40, nothing lost, and on to the same bits.

An error of a sync means that the disk forgot something. Nobody may ask again and take
the yes for an answer: nothing is appended after it.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bondline.run import find, verify
from tests.chaos.conftest import EXAMPLES, Home
from tests.chaos.desk import Desk
from tests.chaos.failpoints import Call, no_strace

watching = pytest.mark.skipif(bool(no_strace()), reason=no_strace())
WRITES = "trace=write,pwrite64,fsync,fdatasync"


def refused(desk: Desk, name: str, how: str, *more: str) -> tuple[int, list[Call], str]:
    """A run whose disk refuses that; its calls, and its last words."""
    before = len(desk.lives.words)
    with desk.watched(name, *more, "-e", WRITES, "-e", f"inject={how}") as process:
        code = process.end()
        calls = process.calls
    return code, calls, " ".join(desk.lives.words[before:].split())


def since(calls: list[Call]) -> list[Call]:
    """The call that failed, and all that came after it."""
    no = [k for k, call in enumerate(calls) if "(INJECTED)" in call.rest]
    return calls[no[0] :] if no else []


def on_to_the_same_bits(desk: Desk, name: str) -> None:
    if (desk.runs / name).exists():
        verify(find(desk.runs, name))
    assert desk.finished(name) == desk.golden


SYNCS = {"fsync": 6, "fdatasync": 10}  # of any run: commits come by time, too
MOST = 60


def sync_fails(desk: Desk, call: str, nth: int) -> bool:
    """It ends with 40, or nothing depends on it; False if there is no such call."""
    name = f"{call}-{nth}"
    code, calls, said = refused(desk, name, f"{call}:error=EIO:when={nth}")
    later = since(calls)
    if not later or silent(calls, later, name):
        assert code == 0, said
    else:
        assert code == 40, said
        assert str(desk.runs) in said
        assert "try:" in said
        assert "Make room" not in said
        assert not appended(later), "to what had failed"
    on_to_the_same_bits(desk, name)
    return bool(later)


@watching
@pytest.mark.parametrize(
    ("call", "nth"),
    [(call, n + 1) for call, most in SYNCS.items() for n in range(most)],
)
def test_a_sync_that_fails_ends_the_run_with_40(desk: Desk, call: str, nth: int):
    assert sync_fails(desk, call, nth), "there is no such sync"


@watching
@pytest.mark.full
@pytest.mark.parametrize("call", SYNCS)
def test_there_is_no_sync_beyond_that_could_fail_unheard(desk: Desk, call: str):
    """From the last one above on, until there is none."""
    beyond = range(SYNCS[call] + 1, MOST)
    assert not all(sync_fails(desk, call, nth) for nth in beyond), "more than known"


@watching
def test_most_syncs_that_fail_are_heard(desk: Desk):
    """Those that nothing depends on are SQLite's first, and of folders."""
    every = desk.record
    syncs = [k for k, c in enumerate(every) if c.name in SYNCS]
    quiet = [every[k] for k in syncs if silent(every, every[k:], "undisturbed")]
    assert len(syncs) >= sum(SYNCS.values())
    assert len(quiet) <= 6
    assert not [c for c in quiet if c.on("run.sqlite-wal") or c.on("audit.jsonl")]


def appended(later: list[Call]) -> list[Call]:
    """What was written to SQLite's log, or to ours, after its sync had failed.

    Pages of the file itself may be: they are copied once more, and then synced.
    """
    logs = [f for f in ("run.sqlite-wal", "audit.jsonl") if later[0].on(f)]
    return [c for c in later for f in logs if "write" in c.name and c.on(f)]


def silent(calls: list[Call], later: list[Call], name: str) -> bool:
    """Whether SQLite does not tell, and nothing depends on it.

    It syncs the folder of its log, and does not look; we have done so before. And a
    new file that cannot have such a log yet goes without until it is opened again.
    """
    folder = any(later[0].on(end) for end in (f"/{name}", ".draft"))
    begun = any(c.on("run.sqlite-wal") for c in calls[: -len(later)])
    return later[0].name == "fdatasync" and (folder or not begun)


@watching
@pytest.mark.parametrize("file", ["draft", "run.sqlite-wal", "audit.jsonl"])
def test_a_disk_that_is_full_ends_the_run_with_40(desk: Desk, file: str):
    """From that write on; it is empty again for the next."""
    name = f"full-{file}"
    only = {
        "draft": (),
        "run.sqlite-wal": ("-P", str(desk.runs / name / file)),
        "audit.jsonl": ("-P", str(desk.runs / name / file)),
    }
    call = "write" if file == "audit.jsonl" else "pwrite64"
    how = f"{call}:error=ENOSPC:when=9+"
    code, _, said = refused(desk, name, how, *only[file])
    assert code == 40, said
    assert str(desk.runs) in said
    assert ("the room on the disk" if file == "audit.jsonl" else "Make room") in said
    on_to_the_same_bits(desk, name)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk of 200 kB, where somebody may mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(folder)]
    if shutil.which("mount") is None:
        pytest.skip("there is no mount: no small disk to fill")
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no small disk to fill: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_small_disk_fills_and_a_larger_one_takes_the_rest(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    model, flags = EXAMPLES / "double_pendulum", ("--until", "6s", "--step", "10ms")
    here = Home(tmp_path, model, flags)
    away = replace(here, folder=small)
    assert away.code(model, "--name", "a", *flags) == 40
    said = " ".join(capsys.readouterr().err.split())
    assert str(small) in said
    assert "bytes are free on this disk. Make room, then resume" in said
    stored = verify(find(small / "runs", "a")).windows
    assert 0 < stored < 600
    subprocess.run(["mount", "-o", "remount,size=8m", str(small)], check=True)
    assert away.code("--resume", "a") == 0
    assert away.sha("a") == here.run("a")
