"""What does gluing add to a linear model, in solves and in time?

Four chains of 50 masses against the uncut row of 197, 500 Newmark windows: solves per
leaf and window (two: see the gap, confirm that it closed), gluing matrices, and the
ratio of times in one run.
"""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter

from bondline.core import Model, Rejected, uniform
from bondline.gluing import glue
from bondline.leaves import chain

WINDOWS, H = 500, 1e-3
LINK = {"mass": 1.0, "stiffness": 1e5, "damping": 5.0}
LOAD = {"force": 100.0, "frequency": 9.0}


def run(model: Model) -> tuple[float, float, float]:
    """Seconds, leaf solves, gluing matrices."""
    step, solves, builds = model.start(0.0), 0.0, 0.0
    begin = perf_counter()
    for n in range(WINDOWS):
        done = model.advance(step.state, uniform(0.0, H, n), {})
        assert not isinstance(done, Rejected)
        step = done
        solves += step.stats.get("solves", 1)
        builds += step.stats.get("builds", 0)
    return perf_counter() - begin, solves, builds


def main() -> None:
    names = "abcd"
    parts = [
        chain(n, masses=50, wall=1e5 * (n == "a"), **LINK, **(LOAD if n == "d" else {}))
        for n in names
    ]
    joints = {f"{x}{y}": (f"{x}.right", f"{y}.left") for x, y in pairwise(names)}
    glued, whole = (
        glue("row", parts, joints),
        chain("row", masses=197, wall=1e5, **LINK, **LOAD),
    )
    (t1, solves, builds), (t0, _, _) = (
        min(run(m) for _ in range(3)) for m in (glued, whole)
    )
    print(f"leaf solves per window and leaf  {solves / WINDOWS / 4:.3f}")
    print(f"gluing matrices                  {builds:.0f}")
    print(f"glued / all at once              {t1 / t0:.2f}")


if __name__ == "__main__":
    main()
