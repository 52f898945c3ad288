"""Nothing is lost and nothing is half there: kill -9 at every step, and full disks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from bondline.errors import UsageError
from bondline.library import Draft, Library, transfer
from bondline.library.unpack import unpack
from tests.library.conftest import rail
from tests.library.dying import killed_at, without_room

ROOT = Path(__file__).resolve().parents[2]


def _add(url):
    with Library(url, create=True) as library:
        library.add(rail("*NODE\n2\n"))


def _new(url):
    with Library(url, create=True) as library:
        files = {"SystemStructure.ssd": b"<a/>", "a.inp": b"*NODE\n7\n"}
        library.add(Draft("frame", "integrated", "SystemStructure.ssd", files))


def _join(url):
    with Library(url, create=True) as library:
        library.join("truck", "bob")


def _pull(url):
    with Library(url, create=True) as library, Library(f"{url}-b") as other:
        transfer(other, library, "beam")


def _push(url):
    with Library(url, create=True) as library, Library(f"{url}-b") as other:
        transfer(library, other, "rail")


def _look(url):
    with Library(url, create=True) as library:
        library.search("rail"), library.verify(), library.events()


def _start(url):
    with Library(url, create=True):
        pass


def state(url):
    """All that a library says; nothing may be wrong with it."""
    with Library(url, create=True) as library:
        verdict = library.verify()
        assert verdict.problems == ()
        entries = [e for h in library.search() for e in library.history(h.name)]
        files = [library.files(e) for e in entries]
        assert verdict.events >= len(entries)
        names = [(str(e.reference), e.passport.digest) for e in entries]
        return names, files, library.members("truck")


def prepared(url):
    with Library(url, create=True) as library:
        library.add(rail())


@pytest.fixture
def kept(tmp_path):
    """Two libraries as they are before an operation."""
    folder = tmp_path / "kept"
    prepared(str(folder / "a"))
    with Library(str(folder / "a-b"), create=True) as other:
        other.add(Draft("beam", "leaf", "a.inp", {"a.inp": b"1"}))
        other.add(Draft("beam", "leaf", "a.inp", {"a.inp": b"2"}))
    return folder


def both(folder):
    return [state(str(folder / name)) for name in ("a", "a-b")]


def survives(kept, operation, step):
    """Whether it was killed at that step; what was there then, and once repeated."""
    here = kept.parent / f"at-{step}"
    shutil.copytree(kept, here)
    work = partial(operation, str(here / "a"))
    killed = killed_at(step, work)
    found = both(here)
    work()
    again = both(here)
    shutil.rmtree(here)
    return killed, found, again


def all_steps(kept, operation, stride=1):
    """Kill it at every step; whole then, and repeated it comes to the same."""
    seen, last = [], []
    for step in count(0, stride):
        killed, found, again = survives(kept, operation, step)
        seen.append(found)
        last.append(again)
        if not killed:
            break
    assert len(seen) > 3
    assert all(again == seen[-1] for again in last)
    return seen


@pytest.mark.parametrize(("operation", "stride"), [(_new, 5), (_pull, 13)])
def test_kill_9_at_some_steps_leaves_the_library_whole(kept, operation, stride):
    seen = all_steps(kept, operation, stride)
    assert seen[0] != seen[-1]


@pytest.mark.full
@pytest.mark.parametrize("operation", [_new, _add, _join, _pull, _push, _look])
def test_kill_9_at_any_step_leaves_the_library_whole(kept, operation):
    seen = all_steps(kept, operation)
    kinds = {str(found) for found in seen}
    assert len(kinds) <= {_look: 1, _pull: 3}.get(operation, 2), "nothing is half there"


@pytest.mark.full
def test_kill_9_while_a_library_is_made_leaves_it_to_be_made(kept):
    shutil.rmtree(kept / "a")
    assert len(all_steps(kept, _start)) > 20


@pytest.mark.full
@pytest.mark.parametrize("call", ["pwrite64", "fdatasync", "fsync"])
def test_kill_9_inside_of_sqlite_leaves_the_library_whole(kept, call):
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed: nothing stops SQLite at a system call")
    url = str(kept / "a")
    work = f"from tests.library.test_library_kill import _add; _add({url!r})"
    before, codes = state(url), []
    for n in (1, 2, 3, 5, 8):
        kill = ["-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={n}"]
        command = ["strace", "-f", "-qq", "-o", "/dev/null", *kill, sys.executable]
        done = subprocess.run([*command, "-c", work], cwd=ROOT, check=False, timeout=60)
        codes.append(done.returncode)
        names, *_ = state(url)
        assert names[0] == before[0][0]
        assert len(names) <= 2
    assert codes[0] != 0, "it was killed"


@pytest.mark.parametrize("stride", [7, pytest.param(1, marks=pytest.mark.full)])
def test_kill_9_at_any_step_leaves_postgresql_whole(team, stride):
    url = team()
    prepared(url)
    for step in count(0, stride):
        text = f"*NODE\n{step + 2}\n"
        with Library(url) as library:
            before = library.latest("rail")

        def add(text=text):
            with Library(url) as library:
                library.add(rail(text))

        if not killed_at(step, add):
            break
        with Library(url) as library:
            assert library.latest("rail") in (before, before + 1)
            library.add(rail(text))
            assert library.latest("rail") == before + 1
    assert step > 5
    state(url)


def test_a_folder_is_there_whole_or_not_at_all(tmp_path):
    url, step = str(tmp_path / "a"), 2
    prepared(url)
    folder = tmp_path / "a-files"

    def pull():
        with Library(url) as library:
            unpack(library, "rail", folder)

    while killed_at(step, pull):
        if folder.exists():
            assert sorted(os.listdir(folder)) == ["passport.json", "rail.inp"]
            shutil.rmtree(folder)
        step += 3
    assert (folder / "rail.inp").read_bytes() == b"*NODE\n"
    with Library(url) as library, pytest.raises(UsageError, match="new folder"):
        unpack(library, "rail", folder)


def test_a_full_disk_is_told_and_leaves_the_library_whole(tmp_path):
    url = str(tmp_path / "a")
    prepared(url)
    large = rail("*NODE\n" + 200_000 * "1")

    def add():
        with Library(url) as library:
            library.add(large)

    before, told = state(url), []
    for limit in (0, 1000, 100_000, 150_000, 10**7):
        told.append(without_room(limit, add))
        if told[-1]:
            assert state(url) == before
    assert told == [True, True, True, True, False]
    with Library(url) as library:
        assert library.latest("rail") == 2
    assert not list((tmp_path / "a" / "files").rglob(".*"))
    rooms = [4096 * (8 + 2 * k) for k in range(6)]
    full = [without_room(room, partial(_note, url, f"v{room}")) for room in rooms]
    assert True in full, "the database itself must meet its limit"
    state(url)


def _note(url, text):
    with Library(url) as library:
        library.add(rail(text))
