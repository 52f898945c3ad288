"""Kratos as the finite-element side of the control arm; needs bondline[kratos]."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Advance, Correcting, Pressing, Signal, Window, uniform
from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.leaves import FunctionLeaf, LargeMass
from bondline.leaves.fe.sections import Material
from bondline.leaves.kratos import KratosFrame
from bondline.leaves.kratos_engine import Frame
from bondline.leaves.large_mass import Masses
from bondline.leaves.nonlinear import Beams2, Nonlinear, NonlinearModel, Socket
from bondline.leaves.nonlinear.elements.fibres import flat_box
from bondline.numerics import FixedStep, Method
from bondline.testing import assert_conforms
from tests.cases.control_arm.model import BALL_JOINT, CHASSIS, DATA, FRONT, REAR, points

pytest.importorskip("KratosMultiphysics.StructuralMechanicsApplication")

H = 1e-4
SOCKETS = {"ball_joint": BALL_JOINT, "front": FRONT, "rear": REAR}
WEIGHTS = {"ball_joint": 36.0, "front": 150.0, "rear": 150.0}  # what it hangs on
STEEL = Material("steel", DATA["E"], 0.3, DATA["rho"])
SECTIONS = [
    flat_box(STEEL, *DATA[k]) for k in ("section_main_depth_height_t", "section_rear")
]


def arm(**how):
    """The elastic control arm in Kratos: the same nodes and sections."""
    which = [0] * 12 + [1] * 10
    areas = np.array([SECTIONS[k].area.sum() for k in which])
    inertias = np.array([SECTIONS[k].area @ SECTIONS[k].y1 ** 2 for k in which])
    pairs = np.array(DATA["elements"])
    frame = Frame(np.array(DATA["nodes"]), pairs, areas, inertias)
    return KratosFrame("arm", frame, SOCKETS, **how)


def own_arm():
    """The same of our beams."""
    rows = np.array(DATA["elements"], dtype=np.intp)
    legs = zip((rows[:12], rows[12:]), SECTIONS, strict=True)
    blocks = tuple(Beams2(leg, section) for leg, section in legs)
    sockets = {p: Socket((node,), (0, 1)) for p, node in SOCKETS.items()}
    model = NonlinearModel("arm", points()[:CHASSIS], blocks)
    return Nonlinear(model, sockets, 1, Method())


def pulse(t):
    return -9e3 * np.sin(np.pi * t / 10e-3) if t < 10e-3 else 0.0


def body(port, m):
    def rate(t, y, f):
        push = pulse(t) if port == "ball_joint" else 0.0
        return [*y[2:], (f["p"][0] + push) / m, f["p"][1] / m]

    return FunctionLeaf(
        f"at_{port}",
        y0=[0.0] * 4,
        dofs={"p": ("x", "y")},
        rate=rate,
        motion=lambda t, y, dy: {"p": (y[:2], y[2:], dy[2:])},
        integrate=FixedStep(1),
        kinks=(10e-3,),
    )


def glued(leaf, scheme="linear"):
    """Places of the bodies over 15 ms, and the mean number of corrections."""
    led = LargeMass(leaf, masses=Masses(1e3), tolerance=1e-8)
    parts = [led, *(body(p, m) for p, m in WEIGHTS.items())]
    model = glue("car", parts, {p: (f"at_{p}.p", f"arm.{p}") for p in SOCKETS}, scheme)
    step, rows, counts = model.start(0.0), [], []
    for n in range(150):
        step = model.advance(step.state, uniform(0.0, H, n), {})
        assert isinstance(step, Advance)
        rows.append([step.state.parts[f"at_{p}"][:2] for p in SOCKETS])
        counts.append(step.stats["arm.corrections"])
    return np.array(rows), np.mean(counts)


def all_at_once():
    """Kratos alone: bodies are nodal masses, the pulse a load on a node."""
    leaf = arm(ballast={p: np.full(2, m) for p, m in WEIGHTS.items()})
    state, rows = leaf.start(0.0).state, []
    for n in range(150):
        load = Signal(np.array([[pulse((n + 1) * H), 0.0]]))
        done = leaf.advance(state, uniform(0.0, H, n), {"ball_joint": load})
        state = done.state
        rows.append([done.outputs[p].x for p in SOCKETS])
    return np.array(rows)


def test_it_shows_its_corrector():
    leaf = arm()
    assert isinstance(leaf, Correcting)
    assert isinstance(leaf, Pressing)
    assert leaf.mass == pytest.approx(DATA["mass"])
    assert_conforms(leaf)


def test_its_iterations_converge_like_newtons():
    leaf, off = arm(), []
    trial = leaf.predict(leaf.start(0.0).state, Window(0.0, 1e-3))
    for _ in range(4):
        trial = leaf.correct(trial, {"ball_joint": np.array([-8e3, 0.0])})
        off.append(trial.residual)
    assert off[1] < 1e-3 * off[0]
    assert off[2] < 1e-3 * off[1] or off[2] < 1e-9


def test_a_trial_may_be_corrected_twice():
    """Kratos keeps nothing of what was asked in between."""
    leaf = arm()
    state = leaf.start(0.0).state
    first = leaf.predict(state, Window(0.0, H))
    load = {"ball_joint": np.array([-8e3, 3e3])}
    one = leaf.correct(leaf.correct(first, load), load)
    leaf.correct(first, {"rear": np.array([1e6, 0.0])})
    leaf.advance(state, Window(0.0, 2 * H), {})
    two = leaf.correct(leaf.correct(first, load), load)
    assert leaf.accept(one).state.tobytes() == leaf.accept(two).state.tobytes()


def test_large_masses_lead_it_as_kratos_alone_goes():
    """The same adapter; against Kratos' own run of everything, and our beams."""
    found, corrections = glued(arm())
    alone = all_at_once()
    far = np.abs(alone - alone[:, 1:2]).max()  # bent and turned
    assert far > 3e-3
    assert np.abs(found - alone).max() < 2e-3 * far
    assert corrections < 3.0
    ours, _ = glued(own_arm())
    assert np.abs(found - ours).max() < 2e-3 * far


def test_in_one_pass_and_iterated_it_is_the_same_motion():
    one, _ = glued(arm())
    iterated, _ = glued(arm(), "newton")
    assert np.abs(one - iterated).max() < 1e-5


def test_a_node_that_is_not_there_is_refused():
    frame = Frame(np.zeros((2, 2)), np.array([[0, 1]]), np.ones(1), np.ones(1))
    with pytest.raises(SettingError, match="no node 7 of 2"):
        KratosFrame("arm", frame, {"end": 7})
