"""The problems of the table: four parts in a row, the joint to try between two.

Linear parts come as `Structure`, with one Newmark step a window or several. Every joint
is written twice: by the name of its kind for the gluing, and as rows B of the dense
model. Parts are made for a coupling: their ports take force, motion, or both in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from bondline.core import Causality, Port, Surface
from bondline.leaves import Structure
from bondline.numerics import Kinematics, LinearSystem
from tests.cases.feature_table.all_at_once import Linear, stacked

SIX = ("x", "y", "z", "rx", "ry", "rz")
_SIDES = {
    "T-T": (Causality.FORCE_IN, Causality.FORCE_IN),
    "X-X": (Causality.MOTION_IN, Causality.MOTION_IN),
    "X-T": (Causality.FORCE_IN, Causality.MOTION_IN),  # the left part leads
}


@dataclass(frozen=True)
class Link:
    """One joint between a part and the next: its kind and settings."""

    kind: str
    settings: dict = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Problem:
    """Parts in a row, joined by `links`; `reference` holds what `shown` must be."""

    joint: str
    story: str
    h: float
    links: tuple[Link, ...]
    parts: Callable[[str], tuple]  # by coupling
    shown: Callable[[dict], np.ndarray]  # from states of leaves, by name
    reference: Callable[[float, int], np.ndarray]  # h, windows -> windows × values
    windows: int = 8
    one_step: bool = False
    ends: tuple[tuple[str, str], ...] = (("r", "l"),) * 3

    @property
    def name(self):
        return f"{self.joint}: {self.story}"

    @cached_property
    def _kept(self):
        return {}

    def expected(self, h, windows):
        """What the model as a whole shows."""
        if (h, windows) not in self._kept:
            self._kept[h, windows] = self.reference(h, windows)
        return self._kept[h, windows]

    @cached_property
    def scale(self):
        """How far anything goes in a whole run."""
        return float(np.ptp(self.expected(self.h, self.windows), axis=0).max())


NAMES = "abcd"
MASSES = (8.0, 2.0, 0.5, 0.12)  # kg: every leader is four times its follower


@dataclass(frozen=True, eq=False)
class Piece:
    """Matrices of a linear part, and which of its dofs each port holds."""

    M: np.ndarray
    K: np.ndarray
    left: tuple[int, ...]
    right: tuple[int, ...]

    @property
    def system(self):
        return self.M, 0.01 * self.K, self.K


def linear(joint, story, made, h=0.02, steps=1, first=None):
    """A row of structures, `made` of pieces, a port, links, and rows.

    The rows are those of B over the dofs of all pieces, from where each begins.
    `first` is the port at the right of the first part, where it differs from the rest.
    """
    pieces, port, links, rows = made
    sizes = [len(p.M) for p in pieces]
    at = np.cumsum([0, *sizes])
    B = rows(at)
    M, C, K = stacked(*(p.system for p in pieces))
    extra = next((x.settings for x in links if x.kind == "bushing"), None)
    if extra is not None:
        K, C = sprung(K, C, B, extra)
        B = B[len(port.dofs) * port.nodes :]
    rng = np.random.default_rng(5)
    u0 = rng.normal(size=at[-1])
    u0 = 0.01 * (u0 - np.linalg.pinv(B) @ (B @ u0))
    model = Linear(M, C, K, B, u0)

    def parts(coupling):
        ends = _SIDES[coupling]
        return tuple(
            structure(
                NAMES[k],
                p,
                ports(port, first if k == 0 else None, ends),
                u0[at[k] :],
                steps,
            )
            for k, p in enumerate(pieces)
        )

    def shown(states):
        each = [states[n].reshape(3, -1)[0] for n in NAMES]
        return np.concatenate(each)

    def reference(h, windows):
        solve = model.newmark if steps == 1 else model.exact
        return solve(h, windows)

    return Problem(joint, story, h, links, parts, shown, reference, one_step=steps == 1)


def sprung(K, C, B, bushing):
    """The matrices with springs and dampers on the first rows of B."""
    k, c = bushing["stiffness"], bushing["damping"]
    own = B[: len(k)]
    return K + own.T @ np.diag(k) @ own, C + own.T @ np.diag(c) @ own


def ports(port, first, ends):
    right, left = ends
    return {
        "l": replace(port, name="l", causality=left),
        "r": replace(first or port, name="r", causality=right),
    }


def structure(name, piece, both, u0, steps):
    """Both ends of the row have no joint, and take force."""
    loose = {"a": "l", "d": "r"}.get(name)
    if loose:
        both[loose] = replace(both[loose], causality=Causality.FORCE_IN)
    select = {"l": list(piece.left), "r": list(piece.right)}
    n = len(piece.M)
    at = Kinematics(u0[:n].copy(), np.zeros(n), np.zeros(n))
    system = LinearSystem(*piece.system)
    kept = {p: both[p] for p in select}
    return Structure(name, system, select, kept, steps=steps, start_at=at)


def row_of_masses(steps=1):
    pieces = [chain_of(3, m) for m in MASSES]
    links = (Link("tie"),) * 3
    story = "masses in a row" + ("" if steps == 1 else f", {steps} steps a window")
    port = Port("p", ("x",))
    h = 0.02 if steps == 1 else 0.01
    return linear("tie", story, (pieces, port, links, meeting(pieces)), h, steps)


def bushed_masses(steps=1):
    pieces = [chain_of(3, m) for m in MASSES]
    bushing = Link("bushing", {"stiffness": (400.0,), "damping": (3.0,)})
    links = (bushing, Link("tie"), Link("tie"))
    story = "masses in a row" + ("" if steps == 1 else f", {steps} steps a window")
    port = Port("p", ("x",))
    h = 0.02 if steps == 1 else 0.01
    return linear("bushing", story, (pieces, port, links, meeting(pieces)), h, steps)


def chain_of(n, mass):
    links = 2.0 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    links[0, 0] = links[-1, -1] = 1.0
    K = 800.0 * mass * (links + 0.05 * np.eye(n))
    return Piece(mass * np.eye(n), K, (0,), (n - 1,))


def lump(seed, nodes, dofs):
    """Some stiff, heavy stuff with `nodes` nodes at each side and one in between."""
    rng = np.random.default_rng(seed)
    n, side = (2 * nodes + 1) * dofs, nodes * dofs
    A = rng.normal(size=(n, n))
    K = 200.0 * (A @ A.T / n + 0.2 * np.eye(n))
    M = np.diag(rng.uniform(0.5, 2.0, n))
    return Piece(M, K, tuple(range(side)), tuple(range(n - side, n)))


def meeting(pieces, keep=None):
    """Rows u_right − u_left of neighbours, all dofs or those in `keep`."""

    def rows(at):
        found = []
        for k in range(3):
            right, left = pieces[k].right, pieces[k + 1].left
            for i in range(len(right)):
                if keep is None or i in keep[k]:
                    row = np.zeros(at[-1])
                    row[at[k] + right[i]], row[at[k + 1] + left[i]] = 1.0, -1.0
                    found.append(row)
        return np.array(found)

    return rows


def nodes_in_the_plane():
    pieces = [lump(s, 2, 2) for s in range(4)]
    links = (Link("tie"),) * 3
    port = Port("p", ("x", "y"), nodes=2)
    return linear("tie", "two nodes with x y", (pieces, port, links, meeting(pieces)))


def welded_nodes():
    pieces = [lump(10 + s, 1, 6) for s in range(4)]
    made = pieces, Port("p", SIX), (Link("fixed"),) * 3, meeting(pieces)
    return linear("fixed", "nodes with six dofs", made)


def ball_of_nodes():
    pieces = [lump(20 + s, 1, 6) for s in range(4)]
    links = (Link("spherical"), Link("tie"), Link("tie"))
    keep = ((0, 1, 2), range(6), range(6))
    made = pieces, Port("p", SIX), links, meeting(pieces, keep)
    return linear("spherical", "nodes with six dofs", made)


def pin_of_nodes():
    pieces = [lump(30 + s, 1, 3) for s in range(4)]
    links = (Link("revolute"), Link("tie"), Link("tie"))
    keep = ((0, 1), range(3), range(3))
    made = pieces, Port("p", ("x", "y", "rz")), links, meeting(pieces, keep)
    return linear("revolute", "nodes with x y rz", made)


def lines_that_do_not_match():
    """Three nodes of the first part on two of the second: the middle follows both."""
    line = np.array([[0.0, 0, 0], [0.0, 0.5, 0], [0.0, 1.0, 0]])
    coarse = Port("p", ("x", "y"), 2, surface=Surface(line[::2], ((0, 1),)))
    fine = Port("p", ("x", "y"), 3, surface=Surface(line, ((0, 1), (1, 2))))
    pieces = [lump(40 + s, 2, 2) for s in range(4)]
    n = len(pieces[0].M)
    pieces[0] = replace(pieces[0], right=tuple(range(n - 6, n)))
    links = (Link("mesh-tie", {"method": "projection"}), Link("tie"), Link("tie"))
    follow = np.kron([[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]], np.eye(2))

    def rows(at):
        own = np.zeros((6, at[-1]))
        own[:, n - 6 : n] = np.eye(6)
        own[:, at[1] : at[1] + 4] = -follow
        return np.vstack([own, meeting(pieces, ((), range(4), range(4)))(at)])

    return linear(
        "mesh-tie", "three nodes on two", (pieces, coarse, links, rows), first=fine
    )


LINEAR = (
    row_of_masses,
    lambda: row_of_masses(8),
    nodes_in_the_plane,
    welded_nodes,
    ball_of_nodes,
    pin_of_nodes,
    lines_that_do_not_match,
    bushed_masses,
    lambda: bushed_masses(8),
)
