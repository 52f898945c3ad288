"""How many leaf solves do adaptive windows save, at the same error?

The four-bar of wang2003 Example 3 through its three singular passes (1.5 s), and the
double pendulum whose torque jumps after 1.5 s of slow motion (2 s). Both under
constant/e; fixed windows on a ladder, adaptive ones for some tolerances. The last
column compares with the fixed window that would have the same error, from the ladder.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import exp, log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bondline.build import open_model
from bondline.core import Rejected, uniform
from bondline.gluing import IntegratedModel, Pace, glue
from bondline.leaves import FreeBar, PinnedBar

HERE = Path(__file__).parent.parent / "examples"
OUTPUT = 5e-3  # compare there, and let no adaptive window be longer


def four_bar() -> IntegratedModel:
    return open_model(HERE / "four_bar").model


def kicked_pendulum() -> IntegratedModel:
    upper = PinnedBar("upper", mass=10.0, torque=-20.0, jump=-1000.0, jump_time=1.5)
    lower = FreeBar("lower", mass=20.0, length=2.0)
    return glue("kicked", [upper, lower], {"A": ("upper.A", "lower.A")})


def follow(
    model: IntegratedModel, h: float, end: float, seen: Sequence[str]
) -> tuple[NDArray[np.float64], int]:
    """The named values at every output, and the leaf solves it took."""
    step, rows, solves = model.start(0.0), [], 0.0
    stride = round(OUTPUT / h) if h < OUTPUT else 1
    for n in range(round(end / h)):
        done = model.advance(step.state, uniform(0.0, h, n), {})
        assert not isinstance(done, Rejected)
        step, solves = done, solves + done.stats["solves"]
        if (n + 1) % stride == 0:
            values = model.observe(step.state)
            rows.append([values[name].value for name in seen])
    return np.array(rows), round(solves)


def fixed_for(error: float, ladder: Sequence[tuple[float, int]]) -> float | None:
    """Solves of the fixed window with that error, between two rungs of the ladder."""
    for (e0, n0), (e1, n1) in pairwise(ladder):
        if e1 <= error <= e0:
            share = log(e0 / error) / log(e0 / e1)
            return exp(log(n0) + share * (log(n1) - log(n0)))
    return None


def compare(
    name: str,
    make: Callable[[], IntegratedModel],
    exact: NDArray[np.float64],
    seen: Sequence[str],
    grid: tuple[float, Sequence[float], Sequence[float]],
) -> None:
    end, steps, tolerances = grid
    print(name)
    ladder = []
    for h in steps:
        values, solves = follow(make(), h, end, seen)
        ladder.append((float(np.abs(values - exact).max()), solves))
        print(
            f"  fixed    {h:9.2e} s   error {ladder[-1][0]:.1e} m  {solves:7d} solves"
        )
    for tolerance in tolerances:
        model = replace(make(), pace=Pace(tolerance))
        values, solves = follow(model, OUTPUT, end, seen)
        error = float(np.abs(values - exact).max())
        same = fixed_for(error, ladder)
        factor = (
            "outside the ladder" if same is None else f"{same / solves:.1f} x fewer"
        )
        print(
            f"  adaptive {tolerance:9.2e} m   error {error:.1e} m  {solves:7d} solves  "
            f"{factor}"
        )


def main() -> None:
    C = ("joint.C.x", "joint.C.y")
    table = np.genfromtxt(
        HERE / "four_bar" / "reference.csv", delimiter=",", names=True, deletechars=""
    )
    exact = np.stack([table[c] for c in C], axis=1)[1:]
    steps = (1e-3, 5e-4, 2.5e-4, 1.25e-4)
    compare("four-bar", four_bar, exact, C, (1.5, steps, (1e-5, 3e-7)))
    G = ("lower.com.x", "lower.com.y")
    fine = replace(kicked_pendulum(), pace=Pace(1e-9))
    exact = follow(fine, OUTPUT, 2.0, G)[0]
    steps = (5e-3, 2.5e-3, 1.25e-3, 6.25e-4)
    compare("kicked pendulum", kicked_pendulum, exact, G, (2.0, steps, (1e-4, 1e-5)))


if __name__ == "__main__":
    main()
