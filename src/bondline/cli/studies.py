"""The two studies of the demo: the probe ε, and refreshing Λ as the paper does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bondline.build import Given
    from bondline.report.figures import Study
    from bondline.run import Results

EPSILONS = tuple(10.0**k for k in range(-6, 3))
POINTS = len(EPSILONS) + 1
SHORT = 1.0  # s; a third of the run shows the same curve, and nobody likes to wait


@dataclass(frozen=True)
class Bench:
    """Where to run, and whom to tell that a run is done."""

    model: Path
    tell: Callable[[], None]

    def measure(self, given: Given, span: float | None = None) -> Results:
        """One run of the model, kept in memory; `span` in s if not to its end."""
        from bondline.build import open_model
        from bondline.run import Keep, simulate

        opened = open_model(self.model, given)
        spec, keep = opened.spec, Keep()
        assert spec.stop is not None, "the demo's model says when it ends"
        assert spec.step is not None, "and how long a window is"
        end = spec.stop if span is None else spec.start + span
        simulate(opened.model, end, spec.step, start=spec.start, record=keep)
        self.tell()
        return keep.results(opened.model.name)


def studies(bench: Bench) -> list[Study]:
    """Both, for a report."""
    return [_epsilon(bench), _refresh(bench)]


def _epsilon(bench: Bench) -> Study:
    """wang2003 Fig. 17: bars 75 degrees apart, a gluing matrix one window old."""
    from bondline.build import Given
    from bondline.report.figures import epsilon_study

    apart = Given({"lower.angle": "75deg"}, refresh="lagged", update="none")
    given = [replace(apart, epsilon=epsilon) for epsilon in EPSILONS]
    runs = [bench.measure(one, SHORT) for one in given]
    study = epsilon_study(EPSILONS, runs)
    how = f"Over the first {SHORT:g} s, from 75 degrees apart, with Λ one window old."
    return replace(study, caption=f"{study.caption} {how}")


def _refresh(bench: Bench) -> Study:
    """wang2003 Figs. 15, 16: a new gluing matrix only after six iterations."""
    import numpy as np

    from bondline.build import Given
    from bondline.report.figures import Study

    given = Given({"lower.angle": "65deg"}, refresh="paper", update="none")
    results = bench.measure(given)
    builds, counts = results.windows["builds"], results.windows["iterations"]
    return Study(
        "Gluing matrices built so far, refreshed as in the paper",
        "time [s]",
        results.t[1:],
        "builds [-]",
        np.cumsum(builds),
        caption=(
            f"The bars start 65 degrees apart and Λ is kept until a window needs more "
            f"than six iterations: {builds.sum():.0f} builds in {len(builds)} windows "
            f"(wang2003: 61), {counts.mean():.1f} iterations in the mean, "
            f"{counts.max():.0f} at most."
        ),
    )
