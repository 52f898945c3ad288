"""What a library promises, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

import multiprocessing

import pytest

from bondline.errors import CorruptModel, NotAllowed, StorageError, UsageError
from bondline.library import (
    Draft,
    Library,
    Query,
    make_key,
    read_key,
    read_signers,
    transfer,
)
from bondline.library.migrate import HEAD, revision
from bondline.library.names import Reference
from bondline.library.transfer import _needed
from tests.library.conftest import rail

_FORK = multiprocessing.get_context("fork")


def test_versions_are_numbered_and_nothing_is_added_twice(fresh):
    with Library(fresh(), create=True) as library:
        first, new = library.add(rail())
        again, nothing = library.add(rail())
        second, _ = library.add(rail("*NODE\n1, 0, 0, 0\n"))
        assert (new, nothing) == (True, False)
        assert [str(e.reference) for e in (first, again, second)] == [
            "rail@1",
            "rail@1",
            "rail@2",
        ]
        assert second.passport.previous == first.seal
        assert library.files(library.get("rail@1")) == {"rail.inp": b"*NODE\n"}
        assert library.get("rail") == second
        assert library.history("rail") == [first, second]
        assert [(e.what, e.version) for e in library.events()] == [
            ("add", 1),
            ("add", 2),
        ]
        assert library.verify().problems == ()


def test_a_changed_line_of_the_passport_is_a_version(tmp_path):
    with Library(str(tmp_path / "a"), create=True) as library:
        library.add(rail())
        library.add(rail(licence="MIT", parameters=({"name": "t", "value": 0.01},)))
        found = library.diff("rail@1", "rail@2")
        assert [(c.what, c.before, c.after) for c in found.passport] == [
            ("licence", "Apache-2.0", "MIT"),
            ("parameters.t.name", None, "t"),
            ("parameters.t.value", None, 0.01),
        ]
        assert found.files == ()


def test_who_may_see_and_who_may_write(fresh):
    url = fresh()
    with Library(url, "alice", create=True) as alice:
        alice.add(rail())
        alice.add(Draft("shared", "leaf", project="truck"))
        alice.add(Draft("open", "leaf", access="public"))
        alice.join("truck", "bob")
    with Library(url, "bob") as bob, Library(url, "carol") as carol:
        assert [h.name for h in bob.search()] == ["open", "shared"]
        assert [h.name for h in carol.search()] == ["open"]
        assert {e.name for e in carol.events()} == {"open"}
        assert carol.verify().models == 1
        assert bob.add(Draft("shared", "leaf", project="truck", meaning="new"))[1]
        for who, name in ((bob, "rail"), (carol, "shared")):
            with pytest.raises(UsageError, match="or not for you"):
                who.get(name)
        for who, name in ((bob, "rail"), (bob, "open"), (carol, "shared")):
            with pytest.raises(NotAllowed, match="may not add versions"):
                who.add(Draft(name, "leaf"))
        with pytest.raises(NotAllowed, match="not one of its members"):
            carol.join("truck", "carol")
        with pytest.raises(NotAllowed, match="bondline db members truck --add carol"):
            carol.add(Draft("mine", "leaf", project="truck"))
        bob.leave("truck", "alice")
        assert bob.members("truck") == ["bob"]


def test_only_the_owner_changes_for_whom_a_model_is(tmp_path):
    url = str(tmp_path / "a")
    with Library(url, "alice", create=True) as alice, Library(url, "bob") as bob:
        alice.add(rail(project="truck"))
        alice.join("truck", "bob")
        for more in ({"access": "public"}, {"access": "private"}, {"project": "his"}):
            with pytest.raises(NotAllowed, match="may not change for whom it is"):
                bob.add(rail("*NODE\n2\n", **more))
        kept, _ = bob.add(rail("*NODE\n2\n"))
        assert (kept.passport.project, kept.passport.access) == ("truck", "project")
        published, _ = alice.add(rail(access="public"))
        assert published.passport.project == "truck"
        assert alice.add(rail("*NODE\n3\n"))[0].passport.access == "public"
        assert alice.add(rail(project="van"))[0].passport.access == "project"


def test_a_member_cannot_bring_a_version_that_publishes_the_model(tmp_path):
    url, copy = str(tmp_path / "a"), str(tmp_path / "b")
    with (
        Library(url, "alice", create=True) as alice,
        Library(copy, "alice", create=True) as forged,
        Library(url, "bob") as bob,
    ):
        alice.add(rail(project="truck"))
        alice.join("truck", "bob")
        transfer(alice, forged, "rail")
        open_one, _ = forged.add(rail(access="public"))
        with pytest.raises(NotAllowed, match="bob may not speak for them"):
            bob.receive(open_one, forged.files(open_one))
        assert alice.receive(open_one, forged.files(open_one))


def test_the_nearest_name_and_the_latest_version_are_proposed(tmp_path):
    with Library(str(tmp_path / "a"), create=True) as library:
        library.add(rail())
        with pytest.raises(UsageError, match="Did you mean 'rail'"):
            library.get("rial")
        with pytest.raises(UsageError, match="The latest is 1: rail@1"):
            library.get("rail@2")


def test_models_go_from_library_to_library_with_all_they_need(fresh, tmp_path):
    key, public = make_key(tmp_path / "me")
    used = {"rail@1": "of the passport"}
    here, there = fresh(), str(tmp_path / "there")
    with (
        Library(here, create=True) as a,
        Library(there, create=True) as b,
        Library(there, "bob", signers=read_signers([public])) as bob,
    ):
        one, _ = a.add(rail(access="public"), read_key(key))
        a.add(rail("*NODE\n2\n", access="public"), read_key(key))
        a.add(Draft("frame", "integrated", uses=used), read_key(key))
        assert [str(e.reference) for e in transfer(a, b, "frame")] == [
            "rail@1",
            "frame@1",
        ]
        assert transfer(a, b, "frame") == []
        assert b.get("rail@1") == one
        assert [str(e.reference) for e in transfer(a, bob, "rail")] == ["rail@2"]
        assert b.history("rail") == a.history("rail")
        assert (b.verify().problems, bob.verify().signed) == ((), 2)


def test_what_many_use_is_looked_for_once(tmp_path):
    pair = ("left", "right")
    with Library(str(tmp_path / "a"), create=True) as library:
        library.add(rail())
        for name in pair:
            library.add(Draft(name, "integrated", uses={"rail@1": "of the passport"}))
        both = {f"{name}@1": "of the passport" for name in pair}
        library.add(Draft("frame", "integrated", uses=both))
        needed = _needed(library, Reference("frame"), (), set())
        found = [entry.passport.name for entry in needed]
    assert found == ["rail", *pair, "frame"]


def test_histories_that_differ_are_not_mixed(tmp_path):
    with (
        Library(str(tmp_path / "a"), create=True) as a,
        Library(str(tmp_path / "b"), create=True) as b,
    ):
        a.add(rail())
        b.add(rail("*ELEMENT\n"))
        with pytest.raises(UsageError, match="the histories differ"):
            transfer(a, b, "rail")
        a.add(rail("*NODE\n2\n"))
        with pytest.raises(UsageError, match="the histories differ"):
            b.receive(a.get("rail@2"), a.files(a.get("rail@2")))


def test_nobody_speaks_for_an_owner_who_did_not_sign(tmp_path):
    url = str(tmp_path / "a")
    with (
        Library(url, create=True) as alice,
        Library(url, "bob") as bob,
        Library(str(tmp_path / "b"), "bob", create=True) as his,
    ):
        alice.add(rail(access="public"))
        with pytest.raises(NotAllowed, match="it is alice's, not signed"):
            transfer(bob, his, "rail")


def test_who_signed_last_does_not_speak_for_the_owner(tmp_path):
    """The owner's key is that of the first version; members sign others, and leave."""
    keys = [read_key(make_key(tmp_path / who)[0]) for who in ("alice", "bob")]
    url, copies = str(tmp_path / "a"), [str(tmp_path / name) for name in "bc"]
    with (
        Library(url, create=True) as alice,
        Library(url, "bob") as bob,
        Library(url, "carol") as carol,
    ):
        alice.add(rail(project="truck"), keys[0])
        alice.join("truck", "bob")
        bob.add(rail("*NODE\n2\n"), keys[1])
        alice.leave("truck", "bob")
        third = [_next(alice, *pair) for pair in zip(copies, keys, strict=True)]
        for stranger in (bob, carol):
            with pytest.raises(NotAllowed, match="may not speak for them"):
                stranger.receive(*third[1])
        assert carol.receive(*third[0])


def _next(here, url, key):
    """The version that somebody makes in the owner's name, in a copy."""
    with Library(url, create=True) as copy:
        transfer(here, copy, "rail")
        made, _ = copy.add(rail("*NODE\n3\n"), key)
        return made, copy.files(made)


def _write(url: str, who: int, count: int) -> None:
    with Library(url, create=True) as library:
        for k in range(count):
            library.add(rail(f"*NODE\n{who}, {k}\n"))
            library.add(Draft(f"own-{who}-{k}", "leaf", "a", {"a": b"same"}))


def test_eight_writers_at_once_lose_nothing(fresh):
    url, writers, each = fresh(), 8, 3
    crew = [_FORK.Process(target=_write, args=(url, k, each)) for k in range(writers)]
    for process in crew:
        process.start()
    for process in crew:
        process.join(60)
    assert [p.exitcode for p in crew] == [0] * writers
    with Library(url) as library:
        every = library.history("rail")
        assert [e.passport.version for e in every] == list(range(1, writers * each + 1))
        assert len({e.passport.digest for e in every}) == writers * each
        assert len(library.search(Query(limit=999))) == 1 + writers * each
        verdict = library.verify()
        assert (verdict.problems, verdict.events) == ((), 2 * writers * each)


def test_both_databases_give_the_same_answers(team, tmp_path):
    names = ["a", "a-b", "a_b", "ab", "a0", "b-1", "b1", "b_1", "0", "z"]
    meanings = [
        "Längsträger links",
        "100% of it",
        "under_score",
        "back\\slash",
        "'; --",
    ]
    queries = ["", "a", "A", "LÄNGS", "100%", "_", "\\", "';", "a b", "leaf z", "%"]
    told = []
    for url in (str(tmp_path / "files"), team()):
        with Library(url, create=True) as library:
            for k, name in enumerate(names):
                kind = ("leaf", "remote")[k % 2]
                library.add(Draft(name, kind, meaning=meanings[k % len(meanings)]))
            hits = [library.search(q) for q in queries]
            hits += [
                library.search(Query(kind="leaf", limit=3)),
                library.search(Query(after="a_b")),
            ]
            told.append([[(h.name, h.kind, h.meaning) for h in page] for page in hits])
    assert told[0] == told[1]
    assert [name for name, *_ in told[0][0]] == sorted(names)
    assert [len(page) for page in told[0][4:8]] == [2, 2, 2, 2]


def test_the_schema_is_made_by_migrations_and_is_the_one_of_the_tables(fresh):
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from bondline.library.tables import metadata

    with Library(fresh(), create=True) as library:
        assert revision(library._engine) == HEAD
        with library._engine.connect() as db:
            assert compare_metadata(MigrationContext.configure(db), metadata) == []


def test_migrations_go_back_and_forth(fresh):
    """From nothing, back to nothing, and up again: to the same tables."""
    from bondline.library.migrate import downgrade, upgrade

    with Library(fresh(), create=True) as library:
        library.add(rail())
        downgrade(library._engine)
        assert revision(library._engine) is None
        upgrade(library._engine)
        assert library.add(rail())[0].passport.version == 1


def test_a_database_that_is_cut_off_is_called_so(tmp_path):
    file = tmp_path / "library" / "library.sqlite"
    with Library(str(tmp_path / "library"), create=True) as library:
        library.add(rail())
    file.write_bytes(file.read_bytes()[:5000])
    with (
        pytest.raises(CorruptModel, match="Restore it from a copy"),
        Library(str(tmp_path / "library")) as library,
    ):
        library.verify()


def test_a_schema_of_the_future_is_refused(tmp_path):
    from sqlalchemy import update

    from bondline.errors import VersionMismatch
    from bondline.library.migrate import _MARK

    url = str(tmp_path / "a")
    with Library(url, create=True) as library, library._engine.begin() as db:
        db.execute(update(_MARK).values(version_num="9999"))
    with pytest.raises(VersionMismatch, match="schema 9999"):
        Library(url)


def test_a_library_that_is_not_there_says_how_to_make_one(fresh):
    with pytest.raises(UsageError, match="bondline db add"):
        Library(fresh())


def test_a_server_that_does_not_answer_is_told_without_the_password(tmp_path):
    pytest.importorskip("psycopg", reason="the extra 'postgres' is not installed")
    url = f"postgresql://me:secret@/x?host={tmp_path}"
    with pytest.raises(StorageError, match="Check that the server runs") as told:
        Library(url)
    assert "secret" not in str(told.value)
