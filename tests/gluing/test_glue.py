"""The short way to an integrated model."""

from __future__ import annotations

import pytest

from bondline.errors import BondlineError
from bondline.gluing import TT, Newton, Tie, glue, joint, scheme
from bondline.gluing.solvers.one_pass import OnePass
from bondline.leaves import FreeBar, PinnedBar, body, chain, ground
from tests.gluing.parts import mass, tie
from tests.gluing.wrapped import Once


def bars():
    return [PinnedBar("upper"), FreeBar("lower")]


ENDS = ("upper.A", "lower.A")


def test_ports_alone_are_tied():
    model = glue("pendulum", bars(), {"A": ENDS})
    assert model.connections == [Tie("A", model.connections[0].ends, ("x", "y"))]
    same = glue("pendulum", bars(), {"A": joint("tie", *ENDS)})
    assert same.connections == model.connections
    assert same.settings() == model.settings()


def test_a_joint_has_its_kind_and_settings():
    arm = body("arm", x=0.5, ax=-0.5)
    hinge = joint("revolute", "rock.a", "arm.a", axis=(0, 1, 0))
    [made] = glue("swing", [ground("rock"), arm], {"hinge": hinge}).connections
    assert (made.name, made.kind) == ("hinge", "revolute")
    assert made.components == ("Fx", "Fy", "Fz", "M1", "M2")


def test_a_connection_of_your_own_is_taken_as_it_is():
    mine = tie(*ENDS, name="A", dofs=("x", "y"))
    assert glue("pendulum", bars(), {"A": mine}).connections == [mine]


def test_coupling_and_solver_are_words_or_things():
    one, other = chain("one", led=["right"]), chain("two", led=["left"])
    model = glue("row", [one, other], {"J": ("one.right", "two.left")}, solver="aitken")
    assert model.coupling.settings()["method"] == "X-X"
    assert model.solver.settings()["kind"] == "aitken"
    assert model.why.startswith("X-X: every port takes motion")
    mine, solver = TT(scheme("linear/deadbeat")), Newton(tolerance=1e-7)
    model = glue("pendulum", bars(), {"A": ENDS}, coupling=mine, solver=solver)
    assert (model.coupling, model.solver) == (mine, solver)
    model = glue("pendulum", bars(), {"A": ENDS}, coupling=mine, solver="bfgs")
    assert model.solver == Newton(update="bfgs")


def test_a_part_that_cannot_repeat_is_glued_in_one_pass():
    model = glue("pair", [mass("a"), Once(mass("b"))], {"j": ("a.end", "b.end")})
    assert model.solver == OnePass()
    assert model.coupling.settings()["method"] == "T-T one-pass"
    assert "b cannot repeat a window" in model.why


def once(**more):
    return glue("pair", [mass("a"), Once(mass("b"))], {"j": ("a.end", "b.end")}, **more)


WRONG = {
    "a name twice": (
        lambda: glue("m", [FreeBar("a"), FreeBar("a")], {}),
        *("m: part a", "2 parts have this name", "a name of its own"),
    ),
    "a part that nothing holds": (
        lambda: glue("m", [*bars(), FreeBar("loose")], {"A": ENDS}),
        *("m: part loose", "no joint holds it", "Add a joint"),
    ),
    "a port that is not there": (
        lambda: glue("m", bars(), {"A": ("upper.A", "lower.B")}),
        *("m: joint A", "it refers to lower.B", "Did you mean 'lower.A'?"),
    ),
    "no ends": (
        lambda: glue("m", bars()[:1], {"A": ()}),
        *("m: joint A", "it refers to nothing", "Known: upper.A."),
    ),
    "no such kind": (
        lambda: glue("m", bars(), {"A": joint("revolut", *ENDS)}),
        *("joint A", "'revolut', which does not exist", "Did you mean 'revolute'?"),
    ),
    "a setting it does not take": (
        lambda: glue("m", bars(), {"A": joint("tie", *ENDS, axis=(0, 0, 1))}),
        *("joint A", "a tie joint takes no axis", "Known: dofs."),
    ),
    "two names": (
        lambda: glue("m", bars(), {"A": tie(*ENDS, name="B", dofs=("x", "y"))}),
        *("m: joint A", "the connection has the name 'B'", "under its own"),
    ),
    "a coupling that cannot be": (
        lambda: glue("m", bars(), {"A": ENDS}, coupling="X-X"),
        *("coupling", "X-X is not possible: every port takes force", "Use T-T"),
    ),
    "a scheme and a coupling that has one": (
        lambda: glue(
            *("m", bars(), {"A": ENDS}, "linear/deadbeat"),
            coupling=TT(scheme("constant/e")),
        ),
        *("glue: scheme", "the coupling was made already", "to the coupling"),
    ),
    "no such solver": (
        lambda: glue("m", bars(), {"A": ENDS}, solver="newtn"),
        *("solver", "no solver 'newtn'", "Did you mean 'newton'?"),
    ),
    "no such solver in one pass": (
        lambda: once(solver="newtn"),
        *("solver", "no solver 'newtn'", "Did you mean 'newton'?"),
    ),
    "iterations where none can be": (
        lambda: once(solver="anderson"),
        *("solver anderson", "b cannot repeat a window", "Leave solver out"),
    ),
    "a solver that iterates where none can be": (
        lambda: once(solver=Newton()),
        *("solver newton", "does not go with the coupling", "Use OnePass()"),
    ),
    "one pass without need": (
        lambda: glue("m", bars(), {"A": ENDS}, solver="one-pass"),
        *("solver one-pass", "can repeat a window", "Leave solver out"),
    ),
    "a one-pass solver without need": (
        lambda: glue("m", bars(), {"A": ENDS}, solver=OnePass()),
        *("solver one-pass", "does not go with the coupling", "one-pass couplings"),
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_does_not_fit_is_told(case):
    make, place, finding, remedy = WRONG[case]
    with pytest.raises(BondlineError) as caught:
        make()
    assert caught.value.place == place
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy
