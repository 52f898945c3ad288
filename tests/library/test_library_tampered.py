"""Whoever changes a library is found out: the record is named (SEC-10, SEC-26)."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, update

from bondline.errors import CorruptModel, SecurityError, UsageError
from bondline.library import (
    Draft,
    Library,
    make_key,
    read_key,
    read_signers,
)
from bondline.library.tables import blobs, log, models, versions
from tests.library.conftest import rail

_RAIL = models.c.name == "rail"
_SECOND = (versions.c.name == "rail") & (versions.c.number == 2)
CHANGES = {
    "passport": (update(versions).where(_SECOND).values(passport="{}"), "rail@2"),
    "seal": (update(versions).where(_SECOND).values(seal="0" * 64), "rail@2"),
    "digest": (update(versions).where(_SECOND).values(digest="0" * 64), "rail@2"),
    "signature": (update(versions).where(_SECOND).values(signature="00"), "rail@2"),
    "number": (update(versions).where(_SECOND).values(number=3), "rail@3"),
    "gone": (delete(versions).where(_SECOND), "rail:"),
    "latest": (update(models).where(_RAIL).values(latest=1), "rail:"),
    "access": (update(models).where(_RAIL).values(access="public"), "rail:"),
    "owner": (
        update(models).where(_RAIL).values(access="public", owner="eve"),
        "rail:",
    ),
    "words": (update(models).where(_RAIL).values(words="eve"), "rail:"),
    "who": (update(log).where(log.c.k == 2).values(who="eve"), "log row 2"),
    "version": (update(log).where(log.c.k == 3).values(version=9), "log row 3"),
    "row": (delete(log).where(log.c.k == 1), "log row 1"),
}


@pytest.fixture
def library(tmp_path):
    with Library(str(tmp_path / "library"), create=True) as made:
        yield filled(made)


def filled(made):
    made.add(rail())
    made.add(rail("*NODE\n2\n"))
    made.add(Draft("spare", "leaf"))
    return made


@pytest.mark.parametrize("what", CHANGES)
def test_a_changed_row_is_named(library, what):
    change, record = CHANGES[what]
    assert library.verify().problems == ()
    with library._engine.begin() as db:
        db.execute(change.execution_options(write=True))
    problems = library.verify().problems
    assert {type(p) for p in problems} == {CorruptModel}
    assert any(record in str(p) for p in problems), problems
    assert not any("spare" in str(p) for p in problems)


@pytest.mark.parametrize("what", ["passport", "seal", "access", "gone", "latest"])
def test_what_was_changed_is_not_given_out(library, what):
    with library._engine.begin() as db:
        db.execute(CHANGES[what][0])
    with pytest.raises(CorruptModel, match="rail"):
        library.get("rail")
    assert library.get("spare")


def test_who_cuts_off_the_end_of_the_log_changes_its_head(library):
    head = library.verify().head
    with library._engine.begin() as db:
        db.execute(delete(log).where(log.c.k == 3))
    assert library.verify().head != head


@pytest.mark.parametrize("how", ["changed", "shorter", "gone"])
def test_a_changed_file_is_refused(fresh, how):
    with Library(fresh(), create=True) as made:
        refused(filled(made), how)


def refused(library, how):
    sha = library.get("rail@2").passport.files["rail.inp"]["sha256"]
    _spoil(library, sha, how)
    with pytest.raises(CorruptModel, match=r"rail@2: rail\.inp"):
        library.files(library.get("rail@2"))
    (problem,) = library.verify().problems
    assert "rail@2: rail.inp" in problem.place
    assert library.files(library.get("rail@1")) == {"rail.inp": b"*NODE\n"}


def _spoil(library, sha, how):
    data = {"changed": b"*NODE\n3\n", "shorter": b"*NOD", "gone": None}[how]
    if library.url.drivername == "sqlite":
        file = library._blobs.root / sha[:2] / sha[2:]
        file.unlink() if data is None else file.write_bytes(data)
        return
    where = blobs.c.sha256 == sha
    change = update(blobs).where(where).values(data=data)
    with library._engine.begin() as db:
        db.execute(delete(blobs).where(where) if data is None else change)


def test_a_file_behind_a_link_is_not_read_and_adding_it_again_heals(tmp_path):
    with Library(str(tmp_path / "lib"), create=True) as library:
        entry, _ = library.add(rail())
        sha = entry.passport.files["rail.inp"]["sha256"]
        file, away = library._blobs.root / sha[:2] / sha[2:], tmp_path / "away"
        file.rename(away)
        file.symlink_to(away)
        assert [str(e.reference) for e in library.history("rail")] == ["rail@1"]
        assert len(library.verify().problems) == 1
        file.write_bytes(b"spoilt through the link")
        file.unlink()
        library.add(rail())
        assert library.verify().problems == ()


def test_signatures_are_of_one_passport_and_of_trusted_keys(tmp_path):
    mine, known = make_key(tmp_path / "mine")
    theirs, _ = make_key(tmp_path / "theirs")
    url = str(tmp_path / "library")
    with Library(url, create=True) as library:
        library.add(rail())
        signed, new = library.add(rail(), read_key(mine))
        assert new, "a signature is a new version"
        assert not library.add(rail(), read_key(mine))[1]
        other, _ = library.add(Draft("spare", "leaf"), read_key(theirs))
        assert signed.signature.holds(signed.text)
        assert not signed.signature.holds(other.text)
    with Library(url, signers=read_signers([known])) as strict:
        assert strict.get("rail@2") == signed
        with pytest.raises(SecurityError, match="it is not signed"):
            strict.get("rail@1")
        with pytest.raises(SecurityError, match="it is not signed"):
            strict.history("rail")
        with pytest.raises(SecurityError, match="it is signed by"):
            strict.get("spare")
        assert {p.place.rpartition(" ")[2] for p in strict.verify().problems} == {
            "rail@1",
            "spare@1",
        }
    swap = update(versions).where(versions.c.name == "rail", versions.c.number == 2)
    with Library(url) as library, library._engine.begin() as db:
        db.execute(swap.values(signature=other.signature.text))
    with Library(url) as library, pytest.raises(CorruptModel, match="signature"):
        library.get("rail@2")


def test_a_key_that_others_can_read_is_refused(tmp_path):
    key, public = make_key(tmp_path / "mine")
    assert key.stat().st_mode & 0o077 == 0
    key.chmod(0o644)
    with pytest.raises(SecurityError, match="others can read this key"):
        read_key(key)
    with pytest.raises(SecurityError, match="no Ed25519 key"):
        read_signers([key])
    key.chmod(0o600)
    key.write_bytes(public.read_bytes())
    with pytest.raises(SecurityError, match="no Ed25519 key"):
        read_key(key)


def test_a_passport_cannot_change_the_owner(tmp_path):
    url = str(tmp_path / "a")
    with (
        Library(url, create=True) as alice,
        Library(str(tmp_path / "b"), "bob", create=True) as his,
        Library(url, "bob") as bob,
    ):
        alice.add(Draft("rail", "leaf", project="truck"))
        alice.join("truck", "bob")
        his.add(Draft("rail", "leaf", project="truck"))
        entry, _ = his.add(Draft("rail", "leaf", project="truck", meaning="mine"))
        with pytest.raises(UsageError, match="histories differ"):
            bob.receive(entry, {})
        assert alice.get("rail").passport.owner == "alice"
