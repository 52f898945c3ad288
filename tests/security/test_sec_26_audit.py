"""SEC-26, PRIV-08: the audit log tells all that left, and cannot be changed."""

from __future__ import annotations

import errno
import json
import os
import re
import resource
import threading
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from bondline.cli import main
from bondline.core import Signal, uniform
from bondline.errors import CorruptLog, StorageError
from bondline.remote.log.audit import AuditLog
from bondline.remote.log.audit_read import agree, read_log
from bondline.remote.owner.gate import Call
from bondline.remote.privacy.leakage import accounts, estimates
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.run import Keep, simulate

from .beams import H, assembly, driven, hidden, impulse, ordinary, truth
from .tapped import Tapped

ME = "spiffe://truck/integrator"


def gate(path, keep="counts"):
    grant = Grant(ME, "hidden", frozenset(METHODS), steps=Steps((H,)))
    policy = Policy(grants=(grant,), audit=path, keep=keep)
    return PolicyGate.of(policy)


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "audit.jsonl"
    made = AuditLog(path, "owner")
    for n in range(6):
        made.write("call", who=ME, model="rail", method="advance", numbers=3 * n)
    made.close()
    return path


def test_an_untouched_log_holds(log):
    """The positive control of what follows."""
    assert [r["n"] for r in read_log(log).records] == list(range(7))


def test_every_changed_byte_is_found_and_its_record_named(log):
    whole = b"".join(log.read_bytes().splitlines(keepends=True)[:3])
    ends = np.cumsum([len(line) + 1 for line in whole.split(b"\n")])
    for at in range(len(whole)):
        changed = bytearray(whole)
        changed[at] ^= 1
        log.write_bytes(changed)
        with pytest.raises(CorruptLog) as broken:
            read_log(log)
        number = int(np.searchsorted(ends, at, side="right"))
        assert broken.value.place == f"{log}: record {number}", at
        assert broken.value.exit_code == 41


def test_spaces_and_other_spellings_are_found(log):
    lines = log.read_text().splitlines()
    lines[3] = json.dumps(json.loads(lines[3]))
    log.write_text("\n".join(lines) + "\n")
    with pytest.raises(CorruptLog, match="record 3"):
        read_log(log)


@pytest.mark.parametrize("gone", [0, 1, 5])
def test_a_record_that_is_missing_inside_is_found(log, gone):
    lines = log.read_text().splitlines(keepends=True)
    del lines[gone]
    log.write_text("".join(lines))
    with pytest.raises(CorruptLog, match=f"record {gone}"):
        read_log(log)


def test_records_in_another_order_are_found(log):
    lines = log.read_text().splitlines(keepends=True)
    lines[2], lines[3] = lines[3], lines[2]
    log.write_text("".join(lines))
    with pytest.raises(CorruptLog, match="record 2"):
        read_log(log)


def test_the_last_entry_cannot_go_unnoticed_by_the_other_side(tmp_path):
    """Heads are exchanged at a checkpoint; then the owner's last entry is deleted."""
    owner, other = tmp_path / "owner.jsonl", tmp_path / "integrator.jsonl"
    mine, theirs = AuditLog(owner, "owner"), AuditLog(other, "integrator")
    for n in range(3):
        mine.write("call", who=ME, model="rail", method="advance", numbers=n)
        theirs.write("call", who="rail", model="rail", method="advance", numbers=n)
    theirs.heard("rail", *mine.head())
    mine.heard(ME, *theirs.head())
    assert agree(read_log(owner), read_log(other)) == 1
    assert agree(read_log(other), read_log(owner)) == 1
    lines = owner.read_text().splitlines(keepends=True)
    owner.write_text("".join(lines[:-2]))  # its note of the head, and the entry before
    read_log(owner)  # by itself it holds: that is why heads are exchanged
    with pytest.raises(CorruptLog, match=f"record 3: it is gone: {other} wrote down"):
        agree(read_log(owner), read_log(other))
    assert main(["audit", "verify", str(owner)]) == 0
    assert main(["audit", "verify", str(owner), "--against", str(other)]) == 41


def test_a_history_that_is_written_anew_is_found(tmp_path):
    owner, other = tmp_path / "owner.jsonl", tmp_path / "integrator.jsonl"
    mine, theirs = AuditLog(owner, "owner"), AuditLog(other, "integrator")
    mine.write("call", who=ME, numbers=1)
    theirs.heard("rail", *mine.head())
    lines = owner.read_text().splitlines(keepends=True)
    owner.write_text(lines[0])
    again = AuditLog(owner, "owner")
    again.write("call", who=ME, numbers=0)
    with pytest.raises(CorruptLog, match="record 1: it is not the one"):
        agree(read_log(owner), read_log(other))


@pytest.fixture
def partners(tmp_path):
    """An owner and an integrator who exchanged their heads."""
    owner, other = tmp_path / "owner.jsonl", tmp_path / "integrator.jsonl"
    mine, theirs = AuditLog(owner, "owner"), AuditLog(other, "integrator")
    mine.write("call", who=ME, numbers=1)
    theirs.heard("rail:1", *mine.head())
    mine.heard(ME, *theirs.head())
    mine.close()
    theirs.close()
    return owner, other


@pytest.mark.parametrize("how", ["emptied", "replaced"])
@pytest.mark.parametrize("side", [0, 1], ids=["owner", "integrator"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_log_that_is_gone_is_missed(partners, how, side, turned, capsys):
    gone, kept = partners[side], partners[1 - side]
    (told,) = read_log(kept).heads
    gone.write_bytes(b"")
    if how == "replaced":
        AuditLog(gone, ("owner", "integrator")[side]).close()
    asked = (kept, gone) if turned else (gone, kept)
    assert main(["audit", "verify", str(asked[0]), "--against", str(asked[1])]) == 41
    said = " ".join(capsys.readouterr().err.split())
    assert f"{gone}: record {told['number']}" in said
    assert f"{kept} wrote down its hash" in said
    assert f"Are {gone} and {kept} logs of two partners" in said
    assert told["head"].partition(":")[2] in said
    assert told["at"] in said


def test_a_log_that_began_anew_during_a_run_is_missed(partners, capsys):
    owner, other = partners
    old = owner.rename(owner.with_name("old.jsonl"))
    again, theirs = AuditLog(owner, "owner"), AuditLog(other, "integrator")
    theirs.heard("rail:1", *again.head())
    words = ["audit", "verify", str(other), "--against", str(owner)]
    assert main(words) == 41
    assert "record 1: it is missing" in capsys.readouterr().err
    assert main([*words, "--against", str(old)]) == 0


def test_logs_of_many_partners_are_compared_in_pairs(partners, tmp_path):
    """A run has heads of other owners, and an owner those of other runs."""
    owner, other = partners
    axle, later = tmp_path / "axle.jsonl", tmp_path / "later.jsonl"
    mine, theirs = AuditLog(owner, "owner"), AuditLog(other, "integrator")
    theirs.heard("axle:1", *AuditLog(axle, "owner").head())
    mine.heard(ME, *AuditLog(later, "integrator").head())
    for one, two in ((owner, other), (other, owner), (axle, other)):
        assert main(["audit", "verify", str(one), "--against", str(two)]) == 0


def test_nothing_to_compare_is_not_agreement(log, tmp_path, capsys):
    other = tmp_path / "other.jsonl"
    AuditLog(other, "integrator").close()
    assert main(["audit", "verify", str(log), "--against", str(other)]) == 0
    said = capsys.readouterr()
    assert "agree" not in said.out
    assert "nothing to compare" in " ".join(said.err.split())


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced", "emptied"])
def test_a_log_that_is_taken_away_serves_nothing(log, how):
    made = AuditLog(log, "owner")
    if how == "deleted":
        log.unlink()
    elif how == "emptied":
        log.write_bytes(b"")
    else:
        log.rename(log.with_name("elsewhere.jsonl"))
    if how == "replaced":
        AuditLog(log, "owner").close()
    for _ in range(2):
        with pytest.raises(StorageError, match="nothing is served"):
            made.heard(ME, 1, "x")


@pytest.mark.parametrize("record", [0, 3, 6])
def test_a_log_that_was_changed_is_not_taken_up(log, record):
    lines = log.read_text().splitlines(keepends=True)
    lines[record] = lines[record].replace('"at":"2', '"at":"1')
    log.write_text("".join(lines))
    with pytest.raises(CorruptLog, match=f"record {record}: it is not what"):
        AuditLog(log, "owner")
    assert log.read_text() == "".join(lines), "nothing is added to it"


def test_a_log_goes_on_where_it_ended(log):
    more = AuditLog(log, "owner")
    assert more.write("call", who=ME) == 7
    assert len(read_log(log).records) == 8


def test_two_writers_make_one_chain(log):
    both = [AuditLog(log, "owner") for _ in range(2)]

    def write(one):
        for n in range(50):
            one.write("call", who=ME, numbers=n)

    each = [threading.Thread(target=write, args=(one,)) for one in both]
    for thread in each:
        thread.start()
    for thread in each:
        thread.join()
    assert len(read_log(log).records) == 107


def test_a_log_is_private(log):
    assert log.stat().st_mode & 0o077 == 0


def test_a_log_that_cannot_be_written_serves_nothing(tmp_path):
    with pytest.raises(StorageError, match="nothing is served"):
        AuditLog(tmp_path, "owner")


SIDES = {
    "owner": ("so that nothing is served", "the room on the disk"),
    "supplier": ("so that no supplier is asked", "the room on the disk"),
    "integrator": (
        "what partners send, on the disk of this machine, cannot be written",
        "Make room, then resume the run",
    ),
}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("side", SIDES)
def test_a_full_disk_is_told_as_what_it_is_to_whose_it_is(tmp_path, side):
    path, (finding, remedy) = tmp_path / "audit.jsonl", SIDES[side]
    path.symlink_to("/dev/full")
    with pytest.raises(StorageError) as told:
        AuditLog(path, side)
    assert (told.value.place, told.value.exit_code) == (str(path), 40)
    assert finding in told.value.finding
    assert "No space left on device" in told.value.finding
    assert remedy in told.value.remedy
    assert re.search(rf"\d+ bytes are free in {tmp_path}\.", told.value.remedy)
    assert ("served" in str(told.value)) == (side == "owner")


def test_priv_08_the_report_equals_what_was_counted(tmp_path):
    """A real glued run through the gate; the counters are kept beside it."""
    path = tmp_path / "audit.jsonl"
    judge = gate(path)
    tapped = Tapped(hidden(), judge, ME)
    simulate(assembly(tapped, 0), until=100 * H, step=H, record=Keep())
    assert judge.admit(Call("spiffe://ship/spy", "hidden", "start")) is not None
    judge.close()
    mine, spy = accounts(read_log(path).records)
    assert mine.numbers == tapped.counted["numbers"] > 300
    assert sum(mine.calls.values()) == tapped.counted["calls"]
    assert mine.windows == tapped.counted["windows"] == 100
    assert sum(mine.by_method.values()) == mine.numbers
    assert mine.steps == {H}
    assert (spy.who, spy.denied, spy.numbers) == ("spiffe://ship/spy", 1, 0)


def played(path, forces, keep="numbers"):
    """Forces given to the hidden model through a gate that keeps numbers."""
    judge = gate(path, keep)
    driven(Tapped(hidden(), judge, ME), forces)
    judge.close()
    return read_log(path).records


def test_the_log_keeps_the_very_numbers_if_the_owner_wants_it(tmp_path):
    forces = ordinary(30, 0)
    kept = [r for r in played(tmp_path / "a.jsonl", forces) if r["kind"] == "call"][1:]
    assert [r["in"]["end"][0] for r in kept] == forces.tolist()
    shown = driven(hidden(), forces)
    assert [r["out"]["end"][0] for r in kept] == shown["x"][:, 0].tolist()
    counted = played(tmp_path / "b.jsonl", forces, "counts")
    assert not any("out" in r or "in" in r for r in counted)


def test_the_audit_says_how_many_modes_come_out(tmp_path, capsys):
    path = tmp_path / "a.jsonl"
    (found,) = estimates(played(path, ordinary(600, 1)), ME, "hidden")
    first = truth()[: found.modes]
    assert found.modes >= 5
    assert np.abs(np.array(found.frequencies) / first - 1.0).max() < 0.01
    assert main(["audit", str(path)]) == 0
    said = capsys.readouterr().out
    assert f"reveals {found.modes} modes" in said
    assert "6.684, 41.89, 117.3" in said


def test_an_attack_that_finds_nothing_promises_nothing(tmp_path, capsys):
    path = tmp_path / "a.jsonl"
    (found,) = estimates(played(path, np.ones((40, 1))), ME, "hidden")
    assert found.modes == 0
    assert main(["audit", str(path)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "reveals no mode to this attack; others may find some: session" in said


def test_an_impulse_in_the_log_is_found_to_reveal_as_much(tmp_path):
    forces = np.zeros((200, 1))
    forces[0] = 1.0
    (found,) = estimates(played(tmp_path / "a.jsonl", forces), ME, "hidden")
    assert found.modes >= 5
    assert impulse(hidden(), 3).shape == (3, 1, 1)


def test_counts_alone_bound_what_is_revealed(tmp_path, capsys):
    path = tmp_path / "a.jsonl"
    (account,) = accounts(played(path, ordinary(40, 1), "counts"))
    assert account.at_most()["from runs"] == 10
    assert main(["audit", "show", str(path)]) == 0
    assert "reveals at most 10 modes" in capsys.readouterr().out


def test_the_command_shows_every_record_and_names_a_broken_one(log, capsys):
    assert main(["audit", str(log), "--numbers"]) == 0
    assert capsys.readouterr().out.count("advance") >= 6
    with log.open("r+b") as file:
        file.seek(os.path.getsize(log) // 2)
        file.write(b"#")
    assert main(["audit", str(log)]) == 41
    assert ": record 3" in capsys.readouterr().err


@pytest.mark.parametrize("room", [0, 20], ids=["none", "a little"])
def test_a_disk_that_was_full_does_not_break_the_chain(tmp_path, room):
    log = AuditLog(tmp_path / "audit.jsonl", "owner")
    log.write("call", who="a")
    with full_disk(log.path, room), pytest.raises(StorageError, match="nothing is"):
        log.write("call", who="b")
    log.write("call", who="c")
    log.close()
    told = [r.get("who") for r in read_log(log.path).records if r["kind"] == "call"]
    assert told == ["a", "c"]


def test_a_record_of_rest_tells_no_mode(tmp_path):
    path = tmp_path / "audit.jsonl"
    tapped = Tapped(hidden(), gate(path, "numbers"), ME)
    state = tapped.start(0.0).state
    for n in range(60):
        push = {"end": Signal.hold(np.zeros(1))}
        state = tapped.advance(state, uniform(0.0, H, n), push).state
    (found,) = estimates(read_log(path).records, ME, "hidden")
    assert (found.windows, found.modes, found.perhaps) == (60, 0, ())


@contextmanager
def full_disk(path, room):
    """No file may become longer than this one is, and so many bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = path.stat().st_size + room
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_sync_that_failed_is_not_tried_again(tmp_path, monkeypatch):
    """The system may have dropped what it could not write: the next one is no proof."""
    path = tmp_path / "audit.jsonl"
    owner_s, disk = AuditLog(path, "owner"), os.fsync

    def broken(fd):
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(StorageError, match="nothing is served"):
        owner_s.seal()
    monkeypatch.setattr(os, "fsync", disk)
    for ask in (owner_s.seal, owner_s.head, lambda: owner_s.write("call", who=ME)):
        with pytest.raises(StorageError, match="the disk did not take it"):
            ask()
    again = AuditLog(path, "owner")  # which reads what there is
    assert again.write("call", who=ME) == 1
    again.close()
