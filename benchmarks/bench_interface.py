"""What does gluing cost where the interface is large: ten leaves, 500 dofs?

A closed band of ten plates, 50 dofs at each of ten seams, Newmark. A glued window is
compared with the leaves' own windows plus one dense triangular solve of 500: the same
leaves, the same states, in turns, processor time, median of the ratios. `bare` leaves
out what a leaf reports besides its step: outputs and energy. Then two threads against
one: the same bits, and the gain by the clock. All of it several times: others may use
the machine.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter, process_time

import numpy as np
from coupling_plate import Plate
from scipy.linalg.lapack import dtrtrs

from bondline.core import Advance, Port, uniform
from bondline.gluing import GluedState, IntegratedModel, glue
from bondline.gluing.crew import Threads
from bondline.leaves import Structure
from bondline.numerics import LinearSystem

LEAVES, NODES, H, LIMIT, REPEATS = 10, 25, 1e-5, 2.0, 3
PLATES = ((5, 24), (24, 24), (60, 24), (60, 96))  # columns, rows
Step = Advance[GluedState]


def leaf(name: str, plate: Plate, load: float) -> Structure:
    """One plate with its edges as ports; a load in its middle swings up and down.

    At most 25 nodes of an edge are glued, evenly spaced: all of them up to 24 rows.
    """
    (M, K), n, edge = plate.matrices(), plate.size, plate.edge
    push = np.zeros(n)
    push[n // 2] = load
    nodes = np.arange(edge).reshape(-1, 2)[:: max(1, plate.ny // (NODES - 1))]
    edges = {"left": nodes.ravel(), "right": n - edge + nodes.ravel()}
    return Structure(
        name,
        LinearSystem(M, 1e-6 * K, K),
        edges,
        {p: Port(p, ("x", "y"), nodes=len(nodes)) for p in edges},
        external=(lambda t: push * np.sin(2000.0 * t)) if load else None,
    )


def band(columns: int, rows: int = 24) -> IntegratedModel:
    """Plates in a ring, of `columns` × `rows` elements each."""
    plate = Plate(columns, rows, 0.01 * columns, 0.01 * rows)
    parts = [leaf(f"p{k}", plate, 1e5 * (k == 0)) for k in range(LEAVES)]
    seams = {
        f"s{k}": (f"p{k}.right", f"p{(k + 1) % LEAVES}.left") for k in range(LEAVES)
    }
    return glue("band", parts, seams)


def run(model: IntegratedModel, windows: int) -> list[Step]:
    """The start and every window."""
    steps = [model.start(0.0)]
    for n in range(windows):
        done = model.advance(steps[-1].state, uniform(0.0, H, n), {})
        assert isinstance(done, Advance), done
        steps.append(done)
    return steps


@dataclass(frozen=True)
class Cost:
    """Seconds of the first window and of a later one; its share of the leaves' own."""

    first: float
    glued: float
    to_leaves: float
    to_bare: float


def measure(model: IntegratedModel, windows: int = 60) -> Cost:
    """Glued and alone in turns, from the same states."""
    begin = process_time()
    step = run(model, 1)[-1]
    first = process_time() - begin
    parts = [p for p in model.parts.values() if isinstance(p, Structure)]
    L, r = np.asfortranarray(step.state.memory.form.factor), np.ones(step_size(step))
    methods = [p.stepping(H).newmark for p in parts]
    spent = []
    for n in range(1, windows + 1):
        window, state = uniform(0.0, H, n), step.state
        own = [state.parts[p.name] for p in parts]
        now = [y.reshape(3, -1) for y in own]
        loads = [p.external(window.t1) if p.external else None for p in parts]

        def leaves(own=own, window=window) -> None:
            for p, y in zip(parts, own, strict=True):
                p.advance(y, window, {})
            dtrtrs(L, r, lower=1)

        def bare(now=now, loads=loads) -> None:
            for method, y, f in zip(methods, now, loads, strict=True):
                method.leap(y, f)
            dtrtrs(L, r, lower=1)

        begin = process_time()
        done = model.advance(state, window, {})
        glued = process_time() - begin
        assert isinstance(done, Advance), done
        spent.append([glued, *map(timed, (leaves, bare))])
        step = done
    glued, alone, steps = np.transpose(spent)
    ratios = np.median([glued / alone, glued / steps], axis=1)
    return Cost(first, float(np.median(glued)), *ratios.tolist())


def timed(job: Callable[[], None]) -> float:
    begin = process_time()
    job()
    return process_time() - begin


def step_size(step: Step) -> int:
    """Interface dofs in all."""
    return int(step.state.forces.shape[1])


def threads(
    model: IntegratedModel, count: int, windows: int = 30
) -> tuple[bool, float]:
    """Whether `count` threads give the same bits, and how much faster they are."""
    side_by_side = replace(model, crew=Threads(count))
    ends, best = [], []
    for each in (model, side_by_side):
        run(each, 1)
        clock = []
        for _ in range(3):
            begin = perf_counter()
            last = run(each, windows)[-1]
            clock.append(perf_counter() - begin)
        ends.append([last.state.parts[n].tobytes() for n in sorted(each.parts)])
        best.append(min(clock))
    return ends[0] == ends[1], best[0] / best[1]


def main() -> None:
    load = os.getloadavg()[0]
    print(f"{load:.1f} jobs on {os.cpu_count()} processors when this began")
    print(
        f"{'dofs a leaf':>12}{'solves':>8}{'builds':>8}{'first':>10}{'glued':>10}"
        f"{'/ leaves':>10}{'/ bare':>8}{'2 threads':>11}  bits"
    )
    for columns, rows in PLATES * REPEATS:
        model = band(columns, rows)
        _, one, *later = run(model, 4)
        solves = {s.stats["solves"] / LEAVES for s in later}
        builds = sum(s.stats["builds"] for s in (one, *later))
        cost = measure(model)
        same, gain = threads(model, 2)
        n = next(iter(model.parts.values())).system.M.shape[0]
        print(
            f"{n:12}{max(solves):8.2f}{builds:8.0f}{1e3 * cost.first:7.0f} ms"
            f"{1e3 * cost.glued:7.2f} ms{cost.to_leaves:10.2f}{cost.to_bare:8.2f}"
            f"{gain:10.2f}x  {'same' if same else 'DIFFERENT'}"
            f"{'' if cost.to_leaves <= LIMIT else f'  over {LIMIT:g}'}"
        )


if __name__ == "__main__":
    main()
