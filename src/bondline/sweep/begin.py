"""Begin: from a model and its axes to a sweep on the disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bondline.build import Given, open_model, plan_of
from bondline.description import pack
from bondline.errors import UsageError
from bondline.sweep.axes import Axis
from bondline.sweep.chosen import check_asked
from bondline.sweep.record import Sweep
from bondline.sweep.samplers import variants
from bondline.sweep.writer import create_sweep, run_name


@dataclass(frozen=True)
class Wanted:
    """What a sweep is to be: the model, what varies, what holds for all variants."""

    model: Path
    axes: Sequence[Axis]
    sampler: str = "grid"
    samples: int | None = None
    seed: int = 0
    given: Given = field(default_factory=Given)
    until: float | None = None
    step: float | None = None
    asked: Sequence[str] = ()
    retries: int = 2


def begin_sweep(
    folder: Path, runs: Path, wanted: Wanted, name: str | None = None
) -> Sweep:
    """A new sweep in `folder`, all its variants waiting.

    The first variant is built, so that a wrong name or unit is told at once.
    """
    check_asked(wanted.asked)
    points = variants(wanted.axes, wanted.sampler, wanted.samples, wanted.seed)
    first = Given.load(
        {**wanted.given.plain(), "set": {**wanted.given.set, **points[0]}}
    )
    opened = open_model(wanted.model, first)
    plan = plan_of(opened, wanted.until, wanted.step)
    if name is not None and (runs / run_name(name, 0)).exists():
        raise UsageError(
            f"sweep {name!r}",
            f"{runs} has runs of an earlier sweep of this name.",
            f"Take another name, or remove them: bondline runs rm {run_name(name, 0)}",
        )
    facts = {**_facts(wanted), "model": opened.model.name, "digest": plan.digest}
    return create_sweep(folder, facts, pack(opened.files), points, name)


def _facts(wanted: Wanted) -> dict[str, Any]:
    return {
        "path": str(wanted.model),
        "axes": [axis.plain() for axis in wanted.axes],
        "sampler": wanted.sampler,
        "samples": wanted.samples,
        "seed": wanted.seed,
        "given": wanted.given.plain(),
        "until": wanted.until,
        "step": wanted.step,
        "asked": list(wanted.asked),
        "retries": wanted.retries,
    }
