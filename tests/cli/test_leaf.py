"""`bondline leaf test`: kinds, parts of models, leaves of your own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Call

MINE = """
from bondline.leaves import FunctionLeaf


def leaf(name, lie=1.0):
    return FunctionLeaf(
        name,
        [0.1, 0.0],
        {"end": ("x",)},
        lambda t, y, f: [y[1], f["end"][0] - 9.0 * y[0] ** 3],
        lambda t, y, dy: {"end": ([y[0]], [lie * y[1]], [lie * dy[1]])},
    )


good = leaf("good")
number = 3


def nothing():
    return 7
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module of leaves in it, and nothing else."""
    (tmp_path / "own_leaves.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_kind_is_tried_and_told_in_a_table(call: Call) -> None:
    got = call("leaf", "test", "chain", "--set", "mass=2000g", "--set", "steps=3")
    assert (got.code, got.err) == (0, "")
    assert "rollback       passed" in got.out
    assert "linearise      passed" in got.out
    assert " 0 failed, " in got.out
    assert got.out.startswith("chain   windows of 10 ms")


def test_json_is_one_document(call: Call) -> None:
    told = call("leaf", "test", "free-bar", "--window", "5ms", "--json").json
    assert (told["leaf"], told["window"], told["ok"]) == ("free-bar", 5e-3, True)
    assert {"check", "verdict", "quantity", "measured", "allowed", "words"} == set(
        told["findings"][0]
    )


@pytest.mark.parametrize("part", ["upper", "lower", ""])
def test_a_part_of_a_model_is_tried(call: Call, pendulum: Path, part: str) -> None:
    target = f"{pendulum}:{part}" if part else str(pendulum)
    got = call("leaf", "test", target, "--set", "upper.mass=12kg", "--json")
    assert got.code == 0
    assert got.json["leaf"] == (part or "double_pendulum")


def test_a_leaf_of_your_own_is_tried(call: Call, mine: Path) -> None:
    assert call("leaf", "test", "own_leaves:leaf").code == 0
    assert call("leaf", "test", "own_leaves:good").code == 0


def test_a_lie_ends_with_33_and_names_the_quantity(call: Call, mine: Path) -> None:
    command = ("leaf", "test", "own_leaves:leaf", "--set", "lie=1000")
    got = call(*command)
    assert got.code == 33
    assert "velocity       failed" in got.out
    assert "leaf: velocity: port end: velocity: it is not the rate" in got.err
    assert "try: Give v as the rate of x" in got.err
    told = call(*command, "--json")
    assert told.code == 33
    assert told.json["ok"] is False
    assert told.json["error"]["code"] == 33
    assert told.json["error"]["kind"] == "LeafInconsistent"


def test_hints_count_if_asked(call: Call, mine: Path) -> None:
    (mine / "odd.py").write_text(MINE.replace("9.0 * y[0] ** 3", "9.0 * y[0]"))
    assert call("leaf", "test", "odd:leaf").code == 0
    assert call("leaf", "test", "odd:leaf", "--strict").code == 33


@pytest.mark.parametrize(
    ("arguments", "place", "finding", "remedy"),
    [
        (["chian"], "chian", "no such kind of leaf", "Did you mean 'chain'?"),
        (["chain", "--set", "mas=2"], "--set mas=2", "nothing is", "'mass'"),
        (["chain", "--set", "mass=x"], "--set mass=x", "not a number", "12kg"),
        (["chain", "--set", "mass=2m"], "--set mass=2m", "measures", "in kg"),
        (["nowhere:leaf"], "nowhere:leaf", "cannot be imported", "Python finds"),
        (["own_leaves:leef"], "own_leaves:leef", "has no 'leef'", "'leaf'"),
        (["own_leaves:number"], "number", "it is a int", "when it is called"),
        (["own_leaves:nothing"], "own_leaves:nothing", "no advance", "start and"),
        (["own_leaves:leaf", "--set", "lie=2kg"], "--set lie", "not a number", "12"),
        (["chain", "--window", "0s"], "--window 0s", "positive", "10ms"),
    ],
)
def test_what_cannot_be_tried_is_told(
    call: Call, mine: Path, arguments: list[str], place: str, finding: str, remedy: str
) -> None:
    got = call("leaf", "test", *arguments, "--json")
    error = got.json["error"]
    assert got.code == error["code"] == 2
    assert error["place"].startswith(place)
    assert finding in error["finding"]
    assert remedy in error["remedy"]


def test_a_part_that_is_not_there_is_told(call: Call, pendulum: Path) -> None:
    error = call("leaf", "test", f"{pendulum}:uper", "--json").json["error"]
    assert error["place"] == f"{pendulum}:uper"
    assert error["finding"] == "double_pendulum has no part 'uper'."
    assert "'upper'" in error["remedy"]
