"""Hostile names and texts: nothing leaves the store, nothing becomes SQL."""

from __future__ import annotations

import ast
import os
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bondline.library
from bondline.errors import BondlineError, CorruptModel, UsageError
from bondline.library import Draft, Library, Passport, Query, reference
from bondline.library.passport import canonical, load_passport
from tests.library.conftest import rail

NAMES = (
    *("", ".", "..", "../rail", "/etc/passwd", "C:\\rail", "rail/../..", "a\0b"),
    *("rail\n", "Rail", "ráil", "rаil", "ＲＡＩＬ", "rail ", " rail", "-rail", "_"),
    *("a" * 65, "rail;", "rail'--", "rail%", "rail@", "rail@@1", "$(id)", "\ud800"),
)
SQL = (
    *("' OR '1'='1", "'; DROP TABLE models; --", '" OR ""="', "%' OR 1=1 --"),
    *("1); DELETE FROM log; --", "\\' OR 1=1 #", "name) UNION SELECT passport --"),
    *("{'$gt': ''}", "rail' AND 1=randomblob(9) --", "%00", "$1", ":name", "%(x)s"),
)
SOURCES = sorted(Path(bondline.library.__file__).parent.rglob("*.py"))


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile") / "inside" / "library"
    with Library(str(folder), who="alice", create=True) as made:
        made.add(rail())
        yield made


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_is_none_is_refused_everywhere(library, name):
    before = library.verify().head
    for draft in (Draft(name, "leaf"), Draft("x", "leaf", project=name or "..")):
        with pytest.raises(UsageError, match="cannot be the name"):
            library.add(draft)
    for call in (library.get, library.history, library.members, library.events):
        if call != library.events or name:
            with pytest.raises(UsageError):
                call(name)
    if "@" not in name:
        with pytest.raises(UsageError):
            library.join("truck", name)
    assert library.verify().head == before


RULE = r"[a-z0-9][a-z0-9_-]{0,63}(@[1-9][0-9]{0,8})?"


@settings(max_examples=150)
@given(st.one_of(st.text(max_size=80), st.from_regex(r"[a-z0-9_@./%-]{1,12}")))
def test_a_reference_is_a_name_and_a_version_or_refused(text):
    if not re.fullmatch(RULE, text):
        with pytest.raises(UsageError) as told:
            reference(text)
        assert str(told.value).isascii()
        assert len(str(told.value)) < 600
    else:
        assert str(reference(text)) == text


def _watched(library, work):
    """What a process opens for writing, makes or renames."""
    seen = []

    def hook(event, args):
        makes = event == "open" and isinstance(args[2], int) and args[2] & os.O_CREAT
        if makes or event in ("os.mkdir", "os.rename", "os.remove", "os.link"):
            seen.append(str(args[0]))

    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        sys.addaudithook(hook)
        work(library)
        os.write(write, "\n".join(seen).encode())
        os._exit(0)
    os.close(write)
    with open(read, encoding="utf-8") as told:
        names = told.read().splitlines()
    assert os.waitpid(pid, 0)[1] == 0
    return names


FILES = ("../../out.inp", "/tmp/out.inp", "a/../../out", "con", "aux.inp", "a\\b", "ü")


def test_files_are_named_by_their_content_only(library):
    outside = Path(library.place).parents[1]

    def work(made):
        for k, name in enumerate(FILES):
            made.add(Draft(f"m{k}", "leaf", name, {name: name.encode()}))

    names = _watched(library, work)
    assert names
    for name in names:
        assert "out" not in name
        assert not os.path.isabs(name) or Path(name).is_relative_to(library.place)
    assert [p.name for p in outside.iterdir()] == ["inside"]


@pytest.mark.parametrize("name", [*FILES[:3], "./a", "a//b", "x:y"])
def test_a_passport_with_a_file_outside_is_refused(name):
    told = {"sha256": "0" * 64, "size": 1}
    passport = Passport("m", 1, "leaf", "eve", "", "", name, {name: told})
    with pytest.raises(CorruptModel, match="is not allowed"):
        load_passport(passport.dump(), "here")


@pytest.mark.parametrize(
    "change",
    [
        {"name": "../x"},
        {"version": "1"},
        {"kind": "virus"},
        {"files": []},
        {"files": {"a": {"sha256": "zz", "size": 1}}, "main": "a"},
        {"owner": None},
        {"format": 2},
        {"surprise": 1},
        {"parameters": 7},
    ],
)
def test_a_passport_that_breaks_a_rule_is_refused(change):
    plain = Passport("m", 1, "leaf", "eve", "", "").plain()
    with pytest.raises(CorruptModel, match="passport cannot be read"):
        load_passport(canonical({**plain, **change}), "here")


@pytest.mark.parametrize("text", SQL)
def test_sql_is_text(fresh_once, text):
    """Every parameter takes it for what it is: nothing found, or refused by rule."""
    before = fresh_once.verify()
    for query in (
        Query(text),
        *(Query(**{key: text}) for key in ("kind", "owner", "project")),
        Query(after="~" + text),
    ):
        assert fresh_once.search(query) == []
    assert fresh_once.latest(text) == 0
    for call in (fresh_once.get, fresh_once.members, fresh_once.events):
        with pytest.raises(UsageError):
            call(text)
    with pytest.raises(UsageError):
        Library(str(fresh_once.url), who=text)
    assert fresh_once.verify() == before


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def fresh_once(request, tmp_path_factory):
    from tests.library import postgres

    if request.param == "sqlite":
        url = str(tmp_path_factory.mktemp("sql") / "library")
    else:
        server = request.getfixturevalue("postgres_server")
        url = postgres.new_database(server, "hostile")
    with Library(url, who="alice", create=True) as made:
        made.add(rail())
        yield made


def test_texts_are_kept_as_they_are(fresh_once):
    for k, text in enumerate((*SQL, "naïve Δx → 0")):
        entry, _ = fresh_once.add(Draft(f"t{k}", "leaf", meaning=text, licence=text))
        again = fresh_once.get(f"t{k}")
        assert again == entry
        assert again.passport.meaning == text
    for text in ("two\nlines", "nul\0", "\ud800", "x" * 3000):
        with pytest.raises(UsageError, match="plain text"):
            fresh_once.add(Draft("bad", "leaf", meaning=text))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.stem)
def test_no_statement_is_made_of_text(path):
    """SQL is SQLAlchemy's; what is given as text is a constant of ours."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    taken = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and "sqlalchemy" in (node.module or "")
        for alias in node.names
    ]
    assert not {"text", "literal_column", "TextClause"} & set(taken)
    for node in ast.walk(tree):
        called = isinstance(node, ast.Call) and getattr(node.func, "attr", "")
        if called == "exec_driver_sql":
            values = list(ast.walk(node.args[0]))
            assert not any(isinstance(v, ast.JoinedStr | ast.BinOp) for v in values)


@pytest.mark.parametrize(
    "url",
    [
        "mysql://me:secret@host/x",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///file:x?mode=memory&uri=true",
        "sqlite://host/x",
        "http://secret",
    ],
)
def test_an_address_of_something_else_is_refused(url):
    with pytest.raises(BondlineError, match="no address of a library") as told:
        Library(url, create=True)
    assert "secret" not in str(told.value)
