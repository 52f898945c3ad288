"""How does the cost of finite elements and of gluing grow?

Shells and solids: seconds to assemble M, C and K, to factor K by every method that is
installed, and to solve once; megabytes of the factors; and what a solve cannot go
below: to read L and U at the speed at which this machine reads memory, or L twice.
Then a strip of shells of one size in 2 and more leaves, and two leaves with
interfaces of 30 dofs and more: the first window, with its gluing matrix, and a later
one. Exponents p of cost ~ dofs^p are fitted.

--full: to 500,000 dofs of shells, 95,000 of solids, 64 leaves, 3,000 interface dofs.
--draw FILE draws cost over dofs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from time import perf_counter

import numpy as np
from fe_sizes import block, plate, strip
from scipy.linalg.blas import ddot

from bondline.core import Advance, uniform
from bondline.leaves.fe.model import FeModel
from bondline.numerics.sparse import factorize

H = 1e-4
SHELLS, SOLIDS = (40, 128, 288), (14, 31)  # cells along an edge
LIMIT = 3.0  # seconds to assemble 100,000 dofs of shells
NEEDS = {
    "band": "scipy",
    "superlu": "scipy",
    "dissected": "pymetis",
    "cholmod": "cvxopt",
}
LARGE = {"band": 20_000, "superlu": 20_000}  # dofs of solids above which they crawl
WIDE = {"band": 120_000}  # the same for shells
TWICE = ("band", "cholmod")  # L, down and up; the others keep L and U


@dataclass(frozen=True)
class Size:
    """One mesh, one method."""

    kind: str
    dofs: int
    method: str
    assembly: float
    factor: float
    solve: float
    memory: int | None
    limit: float | None  # seconds to read the factors as a solve must


@dataclass(frozen=True)
class Gluing:
    """One glued strip."""

    leaves: int
    interface: int
    dofs: int
    first: float
    window: float
    solves: float


def timed(job: Callable[[], object], repeats: int = 1) -> tuple[float, object]:
    """The least of some times, and the last result."""
    spent, found = [], None
    for _ in range(repeats):
        begin = perf_counter()
        found = job()
        spent.append(perf_counter() - begin)
    return min(spent), found


def reading(size: int) -> float:
    """Seconds to read so many bytes of memory once."""
    held = np.ones(max(size // 8, 1))
    return timed(lambda: ddot(held, held), 3)[0]


def sized(kind: str, model: FeModel) -> Iterator[Size]:
    """Every method on one mesh."""
    assembly, made = timed(lambda: model.assembled)
    K = made.system.K
    n = K.shape[0]
    most = WIDE if kind == "shells" else LARGE
    for method, package in NEEDS.items():
        if find_spec(package) is None or n > most.get(method, n):
            continue
        spent, factor = timed(lambda m=method: factorize(K, m))
        solve, _ = timed(lambda F=factor: F.solve(np.ones(n)), 3)
        held, reads = factor.memory, 2.0 if method in TWICE else 1.0
        limit = None if held is None else reads * reading(held)
        yield Size(kind, n, method, assembly, spent, solve, held, limit)


def glued(leaves: int, columns: int, rows: int, windows: int = 10) -> Gluing:
    """The first window and the median of later ones."""
    model = strip(leaves, columns, rows)
    size = sum(p.system.K.shape[0] for p in model.parts.values())
    now, spent, solves = model.start(0.0), [], 0.0
    for k in range(windows + 1):
        begin = perf_counter()
        done = model.advance(now.state, uniform(0.0, H, k), {})
        spent.append(perf_counter() - begin)
        assert isinstance(done, Advance), done
        now, solves = done, done.stats["solves"] / leaves
    first, *later = spent
    interface = int(now.state.forces.shape[1])
    return Gluing(leaves, interface, size, first, float(np.median(later)), solves)


def exponent(x: Sequence[float], y: Sequence[float]) -> float:
    """p of y ~ x^p."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def sizes(full: bool) -> Iterator[Size]:
    for cells in SHELLS if full else SHELLS[:2]:
        yield from sized("shells", plate((cells, cells)))
    for cells in SOLIDS if full else SOLIDS[:1]:
        yield from sized("solids", block(cells))


def size_lines(rows: Sequence[Size]) -> Iterator[str]:
    yield (
        f"{'':8}{'dofs':>8}  {'method':10}{'assembly':>10}{'factor':>10}{'solve':>11}"
        f"{'memory':>10}{'solve / reading':>17}"
    )
    for r in rows:
        memory = "" if r.memory is None else f"{r.memory / 1e6:7.0f} MB"
        times = "" if r.limit is None else f"{r.solve / r.limit:.1f}"
        yield (
            f"{r.kind:8}{r.dofs:8}  {r.method:10}{r.assembly:8.2f} s{r.factor:8.2f} s"
            f"{1e3 * r.solve:8.1f} ms{memory:>10}{times:>17}"
        )
    yield from _growth(rows)
    over = {r.assembly for r in rows if r.kind == "shells" and 9e4 < r.dofs < 1.1e5}
    if over:
        verdict = "below" if max(over) < LIMIT else "NOT below"
        yield f"assembly of 100,000 shell dofs: {verdict} {LIMIT:g} s"


def _growth(rows: Sequence[Size]) -> Iterator[str]:
    for kind, method in dict.fromkeys((r.kind, r.method) for r in rows):
        own = [r for r in rows if (r.kind, r.method) == (kind, method)]
        if len(own) > 1:
            n = [r.dofs for r in own]
            fits = ", ".join(
                f"{what} {exponent(n, [getattr(r, what) for r in own]):.2f}"
                for what in ("assembly", "factor", "solve")
            )
            yield f"exponents, {kind}, {method}: {fits}"


def gluing_lines(full: bool) -> Iterator[str]:
    yield (
        f"{'leaves':>8}{'interface':>11}{'dofs':>9}{'first':>11}{'window':>11}"
        f"{'solves':>8}"
    )
    cuts = [2, 4, 8, 16, 32, 64] if full else [2, 8]
    rows = [glued(n, 256 // n, 9) for n in cuts]  # 30 dofs a seam and more
    yield from map(_line, rows)
    x = [r.leaves for r in rows]
    fit = exponent(x, [r.window for r in rows])
    yield f"exponent of a window over leaves: {fit:.2f}"
    edges = [4, 49, 499] if full else [4, 49]
    rows = [glued(2, 8, edge) for edge in edges]
    yield from map(_line, rows)
    x = [r.interface for r in rows]
    fits = [exponent(x, [getattr(r, w) for r in rows]) for w in ("first", "window")]
    yield f"exponents over interface dofs: first {fits[0]:.2f}, window {fits[1]:.2f}"


def _line(r: Gluing) -> str:
    return (
        f"{r.leaves:8}{r.interface:11}{r.dofs:9}{1e3 * r.first:8.0f} ms"
        f"{1e3 * r.window:8.2f} ms{r.solves:8.2f}"
    )


def draw(rows: Sequence[Size], path: str) -> None:
    """Cost over dofs, a line a method."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 3.4), layout="constrained")
    axes = figure.subplots(1, 3)
    for ax, what in zip(axes, ("assembly", "factor", "solve"), strict=True):
        for kind, method in dict.fromkeys((r.kind, r.method) for r in rows):
            own = [r for r in rows if (r.kind, r.method) == (kind, method)]
            dashes = "-" if kind == "shells" else "--"
            label = f"{kind}, {method}"
            y = [getattr(r, what) for r in own]
            ax.loglog([r.dofs for r in own], y, f"o{dashes}", label=label, ms=4)
        ax.set(title=what, xlabel="dofs", ylabel="seconds")
        ax.grid(visible=True, which="both", alpha=0.3)
    axes[0].legend(fontsize=7)
    figure.savefig(path, dpi=130)


def main() -> None:
    full = "--full" in sys.argv
    print(f"{os.getloadavg()[0]:.1f} jobs on {os.cpu_count()} processors at the start")
    rows = list(sizes(full))
    for text in size_lines(rows):
        print(text, flush=True)
    for text in gluing_lines(full):
        print(text, flush=True)
    if "--draw" in sys.argv:
        draw(rows, sys.argv[sys.argv.index("--draw") + 1])


if __name__ == "__main__":
    sys.exit(main())
