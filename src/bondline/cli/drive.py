"""Driving a run from the command line: begin, go on, stop, say what came of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import typer

from bondline.cli.called import called
from bondline.cli.files import handle
from bondline.cli.kept import away
from bondline.cli.partners import Crossed, Where, crossed, partners, written_down
from bondline.cli.progress import watching
from bondline.cli.say import Hearing, count, header, stopped, warn
from bondline.cli.stopping import listening
from bondline.cli.voice import Voice, dim
from bondline.errors import (
    GONE,
    BondlineError,
    Fenced,
    Interrupted,
    LeafFailed,
    NotAllowed,
    OtherSettings,
    OtherState,
    ResourceLimit,
    Unplaced,
    UsageError,
    WiringError,
    document,
)

if TYPE_CHECKING:
    from bondline.build import Given, Opened
    from bondline.core import Model
    from bondline.run import Plan, Run

# who may come back, be free again, or allow it
_PARTNERS = (*GONE, Fenced, NotAllowed, ResourceLimit)
_WITHOUT = (Unplaced, OtherSettings, OtherState)  # what parts that are missing lead to


@dataclass(frozen=True)
class Order:
    """What was asked for."""

    model: Path | None
    given: Given
    until: float | None
    step: float | None
    runs: Path
    name: str | None = None
    force: bool = False
    progress: bool = True
    certify: bool = False
    placement: Path | None = None
    processes: bool = False
    takeover: bool = False
    watch: bool = False
    agreed: bool = False  # partners have the values of the file: no doubt about them


@dataclass(frozen=True)
class Driven:
    """A run that reached its end, and what this call added to it."""

    run: Run
    windows: int
    seconds: float
    crossed: Mapping[str, Crossed] = field(default_factory=dict)  # to partners


def begin(voice: Voice, order: Order) -> Driven:
    """Make a new run and carry it to its end."""
    if order.model is None:
        raise UsageError(
            "bondline run", "there is no model.", "Give a MODEL, or --resume RUN."
        )
    from bondline.build import doubted, open_model, plan_of
    from bondline.run import create
    from bondline.run.refine import require_fixed_windows

    with partners(_where(order, order.model, order.given), voice) as elsewhere:
        opened = open_model(order.model, order.given, elsewhere)
        if order.certify:  # before the run, not after it
            require_fixed_windows(opened.model)
        told = {} if order.agreed else elsewhere
        plan = doubted(opened, plan_of(opened, order.until, order.step), told)
        run = create(order.runs, opened.model, plan, order.name)
        written_down(elsewhere, run.path)
        header(voice, opened, plan.step)
        warn(voice, plan.notes)
        with _if_unpublished(opened, elsewhere):
            done = _carry(voice, run, opened, None, order)
        return replace(done, crossed=crossed(elsewhere)) if elsewhere else done


@contextmanager
def _if_unpublished(opened: Opened, elsewhere: Mapping[str, Model]) -> Iterator[None]:
    """An output that a partner does not publish is told where the file declares it."""
    try:
        yield
    except WiringError as error:
        from bondline.build import unpublished
        from bondline.description import refuse

        if found := unpublished(opened.spec, elsewhere):
            raise refuse(found) from error
        raise


def go_on(voice: Voice, name: str, order: Order) -> Driven:
    """Carry a stored run on; its own model.ssp is what is run."""
    from bondline.build import Given, open_model
    from bondline.run import find
    from bondline.run.store import PACKAGE

    run = find(order.runs, name)
    facts = run.facts
    given = Given.load(facts["settings"].get("given", {}))
    package = run.path / PACKAGE
    with (
        _if_elsewhere(run, order),
        partners(_where(order, package, given), voice) as elsewhere,
    ):
        opened = open_model(package, given, elsewhere)
        expect = _claim(opened, facts, order.model)
        written_down(elsewhere, run.path)
        header(voice, opened, facts["step"])
        warn(voice, facts.get("notes", ()))
        return _carry(voice, run, opened, expect, order)


@contextmanager
def _if_elsewhere(run: Run, order: Order) -> Iterator[None]:
    """What goes wrong with a run whose parts were at partners', and are not now."""
    try:
        yield
    except _WITHOUT as error:
        gone = {} if order.placement is not None else away(run)
        if not gone:
            raise
        parts = ", ".join(f"{part} ({place})" for part, place in gone.items())
        raise UsageError(
            f"run {handle(run)}",
            f"it was made with parts at partners', and they are not placed now: "
            f"{parts}.",
            f"Say where they are: {_again(run, order)} --placement FILE",
        ) from error


def _where(order: Order, model: Path, given: Given) -> Where:
    return Where(
        order.placement,
        order.takeover,
        model,
        given.set,
        order.runs / ".leaves",
        order.processes,
    )


def _claim(opened: Opened, facts: dict[str, Any], model: Path | None) -> Plan:
    """The run as it would be made now, of its own files or of `model`."""
    from bondline.build import catalogue, require
    from bondline.description import digest
    from bondline.run import Plan

    made_of = opened.digest
    if model is not None:
        require(model)
        made_of = digest(model, catalogue().library)
    return Plan(
        until=facts["start"] + facts["step"],
        step=facts["step"],
        start=facts["start"],
        settings=opened.settings,
        digest=made_of,
    )


def _carry(
    voice: Voice, run: Run, opened: Opened, expect: Plan | None, order: Order
) -> Driven:
    from bondline.run import Grid, Watch, resume

    facts, where = run.facts, run.summary
    end = where.until if order.until is None else order.until
    total = Grid(facts["start"], facts["step"], end).count(facts["start"])
    began = time.monotonic()
    try:
        with (
            listening(voice) as stop,
            watching(voice, total, where.windows or 0, order.progress) as progress,
        ):
            done = resume(
                run,
                opened.model,
                order.until,
                expect=expect,
                force=order.force,
                watch=Watch(Hearing(voice, progress), stop, vitals=order.watch),
            )
    except (Interrupted, KeyboardInterrupt):
        raise _halt(voice, run, _again(run, order)) from None
    except BondlineError as error:
        _kept(voice, run)
        if isinstance(error, _PARTNERS) or (
            isinstance(error, LeafFailed) and order.placement is not None
        ):
            voice.note(dim(f"resume {_again(run, order)}"))
        raise
    fresh = done.outcome.windows - (where.windows or 0)
    return Driven(run, fresh, time.monotonic() - began)


def _again(run: Run, order: Order) -> str:
    """What to type to go on: a run does not keep where its parts are."""
    words = [called(), "run", "--resume", handle(run)]
    if order.placement is not None:
        words += ["--placement", quote(str(order.placement))]
    words += ["--processes"] if order.processes else []
    return " ".join(words)


def _halt(voice: Voice, run: Run, again: str) -> typer.Exit:
    s = run.summary
    reached = 0.0 if s.t is None else s.t
    error = Interrupted(
        f"{s.model} at t = {reached:.6g} s",
        f"stopped on request after window {s.windows or 0}; every window is kept.",
        again,
    )
    voice.answer(
        {"run": run.id, "path": str(run.path.resolve()), **document(error)},
        lambda: stopped(voice, error),
    )
    return typer.Exit(Interrupted.exit_code)


def _kept(voice: Voice, run: Run) -> None:
    s = run.summary
    if s.windows and s.t is not None:
        windows = count(s.windows, "window")
        voice.note(dim(f"kept   {windows} to t = {s.t:.6g} s in run {run.id}"))
