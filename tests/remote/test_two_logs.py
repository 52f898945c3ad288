"""Both sides write a log, and each has the other's head: nothing goes unnoticed."""

from __future__ import annotations

import json

import pytest

from bondline.cli import main
from bondline.errors import CorruptLog
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec import heads
from bondline.remote.codec.malformed import Malformed
from bondline.remote.log.audit_read import agree, read_log
from bondline.remote.privacy.leakage import accounts
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from tests.remote.conftest import placement

ME = "spiffe://test/integrator"


@pytest.fixture
def run(project, supply, tmp_path, monkeypatch):
    """A run of the double pendulum whose parts are at a partner's; its two logs."""
    monkeypatch.chdir(tmp_path)
    model = project / "examples" / "double_pendulum"
    steps = Steps((), 1e-4, 0.1)
    policy = Policy(
        grants=(Grant(ME, "*", frozenset(METHODS), steps=steps),),
        audit=tmp_path / "owner.jsonl",
    )
    gate = PolicyGate.of(policy)
    there = supply(model, gate=gate)
    places = dict.fromkeys(("upper", "lower"), there.address)
    file = placement(tmp_path / "p.toml", places, there.secrets)
    words = ["run", str(model), "--name", "away", "--until", "0.2s"]
    assert main([*words, "--placement", str(file)]) == 0
    gate.close()
    (mine,) = (tmp_path / "runs").glob("*/audit.jsonl")
    return tmp_path / "owner.jsonl", mine


def test_what_left_the_owner_is_what_came(run):
    theirs, mine = (read_log(path) for path in run)
    left = {a.model: (a.numbers, a.windows, a.steps) for a in accounts(theirs.records)}
    came = {a.model: (a.numbers, a.windows, a.steps) for a in accounts(mine.records)}
    assert left == came
    assert set(left) == {"upper", "lower"}


def test_every_request_that_the_owner_served_is_in_both(run):
    theirs, mine = (
        {r["request"] for r in read_log(path).records if r.get("request")}
        for path in run
    )
    assert theirs, "an owner's record of a session has the digest of its request"
    assert theirs <= mine


def test_heads_are_exchanged_and_agree(run, capsys):
    theirs, mine = (read_log(path) for path in run)
    assert agree(theirs, mine) >= 4, "a checkpoint and an end for each part"
    assert agree(mine, theirs) >= 4
    assert main(["audit", "verify", "away", "--against", str(run[0])]) == 0
    assert "heads of the two logs in each other agree" in capsys.readouterr().out


@pytest.mark.parametrize("side", [0, 1])
def test_a_deleted_last_entry_is_found(run, side, capsys):
    """The integrator's last record is the owner's last head, which only it heard."""
    logs = [str(path) for path in run]
    lines = run[side].read_bytes().splitlines(keepends=True)
    run[side].write_bytes(b"".join(lines[: -1 - side]))
    assert main(["audit", "verify", logs[side]]) == 0, "its own chain still holds"
    capsys.readouterr()
    assert main(["audit", "verify", logs[side], "--against", logs[1 - side]]) == 41
    assert "it is gone" in capsys.readouterr().err
    with pytest.raises(CorruptLog, match="ends with"):
        agree(read_log(run[side]), read_log(run[1 - side]))


def test_audit_of_a_run_says_what_left_each_owner(run, capsys):
    assert main(["audit", "away"]) == 0
    said = capsys.readouterr().out
    assert "upper of 127.0.0.1" in said
    assert "lower of 127.0.0.1" in said
    assert said.count("to this run") == 2
    assert said.count("reveals at most") == 2
    assert main(["audit", "show", "away", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["partners"]) == 2


def test_a_run_without_partners_has_none(project, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    model = str(project / "examples" / "double_pendulum")
    assert main(["run", model, "--name", "here", "--until", "0.05s"]) == 0
    assert main(["audit", "here"]) == 2
    assert "no part of it was at a partner's" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("number", "head"),
    [("1", "x"), ("-1", f"{'0' * 16}:{'0' * 64}"), ("1\n", ""), ("", "0:0")],
)
def test_what_is_no_head_is_not_written_down(number, head):
    with pytest.raises(Malformed):
        heads.told(pb.Keep(log_number=number, log_head=head))
