"""Ports that a grant does not name: nothing of them leaves, by no method."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from typing import Any

import numpy as np
import pytest

from bondline.build import open_model
from bondline.core import (
    Advance,
    Block,
    Flexibility,
    Impulse,
    Motion,
    Receptance,
    Settling,
    Signal,
    Surface,
    uniform,
)
from bondline.leaves.corrected import Corrected
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.gate import Hiding
from bondline.remote.owner.host import Host, Open
from bondline.remote.owner.published import EVERYTHING, Published
from bondline.remote.owner.served import Served
from bondline.remote.owner.shelf import Shelf
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy, Steps, Terms
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.privacy.strangers import strangers
from bondline.run import Keep, simulate
from tests.remote.test_coming_back import Direct
from tests.security.beams import H, assembly, hidden_model

ME = "spiffe://truck/integrator"
SEEN, WALLED = "end", "canaryk7"
POINT = (1517.2839450617283, -28.394506172839, 0.1728394506)
ALL = frozenset({"*"})
NOTHING = Published()
W = uniform(0.0, H, 0)
BLOCK = Block([uniform(0.0, H, n) for n in range(4)])
PUSH = {SEEN: Signal.hold(np.array([3.0]))}
PUSHES = [PUSH] * 4
F = {SEEN: np.array([3.0])}


@cache
def leaf():
    """The beam with one more port, first in order, where nobody may look."""
    ports = {WALLED: Plug([17], components=(1, 5)), SEEN: Plug("u1", components=(1,))}
    made = fe_leaf(hidden_model(), ports)
    where = Surface(np.array([POINT]))
    walled = replace(made.ports[WALLED], surface=where)
    return replace(made, ports={**made.ports, WALLED: walled})


def corrected():
    return Corrected(leaf(), 3.0)


@dataclass
class Tapped(Direct):
    """Hears all that leaves."""

    heard: bytearray = field(default_factory=bytearray)

    def exchange(self, raw: bytes, patience: float, busy=None) -> bytes:
        return self._hear(super().exchange(raw, patience, busy))

    def describe(self, raw: bytes, patience: float) -> bytes:
        return self._hear(super().describe(raw, patience))

    def _hear(self, reply: bytes) -> bytes:
        self.heard += reply
        return reply


@pytest.fixture
def away(tmp_path):
    """The model through a gate; its line has heard everything."""
    gates, shelves = [], count()

    def start(ports=frozenset({SEEN}), make=leaf, show=NOTHING, gate=None):
        if gate is None:
            grant = Grant(ME, "hidden", frozenset(METHODS), ports, Steps((H,)))
            policy = Policy(
                grants=(replace(grant, blocks=50),),
                audit=tmp_path / f"audit{len(gates)}.jsonl",
                keep="numbers",
            )
            gates.append(gate := PolicyGate.of(policy))
        served = Served("hidden", make, "d", show)
        host = Host(
            {"hidden": served}, gate, shelf=Shelf(tmp_path / f"{next(shelves)}")
        )
        line = Tapped(lambda: host, ME)
        return remote_model("hidden", line, "hidden", Patience(5.0, 5.0, 5.0)), line

    yield start
    for gate in gates:
        gate.close()


def log(tmp_path, which=0):
    return read_log(tmp_path / f"audit{which}.jsonl").records


def tried(m, s):
    return m.try_block(m.respond_block(s, BLOCK), PUSHES)


def settled(m, s):
    return m.settle_block(Settling(tried(m, s), PUSHES))


def foreseen(m, s):
    """What comes along with other replies, too."""
    first = m.advance(s, W, PUSH)
    return m.respond(first.state, uniform(0.0, H, 1), {}).free


def _pressed(m):
    return m.press(m.start(0.0).state, 0.0, F)


ASKED = {
    "start": lambda m, s: m.start(0.0),
    "advance": lambda m, s: m.advance(s, W, PUSH),
    "advance and respond": foreseen,
    "respond": lambda m, s: m.respond(s, W, PUSH).free,
    "respond, its G": lambda m, s: m.respond(s, W, {}).G,
    "realise": lambda m, s: m.realise(m.respond(s, W, {}), PUSH),
    "linearise": lambda m, s: m.linearise(s, W, PUSH),
    "press": lambda m, s: m.press(s, 0.0, F),
    "kick": lambda m, s: m.kick(s, 0.0, F),
    "mobility": lambda m, s: m.mobility(s, 0.0),
    "equilibrium": lambda m, s: m.equilibrium(s, 1.0, F, {}),
    "compliance": lambda m, s: m.compliance(s, {SEEN: np.array([10.0])}),
    "receptance": lambda m, s: m.receptance(30.0),
    "impulse": lambda m, s: m.impulse(s, BLOCK, 2),
    "respond_block": lambda m, s: m.respond_block(s, Block(BLOCK.windows, PUSHES)).free,
    "try_block": lambda m, s: tried(m, s).shown,
    "settle_block": lambda m, s: settled(m, s).advances,
}
CORRECTED = {
    "predict": lambda m, s: m.predict(m.press(s, 0.0, F).state, W).motions,
    "correct": lambda m, s: m.correct(m.predict(s, W), F).motions,
    "accept": lambda m, s: m.accept(m.correct(m.predict(s, W), F)),
    "ballasted": lambda m, s: _pressed(m.ballasted({SEEN: np.array([9.0])})),
}
CASES = [(leaf, name) for name in ASKED] + [(corrected, name) for name in CORRECTED]
EVERY = {**ASKED, **CORRECTED}


def found(result: Any) -> Iterator[tuple[frozenset[str], np.ndarray]]:
    """All numbers in there, each with the ports it belongs to."""
    if isinstance(result, Advance):
        yield from found(result.outputs)
    elif isinstance(result, Flexibility | Impulse | Receptance):
        yield from found(result.blocks)
    elif isinstance(result, Mapping):
        for key, value in result.items():
            ports = frozenset({key} if isinstance(key, str) else key)
            yield ports, _flat(value)
    elif isinstance(result, Sequence):
        for each in result:
            yield from found(each)


def _flat(value: Any) -> np.ndarray:
    if isinstance(value, Motion):
        return np.concatenate([value.x, value.v, value.a])
    parts = [value.real, value.imag] if np.iscomplexobj(value) else [value]
    return np.concatenate([part.ravel() for part in parts])


def signs(result: Any) -> set[bytes]:
    """The bytes of all numbers that only the hidden port has."""
    secret, public = set(), {0.0, 1.0}
    for ports, numbers in found(result):
        (secret if WALLED in ports else public).update(numbers.tolist())
    return {np.float64(x).tobytes() for x in secret - public}


NAME_AND_PLACE = {WALLED.encode(), *(np.float64(x).tobytes() for x in POINT)}


@pytest.mark.parametrize(("make", "method"), CASES, ids=[name for _, name in CASES])
def test_nothing_of_a_hidden_port_leaves(away, tmp_path, make, method):
    here = make()
    want = EVERY[method](here, here.start(0.0).state)
    canaries = signs(want)
    model, line = away(make=make)
    got = EVERY[method](model, model.start(0.0).state)
    assert not [sign for sign in canaries | NAME_AND_PLACE if sign in line.heard]
    assert list(model.ports) == [SEEN]
    assert {p for ports, _ in found(got) for p in ports} == {SEEN}
    shown = [(p, v) for p, v in found(want) if p == {SEEN}]
    for (_, a), (_, b) in zip(found(got), shown, strict=True):
        assert np.array_equal(a, b), "what is granted is as it was"
    assert WALLED not in str(log(tmp_path))


@pytest.mark.parametrize(("make", "method"), CASES, ids=[name for _, name in CASES])
def test_the_canaries_sing_where_all_ports_are_granted(away, make, method):
    here = make()
    canaries = signs(EVERY[method](here, here.start(0.0).state))
    model, line = away(ALL, make)
    EVERY[method](model, model.start(0.0).state)
    missing = [s for s in canaries | NAME_AND_PLACE if s not in line.heard]
    assert not missing
    assert canaries or method == "start", "it is at rest there"


def test_several_cases_at_once(away):
    here, (model, line) = leaf(), away()
    cases = [PUSH, {SEEN: Signal.hold(np.array([5.0]))}]
    canaries = set()
    for case in cases:
        canaries |= signs(here.advance(here.start(0.0).state, W, case))
    each = model.advance_each(model.start(0.0).state, W, cases)
    assert [set(done.outputs) for done in each] == [{SEEN}] * 2
    assert len(canaries) > 4
    assert not [sign for sign in canaries if sign in line.heard]


def test_a_checkpoint_and_its_return(away):
    model, line = away()
    state = model.advance(model.start(0.0).state, W, PUSH).state
    back = model.load(model.dump(state))
    assert set(model.advance(back, uniform(0.0, H, 1), PUSH).outputs) == {SEEN}
    assert not [sign for sign in NAME_AND_PLACE if sign in line.heard]


def test_all_that_can_be_asked_for_has_been(away):
    """Methods without a case show no port, or are here or in `test_surfaces`."""
    cases = {name.partition(",")[0].partition(" ")[0] for name in EVERY}
    other = {"advance_each", "keep", "restore", "describe", "open", "swinging"}
    portless = {"close", "pulse", "guard", "breaks", "release", "weighing"}
    published = {"observe", "reactions", "shapes", "skins", "deformed"}
    placed = {"place"}  # answers as `press` does
    assert cases | other | portless | published | placed == set(METHODS)


@pytest.mark.parametrize("number", [1, 2])
def test_inputs_there_are_of_no_port(away, number):
    """Hidden or not there at all: the same words."""
    model, line = away()
    state = model.start(0.0).state
    for size in (1, 2):
        push = pb.Signal(port=number, rows=1, coefficients=[1.0] * size)
        ask = pb.Advance(state=state.name.number, t0=0.0, t1=H, inputs=[push])
        with pytest.raises(Exception, match=f"no port number {number}"):
            model.link.ask(pb.Request(advance=ask))
    assert WALLED.encode() not in line.heard


@pytest.mark.parametrize("who", ["policy", "nobody"])
def test_where_all_ports_are_granted_the_bytes_are_those_without_a_wall(away, who):
    def heard(model, line):
        state = model.start(0.0).state
        for ask in ASKED.values():
            ask(model, state)
        return bytes(line.heard)

    named = away(frozenset({SEEN, WALLED}))
    other = away(gate=Open()) if who == "nobody" else away(ALL)
    assert not isinstance(Open(), Hiding)
    assert heard(*named) == heard(*other)


def test_glued_at_the_granted_port_it_gives_the_same(away):
    def played(model):
        kept = Keep()
        simulate(assembly(model, 0), until=60 * H, step=H, record=kept)
        return kept.results().signals

    walled, whole, here = (played(m) for m in (away()[0], away(ALL)[0], leaf()))
    forces = [name for name in walled if "weld" in name]
    assert forces, list(walled)
    for name in (*forces, "other.tip"):
        assert np.array_equal(walled[name], whole[name]), name
        assert np.array_equal(walled[name], here[name]), name
    assert np.abs(walled["other.tip"]).max() > 0.0


def test_the_log_counts_only_what_left(away, tmp_path):
    counted = []
    for which, ports in enumerate((frozenset({SEEN}), ALL)):
        model, _ = away(ports)
        state = model.start(0.0).state
        for name in ("mobility", "compliance", "receptance", "linearise", "impulse"):
            ASKED[name](model, state)
        ASKED["advance"](model, state)
        ASKED["settle_block"](model, state)
        calls = [r for r in log(tmp_path, which) if r["kind"] == "call"]
        counted.append({r["method"]: r for r in calls})
    walled, whole = counted
    numbers = {m: (walled[m]["numbers"], whole[m]["numbers"]) for m in walled}
    assert numbers["describe"] == (3, 6)
    assert numbers["open"] == (3, 6)
    assert numbers["mobility"] == numbers["compliance"] == (1, 9)
    assert numbers["receptance"] == (2, 18)
    assert numbers["linearise"] == (3, 27)
    assert numbers["impulse"] == (4 * 3 * 2, 4 * 27 * 2)
    assert numbers["advance"][1] - numbers["advance"][0] == 6
    assert numbers["settle_block"][1] - numbers["settle_block"][0] == 4 * 6
    for method, dofs in (("mobility", 1), ("receptance", 1), ("impulse", 4 * 2)):
        assert walled[method]["probes"] == dofs
        assert whole[method]["probes"] == 3 * dofs
    assert set(walled["advance"]["out"]) == {SEEN}
    assert [set(each) for each in walled["settle_block"]["out"]] == [{SEEN}] * 4


def test_of_a_model_none_of_whose_ports_is_granted_there_is_none(away):
    model, line = away(frozenset({"another"}))
    state = model.start(0.0).state
    assert not model.ports
    assert not model.advance(state, W, {}).outputs
    assert not [sign for sign in NAME_AND_PLACE if sign in line.heard]


def test_partners_side_by_side_see_what_is_theirs(tmp_path):
    """One server, one model, two grants: numbers are those of each description."""
    you = "spiffe://truck/other"
    grants = [
        Grant(who, "hidden", frozenset(METHODS), frozenset({port}), Steps((H,)))
        for who, port in ((ME, SEEN), (you, WALLED))
    ]
    gate = PolicyGate(Policy(grants=grants))
    host = Host({"hidden": Served("hidden", leaf, "d")}, gate)
    both = [
        remote_model("hidden", Direct(lambda: host, who), "hidden", Patience(5, 5, 5))
        for who in (ME, you)
    ]
    states = [m.start(0.0).state for m in both]
    for n in range(3):
        done = [
            m.advance(s, uniform(0.0, H, n), {})
            for m, s in zip(both, states, strict=True)
        ]
        states = [d.state for d in done]
        assert [set(d.outputs) for d in done] == [{SEEN}, {WALLED}]


def test_a_surface_swings_as_if_nothing_held_the_hidden_ports(project):
    """Where surfaces are published; how hidden ports follow is found here."""
    path = project / "examples" / "truck_frame" / "Flat.ssd"
    here = open_model(path).model.parts["connector_1"]
    one, *others = here.ports
    assert others
    grant = Grant(ME, "part", frozenset(METHODS), frozenset({one}), Steps((H,)))
    gate = PolicyGate(Policy(grants=(grant,)))
    host = Host({"part": Served("part", lambda: here, "d", EVERYTHING)}, gate)
    model = remote_model("part", Direct(lambda: host, ME), "part", Patience(5, 5, 5))
    omega, force = 200.0, np.ones(here.ports[one].size)
    blocks = here.receptance(omega, damped=False).blocks
    swings = {p: (blocks[p, one] @ force).real for p in here.ports}
    want = here.swinging(omega, swings)[""].displacement
    got = model.swinging(omega, {one: swings[one]})[""].displacement
    assert np.abs(want).max() > 0.0
    assert np.allclose(got, want, rtol=1e-6, atol=1e-6 * np.abs(want).max())


def test_names_that_nothing_has_are_told():
    def told(**more):
        grant = Grant(ME, "hidden", frozenset(METHODS), frozenset({SEEN, "*"}))
        policy = {"grants": (grant,), **more}
        return list(strangers(Policy(**policy), {"hidden": Served("hidden", leaf)}))

    assert told() == []
    slip = Grant(ME, "hidden", frozenset(METHODS), frozenset({"ende", WALLED}))
    assert told(grants=(slip,)) == [
        f"the grant to {ME} names port ende, which hidden does not have; "
        "did you mean end?"
    ]
    (words,) = told(grants=(replace(slip, model="*"),))
    assert "names port ende, which no model here has" in words
    (words,) = told(grants=(replace(slip, model="hiden"),))
    assert words == (
        "the policy names model hiden, which is not served; did you mean hidden?"
    )
    terms = {"hidden": Terms("hidden", observables=("tip.z",))}
    (words,) = told(models=terms)
    assert words == "the policy names observable tip.z, which hidden does not have."
