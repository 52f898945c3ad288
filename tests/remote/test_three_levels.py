"""An integrator, a supplier, a sub-supplier: real servers, a log on each side."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from bondline.cli import main
from bondline.remote.log.audit_read import agree, read_log
from bondline.remote.privacy.knocks import KIND
from bondline.remote.privacy.leakage import accounts
from bondline.run import find
from tests.remote.certificates import Authority, authority
from tests.remote.conftest import placement
from tests.remote.test_serve_command import LIMIT, served

MODEL = "examples/linear_chain/Nested.ssd"
POLICY = """\
[owner]
audit = "audit.jsonl"

[models.NAME]
observables = ["*"]
publish = ["outline", "reactions", "notes"]

[[grant]]
who = "spiffe://test/WHO"
model = "NAME"
methods = ["session", "run", "begin", "checkpoint"]
steps = ["10 ms"]
"""
TRACES = ("handshak", "endpoint_peer_address", "gRPC Tracers", "CallNext")


def company(folder: Path, ca: Authority, grants: tuple[str, str]) -> list[object]:
    """What a company of the folder's name gives its server."""
    name, who = grants
    folder.mkdir()
    text = POLICY.replace("NAME", name).replace("WHO", who)
    (folder / "policy.toml").write_text(text, encoding="utf-8")
    own = ca.issue(folder.name)
    secrets = ["--cert", own.cert, "--key", own.key, "--client-ca", ca.pem]
    return [*secrets, "--policy", "policy.toml"]


def as_called(file: Path) -> None:
    """The sub-supplier has another name for the part."""
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('model = "near.one"', 'model = "leaf"'))


@dataclass(frozen=True)
class Levels:
    """After a run through all of them, and the end of both servers."""

    top: Path
    middle: Path
    bottom: Path
    sub: str  # address of the sub-supplier

    def logs(self) -> dict[str, Path]:
        return {
            "run": find(self.top / "runs", "away").path / "audit.jsonl",
            "served": self.middle / "audit.jsonl",
            "came": self.middle / "audit-partners.jsonl",
            "sub": self.bottom / "audit.jsonl",
        }


@pytest.fixture(scope="module")
def levels(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Levels]:
    home = tmp_path_factory.mktemp("levels")
    ca, model = authority(home / "ca"), project / MODEL
    top, middle, bottom = home / "oem", home / "supplier", home / "sub"
    below = company(bottom, ca, ("leaf", "supplier"))
    above = company(middle, ca, ("near", "oem"))
    top.mkdir()
    with ExitStack() as stack:
        err = stack.enter_context((middle / "err").open("wb"))
        leaf = stack.enter_context(served(bottom, f"leaf={model}:near.one", *below))
        file = placement(middle / "p.toml", {"near.one": leaf[0]}, ca.issue("supplier"))
        as_called(file)
        asked = [f"near={model}:near", *above, "--placement", file.name]
        near = stack.enter_context(served(middle, *asked, stderr=err))
        there = placement(top / "p.toml", {"near": near[0]}, ca.issue("oem"))
        head = ["--quiet", "--project", str(top), "run", str(model), "--until", "100ms"]
        assert main([*head, "--name", "away", "--placement", str(there)]) == 0
        assert main([*head, "--name", "here"]) == 0
        for _, process in (near, leaf):
            process.terminate()
            assert process.wait(LIMIT) == 0
        yield Levels(top, middle, bottom, leaf[0])


def test_three_companies_give_what_one_gives(levels: Levels):
    strict = ["--rtol", "0", "--atol", "0"]
    head = ["--project", str(levels.top), "compare", "away", "here"]
    assert main([*head, *strict]) == 0


def test_the_one_in_the_middle_writes_down_what_its_partner_sent(levels: Levels):
    """Number by number and request by request what the sub-supplier's log has."""
    came, left = (read_log(levels.logs()[n]) for n in ("came", "sub"))
    (got,), (gave,) = accounts(came.records), accounts(left.records)
    assert (got.who, got.model) == (levels.sub, "near.one")
    assert (got.numbers, got.windows, got.steps) == (
        gave.numbers,
        gave.windows,
        gave.steps,
    )
    assert got.windows == 10
    theirs, ours = (
        {r["request"] for r in log.records if r.get("request")} for log in (left, came)
    )
    assert theirs
    assert theirs <= ours


def test_both_pairs_of_logs_have_the_heads_of_each_other(
    levels: Levels, capsys: pytest.CaptureFixture[str]
):
    logs = levels.logs()
    for mine, other in (("run", "served"), ("came", "sub")):
        a, b = read_log(logs[mine]), read_log(logs[other])
        assert agree(a, b) >= 2, "a checkpoint and an end"
        assert agree(b, a) >= 2
        words = ["audit", "verify", str(logs[mine]), "--against", str(logs[other])]
        assert main(words) == 0
        assert "agree" in capsys.readouterr().out


def test_audit_shows_whose_numbers_came_to_the_server(
    levels: Levels, capsys: pytest.CaptureFixture[str]
):
    assert main(["audit", str(levels.logs()["came"])]) == 0
    seen = capsys.readouterr().out
    assert f"near.one of {levels.sub}, to this server" in seen
    assert "numbers came   10 windows" in seen
    assert "probe" not in seen, "who receives does not know them"


def test_own_handshakes_are_neither_shown_nor_taken_for_knocks(levels: Levels):
    said = (levels.middle / "err").read_text(encoding="utf-8")
    assert not [word for word in TRACES if word in said]
    for name in ("served", "came"):
        kinds = [r["kind"] for r in read_log(levels.logs()[name]).records]
        assert KIND not in kinds


def test_a_sub_supplier_of_strangers_is_told_without_traces(
    project: Path, tmp_path: Path
):
    """It fails at our own handshake: nobody has knocked at our door."""
    ours, others = authority(tmp_path / "ca"), authority(tmp_path / "more", "others")
    model = project / MODEL
    below = company(tmp_path / "sub", others, ("leaf", "supplier"))
    above = company(tmp_path / "supplier", ours, ("near", "oem"))
    with served(tmp_path / "sub", f"leaf={model}:near.one", *below) as (address, _):
        own = ours.issue("supplier")
        file = placement(tmp_path / "p.toml", {"near.one": address}, own)
        as_called(file)
        words = ["leaf", "serve", f"near={model}:near", *above, "--placement", file]
        done = subprocess.run(
            [sys.executable, "-m", "bondline", *map(str, words)],
            cwd=tmp_path / "supplier",
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
    assert done.returncode == 3
    assert f"near.one (partner {address})" in done.stderr
    assert not [word for word in TRACES if word in done.stderr]
    log = tmp_path / "supplier" / "audit.jsonl"
    assert KIND not in [r["kind"] for r in read_log(log).records]
