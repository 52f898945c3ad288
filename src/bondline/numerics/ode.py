"""Ordinary differential equations over one window, y' = f(t, y).

Small systems spend their time in call overhead, so states are plain lists of floats
here; a right-hand side written with `math` beats one written with numpy 10 to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from bondline.errors import SettingError

Rate: TypeAlias = Callable[[float, list[float]], list[float]]


class Integrator(Protocol):
    """Carries y from `t0` to `t1`; depends on nothing but its arguments."""

    def __call__(self, rate: Rate, t0: float, t1: float, y: list[float]) -> list[float]:
        """y at `t1`."""
        ...


@dataclass(frozen=True, slots=True)
class FixedStep:
    """The fifth-order formula of Dormand and Prince (Matlab's ode45), `steps` steps.

    The step sequence is frozen, so that probing sees a smooth function of the force:
    an adaptive solver at loose tolerances corrupts the gluing matrix.
    """

    steps: int = 10

    def __post_init__(self) -> None:
        if self.steps != round(self.steps) or self.steps < 1:
            raise SettingError(
                "FixedStep",
                f"steps is {self.steps}.",
                "Give a whole number, 1 or more.",
            )

    def __call__(self, rate: Rate, t0: float, t1: float, y: list[float]) -> list[float]:
        """Take `steps` equal steps; the last one ends exactly at `t1`."""
        h = (t1 - t0) / self.steps
        k1 = rate(t0, y)
        for n in range(self.steps):
            t = t0 + n * h
            end = t1 if n + 1 == self.steps else t0 + (n + 1) * h
            y, k1 = _step(rate, t, end, y, k1)
        return y


def _step(
    f: Rate, t: float, end: float, y: list[float], k1: list[float]
) -> tuple[list[float], list[float]]:
    """One step; the last stage is the first one of the next step."""
    h = end - t
    k2 = f(t + h / 5, [u + h * (a / 5) for u, a in zip(y, k1, strict=True)])
    k3 = f(
        t + 3 * h / 10,
        [u + h * (3 / 40 * a + 9 / 40 * b) for u, a, b in zip(y, k1, k2, strict=True)],
    )
    k4 = f(
        t + 4 * h / 5,
        [
            u + h * (44 / 45 * a - 56 / 15 * b + 32 / 9 * c)
            for u, a, b, c in zip(y, k1, k2, k3, strict=True)
        ],
    )
    k5 = f(
        t + 8 * h / 9,
        [
            u
            + h
            * (19372 / 6561 * a - 25360 / 2187 * b + 64448 / 6561 * c - 212 / 729 * d)
            for u, a, b, c, d in zip(y, k1, k2, k3, k4, strict=True)
        ],
    )
    k6 = f(
        end,
        [
            u
            + h
            * (
                9017 / 3168 * a
                - 355 / 33 * b
                + 46732 / 5247 * c
                + 49 / 176 * d
                - 5103 / 18656 * e
            )
            for u, a, b, c, d, e in zip(y, k1, k2, k3, k4, k5, strict=True)
        ],
    )
    new = [
        u
        + h
        * (
            35 / 384 * a
            + 500 / 1113 * c
            + 125 / 192 * d
            - 2187 / 6784 * e
            + 11 / 84 * g
        )
        for u, a, c, d, e, g in zip(y, k1, k3, k4, k5, k6, strict=True)
    ]
    return new, f(end, new)


@dataclass(frozen=True, slots=True)
class Adaptive:
    """A solver of scipy with error control, its steps limited to a part of the window.

    Looser than rtol 1e-4, atol 1e-7, or without `substeps`, its noise spoils the
    gluing matrix (30 to 70 % wrong entries were seen).
    """

    method: Literal["RK45", "DOP853"] = "RK45"
    rtol: float = 1e-10
    atol: float = 1e-12
    substeps: int = 10

    def __call__(self, rate: Rate, t0: float, t1: float, y: list[float]) -> list[float]:
        """Integrate; raises `ArithmeticError` when the solver gives up."""
        from scipy.integrate import solve_ivp  # 0.3 s that fixed-step users never pay

        def f(t: float, u: Any) -> list[float]:
            return rate(t, u.tolist())

        solution = solve_ivp(
            f,
            (t0, t1),
            y,
            method=self.method,
            rtol=self.rtol,
            atol=self.atol,
            max_step=(t1 - t0) / self.substeps,
        )
        if not solution.success:
            raise ArithmeticError(str(solution.message))
        last: list[float] = solution.y[:, -1].tolist()
        return last
