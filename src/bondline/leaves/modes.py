"""Equations of motion of a hinged bar in a floating frame with assumed modes.

With S of wang2003 (51) the velocity of a point at x is, in the axes of the frame,
(u' − θ' v, v' + θ' (x + u)), so that over the bar

    2T = I θ'² + 2 m θ' Σ hⱼ qⱼ' + m/2 Σ qⱼ'²
    I = m (l²/3 + 8 l q₁/π² + Σ qⱼ²/2),  h₁ = −Σ cₖ qₖ,  hₖ = l bₖ + cₖ q₁

where bₖ = ∫ s sin kπs ds and cₖ = ∫ sin πs/2 sin kπs ds over [0, 1]. The modes are
orthogonal to each other, so the mass matrix is an arrow and is solved by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import cos, pi, sin, sqrt
from typing import TypeAlias

import numpy as np

Rates: TypeAlias = list[float]

_GROWTH = 8.0 / pi**2  # ∂I/∂q₁ at q = 0, over m l


@dataclass(frozen=True)
class Modes:
    """One longitudinal mode and `bending` transverse ones of a uniform bar.

    `stiffnesses` are EA and EI. Vectors of floats are (θ, q₁, q₂ …, θ', q₁', …,
    dissipated energy).
    """

    mass: float
    length: float
    stiffnesses: tuple[float, float]
    damping: float
    bending: int
    gravity: float

    @property
    def count(self) -> int:
        """Number of modes."""
        return self.bending + 1

    @cached_property
    def stiffness(self) -> tuple[float, ...]:
        """∫ EA φ'² and ∫ EI φ''² over the bar, per mode."""
        (EA, EI), L = self.stiffnesses, self.length
        stretch = EA * pi**2 / (8.0 * L)
        return (
            stretch,
            *(EI * (k * pi) ** 4 / (2.0 * L**3) for k in range(1, self.bending + 1)),
        )

    @cached_property
    def viscosity(self) -> tuple[float, ...]:
        """2 ζ ω m/2 of each mode."""
        m = self.mass / 2.0
        return tuple(2.0 * self.damping * sqrt(k * m) for k in self.stiffness)

    @cached_property
    def _b(self) -> tuple[float, ...]:
        """l bₖ."""
        k = range(1, self.bending + 1)
        return tuple(self.length * (-1) ** (n + 1) / (n * pi) for n in k)

    @cached_property
    def _c(self) -> tuple[float, ...]:
        k = range(1, self.bending + 1)
        return tuple((-1) ** (n + 1) / pi * 4.0 * n / (4.0 * n * n - 1.0) for n in k)

    @cached_property
    def _lift(self) -> tuple[float, ...]:
        """∫ sin kπs ds: how a mode moves the centre."""
        k = range(1, self.bending + 1)
        return tuple((1.0 - (-1.0) ** n) / (n * pi) for n in k)

    @cached_property
    def fastest(self) -> float:
        """The highest ω in rad/s; the bar turns freely about its hinge."""
        n, m = self.count + 1, self.mass
        M = np.diag([m * self.length**2 / 3.0, *[m / 2.0] * self.count])
        M[0, 2:n] = M[2:n, 0] = m * np.array(self._b)
        K = np.diag([0.0, *self.stiffness])
        return float(np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K)).real.max()))

    @cached_property
    def _table(self) -> tuple[tuple[float, ...], ...]:
        """cₖ, l bₖ, ∫ sin kπs ds, stiffness and viscosity of every bending mode."""
        k, d = self.stiffness[1:], self.viscosity[1:]
        return tuple(zip(self._c, self._b, self._lift, k, d, strict=True))

    def rates(self, y: list[float], fx: float, fy: float) -> Rates:
        """y' under the force (fx, fy) at the tip, in world axes."""
        n, m, L = self.count, self.mass, self.length
        theta, q1, w, p1 = y[0], y[1], y[n + 1], y[n + 2]
        bend_rate = y[n + 3 : 2 * n + 2]
        c, s = cos(theta), sin(theta)
        weight, speed, cross = m * self.gravity, 0.5 * m * w * w, 2.0 * m * w * p1
        h1 = square = drag = pull = sway = leverage = lost = 0.0
        bottom = L * L / 3.0 + L * _GROWTH * q1 + 0.5 * q1 * q1
        bent = []
        for (ck, bk, ak, kk, dk), q, p in zip(
            self._table, y[2 : n + 1], bend_rate, strict=True
        ):
            h1 -= ck * q
            square += q * q
            drag += q * p
            pull += ck * p
            sway += ak * q
            lost += dk * p * p
            r, hk = (
                (speed - kk) * q - dk * p - ck * cross - weight * ak * c,
                bk + ck * q1,
            )
            leverage += hk * r
            bottom -= 2.0 * hk * hk
            bent.append((r, hk))
        k1, d1 = self.stiffness[0], self.viscosity[0]
        r1 = fx * c + fy * s - k1 * q1 - d1 * p1 - weight * (2.0 / pi) * s
        r1 += 2.0 * m * w * pull + speed * (_GROWTH * L + q1)
        moment = (L + q1) * (fy * c - fx * s) - m * w * ((L * _GROWTH + q1) * p1 + drag)
        moment -= weight * ((0.5 * L + 2.0 / pi * q1) * c - sway * s)
        # the arrow: modes eliminated, θ'' found, then back
        bottom += 0.5 * square - 2.0 * h1 * h1
        turn = (moment - 2.0 * (h1 * r1 + leverage)) / bottom  # m θ''
        double = 2.0 / m
        back = [double * (r - hk * turn) for r, hk in bent]
        return [
            *(w, p1, *bend_rate),
            *(turn / m, double * (r1 - h1 * turn), *back),
            lost + d1 * p1 * p1,
        ]

    def energy(self, y: list[float]) -> float:
        """Kinetic, elastic and potential, from the height of the hinge."""
        n, m, L = self.count, self.mass, self.length
        theta, w, q, p = y[0], y[n + 1], y[1 : n + 1], y[n + 2 : 2 * n + 2]
        modes = list(zip(self._c, self._b, self._lift, q[1:], p[1:], strict=True))
        h = -sum(ck * qk for ck, _, _, qk, _ in modes) * p[0]
        h += sum((bk + ck * q[0]) * pk for ck, bk, _, _, pk in modes)
        squares = sum(x * x for x in q)
        inertia = m * (L * L / 3.0 + L * _GROWTH * q[0] + 0.5 * squares)
        kinetic = 0.5 * inertia * w * w + m * w * h + m / 4 * sum(x * x for x in p)
        elastic = sum(k * x * x for k, x in zip(self.stiffness, q, strict=True)) / 2
        along, across = 0.5 * L + 2 / pi * q[0], sum(a * x for _, _, a, x, _ in modes)
        height = along * sin(theta) + across * cos(theta)
        return kinetic + elastic + m * self.gravity * height
