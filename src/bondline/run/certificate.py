"""Certify: from the windows of a run to its quality certificate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from bondline.core import Frame, Vector, remarked
from bondline.run.checks import Check, of_forces
from bondline.run.counted import Leaves, counted
from bondline.run.flows import drift, sides
from bondline.run.lag import lag
from bondline.run.quality import Certificate
from bondline.run.refined import Refined
from bondline.run.results import Results
from bondline.run.tally import (
    Balance,
    Tally,
    balance,
    closed,
    of_frames,
    of_results,
    rates,
)

__all__ = [
    "Balance",
    "Certificate",
    "Check",
    "certify",
    "certify_results",
    "with_refined",
]


def certify(
    frames: Iterable[Frame],
    leaves: int | Mapping[str, bool] = 1,
    notes: Sequence[str] = (),
    method: str | None = None,
    silent: Sequence[str] = (),
) -> Certificate:
    """The certificate of a run from its frames, the start first.

    `leaves` are how many there are, or their names and whether they are at partners';
    `notes` are warnings that others have already found, `method` is the coupling's,
    `silent` are parts that did not say their energy, if that is known.
    """
    tally = of_frames(frames)
    if isinstance(leaves, int):
        every = Leaves(leaves)
    else:
        every = counted(leaves, tally.counting)
    found = _certify(tally, every, notes, method)
    return found if found.energy else replace(found, silent=tuple(silent))


def certify_results(results: Results) -> Certificate:
    """The certificate that results were stored with; of their windows if none yet."""
    if "iterations_mean" in results.certificate:
        return Certificate.of(results.certificate)
    return _certify(of_results(results), Leaves(1))


def _certify(
    tally: Tally,
    leaves: Leaves,
    notes: Sequence[str] = (),
    method: str | None = None,
) -> Certificate:
    gap, work = tally.stat("gap"), tally.stat("interface_work")
    iterations, solves = tally.stat("iterations"), tally.stat("solves")
    pieces = tally.stat("windows")
    if iterations is not None and pieces is not None:
        iterations = np.ceil(iterations / np.maximum(pieces, 1.0))  # of adaptive ones
    builds, halvings = tally.stat("builds"), tally.stat("halvings")
    windows, rate = max(len(tally.t) - 1, 0), rates(tally)
    excess, allowed = closed(tally) or (None, None)
    condition, exchanges = tally.stat("condition"), tally.stat("exchanges")
    if condition is not None and not condition.any():
        condition = None  # 0 stands for a solver that does not know
    heard = (f"{note} (first at t = {t:.6g} s)" for note, t in tally.notes.items())
    noted, remarks = _sorted([*notes, *heard])
    bare = Certificate(
        windows=windows,
        leaves=leaves.number,
        uncounted=leaves.silent,
        gap=_top(gap),
        gap_at=None if gap is None else float(tally.t[_worst(gap)]),
        residual=_top(tally.stat("residual")),
        rate_gap=None if rate is None else rate[0],
        rate_share=None if rate is None else rate[1],
        work_error=None if work is None else float(np.abs(work).sum()),
        work_net=None if work is None else float(work.sum()),
        energy=balance(tally),
        iterations_mean=None if iterations is None else float(iterations.mean()),
        iterations_max=None if iterations is None else int(iterations.max()),
        iterations_at=None if iterations is None else _worst(iterations),
        halved=None if halvings is None else int(np.count_nonzero(halvings)),
        builds=None if builds is None else int(builds.sum()),
        solves=None if solves is None else int(solves.sum()),
        solves_per_window=None
        if solves is None
        else float(solves.sum()) / leaves.number / windows,
        warnings=tuple(noted),
        condition=_top(condition),
        condition_at=None if condition is None else float(tally.t[_worst(condition)]),
        sides=sides(tally),
        drift=drift(tally, not of_forces(method)),
        allowed=allowed,
        excess=excess,
        exchanges=None if exchanges is None else int(exchanges.sum()),
        lag=lag(tally),
        remarks=remarks,
    )
    return _warned(bare, noted)


def with_refined(certificate: Certificate, refined: Refined) -> Certificate:
    """The same with what shorter windows say; earlier advice of that kind goes."""
    bare = replace(certificate, refined=None)
    old = {c.advice for c in certificate.checks() if c.advice}
    noted = [w for w in certificate.warnings if w not in old]
    return _warned(replace(bare, refined=refined, warnings=tuple(noted)), noted)


def _warned(bare: Certificate, noted: Sequence[str]) -> Certificate:
    found = (check.advice for check in bare.checks() if check.advice)
    return replace(bare, warnings=(*noted, *found))


def _sorted(notes: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """Warnings, and what was told for information."""
    told = [remarked(note) for note in notes]
    warnings = [note for note, text in zip(notes, told, strict=True) if text is None]
    return warnings, tuple(text for text in told if text is not None)


def _top(values: Vector | None) -> float | None:
    return None if values is None else float(np.abs(values).max())


def _worst(values: Vector) -> int:
    """Number of the window with the largest value."""
    return int(np.argmax(np.abs(values))) + 1
