"""An integrator cannot tell a served assembly from a served leaf, unless it is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from google.protobuf.message import Message

from bondline.build import open_model
from bondline.core import Block, Rejected, Settling, Signal, uniform
from bondline.errors import (
    BondlineError,
    CouplingDiverged,
    LeafFailed,
    LeafLost,
    NotAllowed,
    ResourceLimit,
    SettingError,
    SingularInterface,
)
from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.remote.failures import KINDS
from bondline.remote.owner.host import Host
from bondline.remote.owner.published import EVERYTHING, Published
from bondline.remote.owner.served import Served
from bondline.remote.owner.shelf import Shelf
from tests.remote.test_coming_back import Direct

H = 0.01
SHOWN = {
    "nothing": Published(),
    "notes": Published(notes=True),
    "notes, energy, counts": Published(notes=True, energy=True, counts=True),
}
# what a message counts: the same numbers for both
COUNTS = {"solves", "lags", "total"}


@dataclass
class Heard(Direct):
    """Keeps every reply."""

    replies: list[tuple[str, Message]] = field(default_factory=list)

    def exchange(self, raw: bytes, patience: float, busy=None) -> bytes:
        reply = super().exchange(raw, patience, busy)
        asked = pb.Request.FromString(raw).WhichOneof("ask") or ""
        self.replies.append((asked, pb.Reply.FromString(reply)))
        return reply

    def describe(self, raw: bytes, patience: float) -> bytes:
        reply = super().describe(raw, patience)
        self.replies.append(("describe", pb.DescribeReply.FromString(reply)))
        return reply


def shape(message: Message, path: str = "") -> Iterator[tuple[str, Any]]:
    """Fields that are set, how many of each, and what is text, counted, or a kind."""
    for what, value in message.ListFields():
        here = f"{path}.{what.name}"
        if what.message_type is not None:
            each = value if what.is_repeated else [value]
            yield here, len(each)
            for one in each:
                yield from shape(one, here)
        elif what.is_repeated:
            names = what.type in (what.TYPE_STRING, what.TYPE_ENUM)
            yield here, tuple(value) if names else len(value)
        elif what.type in (what.TYPE_STRING, what.TYPE_ENUM) or what.name in COUNTS:
            yield here, value
        elif what.type != what.TYPE_DOUBLE:
            yield here, None


@cache
def nested(project):
    path = project / "examples" / "linear_chain" / "Nested.ssd"
    return open_model(path).model.parts["near"]


def talk(model):
    """Everything that a run may ask for."""
    state = model.start(0.0).state
    force = {p: np.ones(q.size) for p, q in model.ports.items()}
    push = {p: Signal.hold(f) for p, f in force.items()}
    window = uniform(0.0, H, 0)
    model.guard(state, window)
    model.breaks(window)
    model.press(state, 0.0, force)
    model.kick(state, 0.0, force)
    model.mobility(state, 0.0)
    model.equilibrium(state, 1.0, force, force)
    model.compliance(state, force)
    model.linearise(state, window, push)
    model.receptance(30.0)
    model.dump(state)
    model.realise(model.respond(state, window, {}), push)
    model.advance_each(state, window, [push, push])
    state = model.advance(state, window, push).state
    block = Block([uniform(0.0, H, n) for n in range(1, 5)])
    model.impulse(state, block, 1)
    trial = model.try_block(model.respond_block(state, block), [push] * 4)
    model.settle_block(Settling(trial, [push] * 4))


def said(make, show, tmp_path):
    """The replies to all that; of an assembly no counts leave, whatever is granted."""
    host = Host({"part": Served("part", make, "d", show)}, shelf=Shelf(tmp_path))
    line = Heard(lambda: host, "")
    model = remote_model("part", line, "part", Patience(5.0, 5.0, 5.0))
    talk(model)
    model.close()
    return [(asked, sorted(shape(r), key=repr)) for asked, r in line.replies]


@pytest.mark.parametrize("show", SHOWN)
def test_every_message_of_an_assembly_has_the_shape_of_a_leafs(project, tmp_path, show):
    quiet = replace(SHOWN[show], counts=False)
    one = said(lambda: nested(project), SHOWN[show], tmp_path / "a")
    two = said(lambda: chain("part", damping=0.1), quiet, tmp_path / "b")
    assert [asked for asked, _ in one] == [asked for asked, _ in two]
    for (asked, mine), (_, theirs) in zip(one, two, strict=True):
        kept = (".kept", ".settled_block.kept")  # by itself, or along with a block
        hidden = [f"{where}.{what}" for where in kept for what in ("digest", "handle")]
        if asked == "kick":  # an assembly does not know its energy right after one
            hidden.append(".stepped.energy")
        a, b = ([f for f in each if f[0] not in hidden] for each in (mine, theirs))
        assert a == b, asked


def test_who_is_told_of_the_inside_can_tell(project, tmp_path):
    """The positive control."""
    one = said(lambda: nested(project), EVERYTHING, tmp_path / "a")
    two = said(lambda: chain("part", damping=0.1), EVERYTHING, tmp_path / "b")
    assert one != two


class Failing:
    """A model whose windows are rejected, or fail, with an error."""

    def __init__(self, leaf, error, how):
        self.leaf, self.error, self.how = leaf, error, how

    def __getattr__(self, name):
        return getattr(self.leaf, name)

    def advance(self, state, window, inputs):
        if self.how == "raises":
            raise self.error
        return Rejected("inner part", "secret words", None, self.error, 37)


@pytest.mark.parametrize("how", ["raises", "rejects"])
@pytest.mark.parametrize("show", SHOWN)
@pytest.mark.parametrize("kind", [CouplingDiverged, SingularInterface, SettingError])
def test_parts_that_do_not_agree_are_a_leaf_that_fails(project, how, show, kind):
    error = kind("weld", "secret words", "")

    def failure(make, shown):
        host = Host({"part": Served("part", make, "d", shown)})
        line = Heard(lambda: host, "")
        model = remote_model("part", line, "part", Patience(5.0, 5.0, 5.0))
        state = model.start(0.0).state
        with pytest.raises(BondlineError) if how == "raises" else nullcontext():
            model.advance(state, uniform(0.0, H, 0), {})
        reply = line.replies[-1][1]
        return reply.failure if how == "raises" else reply.rejected

    inside = failure(lambda: Failing(nested(project), error, how), SHOWN[show])
    assert inside.kind == pb.KIND_LEAF_FAILED
    for word in ("part", "agree", "glue", "secret"):
        assert word not in inside.reason
    if how == "rejects":
        assert inside.solves == 0
    told = replace(SHOWN[show], inner=True)
    shown = failure(lambda: Failing(nested(project), error, how), told)
    assert shown.kind == KINDS[kind]


REFUSALS = {
    NotAllowed: (pb.CODE_PERMISSION_DENIED, 3, "Ask its owner to allow it."),
    ResourceLimit: (pb.CODE_RESOURCE_EXHAUSTED, 60, "ask its owner for more"),
}


@pytest.mark.parametrize("kind", REFUSALS)
@pytest.mark.parametrize("inner", [False, True])
def test_what_others_refuse_an_assembly_is_refused_as_by_a_leaf(project, kind, inner):
    """The cause goes one level up, and not a word of those who refused."""
    error = kind("weld (partner secret:7443)", "secret words.", "Ask secret.")

    def refused(make):
        host = Host({"part": Served("part", make, "d", Published(inner=inner))})
        line = Heard(lambda: host, "")
        model = remote_model("part", line, "part", Patience(5.0, 5.0, 5.0))
        state = model.start(0.0).state
        with pytest.raises(kind) as caught:
            model.advance(state, uniform(0.0, H, 0), {})
        return caught.value, line.replies[-1][1].failure

    above, one = refused(lambda: Failing(nested(project), error, "raises"))
    _, two = refused(lambda: Failing(chain("part"), error, "raises"))
    assert one == two
    code, ends, remedy = REFUSALS[kind]
    assert (one.code, one.kind) == (code, pb.KIND_UNSPECIFIED)
    assert above.place.startswith("part (partner ")
    assert "its owner's log says" in above.finding
    assert (above.exit_code, remedy in above.remedy) == (ends, True)
    assert not [w for w in ("secret", "weld", "7443") if w in str(one) + str(above)]


def test_who_cannot_open_an_assembly_hears_of_no_parts(project):
    """Its sub-supplier went away after the server began."""
    away = LeafLost("weld (partner secret:7443)", "it is gone.", "Have it started.")
    first = [nested(project)]

    def make():
        if not first:
            raise away
        return first.pop()

    host = Host({"part": Served("part", make, "d")})
    models = [
        remote_model("part", Direct(lambda: host), "part", Patience(5.0, 5.0, 5.0))
        for _ in range(2)
    ]
    models[0].start(0.0)
    with pytest.raises(LeafFailed) as caught:
        models[1].start(0.0)
    assert caught.value.finding == "The model failed; its owner's log says why."
