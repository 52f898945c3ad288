"""A corrector that stays with its owner, led here by large masses: the same bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bondline.core import Correcting, Signal, Window, uniform
from bondline.errors import BondlineError, NotAllowed
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.remote.owner.host import Host, Open
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from bondline.remote.owner.shelf import Shelf
from bondline.remote.privacy.methods import GROUPS, METHODS
from bondline.remote.privacy.policy import Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from tests.cases.large_mass_chain.chain import chain, large
from tests.remote.test_coming_back import Direct

H, WINDOWS = 1e-3, 12
ME = "integrator"


def host(folder: Path, gate=None) -> Host:
    served = Served("fe", chain, "digest", EVERYTHING)
    return Host({"fe": served}, gate or Open(), shelf=Shelf(folder))


def away(line: Direct):
    model = remote_model("fe", line, "fe", Patience(5.0, 5.0, 5.0))
    model.link.pause = lambda s: None
    return model


def grant(*words: str) -> PolicyGate:
    methods = frozenset(m for w in words for m in GROUPS[w])
    return PolicyGate(Policy(grants=(Grant(ME, "fe", methods, steps=Steps((H,))),)))


def forces(fe, windows: int = WINDOWS) -> np.ndarray:
    """What the led ends answer to a told motion, window by window."""
    led = large(fe=fe)
    state, found = led.start(0.0).state, []
    for n in range(windows):
        done = led.advance(state, *told(n))
        state = done.state
        found += [done.outputs[p].f for p in ("left", "right")]
    return np.array(found)


def told(n: int):
    window = uniform(0.0, H, n)
    a = 40.0 * np.sin(300.0 * window.t0)
    rows = np.array([[1e-4 * n], [0.02], [0.5 * a * H * H]])
    return window, {"left": Signal(rows), "right": Signal(-rows)}


def test_a_remote_corrector_on_large_masses_gives_the_same_bits(tmp_path):
    there = host(tmp_path)
    model = away(Direct(lambda: there))
    assert isinstance(model, Correcting)
    assert model.mass == chain().mass
    assert model.balance == chain().balance
    assert np.array_equal(forces(model), forces(chain()))


def test_a_window_costs_a_round_trip_a_correction_and_one_more(tmp_path):
    there = host(tmp_path)
    model = away(Direct(lambda: there))
    led = large(fe=model)
    state = led.advance(led.start(0.0).state, *told(0)).state
    for n in range(1, WINDOWS):
        before = model.link.trips
        done = led.advance(state, *told(n))
        assert model.link.trips - before == done.stats["corrections"] + 1
        state = done.state


@pytest.mark.parametrize("kept", [False, True], ids=["from the start", "from the disk"])
def test_a_server_that_was_started_again_is_told_of_the_masses_again(tmp_path, kept):
    hosts = [host(tmp_path)]
    model = away(Direct(lambda: hosts[-1]))
    led, same = large(fe=model), large(fe=chain())
    ours, theirs = led.start(0.0).state, same.start(0.0).state
    for n in range(4):
        ours = led.advance(ours, *told(n)).state
        theirs = same.advance(theirs, *told(n)).state
    if kept:
        led.dump(ours)
    hosts.append(host(tmp_path))
    got, want = (x.advance(s, *told(4)) for x, s in ((led, ours), (same, theirs)))
    assert model.link.recoveries == 1
    assert np.array_equal(got.outputs["left"].f, want.outputs["left"].f)


def test_a_corrector_needs_a_word_of_the_policy(tmp_path):
    there = host(tmp_path, grant("session", "run", "begin", "look"))
    with pytest.raises(NotAllowed, match="ballasted is not granted for fe"):
        forces(away(Direct(lambda: there)))
    there = host(tmp_path, grant("session", "run", "begin", "look", "corrector"))
    model = away(Direct(lambda: there))
    assert np.array_equal(forces(model, 3), forces(chain(), 3))
    trial = model.predict(model.start(0.0).state, told(0)[0])
    with pytest.raises(NotAllowed, match=r"windows of 0\.002 s are not granted"):
        model.predict(model.accept(trial).state, Window(H, 3 * H))


def test_extra_mass_is_for_the_corrector_only(tmp_path):
    there = host(tmp_path)
    model = away(Direct(lambda: there))
    heavier = model.ballasted({"left": np.array([1e3])})
    start = heavier.start(0.0)
    with pytest.raises(BondlineError, match="No advance with extra mass"):
        heavier.advance(start.state, told(0)[0], {})
    with pytest.raises(BondlineError, match="a mass is negative"):
        model.ballasted({"left": np.array([-1.0])})


def test_a_heavier_model_does_not_know_what_the_lighter_one_foresaw(tmp_path):
    there = host(tmp_path)
    model = away(Direct(lambda: there))
    trial = model.predict(model.start(0.0).state, told(0)[0])
    after = model.accept(trial).state
    heavier = model.ballasted({"left": np.array([1e3])})
    before = model.link.trips
    heavier.predict(after, told(1)[0])
    assert model.link.trips == before + 1


def test_every_word_of_a_policy_stands_for_a_request_or_for_what_comes_along():
    requests = {f.name for f in pb.Request.DESCRIPTOR.oneofs_by_name["ask"].fields}
    calls = {"describe", "pulse"}  # of the service
    along = {"release", "observe", "reactions", "shapes"}  # with every request or reply
    assert set(METHODS) == requests | calls | along
