"""Certify: from the windows of a run to its quality certificate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from bondline.core import Frame, Vector
from bondline.run.quality import Certificate, Check
from bondline.run.results import Results
from bondline.run.tally import Balance, Tally, balance, of_frames, of_results, rates

__all__ = ["Balance", "Certificate", "Check", "certify", "certify_results"]


def certify(
    frames: Iterable[Frame], leaves: int = 1, notes: Sequence[str] = ()
) -> Certificate:
    """The certificate of a run from its frames, the start first.

    `notes` are warnings that others have already found.
    """
    return _certify(of_frames(frames), leaves, notes)


def certify_results(results: Results) -> Certificate:
    """The certificate that results were stored with; of their windows if none yet."""
    if "iterations_mean" in results.certificate:
        return Certificate.of(results.certificate)
    return _certify(of_results(results))


def _certify(tally: Tally, leaves: int = 1, notes: Sequence[str] = ()) -> Certificate:
    gap, work = tally.stat("gap"), tally.stat("interface_work")
    iterations, solves = tally.stat("iterations"), tally.stat("solves")
    builds, halvings = tally.stat("builds"), tally.stat("halvings")
    windows, rate = max(len(tally.t) - 1, 0), rates(tally)
    bare = Certificate(
        windows=windows,
        leaves=leaves,
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
        else float(solves.sum()) / leaves / windows,
        warnings=tuple(notes),
    )
    found = (check.advice for check in bare.checks() if check.advice)
    return replace(bare, warnings=(*notes, *found))


def _top(values: Vector | None) -> float | None:
    return None if values is None else float(np.abs(values).max())


def _worst(values: Vector) -> int:
    """Number of the window with the largest value."""
    return int(np.argmax(np.abs(values))) + 1
