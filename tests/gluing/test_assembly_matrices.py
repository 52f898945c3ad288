"""The assembly matrices of wang2003, section 2.5, come out of ties.

Typed from the paper, with the errata: a chain of n parts has n − 1 interfaces, and
(12) needs the inverse of the sum.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bondline.core import Motion, PortRef
from bondline.gluing.gaps import gaps
from bondline.gluing.joints.tie import Tie

DOFS = ("x", "y")
I = np.eye(2)  # noqa: E741 - as in the paper
O = np.zeros((2, 2))  # noqa: E741


def tie(name, *ends):
    return Tie(name, tuple(PortRef(*e.split(".")) for e in ends), DOFS)


def chain(n):
    """Fig. 5: the active end A of each part meets the reacting end R of the last."""
    return [tie(f"g{i}", f"{i + 1}.A", f"{i}.R") for i in range(1, n)]


def node(n):
    """Fig. 6: n parts at one node; the last carries the reactions."""
    return [tie("g", *(f"{i}.A" for i in range(1, n + 1)))]


def ports_of(ties, part):
    """Glued ports of a part, A before R."""
    return sorted({end for t in ties for end in t.ends if end.part == part}, key=str)


def assembled(ties, part):
    """Bᵢ by all interface dofs of one part, ∂e/∂u_cⁱ, Eq. (11)."""
    blocks = []
    for port in ports_of(ties, part):
        rows = []
        for t in ties:
            B = t.jacobian([])
            size = len(t.components)
            rows.append(
                sum(
                    (B[k] for k, end in enumerate(t.ends) if end == port),
                    np.zeros((size, 2)),
                )
            )
        blocks.append(np.concatenate(rows))
    return np.hstack(blocks)


def shifts(ties, seed=0):
    """Random displacements of all interfaces, U of Eq. (9)."""
    rng = np.random.default_rng(seed)
    ends = sorted({end for t in ties for end in t.ends}, key=str)
    return {end: rng.normal(size=2) for end in ends}


def error(ties, u):
    zero = np.zeros(2)
    motions = [[Motion(u[end], zero, zero) for end in t.ends] for t in ties]
    return gaps(motions, ties)[0]


def u(displacements, name):
    return displacements[PortRef(*name.split("."))]


def parts_of(ties):
    return sorted({end.part for t in ties for end in t.ends})


def test_c_of_a_part_inside_a_chain():
    """(18) and (20) for n = 4: identity and minus identity, side by side."""
    ties = chain(4)
    C_2 = np.block([[I, O, O], [O, -I, O]])
    C_3 = np.block([[O, I, O], [O, O, -I]])
    B_2 = np.block([[I, O], [O, -I], [O, O]])
    assert_array_equal(assembled(ties, "2").T, C_2)
    assert_array_equal(assembled(ties, "3").T, C_3)
    assert_array_equal(assembled(ties, "2"), B_2)


def test_the_ends_of_a_chain_have_one_block():
    """Where "1 < i < n" of (18) ends: the first only reacts, the last only acts."""
    ties = chain(4)
    assert_array_equal(assembled(ties, "1").T, np.block([[-I, O, O]]))
    assert_array_equal(assembled(ties, "4").T, np.block([[O, O, I]]))


def test_the_error_of_a_chain():
    """(19)."""
    ties = chain(3)
    at = shifts(ties)
    expected = [u(at, "2.A") - u(at, "1.R"), u(at, "3.A") - u(at, "2.R")]
    assert_array_equal(error(ties, at), np.concatenate(expected))


def test_flexibility_of_a_chain_part():
    """(22): the blocks of G, those between the two ends with a minus sign."""
    G = np.random.default_rng(1).normal(size=(4, 4))
    AA, AR, RA, RR = G[:2, :2], G[:2, 2:], G[2:, :2], G[2:, 2:]
    B = assembled(chain(4), "2")
    expected = np.block([[AA, -AR, O], [-RA, RR, O], [O, O, O]])
    assert_allclose(B @ G @ B.T, expected, rtol=1e-15)


def test_a_loop_has_as_many_interfaces_as_parts():
    """(15) as printed: every part has an active force; (17) goes round for i = n."""
    ties = [tie("g0", "1.A", "3.R"), *chain(3)]
    assert_array_equal(assembled(ties, "1").T, np.block([[I, O, O], [O, -I, O]]))
    assert_array_equal(assembled(ties, "2").T, np.block([[O, I, O], [O, O, -I]]))
    assert_array_equal(assembled(ties, "3").T, np.block([[O, O, I], [-I, O, O]]))


def test_a_tree_branches_at_a_part_with_many_reacting_ends():
    """Each branch acts, the stem reacts to all of them, port by port."""
    ties = [tie(f"g{i}", f"{i}.A", f"1.R{i}") for i in (2, 3, 4)]
    assert_array_equal(
        assembled(ties, "1").T, np.block([[-I, O, O], [O, -I, O], [O, O, -I]])
    )
    assert_array_equal(assembled(ties, "3").T, np.block([[O, I, O]]))


@pytest.mark.parametrize("n", [3, 4])
def test_n_parts_at_one_node(n):
    """(25), (26): each active part in its own block, the last in all of them."""
    ties = node(n)
    for i in range(1, n):
        blocks = [I if k == i else O for k in range(1, n)]
        assert_array_equal(assembled(ties, str(i)).T, np.hstack(blocks))
    assert_array_equal(assembled(ties, str(n)).T, np.hstack([-I] * (n - 1)))


def test_the_error_at_one_node():
    """(23)."""
    ties = node(4)
    at = shifts(ties)
    expected = [u(at, f"{i}.A") - u(at, "4.A") for i in (1, 2, 3)]
    assert_array_equal(error(ties, at), np.concatenate(expected))


def test_flexibility_at_one_node():
    """(28): one block for each part, the last part's in all of them."""
    g = np.random.default_rng(2).normal(size=(2, 2))
    B_2, B_n = assembled(node(4), "2"), assembled(node(4), "4")
    assert_allclose(B_2 @ g @ B_2.T, np.block([[O, O, O], [O, g, O], [O, O, O]]))
    assert_allclose(B_n @ g @ B_n.T, np.block([[g] * 3] * 3), rtol=1e-15)


@pytest.mark.parametrize(
    "ties", [chain(2), chain(5), node(2), node(5), [*chain(3), tie("g0", "1.A", "3.R")]]
)
def test_one_correction_closes_the_gap_of_linear_parts(ties):
    """(3) with (12), inverted, and (13): F = −Λ e₀ leaves e = 0."""
    rng, start = np.random.default_rng(3), shifts(ties)
    G = {}
    for part in parts_of(ties):
        L = rng.normal(size=(2 * len(ports_of(ties, part)),) * 2)
        G[part] = L @ L.T + np.eye(len(L))
    B = {part: assembled(ties, part) for part in G}
    Lam = np.linalg.inv(sum(B[p] @ G[p] @ B[p].T for p in G))
    F = -Lam @ error(ties, start)
    after = dict(start)
    for part, flexibility in G.items():
        moved = flexibility @ B[part].T @ F
        for k, end in enumerate(ports_of(ties, part)):
            after[end] = start[end] + moved[2 * k : 2 * k + 2]
    assert_allclose(error(ties, after), 0.0, atol=1e-12)
