"""Small models as a whole: dense matrices, or rigid bodies under constraints.

Written without the gluing, so that agreement means something. Constraints of bodies
are built of four scalar or vector laws, typed here: points that coincide, directions
that stay perpendicular, a separation without a component along a direction, and a
squared distance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import block_diag, expm, null_space
from scipy.spatial.transform import Rotation


@dataclass(frozen=True, eq=False)
class Linear:
    """M a + C v + K u = 0 with B u = 0, at rest at u0, on what B leaves free."""

    M: np.ndarray
    C: np.ndarray
    K: np.ndarray
    B: np.ndarray
    u0: np.ndarray

    def _reduced(self):
        T = null_space(self.B) if len(self.B) else np.eye(len(self.M))
        return T, *(T.T @ A @ T for A in (self.M, self.C, self.K)), T.T @ self.u0

    def newmark(self, h, windows):
        """The trapezoidal rule, one step a window."""
        T, M, C, K, u = self._reduced()
        v = np.zeros_like(u)
        a, found = np.linalg.solve(M, -K @ u), []
        for _ in range(windows):
            u_p, v_p = u + h * v + 0.25 * h * h * a, v + 0.5 * h * a
            S = M + 0.5 * h * C + 0.25 * h * h * K
            a = np.linalg.solve(S, -C @ v_p - K @ u_p)
            u, v = u_p + 0.25 * h * h * a, v_p + 0.5 * h * a
            found.append(T @ u)
        return np.array(found)

    def exact(self, h, windows):
        """The matrix exponential."""
        T, M, C, K, u = self._reduced()
        n = len(u)
        A = np.block(
            [
                [np.zeros((n, n)), np.eye(n)],
                [-np.linalg.solve(M, K), -np.linalg.solve(M, C)],
            ]
        )
        step, w, found = expm(h * A), np.concatenate([u, np.zeros(n)]), []
        for _ in range(windows):
            w = step @ w
            found.append(T @ w[:n])
        return np.array(found)


def stacked(*systems):
    """The matrices of parts that nothing joins yet."""
    return [block_diag(*each) for each in zip(*systems, strict=True)]


@dataclass(frozen=True)
class Solid:
    """A free rigid body: mass, principal moments, where it starts and how it moves."""

    mass: float
    inertia: tuple[float, float, float]
    x: tuple[float, float, float]
    v: tuple[float, float, float] = (0.0, 0.0, 0.0)
    spin: tuple[float, float, float] = (0.0, 0.0, 0.0)


class Pose:
    """One body at an instant, turned from body to world axes by R."""

    def __init__(self, y):
        self.x, self.v, self.w = y[:3], y[7:10], y[10:13]
        self.R = Rotation.from_quat(np.roll(y[3:7], -1)).as_matrix()

    def arm(self, p):
        """r, and its first two rates without angular acceleration."""
        r = self.R @ p
        rate = np.cross(self.w, r)
        return r, rate, np.cross(self.w, rate)


GROUND = Pose(np.array([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], dtype=float))


@dataclass(frozen=True)
class Meet:
    """Points p of A and q of B coincide."""

    p: tuple[float, ...]
    q: tuple[float, ...]

    def rows(self, A, B):
        (r, _, r2), (s, _, s2) = A.arm(self.p), B.arm(self.q)
        value = A.x + r - B.x - s
        of_A = np.hstack([np.eye(3), -skew(r)])
        of_B = np.hstack([-np.eye(3), skew(s)])
        return value, of_A, of_B, r2 - s2


@dataclass(frozen=True)
class Square:
    """Direction a of A stays perpendicular to direction b of B."""

    a: tuple[float, ...]
    b: tuple[float, ...]

    def rows(self, A, B):
        (a, a1, a2), (b, b1, b2) = A.arm(self.a), B.arm(self.b)
        turn = np.cross(a, b)[None]
        zero = np.zeros((1, 3))
        bent = a2 @ b + 2 * a1 @ b1 + a @ b2
        of_A, of_B = np.hstack([zero, turn]), np.hstack([zero, -turn])
        return np.array([a @ b]), of_A, of_B, np.array([bent])


@dataclass(frozen=True)
class Within:
    """From p of A to q of B there is nothing along direction n of A."""

    n: tuple[float, ...]
    p: tuple[float, ...]
    q: tuple[float, ...]

    def rows(self, A, B):
        (n, n1, n2), (r, r1, r2), (s, s1, s2) = (
            A.arm(self.n),
            A.arm(self.p),
            B.arm(self.q),
        )
        d, d1 = A.x + r - B.x - s, A.v + r1 - B.v - s1
        of_A = np.concatenate([n, np.cross(n, d) + np.cross(r, n)])[None]
        of_B = -np.concatenate([n, np.cross(s, n)])[None]
        bent = n2 @ d + 2 * n1 @ d1 + n @ (r2 - s2)
        return np.array([n @ d]), of_A, of_B, np.array([bent])


@dataclass(frozen=True)
class Length:
    """Points p of A and q of B are a length apart."""

    length: float
    p: tuple[float, ...]
    q: tuple[float, ...]

    def rows(self, A, B):
        (r, r1, r2), (s, s1, s2) = A.arm(self.p), B.arm(self.q)
        d, d1 = A.x + r - B.x - s, A.v + r1 - B.v - s1
        of_A = np.concatenate([d, np.cross(r, d)])[None]
        of_B = -np.concatenate([d, np.cross(s, d)])[None]
        bent = d1 @ d1 + d @ (r2 - s2)
        return np.array([0.5 * (d @ d - self.length**2)]), of_A, of_B, np.array([bent])


@dataclass(frozen=True)
class Cushion:
    """Springs and dampers between p of A and q of B, in the axes of A.

    The moment −turning · e with e = log(R_Bᵀ R_A) is the same in the axes of A and B.
    """

    stiffness: tuple[float, ...]
    damping: tuple[float, ...]
    turning: float
    p: tuple[float, ...]
    q: tuple[float, ...]

    def wrenches(self, A, B):
        """Force and moment about the centre, on A and on B."""
        (r, r1, _), (s, s1, _) = A.arm(self.p), B.arm(self.q)
        d, d1 = A.x + r - B.x - s, A.v + r1 - B.v - s1
        e, e1 = A.R.T @ d, A.R.T @ (d1 - np.cross(A.w, d))
        f = A.R @ (-np.multiply(self.stiffness, e) - np.multiply(self.damping, e1))
        turn = Rotation.from_matrix(B.R.T @ A.R).as_rotvec()
        m = -self.turning * (A.R @ turn)
        at_B = B.x + s  # both ends feel the force there
        return (
            np.concatenate([f, np.cross(at_B - A.x, f) + m]),
            np.concatenate([-f, np.cross(s, -f) - m]),
        )


@dataclass(frozen=True, eq=False)
class Bodies:
    """Rigid bodies under gravity, joined by (first, second, law); −1 is the ground."""

    solids: tuple[Solid, ...]
    laws: tuple
    gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def start(self):
        """All states (x, turn, v, spin), the twists as near as the joints allow."""
        y = np.zeros((len(self.solids), 13))
        for row, s in zip(y, self.solids, strict=True):
            row[:] = [*s.x, 1, 0, 0, 0, *s.v, *s.spin]
        _, G, _ = self._joints([Pose(row) for row in y])
        twists = y[:, 7:].ravel()
        if len(G):
            twists = twists - np.linalg.lstsq(G, G @ twists, rcond=None)[0]
        y[:, 7:] = twists.reshape(-1, 6)
        return y

    def _joints(self, poses):
        """φ, its rows by all twists, and φ'' without accelerations."""
        values, rows, bent = [], [], []
        for i, j, law in self.laws:
            if isinstance(law, Cushion):
                continue
            value, of_A, of_B, more = law.rows(self._of(poses, i), self._of(poses, j))
            wide = np.zeros((len(value), 6 * len(poses)))
            for k, own in ((i, of_A), (j, of_B)):
                if k >= 0:
                    wide[:, 6 * k : 6 * k + 6] = own
            values.append(value)
            rows.append(wide)
            bent.append(more)
        empty = np.zeros((0, 6 * len(poses)))
        return (
            np.concatenate([np.zeros(0), *values]),
            np.concatenate([empty, *rows]),
            np.concatenate([np.zeros(0), *bent]),
        )

    @staticmethod
    def _of(poses, k):
        return poses[k] if k >= 0 else GROUND

    def _rate(self, t, flat):
        y = flat.reshape(-1, 13)
        poses = [Pose(row) for row in y]
        n = 6 * len(poses)
        M, f = np.zeros((n, n)), np.zeros(n)
        for k, (p, s) in enumerate(zip(poses, self.solids, strict=True)):
            inertia = p.R @ np.diag(s.inertia) @ p.R.T
            at = 6 * k
            M[at : at + 3, at : at + 3] = s.mass * np.eye(3)
            M[at + 3 : at + 6, at + 3 : at + 6] = inertia
            f[at : at + 3] = s.mass * np.array(self.gravity)
            f[at + 3 : at + 6] = -np.cross(p.w, inertia @ p.w)
        for i, j, law in self.laws:
            if isinstance(law, Cushion):
                of_A, of_B = law.wrenches(self._of(poses, i), self._of(poses, j))
                f[6 * i : 6 * i + 6] += of_A
                f[6 * j : 6 * j + 6] += of_B
        _, G, bent = self._joints(poses)
        m = len(G)
        saddle = np.block([[M, G.T], [G, np.zeros((m, m))]])
        a = np.linalg.solve(saddle, np.concatenate([f, -bent]))[:n].reshape(-1, 6)
        rate = np.empty_like(y)
        for row, p, acc, now in zip(rate, poses, a, y, strict=True):
            row[:3], row[7:] = p.v, acc
            q, w = now[3:7], p.w
            row[3] = -0.5 * (w @ q[1:])
            row[4:7] = 0.5 * (q[0] * w + np.cross(w, q[1:]))
        return rate.ravel()

    def solve(self, times):
        """States at `times`; times × bodies × 13."""
        span = (0.0, float(times[-1]))
        done = solve_ivp(
            self._rate,
            span,
            self.start().ravel(),
            "DOP853",
            times,
            rtol=1e-11,
            atol=1e-12,
        )
        return done.y.T.reshape(len(times), -1, 13)

    def apart(self, states):
        """The largest violation of a joint in `states`: what has drifted."""
        each = [self._joints([Pose(row) for row in y])[0] for y in states]
        return max(float(np.abs(e).max(initial=0.0)) for e in each)


def skew(r):
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])
