"""The control arm all at once: wheel, arm, bushes, chassis in one model, no gluing.

Writes reference.csv beside this file, every 0.5 ms for 60 ms, from generalized-alpha
steps of 20 us. Plain NumPy; it shares no line with the models it is compared with.
`python make_reference.py [FORCE in N] [FILE]` makes other pulses.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

E, RHO, YIELD, H = 210e9, 7850.0, 420e6, 1.5e9
ALPHA, BETA = 5.0, 1e-5  # Rayleigh, beams only, through the stiffness at rest
STEP, UNTIL, EVERY = 2e-5, 0.06, 25
RHO_INF = 0.8
A_M, A_F = (2 * RHO_INF - 1) / (RHO_INF + 1), RHO_INF / (RHO_INF + 1)
GAMMA, B = 0.5 - A_M + A_F, (1 - A_M + A_F) ** 2 / 4
HEADER = "t,balljoint.Fx,balljoint.Fy,balljoint.dx,permanent_set,plastic_strain.max"


def mesh() -> tuple[Any, Any, Any]:
    """Nodes, pairs of them, and depth, height and wall of each element's box."""
    y = [*np.linspace(0.0, 0.13, 5), *np.linspace(0.13, 0.36, 9)[1:]]
    main = np.column_stack([np.zeros(13), y])
    s = np.linspace(0.0, 1.0, 11)[1:, None]
    ends = [np.array(p) for p in ((0.0, 0.13), (-0.12, 0.115), (-0.30, 0.0))]
    leg = (1 - s) ** 2 * ends[0] + 2 * s * (1 - s) * ends[1] + s**2 * ends[2]
    pairs = [(k, k + 1) for k in range(12)] + [(4, 13)]
    pairs += [(k, k + 1) for k in range(13, 22)]
    box = [(0.045, 0.040, 0.003)] * 12 + [(0.040, 0.040, 0.003)] * 10
    return np.vstack([main, leg]), np.array(pairs), np.array(box)


NODES, PAIRS, BOX = mesh()
FRONT, BALL, REAR, CHASSIS = 0, 12, 22, 69  # the last is a dof: x of the chassis
COUNT = 70
DOFS = (3 * PAIRS[:, :, None] + np.arange(3)).reshape(len(PAIRS), 6)
SPAN = NODES[PAIRS[:, 1]] - NODES[PAIRS[:, 0]]
LENGTH = np.hypot(*SPAN.T)
ANGLE = np.arctan2(SPAN[:, 1], SPAN[:, 0])
POINTS, WEIGHTS = np.polynomial.legendre.leggauss(3)
POINTS, WEIGHTS = 0.5 * (POINTS + 1), 0.5 * WEIGHTS


def fibres() -> tuple[Any, Any]:
    """Heights and areas: two flanges, eight strips of the webs; elements x 10."""
    depth, height, wall = BOX.T
    clear = depth - 2 * wall
    strips = (np.arange(8) + 0.5) / 8 - 0.5
    flange = 0.5 * (depth - wall)
    y = np.column_stack([flange, -flange, clear[:, None] * strips])
    web = np.repeat((2 * wall * clear / 8)[:, None], 8, axis=1)
    return y, np.column_stack([height * wall, height * wall, web])


HEIGHT, AREA = fibres()


def shapes() -> Any:
    """Strain from stretch and the end rotations: elements x points x fibres x 3."""
    made = np.zeros((len(PAIRS), 3, 10, 3))
    made[..., 0] = 1.0
    made[..., 1] = -HEIGHT[:, None, :] * (6 * POINTS - 4)[None, :, None]
    made[..., 2] = -HEIGHT[:, None, :] * (6 * POINTS - 2)[None, :, None]
    return made / LENGTH[:, None, None, None]


SHAPES = shapes()
VOLUME = LENGTH[:, None, None] * WEIGHTS[None, :, None] * AREA[:, None, :]


def material(strain: Any, past: Any) -> tuple[Any, Any, Any]:
    """Stress, tangent and history (plastic strain, equivalent one) after yielding."""
    plastic, p = past
    trial = E * (strain - plastic)
    over = np.abs(trial) - (YIELD + H * p)
    flow = over > 0
    dp = np.where(flow, over / (E + H), 0.0)
    stress = trial - E * dp * np.sign(trial)
    tangent = np.where(flow, E * H / (E + H), E)
    return stress, tangent, np.array([plastic + dp * np.sign(trial), p + dp])


def beams(u: Any, past: Any) -> tuple[Any, Any, Any]:
    """Forces, tangent and history of all elements, corotational (Crisfield)."""
    d = u[DOFS]
    now = SPAN + d[:, 3:5] - d[:, :2]
    long = np.hypot(*now.T)
    turn = np.arctan2(now[:, 1], now[:, 0]) - ANGLE
    c, s = (now / long[:, None]).T
    o = np.zeros_like(c)
    r = np.stack([-c, -s, o, c, s, o], axis=1)
    z = np.stack([s, -c, o, -s, c, o], axis=1)
    q = np.stack([long - LENGTH, d[:, 2] - turn, d[:, 5] - turn], axis=1)
    rows = np.stack([r, -z / long[:, None], -z / long[:, None]], axis=1)
    rows[:, 1, 2] += 1.0
    rows[:, 2, 5] += 1.0
    stress, tangent, after = material(np.einsum("epfi,ei->epf", SHAPES, q), past)
    n = np.einsum("epf,epfi->ei", stress * VOLUME, SHAPES)
    k = np.einsum("epf,epfi,epfj->eij", tangent * VOLUME, SHAPES, SHAPES)
    K = np.einsum("eia,eij,ejb->eab", rows, k, rows)
    K += np.einsum("e,ea,eb->eab", n[:, 0] / long, z, z)
    both = np.einsum("ea,eb->eab", r, z)
    both = both + both.transpose(0, 2, 1)
    K += ((n[:, 1] + n[:, 2]) / long**2)[:, None, None] * both
    return np.einsum("eia,ei->ea", rows, n), K, after


def gathered(f: Any, K: Any) -> tuple[Any, Any]:
    """Element forces and matrices, added up."""
    force, matrix = np.zeros(COUNT), np.zeros((COUNT, COUNT))
    np.add.at(force, DOFS, f)
    np.add.at(matrix, (DOFS[:, :, None], DOFS[:, None, :]), K)
    return force, matrix


def bushes(u: Any, v: Any) -> tuple[Any, Any, Any]:
    """Between the chassis, which moves along x only, and both ends of the arm."""
    force, K, C = np.zeros(COUNT), *np.zeros((2, COUNT, COUNT))
    for node, axis, k in (
        *((FRONT, 0, 10e6), (FRONT, 1, 10e6)),
        *((REAR, 0, 1.5e6), (REAR, 1, 4e6)),
    ):
        row = np.zeros(COUNT)
        row[3 * node + axis] = 1.0
        row[CHASSIS] = -1.0 if axis == 0 else 0.0
        d = row @ u
        force += row * (k * d * (1 + (d / 6e-3) ** 2) + 400.0 * (row @ v))
        K += k * (1 + 3 * (d / 6e-3) ** 2) * np.outer(row, row)
        C += 400.0 * np.outer(row, row)
    return force, K, C


def masses() -> tuple[Any, Any]:
    """Of the beams alone, and with sleeves, wheel and chassis."""
    m = RHO * AREA.sum(axis=1) * LENGTH
    each = np.stack([m / 2, m / 2, m * LENGTH**2 / 24], axis=1)
    own, every = np.zeros(COUNT), np.zeros(COUNT)
    np.add.at(own, DOFS, np.hstack([each, each]))
    for node, extra in ((FRONT, 0.4), (REAR, 0.4), (BALL, 36.0)):
        every[[3 * node, 3 * node + 1]] += extra
    every[CHASSIS] = 375.0
    return own, own + every


NONE = np.zeros((2, *VOLUME.shape))
OWN, MASS = masses()
DRAG = ALPHA * np.diag(OWN) + BETA * gathered(*beams(np.zeros(COUNT), NONE)[:2])[1]


def inner(u: Any, v: Any, past: Any) -> tuple[Any, Any, Any, Any]:
    """Forces, their slopes in u and v, and history."""
    f, K, after = beams(u, past)
    force, matrix = gathered(f, K)
    soft, k, c = bushes(u, v)
    return force + soft + DRAG @ v, matrix + k, DRAG + c, after


def pulse(t: float, size: float) -> Any:
    """On the wheel along x."""
    load = np.zeros(COUNT)
    load[3 * BALL] = -size * np.sin(np.pi * t / 0.03) if t < 0.03 else 0.0
    return load


def step(t: float, state: tuple[Any, ...], size: float) -> tuple[Any, ...]:
    """One step of generalized-alpha, Newton's method on accelerations."""
    u0, v0, a0, f0, past = state
    a, h = a0.copy(), STEP
    load = (1 - A_F) * pulse(t + h, size) + A_F * pulse(t, size)
    for _ in range(30):
        u = u0 + h * v0 + h * h * ((0.5 - B) * a0 + B * a)
        v = v0 + h * ((1 - GAMMA) * a0 + GAMMA * a)
        f, K, C, after = inner(u, v, past)
        balance = load - (1 - A_F) * f - A_F * f0
        balance -= MASS * ((1 - A_M) * a + A_M * a0)
        if np.abs(balance).max() < 1e-7 * max(np.abs(f).max(), 1.0):
            break
        S = (1 - A_F) * (GAMMA * h * C + B * h * h * K)
        a = a + np.linalg.solve(S + np.diag((1 - A_M) * MASS), balance)
    return u, v, a, f, after


def unloaded(u: Any, past: Any) -> float:
    """x of the ball joint if the arm came to rest in its bushes, chassis at 0."""
    if not past.any():
        return 0.0
    u = u - np.append(np.tile([u[CHASSIS], 0.0, 0.0], 23), u[CHASSIS])
    still, free = np.zeros(COUNT), np.arange(COUNT - 1)
    for _ in range(20):
        f, K, _, _ = inner(u, still, past)
        size = np.linalg.norm(f[free])
        change = np.append(np.linalg.solve(K[:-1, :-1], -f[free]), 0.0)
        for _ in range(10):  # the way back is stiffer than what has yielded says
            if np.linalg.norm(inner(u + change, still, past)[0][free]) < size:
                break
            change = 0.5 * change
        u = u + change
        if np.abs(change).max() < 1e-9:
            break
    return float(u[3 * BALL])


def table(size: float) -> Any:
    """All rows: forces act on the wheel."""
    state, rows = (*np.zeros((4, COUNT)), NONE), [[0.0] * 6]
    for k in range(round(UNTIL / STEP)):
        state = step(k * STEP, state, size)
        if (k + 1) % EVERY == 0:
            u, _, a, _, past = state
            ball = [3 * BALL, 3 * BALL + 1]
            F = 36.0 * a[ball] - pulse((k + 1) * STEP, size)[ball]
            dx = u[3 * BALL] - u[CHASSIS]
            row = [(k + 1) * STEP, *F, dx, unloaded(u, past), past[1].max()]
            rows.append(row)
    return np.array(rows)


if __name__ == "__main__":
    force = float(sys.argv[1]) if len(sys.argv) > 1 else 16e3
    target = (
        sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parent / "reference.csv"
    )
    np.savetxt(target, table(force), "%.9g", ",", header=HEADER, comments="")
