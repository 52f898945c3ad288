"""FT-12: kill -9 of the coordinator at named points, once and ten times a run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bondline.run import find
from tests.chaos.desk import Desk
from tests.chaos.failpoints import (
    TURNS,
    Point,
    after,
    no_strace,
    numbered,
)

pytestmark = pytest.mark.skipif(bool(no_strace()), reason=no_strace())

WAL, LOG, SHM = "run.sqlite-wal", "audit.jsonl", "run.sqlite-shm"
DRAFT = {  # while the folder of the run has a name that nobody knows
    "a draft begins": Point("pwrite64", "run.sqlite-journal"),
    "before the draft's file is synced": Point("fdatasync", ".draft/run.sqlite"),
    "before the schema is appended": Point("pwrite64", WAL, 2),
    "before the schema is synced": Point("fdatasync", WAL, 2),
    "before the facts are synced": Point("fdatasync", WAL, 3),
    "before the draft's log is copied": Point("pwrite64", ".draft/run.sqlite", 2),
    "before the draft's log goes": Point("unlink", WAL),
    "before the draft's model is synced": Point("fsync", "model.ssp"),
    "before the draft's folder is synced": Point("fsync", ".draft"),
    "before the draft gets its name": Point("rename", ".draft"),
    "before its name is synced": Point("fsync", "/runs"),
}
STORED = {  # in the folder of the run
    "before the audit log begins": Point("write", LOG),
    "before its beginning is synced": Point("fsync", LOG),
    "before the lock says whose it is": Point("pwrite64", "lock"),
    "before anything is appended": Point("pwrite64", WAL),
    "before the head of the appended is synced": Point("fdatasync", WAL),
    "before it is synced that it runs": Point("fdatasync", WAL, 2),
    "a reply is heard, and not written down": Point("write", LOG, 14),
    "before the owner is asked for a checkpoint": Point("fsync", LOG, 2),
    "the owner has the checkpoint, and nobody knows": Point("fsync", LOG, 3),
    "before windows are appended": Point("pwrite64", WAL, 6),
    "windows are appended in part": Point("pwrite64", WAL, 9),
    "before windows and checkpoint are committed": Point("fdatasync", WAL, 3),
    "before later ones are": Point("fdatasync", WAL, 4),
    "before what was appended is copied": Point("pwrite64", "run.sqlite"),
    "before the file gets its length": Point("ftruncate", "run.sqlite"),
    "before the copy is synced": Point("fdatasync", "run.sqlite"),
    "before the index goes": Point("unlink", SHM),
    "before what was appended goes": Point("unlink", WAL),
}
LINE = {  # between the coordinator and the owner
    "before the first bytes": Point("sendto", "", 1),
    "before the session is open": Point("sendto", "", 3),
    "before a request": Point("sendto", "", 20),
    "before a later request": Point("sendto", "", 60),
    "before a reply is read": Point("recvfrom", "", 12),
}
COMMITTED = "windows are committed, and nobody knows"
LONG = ("--until", "1.5s", "--step", "10ms")  # to commit more often than it is killed
POINTS = [*DRAFT, *STORED, *LINE, COMMITTED]


def point(desk: Desk, what: str, name: str) -> Point:
    """Where that is in a new run of this name."""
    if what in DRAFT:
        p = DRAFT[what]
        return numbered(desk.record, p.name, p.file, p.nth)
    if what == COMMITTED:
        written = [c for c in desk.record if ".draft" not in c.rest]
        p = after(written, Point("fdatasync", WAL, 3), Point("fcntl", SHM))
        return replace(p, within=desk.runs / name)
    if what in STORED:
        return replace(STORED[what], within=desk.runs / name)
    return LINE[what]


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("what", POINTS)
def test_kill_9_at_a_named_point_changes_no_bit(desk: Desk, what: str, turn: int):
    name = f"k-{POINTS.index(what)}-{turn}"
    desk.killed(name, point(desk, what, name))
    assert desk.finished(name) == desk.golden


RESUMED = {  # points of a run that is carried on
    "before the lock says whose it is": Point("pwrite64", "lock"),
    "before the file is recovered": Point("ftruncate", SHM),
    "while the owner finds the state": Point("sendto", "", 4),
    "before it is synced that it runs": Point("fdatasync", WAL),
    "before a reply is read": Point("recvfrom", "", 9),
    "a reply is heard, and not written down": Point("write", LOG, 6),
    "windows are appended in part": Point("pwrite64", WAL, 8),
    "before windows are committed": Point("fdatasync", WAL, 3),
}


@pytest.fixture(scope="module")
def long(desk: Desk) -> Desk:
    home = replace(desk.lives.home, flags=LONG)
    return replace(desk, grid=LONG, golden=home.run("long"))


@pytest.mark.parametrize("turn", TURNS)
def test_ten_kills_in_one_run_and_in_its_resumes_change_no_bit(long: Desk, turn: int):
    name, desk = f"often-{turn}", long
    desk.killed(name, point(desk, "before the draft gets its name", name))
    desk.killed(name, point(desk, "before later ones are", name))
    stored = committed(desk, name)
    every = list(RESUMED.values())
    for k in range(len(every)):
        p = every[(k + turn) % len(every)]
        desk.killed(name, replace(p, within=desk.runs / name if p.file else None))
        assert committed(desk, name) >= stored, "nothing committed is lost"
        stored = committed(desk, name)
    assert desk.finished(name) == desk.golden


def committed(desk: Desk, name: str) -> int:
    return find(desk.runs, name).summary.windows or 0
