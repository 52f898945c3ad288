"""Mechanisms as clouds of point masses: Kane's equations from scratch.

Nothing of the package's mechanics is used. Positions are functions of the coordinates;
they are differentiated exactly, by Taylor series in one parameter kept to the second
order (`c[0] + c[1] s + c[2] s²`, first axis of an array).
"""

from dataclasses import dataclass, field

import numpy as np

from bondline.leaves.mbd.model import Frame, Node


def series(*terms):
    return np.array(terms, dtype=float)


def fixed(x):
    x = np.asarray(x, dtype=float)
    return np.array([x, 0.0 * x, 0.0 * x])


def prod(A, B):
    """Matrix products (or with vectors) of series."""
    return np.array([sum(A[i] @ B[n - i] for i in range(n + 1)) for n in range(3)])


def cos_sin(x):
    c, s = np.cos(x[0]), np.sin(x[0])
    cos = series(c, -s * x[1], -s * x[2] - 0.5 * c * x[1] ** 2)
    sin = series(s, c * x[1], c * x[2] - 0.5 * s * x[1] ** 2)
    return cos, sin


def skew(x):
    z = np.zeros(3)
    rows = [z, -x[:, 2], x[:, 1], x[:, 2], z, -x[:, 0], -x[:, 1], x[:, 0], z]
    return np.stack(rows, axis=1).reshape(3, 3, 3)


def exponential(theta):
    """exp of a rotation vector by its power series."""
    term = total = fixed(np.eye(3))
    for k in range(1, 30):
        term = prod(term, skew(theta)) / k
        total = total + term
    return total


def about(axis, angle):
    c, s = cos_sin(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = fixed(np.zeros((3, 3)))
    R[0, axis, axis] = 1.0
    R[:, i, i], R[:, j, j], R[:, i, j], R[:, j, i] = c, c, -s, s
    return R


def of_quaternion(q):
    """R of a unit quaternion, each entry a sum of products."""

    def p(i, j):
        return series(
            q[0, i] * q[0, j],
            q[0, i] * q[1, j] + q[1, i] * q[0, j],
            q[0, i] * q[2, j] + q[1, i] * q[1, j] + q[2, i] * q[0, j],
        )

    w, x, y, z = range(4)
    ww, xx, yy, zz = (p(i, i) for i in range(4))
    entries = (
        *(ww + xx - yy - zz, 2 * (p(x, y) - p(w, z)), 2 * (p(x, z) + p(w, y))),
        *(2 * (p(x, y) + p(w, z)), ww - xx + yy - zz, 2 * (p(y, z) - p(w, x))),
        *(2 * (p(x, z) - p(w, y)), 2 * (p(y, z) + p(w, x)), ww - xx - yy + zz),
    )
    return np.stack(entries, axis=1).reshape(3, 3, 3)


def joint_pose(kind, q):
    """Shift and turn of the outboard frame in the inboard one."""
    at, R = fixed(np.zeros(3)), fixed(np.eye(3))
    match kind:
        case "revolute":
            R = about(2, q[:, 0])
        case "prismatic":
            at[:, 2] = q[:, 0]
        case "cylindrical":
            at[:, 2] = q[:, 0]
            R = about(2, q[:, 1])
        case "universal":
            R = prod(about(0, q[:, 0]), about(1, q[:, 1]))
        case "planar":
            at[:, :2] = q[:, :2]
            R = about(2, q[:, 2])
        case "spherical":
            R = of_quaternion(q)
        case "free":
            at, R = q[:, :3].copy(), of_quaternion(q[:, 3:])
    return at, R


def times_quaternion(q, w):
    a, b, c, d = q
    x, y, z = w
    return np.array(
        [
            -b * x - c * y - d * z,
            a * x + c * z - d * y,
            a * y + d * x - b * z,
            a * z + b * y - c * x,
        ]
    )


def moving(kind, q, u):
    """The series of a joint's positions if its speeds stay as they are."""
    q, u = np.asarray(q, dtype=float), np.asarray(u, dtype=float)
    turns = {"spherical": 0, "free": 3}.get(kind)
    if turns is None:
        return np.array([q, u, 0.0 * q])
    rate = 0.5 * times_quaternion(q[turns:], u[turns:])
    again = 0.25 * times_quaternion(rate, u[turns:])
    first = np.concatenate([u[:turns], rate])
    second = np.concatenate([np.zeros(turns), again])
    return np.array([q, first, second])


@dataclass
class Cloud:
    """Point masses at s (p × 3), with shapes (p × 3 × m)."""

    m: np.ndarray
    s: np.ndarray
    shapes: np.ndarray
    K: np.ndarray
    D: np.ndarray
    places: dict = field(default_factory=dict)

    @property
    def count(self):
        return self.shapes.shape[2]


def spot_pose(spot, a):
    """Point and turn of a marker or node in its body."""
    if isinstance(spot, Frame):
        return fixed(spot.p), fixed(spot.R)
    assert isinstance(spot, Node)
    at = fixed(spot.frame.p) + np.array([spot.shift @ x for x in a])
    theta = np.array([spot.tilt @ x for x in a])
    return at, prod(exponential(theta), fixed(spot.frame.R))


def marker(poses, body, spot):
    """Series of point and turn of a marker."""
    r, R, a = poses[body]
    at, B = spot_pose(spot, a)
    return r + prod(R, at), prod(R, B)


def axial(W):
    """The vector of the skew part."""
    return 0.5 * np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]])


@dataclass
class Points:
    """A mechanism of clouds. `joints`: (kind, parent or −1, inboard, outboard)."""

    clouds: list
    joints: list
    gravity: np.ndarray

    def poses(self, q, u):
        """Series of the pose (r, R) and modal coordinates of each body."""
        found, i, j = [], 0, 0
        for cloud, (kind, parent, inboard, outboard) in zip(
            self.clouds, self.joints, strict=True
        ):
            (n_q, n_u), m = SIZES[kind], cloud.count
            way = moving(kind, q[i : i + n_q], u[j : j + n_u])
            i, j = i + n_q, j + n_u
            a = np.array([q[i : i + m], u[j : j + m], np.zeros(m)])
            i, j = i + m, j + m
            base = (fixed(np.zeros(3)), fixed(np.eye(3)), fixed(np.zeros(0)))
            r_i, R_i, a_i = base if parent < 0 else found[parent]
            at, B = spot_pose(inboard, a_i)
            d, D = joint_pose(kind, way)
            back, C = spot_pose(outboard, a)
            R_in = prod(R_i, B)
            R = prod(prod(R_in, D), np.swapaxes(C, 1, 2))
            r = r_i + prod(R_i, at) + prod(R_in, d) - prod(R, back)
            found.append((r, R, a))
        return found

    def masses(self, poses):
        """Series of the positions of all point masses."""
        rows = []
        for cloud, (r, R, a) in zip(self.clouds, poses, strict=True):
            local = np.array([cloud.shapes @ x for x in a])
            local[0] += cloud.s
            moved = np.array(
                [sum(local[n - k] @ R[k].T for k in range(n + 1)) for n in range(3)]
            )
            rows.append(moved + r[:, None, :])
        return np.concatenate(rows, axis=1)

    def ways(self, q, n_u):
        """Poses of all bodies as each speed moves them by itself."""
        return [self.poses(q, e) for e in np.eye(n_u)]

    def equations(self, q, u, wrenches=()):
        """M and P by virtual power; wrenches are (body, spot, force, moment)."""
        m = np.concatenate([c.m for c in self.clouds])
        ways = self.ways(q, len(u))
        partial = np.array([self.masses(way)[1] for way in ways])
        bias = 2.0 * self.masses(self.poses(q, u))[2]
        M = np.einsum("kpi,lpi,p->kl", partial, partial, m)
        P = np.einsum("kpi,pi,p->k", partial, self.gravity - bias, m)
        for body, spot, force, moment in wrenches:
            for k, way in enumerate(ways):
                at, R = marker(way, body, spot)
                P[k] += at[1] @ force + axial(R[1] @ R[0].T) @ moment
        return M, P + self.elastic(q, u)

    def elastic(self, q, u):
        """−K a − D a' in the modal rows."""
        P, i, j = np.zeros(len(u)), 0, 0
        for cloud, joint in zip(self.clouds, self.joints, strict=True):
            n_q, n_u = SIZES[joint[0]]
            i, j, m = i + n_q, j + n_u, cloud.count
            P[j : j + m] = -cloud.K @ q[i : i + m] - cloud.D @ u[j : j + m]
            i, j = i + m, j + m
        return P


SIZES = {
    "fixed": (0, 0),
    "revolute": (1, 1),
    "prismatic": (1, 1),
    "cylindrical": (2, 2),
    "universal": (2, 2),
    "planar": (3, 3),
    "spherical": (4, 3),
    "free": (7, 6),
}
