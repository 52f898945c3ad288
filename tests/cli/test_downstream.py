"""Partners of a server are let go, each of them, and no later than they must be."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from bondline.build import open_model
from bondline.cli.downstream import SIDE, Downstream
from bondline.cli.serve_models import all_served
from bondline.errors import StorageError, UsageError
from bondline.remote.client.placement import Place, read_placement
from bondline.remote.limits import Limits
from bondline.remote.log.audit import AuditLog
from bondline.remote.owner.host import Host
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.server import Server
from tests.remote.conftest import parts_of, serving

PARTS = ("one", "two")


@pytest.fixture
def owner(project: Path) -> Iterator[Server]:
    models = parts_of(project / "examples" / "linear_chain")
    host = Host(models, limits=Limits(sessions=64))
    with serving(host, None) as server:
        yield server


@pytest.fixture
def below(owner: Server) -> Iterator[Downstream]:
    there = f"127.0.0.1:{owner.port}"
    made = Downstream({name: Place(there, name) for name in PARTS}, None)
    yield made
    made.close()


def assembled(project: Path, below: Downstream):
    """A model with parts at partners', whose sessions are open."""

    def make(connected):
        there = connected()
        return open_model(project / "examples" / "linear_chain", None, there).model

    model = below.made(make)
    model.start(0.0)
    return model


def test_partners_of_a_model_that_nobody_has_any_more_are_free_again(
    project: Path, owner: Server, below: Downstream
):
    """However many are forgotten one after the other, sessions are those of one."""
    for _ in range(5):
        model = assembled(project, below)
        assert len(owner.host.sessions) == len(PARTS)
        del model
        gc.collect()


def test_partners_of_models_in_use_are_not_disturbed(
    project: Path, owner: Server, below: Downstream
):
    kept = [assembled(project, below) for _ in range(3)]
    assert len(owner.host.sessions) == 3 * len(PARTS)
    for model in kept:
        model.start(0.0)
    below.close()
    assert owner.host.sessions == {}


def test_a_model_that_cannot_be_made_holds_nobody(owner: Server, below: Downstream):
    def make(connected):
        for model in connected().values():
            model.start(0.0)
        raise UsageError("model.ssd", "it is wrong.", "Mend it.")

    with pytest.raises(UsageError):
        below.made(make)
    assert owner.host.sessions == {}


def test_what_goes_wrong_with_the_last_model_does_not_meet_the_next_one(
    project: Path,
    owner: Server,
    below: Downstream,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
):
    model = assembled(project, below)
    log = AuditLog(tmp_path / "log.jsonl", SIDE)
    model.parts["one"].link.ledger.begin(log)
    log.path.unlink()
    del model
    gc.collect()
    with caplog.at_level(logging.WARNING, "bondline.leaf"):
        fresh = assembled(project, below)
    assert set(fresh.parts) >= set(PARTS)
    (told,) = (r.getMessage() for r in caplog.records if r.name == "bondline.leaf")
    assert "a session with a partner ended badly: " in told
    assert "the audit log cannot be written" in told
    with pytest.raises(StorageError):
        log.close()


def test_each_of_several_models_is_connected_to_its_own_parts(
    project: Path, owner: Server, tmp_path: Path
):
    """A part that one of them has is no slip, though the other one has it not."""
    file = tmp_path / "p.toml"
    there = f'address = "127.0.0.1:{owner.port}"\ninsecure = true\n'
    text = "".join(f'[parts.{name}]\nmodel = "{name}"\n{there}' for name in PARTS)
    file.write_text(text, encoding="utf-8")
    below = Downstream(read_placement(file), None)
    examples = project / "examples"
    targets = [str(examples / "linear_chain"), str(examples / "double_pendulum")]
    try:
        models = all_served(targets, {}, below, (EVERYTHING, 0.0))
        for model, sessions in zip(models, (len(PARTS), 0), strict=True):
            before = len(owner.host.sessions)
            model.borrow().start(0.0)
            assert len(owner.host.sessions) - before == sessions
    finally:
        below.close()


@pytest.mark.parametrize("broken", PARTS)
def test_one_who_raises_keeps_nobody_else_open(
    project: Path, owner: Server, below: Downstream, tmp_path: Path, broken: str
):
    """What one sent cannot be written down any more; the other is told of the end."""
    model = assembled(project, below)
    log = AuditLog(tmp_path / "log.jsonl", SIDE)
    model.parts[broken].link.ledger.begin(log)
    log.path.unlink()
    with pytest.raises(StorageError, match="the audit log cannot be written"):
        below.close()
    (left,) = owner.host.sessions.values()
    assert left.model == broken, "its lease will end it: nobody renews it"
    with pytest.raises(StorageError):
        log.close()
