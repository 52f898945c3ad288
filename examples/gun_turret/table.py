"""Table 1 of kim2000 beside ours: evaluations, times, speed-ups, deviations.

Times are the least of several interleaved runs; deviations are the largest of the
first vertical mode from the run with one step size.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bondline.build import Given, open_model
from bondline.core import uniform

RATIOS = (1, 2, 5, 10)
PAPER = {1: 251.06, 2: 197.34, 5: 162.74, 10: 148.90}  # s, Table 1
HERE = Path(__file__).parent


def run(ratio: int, form: str) -> tuple[float, dict[str, float], np.ndarray]:
    """CPU time, evaluations, and the first mode every 10 ms, over 1 s."""
    asked = Given(set={"ratio": str(ratio), "multirate": form})
    leaf = open_model(HERE, asked).model.parts["model"]
    now = leaf.start(0.0)
    states, full, fast = [now.state], 0.0, 0.0
    begin = time.process_time()
    for n in range(100):
        now = leaf.advance(now.state, uniform(0.0, 0.01, n), {})
        states.append(now.state)
        full, fast = full + now.stats["full"], fast + now.stats["fast"]
    spent = time.process_time() - begin
    modes = np.array([leaf.observe(state)["gun.av1"].value for state in states])
    return spent, {"full": full, "fast": fast}, modes


def table(form: str, repeats: int = 5) -> Sequence[str]:
    """Its lines."""
    best = dict.fromkeys(RATIOS, np.inf)
    for _ in range(repeats):
        done = {ratio: run(ratio, form) for ratio in RATIOS}
        best = {ratio: min(best[ratio], done[ratio][0]) for ratio in RATIOS}
    lines = [f"{form:9} fast evals  full evals      ms  speed-up   paper  deviation"]
    for ratio in RATIOS:
        _, counts, modes = done[ratio]
        off = np.abs(modes - done[1][2]).max()
        lines.append(
            f"ratio {ratio:<4}{counts['fast']:9.0f}   {counts['full']:9.0f} "
            f"{1e3 * best[ratio]:7.2f} {best[1] / best[ratio]:9.3f} "
            f"{PAPER[1] / PAPER[ratio]:7.3f} {off:10.2e}"
        )
    slope, fixed = np.polyfit([1 / r for r in RATIOS], [best[r] for r in RATIOS], 1)
    share = fixed / (fixed + slope)
    lines.append(f"T = F + S/r: F is {share:.2f} of the whole (paper: 0.55)")
    return lines


if __name__ == "__main__":
    for form in ("paper", "residual"):
        print("\n".join(table(form)), end="\n\n")
