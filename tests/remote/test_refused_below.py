"""A sub-supplier that refuses: the integrator hears that it was, and of nobody else."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from bondline.cli import main
from bondline.remote.log.audit_read import read_log
from bondline.remote.privacy.denials import Denial, denials
from bondline.run import find
from tests.remote.certificates import authority
from tests.remote.conftest import placement
from tests.remote.test_serve_command import served
from tests.remote.test_three_levels import MODEL, as_called, company


@dataclass(frozen=True)
class No:
    """What the sub-supplier's policy has instead, and what becomes of it above."""

    old: str
    new: str
    ends: int
    finding: str
    remedy: str
    rule: str  # of the sub-supplier
    why: str  # in its words, for the supplier only


NOES = {
    "budget": No(
        "[[grant]]",
        "[[grant]]\nwindows_per_day = 4",
        60,
        "A limit or a budget is reached; its owner's log says which.",
        "Wait, or ask its owner for more; then resume the run.",
        "windows_per_day",
        "today's 4 windows of leaf are used up",
    ),
    "policy": No(
        '"10 ms"',
        '"20 ms"',
        3,
        "What was asked is not allowed; its owner's log says why.",
        "Ask its owner to allow it.",
        "steps",
        "windows of 0.01 s are not granted for leaf",
    ),
}


def refusals(log: Path) -> list[Denial]:
    return denials(read_log(log).records)


@dataclass(frozen=True)
class Ended:
    """What came of a run through all three, whose addresses are no more."""

    code: int
    near: str  # address of the supplier
    sub: str  # and of the one behind it


def run_refused(home: Path, model: Path, no: No) -> Ended:
    ca = authority(home / "ca")
    top, middle, bottom = (home / n for n in ("oem", "supplier", "sub"))
    below = company(bottom, ca, ("leaf", "supplier"))
    above = company(middle, ca, ("near", "oem"))
    rules = bottom / "policy.toml"
    text = rules.read_text(encoding="utf-8").replace(no.old, no.new)
    rules.write_text(text.replace("[owner]", '[owner]\nbudgets = "b.sqlite"'))
    top.mkdir()
    with (
        (middle / "err").open("wb") as err,
        served(bottom, f"leaf={model}:near.one", *below) as (sub, _),
    ):
        file = placement(middle / "p.toml", {"near.one": sub}, ca.issue("supplier"))
        as_called(file)
        asked = [f"near={model}:near", *above, "--placement", file.name]
        with served(middle, *asked, stderr=err) as (near, _):
            there = placement(top / "p.toml", {"near": near}, ca.issue("oem"))
            head = ["--project", str(top), "run", str(model), "--name", "away"]
            code = main([*head, "--until", "100ms", "--placement", str(there)])
    return Ended(code, near, sub)


@pytest.mark.parametrize("no", NOES)
def test_a_refusal_goes_up_as_what_it_is_and_without_a_word_of_who_refused(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], no: str
):
    expected = NOES[no]
    found = run_refused(tmp_path, project / MODEL, expected)
    assert found.code == expected.ends
    seen = capsys.readouterr().err
    said = " ".join(seen.split())
    assert f"near (partner {found.near}): {expected.finding}" in said
    assert expected.remedy in said
    kept = find(tmp_path / "oem" / "runs", "away").path
    record = b"".join(p.read_bytes() for p in kept.rglob("*") if p.is_file())
    for word in (found.sub, "leaf are", "for leaf", "spiffe://test/supplier"):
        assert word not in seen
        assert word.encode() not in record

    middle = tmp_path / "supplier"
    (told,) = refusals(middle / "audit.jsonl")
    assert (told.who, told.rule) == ("spiffe://test/oem", "placement")
    assert told.reason == expected.finding
    assert f"near.one (partner {found.sub}): {expected.why}" in told.why
    (its,) = refusals(tmp_path / "sub" / "audit.jsonl")
    assert its.rule == expected.rule
    words = (middle / "err").read_text(encoding="utf-8")
    assert expected.why in words
    assert "Traceback" not in words
