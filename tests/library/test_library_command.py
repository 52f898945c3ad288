"""`bondline db`: what it prints, and what it ends with."""

from __future__ import annotations

import json
import os
import re

import pytest

from bondline.build.single import Single
from bondline.build.to_library import Drafted
from bondline.cli import main
from bondline.cli.db_add import tried
from bondline.errors import LeafInconsistent
from bondline.library import Draft, Library
from tests.library.conftest import rail
from tests.testing import liars


@pytest.fixture
def call(capsys):
    def run(*args):
        capsys.readouterr()
        code = main([str(a) for a in args])
        seen = capsys.readouterr()
        return code, seen.out, seen.err

    return run


@pytest.fixture
def told(call):
    def run(*args, code=0):
        found, out, err = call(*args, "--json")
        assert found == code, err
        return json.loads(out)

    return run


def test_a_model_from_the_file_to_another_library(call, told, project, tmp_path):
    pendulum = project / "examples" / "double_pendulum"
    key = told("db", "key", "me")["key"]
    made = told("db", "add", pendulum, "--meaning", "two bars", "--key", key)
    passport = made["passport"]
    assert made["reference"] == "library:double_pendulum@1"
    assert passport["kind"] == "integrated"
    assert passport["capabilities"]["rollback"] == {"declared": True, "verified": True}
    assert passport["capabilities"]["draws"] == {"declared": True, "verified": False}
    assert {p["name"] for p in passport["parameters"]} >= {"upper.mass"}
    again = told("db", "add", pendulum, "--meaning", "two bars", "--key", key)
    assert (again["new"], again["reference"]) == (False, made["reference"])
    other = told("db", "add", pendulum, "--declared", "--access", "public")
    assert other["passport"]["capabilities"]["rollback"] == {"declared": True}

    (hit,) = told("db", "search", "pendulum")["models"]
    assert (hit["name"], hit["latest"], hit["owner"]) == ("double_pendulum", 2, "alice")
    changes = told("db", "diff", "double_pendulum@1", "double_pendulum", code=1)
    assert {"what": "access", "before": "private", "after": "public"} in (
        changes["passport"]
    )
    assert [e["version"] for e in told("db", "log")["events"]] == [1, 2]
    assert told("db", "push", "double_pendulum", "--to", "b")["pushed"] == [
        "double_pendulum@1",
        "double_pendulum@2",
    ]
    pulled = told("db", "pull", "double_pendulum@1", "--from", "b", "--url", "c")
    assert pulled["pulled"] == ["double_pendulum@1"]
    told("db", "pull", "double_pendulum@1", "-o", "copy", "--url", "c")
    assert (tmp_path / "copy" / "SystemStructure.ssd").read_bytes() == (
        pendulum / "SystemStructure.ssd"
    ).read_bytes()
    assert told("db", "verify", "--url", "c", "--signer", "me.pub")["signed"] == 1
    assert call("db", "pull", "double_pendulum")[0] == 2


def test_what_people_read(call, project):
    bar = project / "examples" / "four_bar" / "third.leaf.xml"
    code, out, _ = call("db", "add", bar, "--licence", "Apache-2.0")
    assert code == 0
    assert 'source="library:third@1"' in out
    assert "verified  rollback, acceleration, serialises, linearises" in out
    page = call("db", "show", "third")[1]
    for line in ("licence  Apache-2.0", "x [m] y [m]", "not signed", "Young's modulus"):
        assert line in page
    assert re.search(r"rigid +false ", page)
    assert "third@1  leaf  alice  private" in call("db", "search")[1]
    assert "nothing found" in call("db", "search", "nothing")[1]
    assert call("db", "diff", "third", "third@1")[1] == "no difference\n"
    assert "1 model, 1 version (0 signed), 1 log row\n" in call("db", "verify")[1]
    assert "add" in call("db", "log", "third")[1]


def test_the_project_says_where_the_library_is(call, told, tmp_path):
    there = tmp_path / "there"
    assert told("--project", there, "db", "members", "truck", "--add", "bob") == {
        "project": "truck",
        "members": ["alice", "bob"],
    }
    assert (there / "library" / "library.sqlite").is_file()
    assert "BONDLINE_PROJECT" not in os.environ
    assert "no library here" in call("db", "search")[2]
    gone = told("--project", there, "db", "members", "truck", "--remove", "bob")
    assert gone["members"] == ["alice"]


def test_a_tampered_file_ends_with_41_and_names_the_record(call, told, tmp_path):
    (tmp_path / "a.leaf.xml").write_text("x")
    assert call("db", "add", tmp_path / "a.leaf.xml")[0] == 1
    with Library(create=True) as library:
        sha = library.add(rail())[0].passport.files["rail.inp"]["sha256"]
    (tmp_path / "library" / "files" / sha[:2] / sha[2:]).write_bytes(b"spoilt")
    code, _, err = call("db", "verify")
    assert code == 41
    assert "rail@1: rail.inp" in err
    (problem,) = told("db", "verify", code=41)["problems"]
    assert problem["kind"] == "CorruptModel"
    assert told("db", "show", "rail", code=41)["error"]["code"] == 41


def test_a_leaf_that_lies_is_not_added():
    liar = liars.noisy()
    draft = Draft("liar", "leaf", capabilities={"rollback": {"declared": True}})
    with pytest.raises(LeafInconsistent):
        tried(Drafted(draft, Single(liar, None)), 0.01)


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (("add", "nowhere"), 2, "there is no such model"),
        (("add", "a:b"), 2, "there is no such model"),
        (("show", "rail"), 2, "no library here"),
        (("search", "--as", "Eve Ill"), 2, "cannot be the name of an owner"),
        (("search", "--url", "mysql://x"), 2, "no address of a library"),
        (("push", "rail"), 2, "--to"),
    ],
)
def test_what_cannot_be_is_told(call, args, code, words):
    found, _, err = call("db", *args)
    assert (found, words in err) == (code, True), err
