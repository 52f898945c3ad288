"""Every byte of a record counts: whatever is changed, verify names it."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import struct
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from run_models import Swing

from bondline.errors import BondlineError, CorruptRun
from bondline.run import Commits, Plan, Run, Watch, begin, create, verify


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Run:
    plan = Plan(0.6, 0.1, settings={"tol": 1e-10}, package=b"model")
    watch = Watch(commits=Commits(2, 1e9))
    return begin(tmp_path_factory.mktemp("runs"), Swing(), plan, watch).run


@pytest.fixture
def copy(good: Run, tmp_path: Path) -> Callable[[], Run]:
    def make() -> Run:
        target = tmp_path / good.id
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(good.path, target)
        return Run(target)

    return make


def change(run: Run, sql: str, *values: Any) -> None:
    db = sqlite3.connect(run.file)
    with db:
        assert db.execute(sql, values).rowcount != 0
    db.close()


def read(run: Run, sql: str) -> Any:
    db = sqlite3.connect(run.file)
    (value,) = db.execute(sql).fetchone()
    db.close()
    return value


def flipped(value: Any, where: int, bit: int) -> Any:
    """The value with one bit changed, still of its own type."""
    if isinstance(value, int):
        return value ^ (1 << bit)
    if isinstance(value, float):
        raw = flipped(struct.pack("<d", value), where, bit)
        return struct.unpack("<d", raw)[0]
    raw = bytearray(value if isinstance(value, bytes) else value.encode())
    raw[where % len(raw)] ^= 1 << bit
    # a flip may leave UTF-8; store what a reader would see
    return bytes(raw) if isinstance(value, bytes) else raw.decode("latin-1")


CELLS = [
    ("windows", "blob", "n = 3"),
    ("windows", "blob", "n = 0"),
    ("windows", "t", "n = 3"),
    ("windows", "n", "n = 3"),
    ("windows", "n", "n = 6"),
    ("windows", "hash", "n = 2"),
    ("windows", "layout", "n = 2"),
    ("shapes", "blob", "n = 0"),
    ("shapes", "blob", "n = 4"),
    ("shapes", "n", "n = 4"),
    ("shapes", "n", "n = 6"),
    ("layouts", "text", "k = 0"),
    ("layouts", "text", "k = 1"),
    ("checkpoints", "state", "n = 6"),
    ("checkpoints", "t", "n = 6"),
    ("checkpoints", "n", "n = 6"),
    ("checkpoints", "seal", "n = 6"),
    ("run", "facts", "1"),
    ("run", "seal", "1"),
    ("run", "hash", "1"),
    ("run", "head", "1"),
    ("run", "id", "1"),
    ("certificate", "text", "1"),
    ("certificate", "seal", "1"),
]


def test_an_intact_run_is_found_intact(good: Run) -> None:
    verdict = verify(good)
    assert (verdict.windows, verdict.t) == (6, 0.1 * 6)
    assert verdict.checkpoints == 3
    assert verdict.sha256 == good.summary.sha256
    assert len(verdict.sha256) == 64


def test_anyone_can_recompute_the_hash_from_its_definition(good: Run) -> None:
    def sha(*pieces: bytes) -> bytes:
        framed = (struct.pack("<Q", len(piece)) + piece for piece in pieces)
        return hashlib.sha256(b"".join(framed)).digest()

    def plain(tree: Any) -> bytes:
        return json.dumps(tree, sort_keys=True, separators=(",", ":")).encode()

    decisive = ("model", "digest", "start", "step", "settings")
    h = sha(b"bondline run 2", plain({k: good.facts[k] for k in decisive}))
    db = sqlite3.connect(good.file)
    rows = db.execute(
        "SELECT w.n, t, text, w.blob, s.blob FROM windows w "
        "JOIN layouts ON k = layout JOIN shapes s ON s.n = w.n ORDER BY w.n"
    ).fetchall()
    db.close()
    assert len(rows) == 7
    for n, t, text, blob, shapes in rows:
        h = sha(h, struct.pack("<qd", n, t), sha(text.encode()), blob, shapes)
    assert h.hex() == verify(good).sha256


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(cell=st.sampled_from(CELLS), where=st.integers(0, 4095), bit=st.integers(0, 7))
def test_any_flipped_bit_is_detected(
    copy: Callable[[], Run], cell: tuple[str, str, str], where: int, bit: int
) -> None:
    table, column, row = cell
    run = copy()
    value = read(run, f"SELECT {column} FROM {table} WHERE {row}")  # noqa: S608
    new = flipped(value, where, bit)
    sql = f"UPDATE OR REPLACE {table} SET {column} = ? WHERE {row}"  # noqa: S608
    change(run, sql, new)
    with pytest.raises(CorruptRun) as caught:
        verify(run)
    assert run.id in caught.value.place
    assert "copy" in caught.value.remedy


def test_the_first_bad_window_is_named_with_its_time(copy: Callable[[], Run]) -> None:
    run = copy()
    change(run, "UPDATE windows SET blob = zeroblob(length(blob)) WHERE n >= 4")
    with pytest.raises(CorruptRun) as caught:
        verify(run)
    assert caught.value.place == f"{run.id}, window 4, t = 0.4 s"
    assert caught.value.finding == "the window does not match its hash."
    assert "run the model again" in caught.value.remedy


@pytest.mark.parametrize(
    ("sql", "place", "finding"),
    [
        ("DELETE FROM windows WHERE n = 2", "window 3", "window 2 is missing"),
        ("DELETE FROM windows WHERE n = 6", "window 5", "committed up to 6"),
        ("UPDATE windows SET blob = x'00' WHERE n = 1", "window 1", "1 bytes instead"),
        ("UPDATE windows SET t = 'x' WHERE n = 1", "window 1", "not a window"),
        ("DELETE FROM shapes WHERE n = 2", "window 2", "shapes have 0 bytes instead"),
        ("UPDATE shapes SET blob = 'x' WHERE n = 2", "window 2", "not a window"),
        ("INSERT INTO shapes VALUES (9, x'00')", "shapes of window 9", "no such"),
        ("INSERT INTO layouts SELECT 9, text FROM layouts", "layout 9", "no window"),
        ("UPDATE layouts SET text = '{}'", "layouts", "cannot be read"),
        ("UPDATE run SET until = 7", "t = 0.6", "claims to be done at t = 7"),
        ("UPDATE run SET facts = '{}'", "run.sqlite", "do not match their seal"),
        ("UPDATE checkpoints SET t = 9", "checkpoint of window", "match its hash"),
        ("UPDATE certificate SET text = 'x'", "certificate", "match its hash"),
    ],
)
def test_every_kind_of_damage_has_its_own_words(
    copy: Callable[[], Run], sql: str, place: str, finding: str
) -> None:
    run = copy()
    change(run, sql if "SELECT" not in sql else f"{sql} LIMIT 1")
    with pytest.raises(CorruptRun) as caught:
        verify(run)
    assert place in caught.value.place
    assert finding in caught.value.finding


def test_another_model_in_the_folder_is_detected(copy: Callable[[], Run]) -> None:
    run = copy()
    (run.path / "model.ssp").write_bytes(b"modem")
    with pytest.raises(CorruptRun, match=r"model\.ssp: the model is not the one"):
        verify(run)
    (run.path / "model.ssp").unlink()
    with pytest.raises(BondlineError, match="cannot be read"):
        verify(run)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(cut=st.integers(0, 30000))
def test_a_truncated_file_is_never_taken_for_a_run(
    copy: Callable[[], Run], cut: int
) -> None:
    run = copy()
    whole = run.file.read_bytes()
    run.file.write_bytes(whole[: cut % len(whole)])
    with pytest.raises(BondlineError):
        verify(run)


@pytest.mark.parametrize("sectors", [-11, -1, 1, 7])
def test_a_copy_that_a_power_failure_tore_is_read_from_the_log(
    copy: Callable[[], Run], tmp_path: Path, sectors: int
) -> None:
    """SQLite copies from its log into the file, and had not come to its end."""
    run = copy()
    torn, whole = Run(tmp_path / "torn" / run.id), run.file.read_bytes()
    with closing(sqlite3.connect(run.file, isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("VACUUM")  # every page is in the log then
        shutil.copytree(run.path, torn.path)
    data = whole + bytes(512 * sectors) if sectors > 0 else whole[: 512 * sectors]
    torn.file.write_bytes(data)
    assert verify(torn).sha256 == verify(run).sha256
    for log in torn.path.glob("run.sqlite-*"):
        log.unlink()
    with pytest.raises(CorruptRun):
        verify(torn)


def test_a_run_without_windows_is_intact(tmp_path: Path) -> None:
    run = create(tmp_path, Swing(), Plan(1.0, 0.1))
    assert verify(run).windows == -1
    assert verify(run).t is None
