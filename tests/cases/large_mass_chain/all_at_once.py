"""The whole row by the trapezoidal rule: eleven masses, Newton's method, no glue."""

from __future__ import annotations

import numpy as np

from tests.cases.large_mass_chain.chain import OUTPUT, G, Ran

K, C, D0 = 4e5, 10.0, 0.005
M = np.full(11, 0.4)
M[[0, -1]] = 0.2 + np.array([20.0, 15.0])
WALL, DRAG = np.zeros(11), np.zeros(11)
WALL[[0, -1]] = 2e4, 1.5e4
DRAG[[0, -1]] = 100.0, 80.0


def inner(u, v):
    d = np.diff(u)
    N = K * d * (1.0 + (d / D0) ** 2) + C * np.diff(v)
    f = WALL * u + DRAG * v
    f[:-1] -= N
    f[1:] += N
    return f


def slope(u, h):
    s = h / 2 * C + h * h / 4 * K * (1.0 + 3.0 * (np.diff(u) / D0) ** 2)
    S = np.diag(M + h / 2 * DRAG + h * h / 4 * WALL)
    S[np.arange(10), np.arange(10)] += s
    S[np.arange(1, 11), np.arange(1, 11)] += s
    return S - np.diag(s, 1) - np.diag(s, -1)


def load(t):
    f = -G * M
    f[0] += 2000.0 * np.sin(8.0 * np.pi * t)
    return f


def step(u, v, a, h, t1, tolerance):
    """One step, and how many corrections it took: at least one."""
    u_p, v_p, new, solves = u + h * v + h * h / 4 * a, v + h / 2 * a, a, 0
    while True:
        now, rate = u_p + h * h / 4 * new, v_p + h / 2 * new
        f = inner(now, rate)
        out = load(t1) - f - M * new
        if solves and np.abs(out).max() <= tolerance * np.abs(f).max():
            return now, rate, new, solves
        new, solves = new + np.linalg.solve(slope(now, h), out), solves + 1


def run_whole(h, until=0.5, tolerance=1e-10):
    u, v = np.zeros(11), np.zeros(11)
    a, rows, counts = load(0.0) / M, [], []
    for n in range(round(until / h)):
        u, v, a, solves = step(u, v, a, h, (n + 1) * h, tolerance)
        counts.append(solves)
        if (n + 1) % round(OUTPUT / h) == 0:
            d = np.diff(u)
            N = K * d * (1.0 + (d / D0) ** 2) + C * np.diff(v)
            ends = 0.2 * (a[[0, -1]] + G)
            forces = np.array([N[0], -N[-1]]) - ends
            rows.append([(n + 1) * h, u[0], u[-1], *forces])
    return Ran(np.array(rows), np.array(counts), 0.0, frozenset())
