"""Programs for one mechanism give what the general kernel gives."""

import ctypes
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from bondline.errors import UsageError
from bondline.kernels.library import pointer
from bondline.kernels.traced import TooLong
from bondline.leaves.histories import Constant, Harmonic, Table
from bondline.leaves.mbd.driving import compiled
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
from bondline.leaves.mbd.model import Body, Joint, Mechanism
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.special import Unsuited, special
from bondline.leaves.mbd.special.program import program
from bondline.leaves.mbd.special.reading import plan_of
from bondline.leaves.mbd.tree import Loads, Tree
from bondline.numerics import Multirate, Nordsieck
from tests.mbd.models import chain, gun_turret
from tests.mbd.random_trees import random_state, random_tree
from tests.mbd.special_models import SMALL, both, close, moved
from tests.steps.gunnery import NAMES, published

pytestmark = pytest.mark.usefixtures("kernel_cache")


@pytest.mark.parametrize("kind", SMALL)
def test_compiled_programs_are_the_general_kernel(kind):
    """All rates, fast rows and B, for multirate integration."""
    rng = np.random.default_rng(3)
    mechanism, points = random_tree(rng, *SMALL[kind])
    general, own = both(mechanism, multirate=True)
    for _ in range(5):
        y = np.concatenate(random_state(rng, points))
        close(own.rates(0.3, y), general.rates(0.3, y))
        for name in ("fast_rates", "split_rates"):
            parts = (getattr(system, name)(0.3, y) for system in (own, general))
            for found, right in zip(*parts, strict=True):
                close(found, right)


@pytest.mark.parametrize("first", ["rates", "split_rates", "fast_rates"])
def test_fast_rows_once_more_are_the_fast_rows(first):
    """After any evaluation at other fast variables, in the same memory."""
    rng = np.random.default_rng(5)
    mechanism, points = random_tree(rng, *SMALL["flexible"])
    _, system = both(mechanism, multirate=True)
    before = np.concatenate(random_state(rng, points))
    after, n_f = before.copy(), len(system.fast)
    fast_q = (ctypes.c_int * n_f).from_address(system.c.fast_q)
    after[list(fast_q)] += 0.1
    after[system.n_q + np.array(system.fast)] -= 0.2
    w, N = system.fast_rates(0.3, after)
    space, room = np.empty(int(system.c.work)), np.empty(4 * system.size**2)
    again = np.empty(w.size), np.empty(N.shape)
    for name, y, found in (
        (first, before, np.split(room, 4)[: 3 if first == "split_rates" else 2]),
        ("fast_again", after, again),
    ):
        call, at = getattr(system.c, name), pointer(y)
        out = [pointer(x) for x in found]
        given = (at, at + 8 * system.n_q, pointer(space))
        assert call(system.address, 0.3, *given, *out) == 0
    for found, right in zip(again, (w, N), strict=True):
        close(found, right, 1e-14)


def loaded_mechanism():
    """A flexible body on a rigid one, with every kind of force and of history."""
    rng = np.random.default_rng(11)
    made, points = random_tree(rng, ("cylindrical", "universal"), (0, 1))
    forces = (
        JointLoad("j0", Polynomial((1.0, -2.0, 0.5), t0=0.25), "z"),
        JointLoad("j1", Expression("2 * sin(3 * t) + k", {"k": 0.7}), "y"),
        JointSpring("j0", 30.0, 2.0, 0.1, coordinate="angle"),
        JointStop("j1", 50.0, above=-0.2, power=1.5, damping=0.1, coordinate="x"),
        Push("b1.one", (1.0, 2.0, 3.0), (0.1, 0.2, 0.3), history=Constant(2.0)),
        Push("b0.two", (1.0, 0.5, 3.0), follow=True, history=Harmonic(0.3, (1.0,))),
        Push("b1.two", (3, 0, 0), history=Table((0.0, 1.0), (1.0, 3.0))),
        Spring("b0.one", "b1.two", 40.0, 3.0, 0.2),
        Bushing("ground", "b1.one", (10.0,) * 6, (1.0, 2.0, 3.0, 0.1, 0.2, 0.3)),
        Contact("b1.two", "ground", 30.0, 100.0, damping=0.01, friction=0.3),
    )
    return Mechanism(
        "loaded", made.bodies, made.joints, forces, (0.1, 0.2, -9.81)
    ), points


@pytest.mark.parametrize("t", [0.3, -0.2])
def test_all_kinds_of_forces_and_wrenches_at_ports_act_alike(t):
    mechanism, points = loaded_mechanism()
    packed = pack(mechanism)
    ports = [packed.markers[name] for name in ("b1.two", "b0.one")]
    made = special("loaded", packed, ports, multirate=True)
    rng = np.random.default_rng(1)
    loads = Loads(np.array(ports[:1], np.int32), rng.normal(size=(1, 3, 6)), 0.1, 0.5)
    general, own = (compiled(Tree(packed, kernel), loads) for kernel in (None, made))
    for _ in range(5):
        y = np.concatenate(random_state(rng, points))
        close(own.rates(t, y), general.rates(t, y))
        parts = (system.fast_rates(t, y) for system in (own, general))
        for found, right in zip(*parts, strict=True):
            close(found, right)


def test_a_wrench_where_none_was_told_of_is_refused():
    mechanism = gun_turret()
    packed = pack(mechanism)
    tree = Tree(packed, special("gun", packed))
    where = np.array([packed.markers["gun.muzzle"]], np.int32)
    with pytest.raises(UsageError, match="for which it was not made"):
        compiled(tree, Loads(where, np.ones((1, 1, 6))))


def test_the_gun_meets_its_reference():
    """numerics 6.3: one rate, steps of 1e-5 s."""
    _, own = both(gun_turret())
    right = published()[-1]
    found = moved(own, Nordsieck(1e-5))[:6]
    assert_allclose(found, [right[name] for name in NAMES], rtol=0, atol=1e-9)


@pytest.mark.parametrize("form", ["paper", "residual"])
@pytest.mark.parametrize("last", [True, False])
def test_two_rates_take_the_same_way(form, last):
    """To what round-off becomes in a second."""
    general, own = both(gun_turret(), multirate=True)
    method = Multirate(1e-4, 10, form, evaluate=last)
    close(moved(own, method), moved(general, method), 1e-10)


def test_a_chain_takes_the_same_way():
    """The recursion, with a flexible body at its end."""
    mechanism = chain(n=6)
    general, own = both(mechanism, multirate=True)
    order = pack(mechanism).layout
    start = np.concatenate([order.start, order.speed])
    for method in (Nordsieck(1e-4), Multirate(1e-4, 5)):
        ways = (moved(system, method, 0.1, start) for system in (own, general))
        close(*ways, 1e-10)


@pytest.mark.parametrize("solver", ["dense", "recursive"])
def test_energy_is_kept(solver):
    rng = np.random.default_rng(2)
    mechanism, points = random_tree(rng, ("spherical", "revolute"), (0, 2))
    first, last = mechanism.bodies
    undamped = replace(last, modes=replace(last.modes, D=np.zeros((2, 2))))
    mechanism = replace(mechanism, bodies=(first, undamped))
    _, own = both(mechanism, solver=solver)
    tree = Tree(pack(mechanism))
    y = np.concatenate(random_state(rng, points, 0.1))
    ends = (y, moved(own, Nordsieck(1e-4), 0.5, y))
    first, last = (tree.energy(*np.split(x, [tree.n_q])).sum() for x in ends)
    assert abs(last - first) < 1e-7 * abs(first)


def test_arrays_of_another_format_are_not_read():
    packed = pack(gun_turret())
    packed.ints[0] += 1
    with pytest.raises(UsageError, match="packed in format") as raised:
        special("gun", packed)
    assert "Pack it again" in raised.value.remedy


def test_nothing_but_numbers_comes_from_a_model():
    """Names are not in the program: no name can change what it does."""
    evil = '*/ int system(); /* "'
    body = Body(evil, 1.0, (1.0, 1.0, 1.0))
    joint = Joint(f"{evil} joint", "revolute", "ground", evil)
    load = JointLoad(joint.name, Expression("sin(k * t)", {"k": 2.0}))
    packed = pack(Mechanism(evil, [body], [joint], [load]))
    source = program(plan_of(packed), (), multirate=True).source
    plain = Joint("j", "revolute", "ground", "b")
    same = Mechanism(
        *("m", [Body("b", 1.0, (1.0, 1.0, 1.0))], [plain]),
        [JointLoad("j", Expression("sin(k * t)", {"k": 2.0}))],
    )
    assert source == program(plan_of(pack(same)), (), multirate=True).source
    assert source.isascii()


def test_an_angle_that_nothing_depends_on_leaves_no_trace():
    """The gun's yaw: gravity is along its axis."""
    source = program(plan_of(pack(gun_turret())), (), multirate=False).source
    assert "q[1]" in source
    assert "q[0]" not in source


@pytest.mark.parametrize("joints", [("prismatic",), ("fixed",), ("fixed", "fixed")])
@pytest.mark.parametrize("multirate", [False, True])
def test_constant_accelerations_are_a_program_as_well(joints, multirate):
    """Nothing is left to compute, or nothing moves at all."""
    bodies = [Body(f"b{k}", 1.0, (1.0, 1.0, 1.0)) for k in range(len(joints))]
    on = [Joint(f"j{k}", kind, "ground", f"b{k}") for k, kind in enumerate(joints)]
    made = Mechanism("m", bodies, on, gravity=(0.0, 0.0, -9.81))
    general, own = both(made, multirate=multirate)
    for t, y in ((0.0, np.zeros(general.size)), (1.0, np.ones(general.size))):
        close(own.rates(t, y), general.rates(t, y))
    close(moved(own, Nordsieck(1e-2)), moved(general, Nordsieck(1e-2)))


def test_without_mass_there_is_no_program():
    nothing = Body("arm", 0.0, (0.0, 0.0, 0.0))
    made = Mechanism("m", [nothing], [Joint("j", "revolute", "ground", "arm")])
    assert special("m", pack(made)) == Unsuited(
        "its mass matrix is not positive definite"
    )


def test_a_program_that_is_too_long_is_given_up_while_it_is_written():
    """Not after all of it: 238,080 operations."""
    packed = pack(chain(n=80), solver="dense")
    assert special("m", packed) == Unsuited(
        "its equations take more than 40,000 operations"
    )
    with pytest.raises(TooLong):
        program(plan_of(packed), (), multirate=False, most=1000)


def test_of_two_ways_the_one_that_is_not_too_long_is_taken():
    plan = plan_of(pack(chain(n=20)))
    whole = program(plan, (), multirate=False)
    again = program(plan, (), multirate=False, most=whole.length)
    assert again.source == whole.source
    with pytest.raises(TooLong):
        program(plan, (), multirate=False, most=whole.length - 1)


def test_many_velocities_have_special_rates_and_general_rows():
    """Then nothing reads from `work` what only the general rates leave there."""
    mechanism = chain(n=61)
    packed = pack(mechanism)
    made = special("chain", packed, multirate=True)
    assert made.slower == Unsuited("it has 63 velocities, more than 60")
    assert made.made.names == ("rates",)
    general, own = compiled(Tree(packed)), compiled(Tree(packed, made))
    assert general.c.fast_again
    assert not own.c.fast_again
    start = np.concatenate([packed.layout.start, packed.layout.speed])
    ways = (moved(s, Multirate(1e-4, 5), 1e-2, start) for s in (own, general))
    close(*ways, 1e-10)


HISTORIES = {
    "constant": Constant(2.0),
    "polynomial": Polynomial((1.0, -2.0, 0.5), t0=0.25),
    "nothing": Polynomial(()),
    "harmonic": Harmonic(0.3, (1.0, 0.2), (0.0, 0.4), omega=5.0, t0=0.25),
    "step": Harmonic(1.0, (2.0,), omega=0.0, t0=0.25),
    "mean": Harmonic(1.0, (0.0,), (3.0,), omega=0.0, t0=0.25),
    "jump": Table((0.25, 0.25), (1.0, 3.0)),
    "table": Table((0.0, 0.25, 0.5), (1.0, 3.0, -1.0)),
    "formula": Expression("k + step(t - 0.25) * sin(t)", {"k": 0.7}),
    "number": Expression("k", {"k": 0.7}),
}


def test_every_history_is_the_general_one_before_and_after_it_begins():
    bodies = [Body(name, 1.0, (1.0, 1.0, 1.0)) for name in HISTORIES]
    joints = [Joint(name, "revolute", "ground", name) for name in HISTORIES]
    loads = [JointLoad(name, history) for name, history in HISTORIES.items()]
    general, own = both(Mechanism("loaded", bodies, joints, loads))
    rest = np.zeros(general.size)
    for t in (-0.1, 0.1, 0.2499, 0.25, 0.3, 0.7):
        close(own.rates(t, rest), general.rates(t, rest))
