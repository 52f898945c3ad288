"""Begin: from a model and its axes to a sweep on the disk."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bondline.build import Given, Opened, open_model, plan_of
from bondline.description import pack
from bondline.errors import Unplaced, UsageError
from bondline.sweep.axes import Axis
from bondline.sweep.chosen import check_asked, check_signals
from bondline.sweep.record import Sweep
from bondline.sweep.samplers import Variant, variants
from bondline.sweep.writer import create_sweep, run_name

_DECIDING = {  # what the results of a variant depend on, and what we call it
    "digest": "model",
    "axes": "axes",
    "given": "settings",
    "until": "end",
    "step": "step",
}


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
    folder: Path,
    runs: Path,
    wanted: Wanted,
    name: str | None = None,
    *,
    searched: Sequence[Axis] = (),
) -> Sweep:
    """A new sweep in `folder`, all its variants waiting.

    Where more variants will be added, `searched` says between what they are.
    """
    points, opened = checked(wanted)
    if name is not None and (runs / run_name(name, 0)).exists():
        raise UsageError(
            f"sweep {name!r}",
            f"{runs} has runs of an earlier sweep of this name.",
            f"Take another name, or remove them: bondline runs rm {run_name(name, 0)}",
        )
    facts = _facts(replace(wanted, axes=searched or wanted.axes), opened)
    return create_sweep(folder, facts, pack(opened.files), points, name)


def checked(wanted: Wanted) -> tuple[list[Variant], Opened]:
    """All variants, and the first one built: a wrong name or unit is told at once."""
    check_asked(wanted.asked)
    points = variants(wanted.axes, wanted.sampler, wanted.samples, wanted.seed)
    opened = _opened(wanted, points[0])
    plan = plan_of(opened, wanted.until, wanted.step)
    check_signals(wanted.asked, opened.model, plan.start)
    return points, opened


def check_same(sweep: Sweep, wanted: Wanted) -> None:
    """Refuse to go on with a sweep that was begun for something else."""
    middle = {axis.name: axis.at(0.5) for axis in wanted.axes}
    ours = json.loads(json.dumps(_facts(wanted, _opened(wanted, middle))))
    facts = sweep.facts
    other = [word for key, word in _DECIDING.items() if facts[key] != ours[key]]
    if other:
        raise UsageError(
            f"sweep {sweep.id!r}",
            f"it was begun with other values of: {', '.join(other)}.",
            "Take another name, or ask for the same again.",
        )


def _opened(wanted: Wanted, point: Mapping[str, str]) -> Opened:
    own = {**wanted.given.plain(), "set": {**wanted.given.set, **point}}
    try:
        return open_model(wanted.model, Given.load(own))
    except Unplaced as away:
        raise UsageError(
            away.place,
            "its model stays with its owner, and the workers of a sweep do not go to "
            "partners.",
            "Make the variants one by one: bondline run MODEL --placement FILE --set "
            "NAME=VALUE.",
        ) from away


def _facts(wanted: Wanted, opened: Opened) -> dict[str, Any]:
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
        "model": opened.model.name,
        "digest": opened.digest,
    }
