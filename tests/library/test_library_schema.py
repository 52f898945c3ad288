"""Libraries of older schemas: opened, brought up to date, nothing lost."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from alembic.script import ScriptDirectory

from bondline.library import Library, migrations
from bondline.library.blobs import FileBlobs
from bondline.library.migrate import _KNOWN, HEAD, revision, upgrade

FIRST = Path(__file__).with_name("schema_0001.sql")
TEXTS = [b"*NODE\n", b"*NODE\n2\n"]


def first(folder: Path) -> str:
    """A library as the first schema's version of Bondline left it."""
    folder.mkdir()
    with sqlite3.connect(folder / "library.sqlite") as db:
        db.executescript(FIRST.read_text(encoding="utf-8"))
    db.close()
    for data in TEXTS:
        FileBlobs(folder / "files").put(data)
    return str(folder)


def test_a_library_of_the_first_schema_is_opened_with_all_that_is_in_it(tmp_path):
    with Library(first(tmp_path / "old")) as library:
        assert revision(library._engine) == HEAD
        assert [library.files(e)["rail.inp"] for e in library.history("rail")] == TEXTS
        verdict = library.verify()
        assert (verdict.problems, verdict.versions, verdict.events) == ((), 2, 4)
        assert library.members("truck") == ["alice", "bob"]
        upgrade(library._engine)
        assert library.verify() == verdict


def test_every_step_of_the_schema_is_known_and_the_last_one_is_the_head():
    steps = ScriptDirectory(str(Path(migrations.__file__).parent))
    found = [step.revision for step in steps.walk_revisions()]
    assert steps.get_heads() == [HEAD]
    assert sorted(found) == sorted(_KNOWN)
