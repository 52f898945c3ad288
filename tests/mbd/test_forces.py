"""Forces in mechanisms: histories, springs, stops, contacts, bushings."""

import numpy as np
import pytest

from bondline.errors import SettingError
from bondline.leaves.expression import FUNCTIONS
from bondline.leaves.histories import Constant, Harmonic, Table
from bondline.leaves.mbd.forces import (
    Bushing,
    Contact,
    Expression,
    JointLoad,
    JointSpring,
    JointStop,
    Polynomial,
    Push,
    Spring,
)
from bondline.leaves.mbd.model import Body, Frame, Joint, Mechanism
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree

BALL = Body("ball", 2.0, (0.1, 0.2, 0.25), markers={"side": Frame((0.0, 0.3, 0.0))})
SLIDE = Joint("slide", "prismatic", "ground", "ball")
FREE = Joint("fly", "free", "ground", "ball")


def force_on_slide(force, q=0.0, u=0.0, t=0.0):
    model = Mechanism("m", [BALL], [SLIDE], [force], gravity=(0, 0, 0))
    return Tree(pack(model)).mass(t, np.array([q]), np.array([u]))[1][0]


def wrench_on_ball(force, at=(0, 0, 0), turn=(1, 0, 0, 0), v=(0, 0, 0), w=(0, 0, 0)):
    """Force in world axes, moment about the ball's centre in its own axes."""
    ground = {"ledge": Frame((0.0, 0.0, 0.0))}
    model = Mechanism("m", [BALL], [FREE], [force], (0, 0, 0), ground)
    plain = Mechanism("m", [BALL], [FREE], gravity=(0, 0, 0))
    turn = np.array(turn) / np.linalg.norm(turn)
    q, u = np.array([*at, *turn], float), np.array([*v, *w], float)
    loaded, free = (Tree(pack(m)).mass(0.0, q, u)[1] for m in (model, plain))
    return loaded - free


FORMULAS = (
    "2 * sin(3 * t) - cos(t)**2 / (4 + t)",
    "-exp(-t) + tanh(2*t) * atan(t) - tan(t / 4)",
    "min(t, 0.2, k) + max(0.1, t**3) + step(t - 0.3) * abs(t - 1)",
    "sqrt(2 + t) * log(5 + t) + pi - e + +t",
)
HISTORIES = (
    *(Expression(text, {"k": 0.7}) for text in FORMULAS),
    Constant(3.0),
    Polynomial((1.0, -2.0, 0.5), t0=0.25),
    Harmonic(0.5, (1.0, 2.0), (0.0, 0.0, 3.0), omega=4.0, t0=0.1),
    Table((0.0, 0.5, 0.5, 1.0), (1.0, 2.0, -1.0, 4.0)),
)


@pytest.mark.parametrize("history", HISTORIES, ids=lambda h: type(h).__name__)
@pytest.mark.parametrize("t", [-1.0, 0.0, 0.05, 0.3, 0.5, 0.9, 2.0])
def test_kernels_read_histories_as_python_does(history, t):
    found = force_on_slide(JointLoad("slide", history, factor=2.0), t=t)
    if isinstance(history, Polynomial):
        s = t - history.t0
        right = sum(c * s**k for k, c in enumerate(history.coefficients))
    else:
        right = history.at(t)[0]
    assert found == pytest.approx(2.0 * right, rel=1e-14)


def test_formulas_that_hold_too_many_numbers_are_refused():
    deep = "+".join(["(t"] * 40) + ")" * 40
    with pytest.raises(SettingError, match="holds more than 32 numbers") as found:
        force_on_slide(JointLoad("slide", Expression(deep)))
    assert "from the left to the right" in found.value.remedy
    assert found.value.place.startswith("expression")


def test_joint_springs_pull_to_their_rest():
    spring = JointSpring("slide", stiffness=10.0, damping=3.0, rest=0.2)
    assert force_on_slide(spring, 0.5, 0.1) == pytest.approx(-10 * 0.3 - 3 * 0.1)


@pytest.mark.parametrize(
    ("q", "u", "right"),
    [
        (0.0, 1.0, 0.0),
        (0.3, 0.0, -100 * 0.1**2),
        (0.3, 2.0, -100 * 0.1**2 * 1.6),
        (0.3, -9.0, 0.0),  # it leaves faster than the stop follows
        (-0.4, 0.0, 100 * 0.2**2),
        (-0.4, -1.0, 100 * 0.2**2 * 1.3),
    ],
)
def test_stops_push_back_and_never_pull(q, u, right):
    stop = JointStop("slide", 100.0, above=0.2, below=-0.2, power=2.0, damping=0.3)
    assert force_on_slide(stop, q, u) == pytest.approx(right, abs=1e-12)


def test_a_spring_acts_along_the_line_between_its_ends():
    spring = Spring("ground", "ball.side", stiffness=7.0, damping=2.0, length=1.0)
    found = wrench_on_ball(spring, (3.0, 3.7, 0.0), v=(1.0, 0.0, 0.0))
    way = np.array([3.0, 4.0, 0.0]) / 5.0
    pull = -(7.0 * (5.0 - 1.0) + 2.0 * way[0]) * way
    np.testing.assert_allclose(found[:3], pull, atol=1e-12)
    np.testing.assert_allclose(found[3:], np.cross((0, 0.3, 0), pull), atol=1e-12)


def test_a_push_may_follow_its_body():
    half = (np.cos(0.25), 0.0, 0.0, np.sin(0.25))  # half a radian about z
    still = Push("ball.side", (1.0, 0.0, 0.0), (0.0, 0.0, 2.0))
    along = Push("ball.side", (1.0, 0.0, 0.0), (0.0, 0.0, 2.0), follow=True)
    fixed, following = (wrench_on_ball(p, turn=half) for p in (still, along))
    np.testing.assert_allclose(fixed[:3], (1.0, 0.0, 0.0), atol=1e-14)
    np.testing.assert_allclose(following[:3], (np.cos(0.5), np.sin(0.5), 0), atol=1e-14)
    np.testing.assert_allclose(following[3:], (0, 0, 2.0 - 0.3), atol=1e-14)


@pytest.mark.parametrize("angle", [1e-9, 1e-3, 0.5, 2.0, 3.0, 3.14159])
def test_bushings_turn_back_about_the_axis_of_the_turn(angle):
    axis = np.array([1.0, 2.0, -2.0]) / 3.0
    turn = (np.cos(angle / 2), *(np.sin(angle / 2) * axis))
    bushing = Bushing("ground", "ball", (0, 0, 0, 5.0, 5.0, 5.0))
    found = wrench_on_ball(bushing, turn=turn)
    np.testing.assert_allclose(found[3:], -5.0 * angle * axis, rtol=1e-7, atol=1e-15)


def test_bushings_act_in_the_axes_of_their_first_end():
    bushing = Bushing(
        "ground", "ball", (1.0, 2.0, 3.0, 0, 0, 0), (0.1, 0.2, 0.3, 0, 0, 0)
    )
    found = wrench_on_ball(bushing, (1.0, 1.0, 1.0), v=(1.0, 1.0, 1.0))
    np.testing.assert_allclose(found[:3], (-1.1, -2.2, -3.3), atol=1e-14)


def contact(**more):
    return Contact("ball", "ground.ledge", radius=0.5, stiffness=1e4, power=1.5, **more)


def test_a_sphere_is_pushed_out_of_a_plane_only_while_it_is_in_it():
    assert not wrench_on_ball(contact(), (0, 0, 0.51)).any()
    found = wrench_on_ball(contact(), (0, 0, 0.4))
    np.testing.assert_allclose(found, (0, 0, 1e4 * 0.1**1.5, 0, 0, 0), rtol=1e-12)
    damped = wrench_on_ball(contact(damping=0.5), (0, 0, 0.4), v=(0, 0, -1.0))
    assert damped[2] == pytest.approx(1.5 * found[2])
    assert not wrench_on_ball(contact(damping=0.5), (0, 0, 0.4), v=(0, 0, 3.0)).any()


def test_friction_opposes_the_sliding_of_the_point_that_touches():
    rubbing = contact(friction=0.3, stiction=1e-6)
    normal = 1e4 * 0.1**1.5
    slides = wrench_on_ball(rubbing, (0, 0, 0.4), v=(2.0, 0, 0))
    np.testing.assert_allclose(slides[:3], (-0.3 * normal, 0, normal), rtol=1e-9)
    assert slides[4] == pytest.approx(0.3 * normal * 0.4)  # at the plane, 0.4 below
    rolls = wrench_on_ball(rubbing, (0, 0, 0.4), v=(2.0, 0, 0), w=(0, 5.0, 0))
    assert abs(rolls[0]) <= 1e-6 * normal


def test_a_sphere_touches_the_edge_of_a_curb():
    edge = contact(edge=True)
    over = wrench_on_ball(edge, (-0.24, 0.0, 0.32))  # 0.4 away from the edge
    size = 1e4 * 0.1**1.5
    np.testing.assert_allclose(over[:3], (-0.6 * size, 0, 0.8 * size), rtol=1e-12)
    before = wrench_on_ball(edge, (-0.6, 0.0, 0.2))
    assert not before.any()


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_kernels_know_every_function_of_an_expression(name):
    count = FUNCTIONS[name][0]
    values = ["0.3 + 0.1 * t", "0.7", "0.2"][: count if count > 0 else 3]
    formula = Expression(f"{name}({', '.join(values)})")
    for t in (0.0, 1.5):
        found = force_on_slide(JointLoad("slide", formula), t=t)
        assert found == pytest.approx(formula.at(t)[0], rel=1e-15)


def test_a_load_that_is_a_number_is_told_to_be_a_history():
    with pytest.raises(SettingError, match=r"Write Constant\(100\)"):
        JointLoad("slide", 100.0)


NAN = float("nan")


@pytest.mark.parametrize(
    ("make", "place", "remedy"),
    [
        (lambda: JointStop("slide", 1e3, 0.1, power=-1), "joint slide", "power above"),
        (lambda: JointStop("slide", 1e3, NAN, 0.0), "joint slide", "Give a number"),
        (lambda: JointSpring("slide", NAN), "joint slide", "Give a number"),
        (lambda: Spring("ball", "ground.x", NAN), "from ball", "Give a number"),
        (lambda: Contact("ball", "ground.x", 0.1, -1e3), "of ball", "no negative"),
        (lambda: Contact("ball", "ground.x", NAN, 1e3), "of ball", "Give a number"),
        (
            lambda: Contact("ball", "ground.x", 0.1, 1e3, stiction=0.0),
            "of ball",
            "above zero",
        ),
    ],
)
def test_laws_that_are_none_are_refused(make, place, remedy):
    with pytest.raises(SettingError) as no:
        make()
    assert place in no.value.place
    assert remedy in no.value.remedy
