"""Tangents are slopes of forces; rigid motion of any size gives no force."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear import (
    Answer,
    Beams2,
    Beams3,
    Elements,
    Linear,
    Moved,
    Plastic,
    Progressive,
    Rubber,
    Shells,
    Solids,
    Swift,
    Ties,
)
from bondline.leaves.nonlinear.elements import fibres
from bondline.leaves.nonlinear.turning import exp, matrices, product

E = Material("m", 2e5, 0.3, 1.0)
METALS = [
    E,
    Plastic(E, Linear(200.0, 1000.0), 500.0),
    Plastic(E, Swift(500.0, 0.01, 0.2)),
]
SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
CUBE = np.array([(x, y, z) for z in (0.0, 1.0) for x, y in SQUARE])
EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
CORNERS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
TET10 = np.vstack([CORNERS, [0.5 * (CORNERS[a] + CORNERS[b]) for a, b in EDGES]])


class Case:
    """One element of a kind at random points, turned far and then deformed."""

    def __init__(self, block: Elements, points: np.ndarray, amount: float) -> None:
        rng = np.random.default_rng(3)
        self.block, self.points = block, points
        self.n, self.c = len(points), len(block.components)
        spin = block.components == (0, 1, 5)
        self.turn = np.array([0.0, 0.0, 2.1]) if spin else 1.3 * rng.standard_normal(3)
        self.d = amount * rng.standard_normal((self.n, self.c))
        self.w = amount * rng.standard_normal((self.n, 3))
        self.past = np.zeros(block.numbers)

    def slopes(self) -> tuple[np.ndarray, np.ndarray, float]:
        """The tangent, the same by central differences, and the largest force."""
        h, m = 1e-6, self.n * self.c
        K = np.zeros((m, m))
        for k in range(m):
            node, comp = divmod(k, self.c)
            sides = []
            for sign in (1.0, -1.0):
                d, q = self.d.copy(), np.zeros((self.n, 3))
                if self.c == 6 and comp > 2:
                    q[node, comp - 3] = sign * h
                else:
                    d[node, comp] += sign * h
                sides.append(self.force(d, q).force[0])
            K[:, k] = (sides[0] - sides[1]) / (2.0 * h)
        answer = self.force(self.d, np.zeros((self.n, 3)))
        return answer.tangent[0], K, float(np.abs(answer.force).max())

    def force(self, d: np.ndarray, spin: np.ndarray) -> Answer:
        """The answer at displacements `d`, with small spins on top of all turns."""
        R = matrices(exp(self.turn))
        wide = np.zeros((self.n, 6))
        wide[:, list(self.block.components)] = d
        wide[:, :3] += self.points @ R.T - self.points
        wide[:, 5] += self.turn[2] * (self.c == 3)
        q = product(exp(self.w), np.tile(exp(self.turn), (self.n, 1)))
        q = product(exp(spin), q)
        moved = wide[:, list(self.block.components)][None]
        at = Moved(moved, 0.0 * moved, matrices(q)[None])
        return self.block.respond(self.points, at, self.past)


def beam2(metal: object) -> Case:
    block = Beams2(np.array([[0, 1]]), fibres.layers(metal, 0.2, 0.1, 5))
    return Case(block, np.array([(0.0, 0.0, 0.0), (1.0, 0.3, 0.0)]), 0.02)


def beam3(metal: object) -> Case:
    section = fibres.rectangle(metal, 0.2, 0.1, 4)
    block = Beams3(np.array([[0, 1]]), section, np.array([0.1, 1.0, 0.3]))
    return Case(block, np.array([(0.0, 0.0, 0.0), (1.0, 0.3, 0.2)]), 0.02)


def brick(metal: object) -> Case:
    points = CUBE + 0.1 * np.random.default_rng(0).standard_normal(CUBE.shape)
    return Case(Solids(np.arange(8)[None], metal), points, 0.004)


def tet(metal: object) -> Case:
    return Case(Solids(np.arange(10)[None], metal), TET10, 0.004)


def shell(n: int, amount: float = 0.002) -> Callable[[object], Case]:
    points = np.array([(0, 0, 0), (1, 0, 0), (1.1, 1, 0), (0, 0.9, 0)], dtype=float)
    if n == 4:
        points[:, 2] = 0.05 * np.array([1, -1, 1, -1])

    def made(metal: object) -> Case:
        block = Shells(np.arange(n)[None], metal, 0.05)
        return Case(block, points[:n], amount)

    return made


@pytest.mark.parametrize("metal", METALS, ids=["elastic", "both", "swift"])
@pytest.mark.parametrize("kind", [beam2, beam3, brick, tet])
def test_tangents_are_the_slopes_of_forces(
    kind: Callable[[object], Case], metal: object
) -> None:
    K, found, _ = kind(metal).slopes()
    assert np.abs(K - found).max() < 3e-7 * np.abs(found).max()


@pytest.mark.parametrize("n", [3, 4])
def test_tangents_of_shells_leave_out_second_order_only(n: int) -> None:
    """The variation of the frame's spin meets a moment of second order."""
    off = []
    for amount in (0.01, 0.001):
        K, found, _ = shell(n, amount)(E).slopes()
        off.append(np.abs(K - found).max() / np.abs(found).max())
    assert off[0] < 1e-3
    assert off[1] < 0.05 * off[0]


@pytest.mark.parametrize("n", [3, 4])
def test_tangents_of_plastic_shells_are_good(n: int) -> None:
    K, found, _ = shell(n)(METALS[1]).slopes()
    assert np.abs(K - found).max() < 3e-5 * np.abs(found).max()


def test_rubber_has_its_tangent_at_large_strain() -> None:
    case = Case(
        Solids(np.arange(8)[None], Rubber(Material("r", 1.0, 0.45))), CUBE, 0.12
    )
    K, found, _ = case.slopes()
    assert np.abs(K - found).max() < 1e-7 * np.abs(found).max()


def test_a_tie_that_swings_has_its_tangent() -> None:
    case = Case(Ties(np.array([[0, 1]]), Progressive(100.0, 0.1)), CUBE[:2], 0.2)
    K, found, _ = case.slopes()
    assert np.abs(K - found).max() < 1e-7 * np.abs(found).max()


@pytest.mark.parametrize("kind", [beam2, beam3, brick, tet, shell(3), shell(4)])
def test_rigid_motion_of_any_size_gives_no_force(
    kind: Callable[[object], Case],
) -> None:
    case = kind(E)
    still = np.zeros_like(case.d) + 7.0 * (np.arange(case.c) < min(case.c, 2))
    case.w[:] = 0.0
    answer = case.force(still, case.w)
    stiff = np.abs(answer.tangent).max()
    assert np.abs(answer.force).max() < 1e-13 * stiff
