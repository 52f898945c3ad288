"""Traced equations are those of the general kernel."""

import numpy as np
import pytest

from bondline.kernels.traced import Tape
from bondline.leaves.mbd.driving import compiled
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.special.equations import traces
from bondline.leaves.mbd.special.program import elimination
from bondline.leaves.mbd.special.reading import plan_of
from bondline.leaves.mbd.special.recursion import recursion
from bondline.leaves.mbd.tree import Tree
from tests.mbd.random_trees import random_state, random_tree
from tests.mbd.replay import replayed, value
from tests.mbd.special_models import close

KINDS = (
    *("fixed", "revolute", "prismatic", "cylindrical"),
    *("universal", "planar", "spherical", "free"),
)


def drawn(rng):
    """A tree of up to five bodies of any kind."""
    count = int(rng.integers(1, 6))
    kinds = [str(kind) for kind in rng.choice(KINDS, count)]
    return kinds, [int(m) for m in rng.integers(0, 4, count)]


def traced_rates(mechanism, y, way):
    tape = Tape()
    at = traces(plan_of(pack(mechanism)), tape, ())
    du, _ = way(at)
    q, u = np.split(y, [at.plan.n_q])
    given = {f"{k}[{i}]": x for k, v in (("q", q), ("u", u)) for i, x in enumerate(v)}
    found = replayed(tape, {**given, "t": 0.3})
    return np.array([value(x, found) for x in (*at.dq, *du)])


@pytest.mark.quick(30)
@pytest.mark.parametrize("seed", range(200))
def test_traced_equations_are_those_of_the_general_kernel(seed):
    """Random trees, rigid and flexible, all kinds of joints; both ways to solve."""
    rng = np.random.default_rng(seed)
    mechanism, points = random_tree(rng, *drawn(rng))
    system = compiled(Tree(pack(mechanism)))
    y = np.concatenate(random_state(rng, points))
    right = system.rates(0.3, y)
    for way in (recursion, elimination):
        close(traced_rates(mechanism, y, way), right, 1e-11)
