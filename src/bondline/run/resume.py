"""Begin and resume: simulate into a stored run, to the same bits however often."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bondline.core import Frame, Model
from bondline.errors import (
    BondlineError,
    CorruptRun,
    Interrupted,
    OtherState,
    UsageError,
)
from bondline.run.agreement import (
    check_model,
    differences,
    other_machine,
    other_threads,
)
from bondline.run.blocks import in_blocks
from bondline.run.certificate import certify
from bondline.run.chain import Packed, checkpoint_seal, digest, link
from bondline.run.counted import leaf_names
from bondline.run.create import create
from bondline.run.grid import Grid
from bondline.run.plan import Plan
from bondline.run.simulate import Outcome, Resume, simulate
from bondline.run.store import Run
from bondline.run.vitals import Vitals
from bondline.run.writer import Commits, Head, Writer, serialises, writing

Progress = Callable[[Frame], None]
Stopped = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Watch:
    """Who looks on while a run is made, who may stop it, how often it commits.

    `vitals`: note where time goes, for the page; see vitals.py.
    """

    progress: Progress | None = None
    stopped: Stopped | None = None
    commits: Commits = field(default_factory=Commits)
    vitals: bool = False


@dataclass(frozen=True, slots=True)
class Continued:
    """A run after it was begun or resumed.

    `taken_up` is the window whose checkpoint it went on from, None if it began at its
    start; `replayed` counts stored windows that were computed again and compared.
    """

    run: Run
    outcome: Outcome
    taken_up: int | None
    replayed: int


def begin(
    runs: Path, model: Model, plan: Plan, watch: Watch | None = None
) -> Continued:
    """Make a new run in the folder `runs` and carry it to its end."""
    return resume(create(runs, model, plan), model, watch=watch)


def resume(
    run: Run,
    model: Model,
    until: float | None = None,
    *,
    expect: Plan | None = None,
    force: bool = False,
    watch: Watch | None = None,
) -> Continued:
    """Carry a stored run on to `until`, or to the end it was made for.

    `expect` is what the caller believes the run to be made of; a difference in model,
    grid or settings is refused. On an installation that computes other bits the run
    is refused too; `force` goes on all the same and says so in the run's events.
    """
    facts = run.facts
    check_model(run, facts, model, expect)
    foreign = differences(facts)
    if foreign and not force:
        raise other_machine(run, foreign)
    end = run.summary.until if until is None else until
    grid = Grid(facts["start"], facts["step"], end)
    with writing(run, model) as writer:
        writer.exact = not foreign
        if foreign:
            writer.tell("forced", f"bit equality is no longer promised: {foreign}")
        if threads := other_threads(facts):
            writer.tell("threads", threads)
        return _carry(writer, model, grid, watch or Watch())


def _carry(writer: Writer, model: Model, grid: Grid, watch: Watch) -> Continued:
    writer.commits = watch.commits
    _check_head(writer, grid)
    place = _take_up(writer, model)
    _check_blocks(writer, model, grid, place)
    before = writer.run.certificate.get("silent", ())  # of the windows that are there
    writer.go(grid.until)
    if watch.vitals:
        writer.vitals = Vitals(model)
    try:
        outcome = simulate(
            model,
            grid.until,
            grid.step,
            start=grid.start,
            record=writer,
            progress=watch.progress,
            stopped=watch.stopped,
            resume=place,
        )
    except Interrupted as stop:
        raise _resumable(writer.run, stop) from None
    silent = list(dict.fromkeys([*before, *outcome.silent]))
    _conclude(writer, dict(leaf_names(model)), silent)
    return Continued(writer.run, outcome, place[0] if place else None, writer.replayed)


def _take_up(writer: Writer, model: Model) -> Resume | None:
    """The newest checkpoint that is whole; None to start over."""
    if writer.head.n < 0:
        return None
    place = _newest_checkpoint(writer, model)
    writer.kept = n = -1 if place is None else place[0]
    if n < writer.head.n:
        why = "" if serialises(model) else f"{model.name} cannot put away its state: "
        writer.tell("replay", f"{why}replaying windows {n + 1} to {writer.head.n}")
    if place is None:
        writer.at = writer.start
    return place


def _newest_checkpoint(writer: Writer, model: Model) -> Resume | None:
    if not serialises(model):
        return None
    rows = writer.db.execute(
        "SELECT c.n, c.t, c.state, c.seal, w.hash FROM checkpoints c "
        "JOIN windows w ON w.n = c.n AND w.t = c.t ORDER BY c.n DESC"
    )
    for n, t, state, seal, head in rows.fetchall():
        if checkpoint_seal(head, n, t, state) != seal:
            why = f"the checkpoint of window {n} does not match its hash"
            writer.tell("damaged", why)
            continue
        try:
            found = _loaded(writer.run, model, state)
        except CorruptRun as lost:  # a partner has it no more: the one before, then
            why = f"the checkpoint of window {n} is lost: {lost.place}: {lost.finding}"
            writer.tell("damaged", why)
            continue
        writer.at = Head(n, head)
        return n, t, found
    return None


def _loaded(run: Run, model: Any, state: bytes) -> Any:
    try:
        return model.load(state)
    except BondlineError:
        raise
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise OtherState(
            f"{run.id}, last checkpoint",
            f"{model.name} cannot read the state it finds ({error}).",
            "Resume with the version that wrote the run, and with the --placement or "
            "--processes that it had; or run the model again.",
        ) from error


def _check_head(writer: Writer, grid: Grid) -> None:
    """The last window must follow from the one before, and lie before the end."""
    rows = writer.db.execute(
        "SELECT w.n, w.t, w.blob, coalesce(s.blob, x''), w.hash, l.text "
        "FROM windows w LEFT JOIN layouts l ON l.k = w.layout "
        "LEFT JOIN shapes s ON s.n = w.n ORDER BY w.n DESC LIMIT 2"
    ).fetchall()
    if not rows:
        return
    n, t, blob, shapes, found, text = rows[0]
    before = rows[1][4] if len(rows) > 1 else writer.start.hash
    packed = Packed(digest((text or "").encode()), blob, shapes)
    right = link(before, n, t, packed)
    if Head(n, found) != writer.head or right != found:
        raise CorruptRun(
            f"{writer.run.id}, window {n}, t = {t:.9g} s",
            "the last window does not match its hash.",
            "`bondline verify` names the first bad window; run the model again.",
        )
    _check_end(writer, grid, n, t)


def _check_end(writer: Writer, grid: Grid, n: int, t: float) -> None:
    if grid.until < t - grid.slack:
        raise UsageError(
            writer.run.id,
            f"the run has already reached t = {t:.9g} s; the new end is "
            f"{grid.until:.9g} s.",
            "Give a later --until, or make a new run.",
        )
    cells = (t - grid.start) / grid.step
    if math.fabs(cells - round(cells)) > 1e-6 and grid.after(t):
        writer.tell(
            "off-grid",
            f"window {n} ended inside a step, at t = {t:.9g} s; the run continues with "
            "the rest of that step, unlike a run that never stopped there",
        )


def _check_blocks(
    writer: Writer, model: Model, grid: Grid, place: Resume | None
) -> None:
    """The end of a run decides on its blocks: what is stored must be in the same."""
    n, last = 0 if place is None else place[0], writer.head.n
    end = writer.run.summary.until
    if in_blocks(model) and n < last and abs(grid.until - end) > grid.slack:
        raise UsageError(
            writer.run.id,
            f"windows {n + 1} to {last} are computed again, since a run in blocks can "
            f"only be taken up after some of them; with the end at {grid.until:.9g} s "
            f"they would be in other blocks than with that at {end:.9g} s.",
            f"Resume it to its own end first, --until {end:.9g}s, then to another one.",
        )


_NOTED = ("forced", "threads", "off-grid")


def _conclude(
    writer: Writer, leaves: Mapping[str, bool], silent: Sequence[str]
) -> None:
    facts = writer.run.facts
    told = [e.text for e in writer.run.events if e.kind in _NOTED]
    notes = [*facts.get("notes", ()), *(f"{text}." for text in dict.fromkeys(told))]
    coupling = facts["settings"].get("coupling", {})
    method = coupling.get("method")
    frames, known = writer.run.frames(), leaves or facts["leaves"]
    certificate = certify(frames, known, notes, method, silent)
    writer.certify(certificate.dump())


def _resumable(run: Run, stop: Interrupted) -> Interrupted:
    return Interrupted(
        stop.place, stop.finding, f"Resume with: bondline run --resume {run.id}"
    )
