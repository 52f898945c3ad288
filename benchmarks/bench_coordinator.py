"""What does the coordinator cost, beyond the leaves' own time?

Double pendulum, 2-dof joint, 300 windows: the time inside `advance` of the leaves is
taken off the whole, and what is left is divided by the sweeps. Both are measured in
one run; counts do not jitter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from bondline.core import uniform
from bondline.gluing import Newton, glue
from bondline.leaves import FreeBar, PinnedBar

LIMIT = 150.0  # microseconds per window and iteration


@dataclass
class Timed:
    """A leaf that keeps the time it spends."""

    leaf: Any
    spent: list[float] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.leaf, name)

    def advance(self, *args: Any) -> Any:
        begin = perf_counter()
        done = self.leaf.advance(*args)
        self.spent.append(perf_counter() - begin)
        return done


def measure(solver: Newton) -> tuple[float, float, int, int]:
    """Seconds in all, seconds in the leaves, sweeps, leaf solves."""
    upper = Timed(PinnedBar("upper", 10.0, 1.0, torque=-200.0))
    lower = Timed(FreeBar("lower", 20.0, 2.0))
    model = glue(
        "pendulum", [upper, lower], {"A": ("upper.A", "lower.A")}, None, solver
    )
    step, sweeps = model.start(0.0), 0
    begin = perf_counter()
    for n in range(300):
        step = model.advance(step.state, uniform(0.0, 0.01, n), {})
        sweeps += int(step.stats["sweeps"])
    whole = perf_counter() - begin
    spent = upper.spent + lower.spent
    return whole, sum(spent), sweeps, len(spent)


def main() -> None:
    print(f"{'policy':20}{'overhead/sweep':>16}{'leaf':>12}{'sweeps':>8}{'solves':>8}")
    for name, solver in {
        "broyden, carried": Newton(),
        "matrix each window": Newton(refresh="window", update="none"),
    }.items():
        runs = [measure(solver) for _ in range(5)]
        whole, leaves, sweeps, solves = min(runs, key=lambda r: r[0])
        overhead = 1e6 * (whole - leaves) / sweeps
        verdict = "ok" if overhead < LIMIT else f"over {LIMIT:.0f} us"
        each = 1e6 * leaves / solves
        print(
            f"{name:20}{overhead:13.1f} us{each:9.1f} us{sweeps:8}{solves:8} {verdict}"
        )


if __name__ == "__main__":
    main()
