"""Refusals of partners, with remedies that help."""

from __future__ import annotations

import pytest

from bondline.errors import (
    CorruptRun,
    NotAllowed,
    ResourceLimit,
    SettingError,
    VersionMismatch,
)
from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.troubles import Partner, failure
from bondline.remote.limits import Limits
from bondline.remote.owner.gate import Call
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served
from bondline.remote.privacy.budgets import Budgets
from bondline.remote.privacy.policy import Budget, Grant, Policy
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.protocol import spoken

PARTNER = Partner("axle", "axles.example:7443", "axle")


def told(code, reason, kind=pb.KIND_UNSPECIFIED):
    return failure(PARTNER, pb.Failure(code=code, reason=reason, kind=kind))


def test_a_budget_says_when_it_renews_and_offers_no_takeover(tmp_path):
    grant = Grant("me", "axle", frozenset({"open"}), budget=Budget(sessions=0))
    gate = PolicyGate(Policy(grants=(grant,)), Budgets(tmp_path / "b.sqlite"))
    denied = gate.admit(Call("me", "axle", "open"))
    gate.close()
    assert denied is not None
    error = told(pb.CODE_RESOURCE_EXHAUSTED, denied.reason)
    assert isinstance(error, ResourceLimit)
    assert "the budget renews at 00:00 UTC" in error.finding
    assert "--takeover" not in error.remedy


@pytest.mark.parametrize(
    "reason",
    [
        "frequency is not granted for two.",
        "What was asked is not allowed; its owner's log says why.",
    ],
)
def test_what_is_not_allowed_has_one_remedy_whatever_the_words(reason: str):
    """The words of a server are for people: nothing is decided by them."""
    error = told(pb.CODE_PERMISSION_DENIED, reason)
    assert isinstance(error, NotAllowed)
    assert error.place == str(PARTNER)
    assert error.finding == reason
    assert error.remedy == "Ask its owner to allow it."


def opened(host, coordinator, digest=""):
    ask = pb.Open(
        version=spoken(), model="axle", coordinator=coordinator, digest=digest
    )
    raw, session = host.answer(pb.Request(open=ask).SerializeToString(), "me")
    if session is not None:
        session.streams += 1
    return pb.Reply.FromString(raw)


def test_a_session_that_another_has_may_be_taken_over():
    models = {"axle": Served("axle", lambda: chain("axle"))}
    host = Host(models, limits=Limits(sessions=1))
    opened(host, "a")
    refused = opened(host, "b").failure
    error = failure(PARTNER, refused)
    assert isinstance(error, ResourceLimit)
    assert "--takeover" in error.remedy


def test_a_run_does_not_go_on_with_another_model():
    host = Host({"axle": Served("axle", lambda: chain("axle"), "new")})
    error = failure(PARTNER, opened(host, "a", "old").failure)
    assert isinstance(error, VersionMismatch)
    assert "start it anew" in error.remedy
    assert "goes on from its last checkpoint" not in error.remedy


def test_another_protocol_is_no_other_model():
    host = Host({"axle": Served("axle", lambda: chain("axle"))})
    ask = pb.Open(version=pb.Version(major=99), model="axle", coordinator="a")
    raw, _ = host.answer(pb.Request(open=ask).SerializeToString(), "me")
    error = failure(PARTNER, pb.Reply.FromString(raw).failure)
    assert "version of Bondline" in error.remedy


@pytest.mark.parametrize(
    ("kind", "cls", "words"),
    [
        (pb.KIND_CORRUPT, CorruptRun, "another --store"),
        (pb.KIND_UNSPECIFIED, SettingError, "the name of the model"),
    ],
)
def test_what_is_not_there_is_a_checkpoint_or_a_model(kind, cls, words):
    error = told(pb.CODE_NOT_FOUND, "There is no such thing here.", kind)
    assert isinstance(error, cls)
    assert words in error.remedy
