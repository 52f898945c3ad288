"""PRIV-06: a partner's link carries nothing of another's but the force they share.

The tap is before encryption: the very bytes that a partner's server reads.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import replace

import pytest

from bondline.build import Given, open_model
from bondline.remote import bondline_pb2 as pb
from bondline.run import simulate
from tests.remote.conftest import ca, integrator, owner, supply  # noqa: F401

CHAIN, PENDULUM = "linear_chain/SystemStructure.ssd", "double_pendulum"


class Tap:
    """A line whose bytes are kept, both ways."""

    def __init__(self, line) -> None:
        self.line, self.sent, self.came = line, [], []

    def exchange(self, raw, *more):
        self.sent.append(raw)
        self.came.append(self.line.exchange(raw, *more))
        return self.came[-1]

    def __getattr__(self, name):
        return getattr(self.line, name)


def floats(message) -> Iterator[float]:
    """All float64 numbers in a message."""
    for field, value in message.ListFields():
        each = value if field.is_repeated else [value]
        if field.message_type is not None:
            for inner in each:
                yield from floats(inner)
        elif field.type == field.TYPE_DOUBLE:
            yield from each


def own(tap: Tap) -> set[float]:
    """What only this partner can know: numbers of its replies that are not plain."""
    said = {x for raw in tap.came for x in floats(pb.Reply.FromString(raw))}
    asked = {x for raw in tap.sent for x in floats(pb.Request.FromString(raw))}
    return {x for x in said - asked if x * 1024 != round(x * 1024)}


def forces(tap: Tap) -> set[float]:
    """Sizes of the forces that this partner is told."""
    found = set()
    for raw in tap.sent:
        ask = pb.Request.FromString(raw)
        for inputs in (ask.advance.inputs, ask.realise.inputs):
            found |= {abs(x) for signal in inputs for x in signal.coefficients}
    return found - {0.0}


@pytest.fixture
def tapped(project, supply):  # noqa: F811
    def run(model, until, step, given=None):
        path = project / "examples" / model
        there, whole = supply(path), open_model(path, given or Given()).model
        parts = {name: there.model(name) for name in whole.parts}
        taps = {name: Tap(part.link.line) for name, part in parts.items()}
        for name, part in parts.items():
            part.link.line = taps[name]
        simulate(replace(whole, parts=parts), until, step)
        for part in parts.values():
            part.close()
        return taps

    return run


RUNS = {
    "chain": (CHAIN, 0.5, 0.01, None),
    "blocks": (CHAIN, 0.5, 0.01, Given(block=10)),
    "pendulum": (PENDULUM, 0.1, 0.01, None),
}


@pytest.mark.parametrize("case", RUNS)
def test_no_number_of_one_partner_is_sent_to_another(tapped, case):
    taps = tapped(*RUNS[case])
    for name, tap in taps.items():
        mine = own(tap)
        assert len(mine) > 100, "there is something to leak"
        for other, there in taps.items():
            if other != name:
                sent = b"".join(there.sent)
                leaked = [x for x in mine if struct.pack("<d", x) in sent]
                assert leaked == [], (name, other)


@pytest.mark.parametrize("case", RUNS)
def test_no_partner_is_told_the_name_of_another(tapped, case):
    taps = tapped(*RUNS[case])
    for name, tap in taps.items():
        told = b"".join(tap.sent)
        assert name.encode() in told
        assert not [n for n in taps if n != name and n.encode() in told]


def test_only_neighbours_share_forces(tapped):
    """The positive control: what is shared is seen, and seen nowhere else."""
    each = {name: forces(tap) for name, tap in tapped(*RUNS["chain"]).items()}
    names = list(each)
    for i, one in enumerate(names):
        for j, two in enumerate(names[:i]):
            assert bool(each[one] & each[two]) == (i - j == 1), (one, two)
