"""Surfaces of a partner's part: as in process where granted, else nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bondline.build import open_model
from bondline.cli import main
from bondline.core import Block, Settling, Skinned, Vibrating, uniform
from bondline.errors import BondlineError, LeafInconsistent
from bondline.remote import bondline_pb2 as pb
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.run import find
from tests.remote.conftest import Supply, placement

H = 0.0005
PART = "connector_1"
ME = "spiffe://test/integrator"
METHODS_OF = {"skins", "deformed", "swinging"}


@pytest.fixture(scope="module")
def leaf(project: Path):
    return open_model(project / "examples" / "truck_frame" / "Flat.ssd").model.parts[
        PART
    ]


def served(leaf, **published: bool) -> dict[str, Served]:
    shown = replace(EVERYTHING, **published)
    return {PART: Served(PART, lambda: leaf, "", shown)}


def after_a_window(model):
    state = model.start(0.0).state
    return model.advance(state, uniform(0.0, H, 0), {}).state


def swings(leaf) -> dict[str, np.ndarray]:
    """Amplitudes of all ports."""
    return {n: np.full(p.size, 1e-3) for n, p in leaf.ports.items()}


def test_what_is_published_is_seen_as_in_process_less_what_is_the_owners(
    leaf, supply: Supply
):
    away = supply(served(leaf)).model(PART)
    ((name, skin),) = away.skins().items()
    (own,) = leaf.skins().values()
    assert name == ""
    for what in ("points", "triangles", "quads", "bars"):
        assert np.array_equal(getattr(skin, what), getattr(own, what)), what
    assert not len(skin.ids)
    assert not skin.sets
    assert not skin.ports
    assert not len(skin.loaded)
    states = after_a_window(away), after_a_window(leaf)
    for t, share in ((H, 1.0), (None, 0.5)):
        there, here = (
            m.deformed(s, t, share)[""]
            for m, s in zip((away, leaf), states, strict=True)
        )
        assert np.array_equal(there.displacement, here.displacement)
        assert there.mises is None
    there, here = (m.swinging(200.0, swings(leaf))[""] for m in (away, leaf))
    assert np.abs(here.displacement).max() > 0.0
    assert np.array_equal(there.displacement, here.displacement)
    away.close()


def test_what_is_not_published_cannot_even_be_asked_for(leaf, supply: Supply):
    away = supply(served(leaf, surfaces=False)).model(PART)
    assert isinstance(leaf, Skinned)
    assert isinstance(leaf, Vibrating)
    assert not isinstance(away, Skinned)
    assert not isinstance(away, Vibrating)
    away.close()


@pytest.mark.parametrize("denied", sorted(METHODS_OF))
def test_who_is_not_granted_them_sees_nothing_and_goes_on(
    leaf, supply: Supply, denied: str
):
    """By the template of a policy nobody is."""
    grant = Grant(ME, PART, frozenset(METHODS) - {denied}, steps=Steps((H,)))
    gate = PolicyGate.of(Policy(grants=(grant,)))
    away = supply(served(leaf), gate=gate).model(PART)
    state = after_a_window(away)
    assert bool(away.skins()) is (denied != "skins")
    assert bool(away.deformed(state, H)) is (denied == "swinging")
    assert bool(away.swinging(200.0, swings(leaf))) is (denied == "deformed")
    after_a_window(away)
    away.close()
    gate.close()


def test_inside_a_block_there_is_nothing_to_see_and_where_it_ends_there_is(
    leaf, supply: Supply
):
    away = supply(served(leaf)).model(PART)
    windows = [uniform(0.0, H, k) for k in range(3)]
    block = Block(windows, [{}] * 3)
    response = away.respond_block(away.start(0.0).state, block)
    trial = away.try_block(response, [{}] * 3)
    done = away.settle_block(Settling(trial, [{}] * 3)).advances
    shown = [away.deformed(a.state, w.t1) for a, w in zip(done, windows, strict=True)]
    assert [bool(s) for s in shown] == [False, False, True]
    away.close()


def test_a_run_in_blocks_shows_its_surfaces_where_blocks_end(
    leaf, supply: Supply, project: Path, tmp_path: Path
):
    there = supply(served(leaf))
    file = placement(tmp_path / "p.toml", {PART: there.address}, there.secrets)
    model = project / "examples" / "truck_frame" / "Flat.ssd"
    command = ["--quiet", "--project", tmp_path, "run", model, "--until", "10ms"]
    more = ["--name", "away", "--block", "10", "--placement", file]
    assert main([*map(str, command), *map(str, more)]) == 0
    seen = find(tmp_path / "runs", "away").seen()
    assert [s.n for s in seen] == [0, 1, 10, 20], "a load jumps: window 1 is no block"
    assert PART in seen[-1].parts


class Lying:
    """A line whose replies about surfaces are bent."""

    def __init__(self, line, bend) -> None:
        self.line, self.bend, self.place = line, bend, line.place

    def exchange(self, *args) -> bytes:
        reply = pb.Reply.FromString(self.line.exchange(*args))
        self.bend(reply)
        return reply.SerializeToString()

    def __getattr__(self, name: str):
        return getattr(self.line, name)


BENT = {
    "no such points": lambda r: [
        s.triangles.extend([9, 10**6, 0]) for s in r.surfaces.each
    ],
    "no points of a surface": lambda r: [s.points.append(1.0) for s in r.surfaces.each],
    "is nowhere": lambda r: [s.points.extend([np.nan] * 3) for s in r.surfaces.each],
    "of its 1 surfaces came": lambda r: (
        r.moved.each.add() if r.HasField("moved") else 0
    ),
    "no displacements of": lambda r: [m.values.extend([0.0] * 3) for m in r.moved.each],
}


def test_amplitudes_are_those_of_all_ports(leaf, supply: Supply):
    away = supply(served(leaf)).model(PART)
    with pytest.raises(BondlineError, match=r"how port .* swings is missing"):
        away.swinging(200.0, {})
    away.close()


@pytest.mark.parametrize("said", BENT)
def test_surfaces_that_cannot_be_are_told(leaf, supply: Supply, said: str):
    away = supply(served(leaf)).model(PART)
    away.link.line = Lying(away.link.line, BENT[said])
    with pytest.raises(LeafInconsistent, match=said):
        away.deformed(after_a_window(away), H)
    away.close()
