"""A sweep of 200 pendulums on one worker and on two, by turns.

Both clusters are up all the time and take a piece of the sweep in turn, so that a
machine that is busy otherwise is equally unkind to both. `busy` is the share of the
time in which the workers had a variant: what the sweep itself loses is the rest. Where
others use the processors, seconds say little; so the processor time of the workers and
of this process is told, and what two free processors would make of it.
"""

from __future__ import annotations

import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bondline.sweep import Dask, Wanted, axis, begin_sweep, carry, local

MODEL = Path(__file__).resolve().parents[1] / "examples" / "double_pendulum"
PIECES = 4


@dataclass
class Spent:
    """Seconds on the clock, in variants, and of the processors."""

    clock: float = 0.0
    variants: float = 0.0
    workers: float = 0.0
    client: float = 0.0
    count: int = 0
    pools: list[Dask] = field(default_factory=list)

    def piece(self, home: Path, jobs: int, seed: int, count: int) -> None:
        """One more part of the sweep."""
        axes = [axis("upper.mass", "8..12kg"), axis("lower.length", "1..3m")]
        wanted = Wanted(MODEL, axes, "sobol", count, seed, until=1.0)
        sweep = begin_sweep(home / "sweeps", home / "runs", wanted)
        (pool,) = self.pools
        before = self.now(pool)
        carry(sweep, pool, home / "runs")
        clock, workers, client = (
            b - a for a, b in zip(before, self.now(pool), strict=True)
        )
        self.clock += clock
        self.workers += workers
        self.client += client
        self.variants += sum(v.seconds or 0.0 for v in sweep.variants()) / jobs
        self.count += count

    def now(self, pool: Dask) -> tuple[float, float, float]:
        """Clock, and processor time of the workers and of this process."""
        workers = sum(pool.client.run(time.process_time).values())
        return time.perf_counter(), workers, time.process_time()


def main(variants: str = "200") -> None:
    """Print a table."""
    each = max(4, int(variants) // PIECES)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Path(folder)
        pools = {jobs: stack.enter_context(local(jobs)) for jobs in (1, 2)}
        for jobs, pool in pools.items():
            Spent(pools=[pool]).piece(home, jobs, 99, 4)  # imports
        spent = {jobs: Spent(pools=[pool]) for jobs, pool in pools.items()}
        for seed in range(PIECES):
            for jobs, one in spent.items():
                one.piece(home, jobs, seed, each)
    print("workers  variants  seconds  busy  processor: workers  this process")
    for jobs, one in spent.items():
        print(
            f"{jobs:7d}  {one.count:8d}  {one.clock:7.1f}  "
            f"{one.variants / one.clock:4.0%}  {one.workers:18.1f}  {one.client:12.1f}"
        )
    print(f"by the clock: {spent[1].clock / spent[2].clock:.2f} x as fast")
    free = 2.0 * spent[1].workers / (spent[2].workers + spent[2].client)
    print(f"by processor time, on two free processors: {free:.2f} x")


if __name__ == "__main__":
    main(*sys.argv[1:])
