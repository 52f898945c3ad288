"""`bondline demo --distributed`: an example whose parts stay with their owners."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bondline.cli.drive import Driven, Order, begin
from bondline.cli.files import short, writing
from bondline.cli.partners import Crossed
from bondline.cli.suppliers import Project, partner, serving
from bondline.cli.tables import table
from bondline.cli.voice import Voice, bold, green
from bondline.errors import LeafInconsistent

if TYPE_CHECKING:
    from types import FrameType

    from bondline.build import Opened


@dataclass(frozen=True)
class Told:
    """What one partner's part of the run was."""

    address: str
    crossed: Crossed
    numbers: int  # float64 that left, by the owner's own audit log


def distributed(mine: Voice, name: str, until: float | None, out: Path) -> None:
    """Run an example twice, in process and with every part at a server of its own."""
    from bondline.build import Given, open_model, plan_of, template

    model = template(name)
    opened = open_model(model)
    step = plan_of(opened, until, None).step
    with writing(out):
        project = Project(_fresh(out, model.name), _identity(model.name))
        project.found(_observables(opened), step)
    order = Order(model, Given(), until, None, project.folder / "runs", "here")
    mine.say(f"{bold('in process')}   all {len(opened.model.parts)} parts here")
    here = begin(mine, order)
    with _ended_kindly(), serving(project, model, list(opened.model.parts)) as where:
        _introduce(mine, project, where)
        project.place(where)
        away = begin(mine, replace(order, name="away", placement=project.placement))
    told = {part: _told(project, part, where[part], away) for part in where}
    _answer(mine, project, (here, away), told)


def _answer(
    mine: Voice, project: Project, runs: tuple[Driven, Driven], told: Mapping[str, Told]
) -> None:
    """Say what crossed, and whether it is the same run."""
    here, away = runs
    one, two = here.run.summary.sha256, away.run.summary.sha256
    document: dict[str, Any] = {
        "folder": str(project.folder.resolve()),
        "windows": away.windows,
        "same": one == two,
        "sha256": {"here": one, "away": two},
        "seconds": {"here": here.seconds, "away": away.seconds},
        "partners": {part: _plain(t) for part, t in told.items()},
    }
    mine.answer(document, lambda: _show(mine, project, runs, told))
    if one != two:
        raise LeafInconsistent(
            f"run {short(away.run.path)}",
            f"its record has the SHA-256 {two}, that of the run in process {one}.",
            f"Look for the difference with: bondline compare {short(away.run.path)} "
            f"{short(here.run.path)}",
        )


def _plain(told: Told) -> dict[str, Any]:
    c = told.crossed
    return {
        "address": told.address,
        "round_trips": c.trips,
        "numbers_out": told.numbers,
        "bytes_in": c.sent,
        "bytes_out": c.received,
    }


def _show(
    mine: Voice, project: Project, runs: tuple[Driven, Driven], told: Mapping[str, Told]
) -> None:
    here, away = runs
    head = ("partner", "round trips", "a window", "numbers out", "bytes in", "out")
    rows = []
    for part, t in told.items():
        c = t.crossed
        figures = (c.trips, t.numbers, c.sent, c.received)
        trips, *rest = (f"{n:,}" for n in figures)
        rows.append((part, trips, f"{c.trips / max(away.windows, 1):.2f}", *rest))
    mine.print(f"{bold('what crossed')}   {away.windows} windows")
    table(mine, head, rows, 2)
    same = here.run.summary.sha256 == away.run.summary.sha256
    if same:
        mine.print(
            f"{green('the same record')}   SHA-256 {here.run.summary.sha256} in process"
            " and distributed"
        )
    mine.say(
        f"{here.seconds:.1f} s in process, {away.seconds:.1f} s distributed, with all "
        "servers on this machine"
    )
    mine.say(f"files  {short(project.folder)}: certificates, policies, placement, logs")
    log = project.home(next(iter(told))) / "audit.jsonl"
    mine.say(f"next   bondline audit {short(log)}")


def _introduce(mine: Voice, project: Project, where: Mapping[str, str]) -> None:
    mine.say(f"{bold('distributed')}   every part at its owner's, mutual TLS")
    for part, address in where.items():
        who = f"spiffe://{project.name}/{partner(part)}"
        mine.say(f"  {part}   {address}   {who}")


def _told(project: Project, part: str, address: str, away: Driven) -> Told:
    """From our own count, and from the owner's log."""
    from bondline.remote.audit_read import read_log
    from bondline.remote.leakage import accounts

    log = read_log(project.home(part) / "audit.jsonl")
    numbers = sum(account.numbers for account in accounts(log.records))
    return Told(address, away.crossed[part], numbers)


def _observables(opened: Opened) -> dict[str, list[str]]:
    """What each part shows here, so that its owner publishes no less."""
    from bondline.core import Observing

    return {
        name: list(part.observe(part.start(0.0).state))
        if isinstance(part, Observing)
        else []
        for name, part in opened.model.parts.items()
    }


def _identity(example: str) -> str:
    """A project's name, as it may stand in a certificate."""
    return example.lower().replace(" ", "-")


def _fresh(out: Path, name: str) -> Path:
    """A new folder: name, name-2, name-3 ..."""
    out.mkdir(parents=True, exist_ok=True)
    number = 1
    while True:
        folder = out / (name if number == 1 else f"{name}-{number}")
        try:
            folder.mkdir()
        except FileExistsError:
            number += 1
        else:
            return folder


@contextmanager
def _ended_kindly() -> Iterator[None]:
    """SIGTERM ends the servers, too."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
