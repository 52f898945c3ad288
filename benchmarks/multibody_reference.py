"""Converged motions of the trees, from equations of their own.

Newton and Euler's recursion, link by link in plain numpy, once for the accelerations
0 and e_k together; then DOP853 of scipy to 1e-12. Slow, and independent of everything
that is measured. `python multibody_reference.py` writes `multibody_reference.json`.
"""

from __future__ import annotations

import json

import numpy as np
from multibody_case import HERE, TIMES, TREES, Array, Tree
from scipy.integrate import solve_ivp

FILE = HERE / "multibody_reference.json"
_NEXT, _LAST = [1, 2, 0], [2, 0, 1]


def about(axis: Array, angle: float) -> Array:
    """The rotation by an angle, Rodrigues."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


def frames(tree: Tree, q: Array) -> list[tuple[Array, Array, Array]]:
    """Of every link: rotation, origin and axis in the world."""
    found: list[tuple[Array, Array, Array]] = []
    for link, angle in zip(tree.links, q, strict=True):
        R, p = np.eye(3), np.zeros(3)
        if link.parent >= 0:
            R, p, _ = found[link.parent]
        axis = np.array(link.axis)
        found.append((R @ about(axis, angle), p + R @ np.array(link.at), R @ axis))
    return found


def tip(tree: Tree, q: Array) -> Array:
    """Where the tip is."""
    R, p, _ = frames(tree, q)[-1]
    return p + R @ np.array(tree.tip)


def loads(tree: Tree, q: Array, u: Array, rates: Array) -> Array:
    """Joint torques for given accelerations, one column each."""
    made, n = frames(tree, q), len(q)
    wide = rates.shape[1]
    spin, turn, pull = [np.zeros(3)] * n, [np.zeros((3, wide))] * n, [None] * n
    forces, moments = np.zeros((n, 3, wide)), np.zeros((n, 3, wide))
    up = np.array([0.0, 0.0, tree.gravity])[:, None] * np.ones(wide)
    for k, link in enumerate(tree.links):
        R, p, axis = made[k]
        w, dw, a = np.zeros(3), np.zeros((3, wide)), up
        if link.parent >= 0:
            i = link.parent
            arm = p - made[i][1]
            w, dw = spin[i], turn[i]
            a = pull[i] + _cross(dw, arm) + _cross(w, _cross(w, arm))[:, None]
        dw = dw + np.outer(axis, rates[k]) + (_cross(w, axis) * u[k])[:, None]
        w = w + axis * u[k]
        spin[k], turn[k], pull[k] = w, dw, a
        c = R @ np.array(link.com)
        J = R @ np.diag(link.inertia) @ R.T
        ac = a + _cross(dw, c) + _cross(w, _cross(w, c))[:, None]
        forces[k] = link.mass * ac
        moments[k] = J @ dw + _cross(w, J @ w)[:, None] + _cross(c, forces[k])
    return _back(tree, made, forces, moments)


def _back(tree: Tree, made: list, forces: Array, moments: Array) -> Array:
    torques = np.zeros((len(made), forces.shape[2]))
    for k in range(len(made) - 1, -1, -1):
        torques[k] = made[k][2] @ moments[k]
        i = tree.links[k].parent
        if i >= 0:
            forces[i] += forces[k]
            moments[i] += moments[k] + _cross(made[k][1] - made[i][1], forces[k])
    return torques


def _cross(a: Array, b: Array) -> Array:
    """Of vectors or columns of them; `np.cross` takes ten times as long."""
    if a.ndim < b.ndim:
        a = a[:, None]
    elif b.ndim < a.ndim:
        b = b[:, None]
    return a[_NEXT] * b[_LAST] - a[_LAST] * b[_NEXT]


def acceleration(tree: Tree, t: float, q: Array, u: Array) -> Array:
    """Of all joints."""
    n = len(q)
    found = loads(tree, q, u, np.hstack([np.zeros((n, 1)), np.eye(n)]))
    bias, M = found[:, 0], found[:, 1:] - found[:, :1]
    k = np.array([link.stiffness for link in tree.links])
    return np.linalg.solve(M, tree.torques(t) - k * q - bias)


def motion(tree: Tree, tolerance: float = 1e-12) -> Array:
    """The tip at `TIMES`."""
    n = len(tree.links)

    def rates(t: float, y: Array) -> Array:
        return np.concatenate([y[n:], acceleration(tree, t, y[:n], y[n:])])

    start = np.concatenate([tree.start, np.zeros(n)])
    done = solve_ivp(
        rates, (0.0, 1.0), start, "DOP853", TIMES, rtol=tolerance, atol=tolerance
    )
    return np.array([tip(tree, q) for q in done.y[:n].T])


def converged(name: str) -> Array:
    """What the files say of a case; "floating" is the gun with its modes."""
    if name == "floating":
        return np.loadtxt(HERE / "multibody_gun.csv", delimiter=",", skiprows=1)[:, 1:]
    return np.array(json.loads(FILE.read_text())[name])


def main() -> None:
    found = {name: motion(make()).round(11).tolist() for name, make in TREES.items()}
    FILE.write_text(json.dumps(found))


if __name__ == "__main__":
    main()
