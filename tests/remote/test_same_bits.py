"""A part at its owner's gives the bits that it gives in process."""

from __future__ import annotations

from pathlib import Path

import pytest

from bondline.cli import main
from bondline.run import find
from tests.remote.conftest import Supply, placement

CASES = {
    "linear_chain": ("--until", "1s", "--step", "10ms"),
    "double_pendulum": ("--until", "0.5s"),
}


def run(home: Path, model: Path, name: str, *more: str) -> str:
    """SHA-256 of the record of a run."""
    head = ["--quiet", "--project", str(home), "run", str(model), "--name", name]
    assert main([*head, *more]) == 0
    return find(home / "runs", name).summary.sha256


@pytest.mark.parametrize("case", CASES)
def test_loopback_with_certificates_gives_the_same_record(
    case: str, project: Path, tmp_path: Path, supply: Supply
):
    model, flags = project / "examples" / case, CASES[case]
    there = supply(model)
    places = dict.fromkeys(there.server.host.models, there.address)
    file = placement(tmp_path / "partners.toml", places, there.secrets)
    here = run(tmp_path, model, "here", *flags)
    away = run(tmp_path, model, "away", *flags, "--placement", str(file))
    assert here == away
    assert not there.server.host.sessions, "sessions end with the run"


def test_the_conformance_kit_sees_a_remote_leaf_keep_its_states(
    project: Path, tmp_path: Path, supply: Supply, capsys: pytest.CaptureFixture[str]
):
    model = project / "examples/linear_chain"
    there = supply(model)
    file = placement(tmp_path / "p.toml", {"two": there.address}, there.secrets)
    target = f"{model / 'SystemStructure.ssd'}:two"
    assert main(["leaf", "test", target, "--placement", str(file)]) == 0
    told = capsys.readouterr().out.splitlines()
    (kept,) = [line for line in told if line.startswith("serialisation")]
    assert "passed" in kept
