"""`bondline demo --distributed`: an example whose parts stay with their owners."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bondline.cli.called import called
from bondline.cli.drive import Driven, Order, begin
from bondline.cli.files import short, writing
from bondline.cli.partners import Crossed
from bondline.cli.suppliers import Companies, Project, serving
from bondline.cli.tables import table
from bondline.cli.voice import Voice, bold, dim, green
from bondline.errors import LeafInconsistent

if TYPE_CHECKING:
    from types import FrameType

    from bondline.core import Model


_AMOUNTS = ("numbers out", "bytes in", "bytes out")
_WAYS = "in: to the company; out: from it to the integrator; bytes before encryption"


@dataclass(frozen=True)
class Told:
    """What went to and came from one part."""

    company: str
    crossed: Crossed
    numbers: int  # float64 that left, by the owner's own audit log


def distributed(mine: Voice, name: str, until: float | None, out: Path) -> None:
    """Run an example twice, in process and with every part at its owner's.

    Every part of the outermost system is a company's; it serves all leaves inside.
    """
    from bondline.build import Given, open_model, plan_of, template

    model = template(name)
    opened = open_model(model)
    step = plan_of(opened, until, None).step
    companies = {name: _shown(name, p) for name, p in opened.model.parts.items()}
    with writing(out):
        project = Project(_fresh(out, model.name), model.name.lower())
        project.found(companies, step)
    order = Order(model, Given(), until, None, project.folder / "runs", "here")
    mine.say(bold("in process"))
    here = begin(mine, order)
    with _ended_kindly(), serving(project, model, companies) as addresses:
        _introduce(mine, project, addresses)
        project.place(companies, addresses)
        there = replace(order, name="away", placement=project.placement, agreed=True)
        away = begin(mine, there)
    told = dict(_told(project, companies, away))
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
        "parts": {part: _plain(t) for part, t in told.items()},
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
        "company": told.company,
        "round_trips": c.trips,
        "numbers_out": told.numbers,
        "bytes_in": c.sent,
        "bytes_out": c.received,
    }


def _show(
    mine: Voice, project: Project, runs: tuple[Driven, Driven], told: Mapping[str, Told]
) -> None:
    here, away = runs
    head = ("part", "company", "round trips", "a window", *_AMOUNTS)
    rows = []
    for part, t in told.items():
        c, each = t.crossed, t.crossed.trips / away.windows
        amounts = (f"{n:,}" for n in (t.numbers, c.sent, c.received))
        rows.append((part, t.company, f"{c.trips:,}", f"{each:.1f}", *amounts))
    mine.print(f"{bold('what crossed')}   {away.windows} windows")
    table(mine, head, rows, 2)
    mine.say(dim(f"  {_WAYS}"))
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
    log = project.home(next(iter(told.values())).company) / "audit.jsonl"
    mine.say(f"next   {called()} audit {short(log)}")


def _introduce(mine: Voice, project: Project, addresses: Mapping[str, str]) -> None:
    mine.say(
        f"{bold('distributed')}   every part at its owner's, mutual TLS; "
        "every server reads the example for itself"
    )
    for company, address in addresses.items():
        mine.say(f"  {company}   {address}   {project.identity(company)}")


def _told(
    project: Project, companies: Companies, away: Driven
) -> Iterator[tuple[str, Told]]:
    """From our own count, and from the owners' logs."""
    from bondline.remote.log.audit_read import read_log
    from bondline.remote.privacy.leakage import accounts

    for company, parts in companies.items():
        log = read_log(project.home(company) / "audit.jsonl")
        left = {account.model: account.numbers for account in accounts(log.records)}
        for part in parts:
            yield part, Told(company, away.crossed[part], left.get(part, 0))


def _shown(path: str, part: Model) -> dict[str, list[str]]:
    """All leaves of a part, and what each shows here: their owner publishes it."""
    from bondline.core import Observing

    inner: Mapping[str, Model] = getattr(part, "parts", {})
    if inner:
        below = [_shown(f"{path}.{name}", each) for name, each in inner.items()]
        return {name: shown for found in below for name, shown in found.items()}
    if not isinstance(part, Observing):
        return {path: []}
    return {path: list(part.observe(part.start(0.0).state))}


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
