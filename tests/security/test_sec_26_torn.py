"""SEC-26, FT-13: what a power failure leaves of an audit log, and what was told."""

from __future__ import annotations

import pytest

from bondline.errors import CorruptLog
from bondline.remote.client.ledger import Ledger
from bondline.remote.log.audit import AuditLog
from bondline.remote.log.audit_read import read_log
from bondline.remote.privacy.policy import Policy
from bondline.remote.privacy.policy_gate import PolicyGate

ME = "spiffe://truck/integrator"


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "audit.jsonl"
    made = AuditLog(path, "owner")
    for n in range(6):
        made.write("call", who=ME, model="rail", method="advance", numbers=3 * n)
    made.close()
    return path


def test_half_a_record_is_cut_off_and_said(log):
    with log.open("ab") as file:
        file.write(b'{"at":"2026')
    with pytest.raises(CorruptLog, match="record 7: it is cut short"):
        read_log(log)
    AuditLog(log, "owner").close()
    last = read_log(log).records[-1]
    assert (last["kind"], last["bytes"]) == ("torn", 11)


def test_half_a_first_record_leaves_a_log_that_begins(log):
    log.write_bytes(log.read_bytes()[:40])
    AuditLog(log, "owner").close()
    first, second = read_log(log).records
    assert (first["kind"], first["side"]) == ("begin", "owner")
    assert (second["kind"], second["bytes"]) == ("torn", 40)


@pytest.mark.parametrize("lost", [0, 3, 6])
def test_a_lost_page_is_cut_off_with_what_follows_and_kept_beside(log, lost):
    """Zeros are what a disk has where a page was never written."""
    lines = log.read_bytes().splitlines(keepends=True)
    kept = b"".join(lines[:lost])
    torn = b"".join([lines[lost][:9], bytes(40), lines[lost][49:], *lines[lost + 1 :]])
    log.write_bytes(kept + torn)
    with pytest.raises(CorruptLog, match=f"record {lost}: it has zeros, as lost pages"):
        read_log(log)
    AuditLog(log, "owner").close()
    assert log.read_bytes().startswith(kept)
    last, aside = read_log(log).records[-1], log.with_name(f"{log.name}.{lost}.torn")
    assert (last["kind"], last["bytes"]) == ("torn", len(torn))
    assert last["kept"] == aside.name
    assert aside.read_bytes() == torn
    assert aside.stat().st_mode & 0o077 == 0


def test_a_second_hole_at_the_same_record_leaves_what_was_kept_of_the_first(log):
    """The power fails again, before the page that says so is on the disk."""
    for _ in range(3):
        lines = log.read_bytes().splitlines(keepends=True)
        log.write_bytes(b"".join([*lines[:3], bytes(9), *lines[3:]]))
        torn = log.read_bytes()[len(b"".join(lines[:3])) :]
        AuditLog(log, "owner").close()
        kept = log.with_name(read_log(log).records[-1]["kept"])
        assert kept.read_bytes() == torn
    names = {path.name for path in log.parent.glob("*.torn")}
    assert names == {f"audit.jsonl.3{k}.torn" for k in ("", ".2", ".3")}


def test_zeros_in_a_log_that_is_open_are_refused(log):
    """The power was not away: somebody wrote them."""
    made = AuditLog(log, "owner")
    with log.open("ab") as file:
        file.write(bytes(10) + b"\n")
    with pytest.raises(CorruptLog, match="record 7: it is not what"):
        made.write("call", who=ME)
    assert not list(log.parent.glob("*.torn"))


class Crowded(AuditLog):
    """Whenever it has been sealed, somebody else writes."""

    sealed = -1

    def seal(self):
        super().seal()
        self.sealed = self._number
        self.write("call", who=ME)


@pytest.mark.parametrize("side", ["owner", "integrator"])
def test_the_head_that_is_told_is_on_the_disk(tmp_path, side):
    log = Crowded(tmp_path / "audit.jsonl", side)
    judge, ledger = PolicyGate(Policy(), audit=log), Ledger("here:1", "rail", log)
    number, _ = judge.head() if side == "owner" else ledger.head()
    assert number <= log.sealed
