"""What we ship does what it declares, glued or not, and the kit says so."""

from __future__ import annotations

from dataclasses import replace
from functools import partial, reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bondline.build import open_model
from bondline.build.kinds import kinds
from bondline.core import (
    Capabilities,
    Parameter,
    Rejected,
    Signal,
    SignalPort,
)
from bondline.gluing import glue
from bondline.leaves import FreeBar, PinnedBar, chain
from bondline.testing import CHECKS, assert_conforms, check_leaf
from bondline.testing.trial import Trial
from tests.testing.honest import Machine, held, lying, spinner, spring, wound
from tests.testing.unable import kinked, kinked_rows


def pendulum():
    upper = PinnedBar("upper", angle=0.4, gravity=9.81, torque=3.0)
    lower = FreeBar("lower", angle=-0.7, gravity=9.81)
    joints = {"A": ("upper.A", "lower.A")}
    return glue("pendulum", [upper, lower], joints, exports={"tip": "upper.A"})


def rows():
    parts = [chain("a", wall=90.0), chain("b", damping=2.0)]
    ends = {"left": "a.left", "right": "b.right"}
    return glue("rows", parts, {"A": ("a.right", "b.left")}, exports=ends)


def nested():
    joints = {"B": ("rows.right", "c.left")}
    return glue("nested", [rows(), chain("c")], joints, exports={"end": "c.right"})


def wired():
    """A signal comes in as a force, another goes out as a position."""
    leaf = spring(hard=4.0)
    signals = {"pull": SignalPort("pull", "N", True), "x": SignalPort("x", "m", False)}

    def tell(done):
        return replace(done, outputs={**done.outputs, "x": float(done.state[0])})

    def advance(state, window, inputs):
        force = [inputs[n] for n in ("end", "pull") if n in inputs]
        total = {"end": reduce(Signal.__add__, force)} if force else {}
        done = leaf.advance(state, window, total)
        return done if isinstance(done, Rejected) else tell(done)

    return lying(
        leaf,
        ports={**leaf.ports, **signals},
        start=lambda t0: tell(leaf.start(t0)),
        advance=advance,
    )


def mixed(part):
    """Of a row and a part that has fewer abilities."""
    joints = {"A": (f"{part.name}.end", "row.left")}
    ends = {"end": "row.right"}
    return glue("mixed", [part, chain("row", wall=90.0)], joints, exports=ends)


def held_rows():
    """Glued, and takes motion at its far end."""
    parts = [chain("a", wall=90.0), held()]
    ends = {"left": "a.left", "b": "held.b"}
    return glue("held rows", parts, {"A": ("a.right", "held.a")}, exports=ends)


def floating():
    """Glued, and nothing holds it."""
    parts = [chain("a", damping=1.0), chain("b")]
    ends = {"left": "a.left", "right": "b.right"}
    return glue("floating", parts, {"A": ("a.right", "b.left")}, exports=ends)


def closed():
    """Glued, and shows nothing to the outside."""
    parts = [chain("a", wall=90.0), chain("b")]
    return glue("closed", parts, {"A": ("a.right", "b.left")})


LEAVES = {
    "wired": wired,
    "pinned": partial(PinnedBar, "bar", angle=0.4, gravity=9.81, torque=3.0),
    "free": partial(FreeBar, "bar", angle=-0.7, gravity=9.81),
    "chain": partial(chain, "row", stiffness=90.0, damping=2.0, force=3.0),
    "fine chain": partial(chain, "row", damping=2.0, force=3.0, steps=10.0),
    "held": held,
    "function": partial(spring, hard=4.0),
    "without accelerations": lambda: replace(
        spring(),
        motion=lambda t, y, dy: {"end": ([y[0]], [y[1]])},
        capabilities=Capabilities(acceleration=False),
    ),
    "frame": spinner,
    "checkpointed": partial(wound, Machine),
    "pendulum": pendulum,
    "rows": rows,
    "nested": nested,
    "kinked": kinked,
    "kinked, two steps": partial(kinked, steps=2),
    "kinked rows": kinked_rows,
    "held rows": held_rows,
    "floating": floating,
    "closed": closed,
}


@pytest.mark.parametrize("name", LEAVES)
def test_a_good_leaf_conforms(name):
    assert_conforms(LEAVES[name](), LEAVES[name])


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_conforms_as_it_comes(kind):
    make = partial(kinds()[kind].make, kind)
    assert_conforms(make(), make)


def soft_spring():
    """Linear, but it knows nothing of frequencies and rest."""
    return replace(spring(capabilities=Capabilities(linear=True)), y0=[0.0, 0.0])


class Centred(Machine):
    """The old code, at zero."""

    def __init__(self):
        self.now = {"x": 0.0, "v": 0.0, "f": 0.0}


@pytest.mark.parametrize(
    ("part", "check", "words"),
    [
        (soft_spring, "receptance", "the leaf refuses: mixed: part spring"),
        (soft_spring, "compliance", "it finds no equilibrium"),
        (partial(wound, Centred), "kick", "the leaf refuses: mixed: start"),
        (partial(wound, Centred), "receptance", "the leaf is not linear"),
    ],
)
def test_what_a_glued_model_refuses_is_skipped(part, check, words):
    """It has every method, whatever its parts can do."""
    report = check_leaf(mixed(part()))
    report.raise_if_failed()
    found = [f for f in report.findings if f.check == check]
    assert [f.verdict for f in found] == ["skipped"]
    assert found[0].words.startswith(words)


@pytest.mark.parametrize("damping", [1e3, 1e6, 1e9])
def test_who_answers_within_a_nanosecond_may_be_pressed_and_struck(damping):
    """As fine meshes do that are damped in proportion to their stiffness."""
    report = check_leaf(chain("row", damping=damping, wall=100.0))
    report.raise_if_failed()
    assert {f.verdict for f in report.findings if f.check in ("press", "kick")} == {
        "passed"
    }


def test_a_glued_model_that_cannot_be_pressed_is_a_hint():
    report = check_leaf(mixed(wound(Centred)))
    (found,) = (f for f in report.findings if f.check == "press")
    assert (found.verdict, found.quantity) == ("hint", "port end: acceleration")
    assert found.words.startswith("pressing changes nothing")


def test_every_check_speaks():
    report = check_leaf(chain("row"), make=partial(chain, "row"))
    assert {f.check for f in report.findings} == {"ports", *CHECKS}
    told = [f for f in report.findings if f.verdict == "passed"]
    assert all(f.words for f in report.findings)
    assert len(told) >= len(CHECKS) - 2


def test_the_same_seed_gives_the_same_report():
    one, two = (check_leaf(LEAVES["pinned"](), seed=3) for _ in range(2))
    other = check_leaf(LEAVES["pinned"](), seed=4)
    assert one == two
    assert one != other


def test_a_leaf_that_cannot_repeat_is_only_led_forward():
    """Its states are spent by their first advance."""
    leaf, spent = spring(), set()

    def advance(state, window, inputs):
        if id(state) in spent:
            return Rejected("once", "this state is spent")
        spent.add(id(state))
        kept.append(state)  # so that no other state gets its id
        return leaf.advance(state, window, inputs)

    kept: list[object] = []
    can = Capabilities(repeatable=False, serialises=False)
    report = check_leaf(lying(leaf, advance=advance, capabilities=can))
    report.raise_if_failed()
    verdicts = {f.check: f.verdict for f in report.findings}
    for check in ("in place", "repeatability", "rollback", "serialisation"):
        assert verdicts[check] == "skipped"
    for check in ("determinism", "velocity", "acceleration"):
        assert verdicts[check] == "passed"


def test_a_leaf_that_likes_short_windows_gets_them():
    leaf = spring()

    def advance(state, window, inputs):
        if window.h > 2e-3:
            return Rejected("spring", "too long", window.at(0.5))
        return leaf.advance(state, window, inputs)

    assert_conforms(lying(leaf, advance=advance))


def test_parameters_that_accept_nonsense_are_found():
    declared = {"mass": Parameter("mass", 1.0, "kg", "the mass", positive=True)}

    def make(mass=1.0):
        return replace(spring(), parameters=declared)

    (found,) = check_leaf(make(), make=make).failed
    assert (found.check, found.quantity) == ("parameters", "parameter mass")
    assert found.words == "nan is accepted."
    wrong = {"mass": replace(declared["mass"], value=-2.0)}
    (found,) = check_leaf(replace(spring(), parameters=wrong)).failed
    assert found.words == "it is -2, which its passport rules out."


def test_a_second_instance_must_be_the_same():
    stiff = iter([1.0, 1.0 + 1e-9])

    def make():
        k = next(stiff)
        return replace(spring(), rate=lambda t, y, f: [y[1], f["end"][0] - k * y[0]])

    (found,) = check_leaf(make(), make=make).failed[:1]
    assert found.check == "determinism"
    assert found.words.startswith("a second instance differs by")


masses = st.floats(0.01, 1e4)


@settings(max_examples=5)
@given(mass=masses, length=st.floats(0.05, 20.0), angle=st.floats(-3.0, 3.0))
def test_no_bar_is_refused(mass, length, angle):
    for bar in (PinnedBar, FreeBar):
        leaf = bar("bar", mass=mass, length=length, angle=angle, gravity=9.81)
        assert_conforms(leaf)


@settings(max_examples=5)
@given(
    mass=masses,
    stiffness=st.floats(0.0, 1e7),
    damping=st.floats(0.0, 1e3),
    wall=st.floats(0.0, 1e6),
    steps=st.integers(1, 4),
)
def test_no_chain_is_refused(mass, stiffness, damping, wall, steps):
    row = chain(
        "row",
        mass=mass,
        stiffness=stiffness,
        damping=damping,
        wall=wall,
        steps=float(steps),
        force=3.0,
    )
    assert_conforms(row)


@pytest.mark.parametrize("check", ["press", "kick"])
def test_a_rail_of_the_truck_may_be_pressed_and_struck(project, check):
    """At the window of `bondline leaf test`; it answers within 1e-9 s."""
    path = project / "examples" / "truck_frame" / "Flat.ssd"
    rail = open_model(path).model.parts["right_rail"]
    found = list(CHECKS[check](Trial(rail, 1e-2)))
    assert [f.verdict for f in found] == ["passed"] * len(found), found
