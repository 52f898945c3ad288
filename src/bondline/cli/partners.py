"""Models at partners' and in processes of their own, while a command needs them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bondline.errors import GONE, BondlineError, NotServed

if TYPE_CHECKING:
    from bondline.cli.voice import Voice
    from bondline.core import Model
    from bondline.description import Problem
    from bondline.remote.client.asking import Asking
    from bondline.remote.client.placement import Place


@dataclass(frozen=True)
class Where:
    """What was said about where parts are."""

    placement: Path | None = None
    takeover: bool = False
    model: Path | None = None  # for parts that are processes here
    set: Mapping[str, str] = field(default_factory=dict)
    store: Path = Path("leaf-store")  # for their checkpoints
    all_here: bool = False  # every part in a process, unless it is placed


def where_of(
    target: str, placement: Path | None, voice: Voice, given: Mapping[str, str]
) -> Where:
    """For `MODEL:part`, whose model file says which parts there are."""
    from bondline.build.single import model_of

    store = voice.runs / ".leaves"  # as bondline run has it
    return Where(placement, model=model_of(target), set=given, store=store)


@dataclass(frozen=True)
class Crossed:
    """What went over the line to one partner: bytes of messages, before encryption."""

    trips: int
    sent: int
    received: int


def crossed(there: Mapping[str, Model]) -> dict[str, Crossed]:
    """By the parts that are at partners'."""
    from bondline.remote.client.asking import Asking

    links = {n: m.link for n, m in there.items() if isinstance(m, Asking)}
    return {n: Crossed(k.trips, k.sent, k.received) for n, k in links.items()}


@contextmanager
def partners(where: Where, voice: Voice | None = None) -> Iterator[Mapping[str, Model]]:
    """The models that are not in this process, by the parts they stand for.

    `voice` says who is waited for, while somebody is.
    """
    if where.placement is None and not where.all_here:
        yield {}
        return
    from bondline.cli.waiting import waiting_shown

    places = _places(where)
    require_parts([where.model] if where.model is not None else [], places)
    said = nullcontext() if voice is None else waiting_shown(voice)
    with said, _connected(where, places) as there:
        yield there


@contextmanager
def _connected(
    where: Where, places: Mapping[str, Place]
) -> Iterator[Mapping[str, Model]]:
    from bondline.remote.client.placement import connected

    try:
        there = connected(places, where.takeover, lambda n: _command(where, n))
    except NotServed as error:
        raise _unserved(error, places) from error
    silent = ""  # where nobody answers any more
    try:
        yield there
    except GONE as gone:
        silent = _silent(gone, there)
        raise
    finally:
        _end(there, silent)


def _end(there: Mapping[str, Asking], silent: str) -> None:
    """Every session, then every log; also where one of them raises."""
    with ExitStack() as last:
        for log in {model.link.ledger.log for model in there.values()}:
            if log is not None:
                last.callback(log.close)
        for model in there.values():
            away = silent and model.link.partner.place == silent
            last.callback(model.hang_up if away else model.close)


def slips(models: Sequence[Path], places: Mapping[str, Place]) -> list[Problem]:
    """Parts that are placed, and that none of the models has."""
    from bondline.build import misplaced
    from bondline.description import Place as Written

    written = {n: Written(*p.written, 1) for n, p in places.items() if p.written[0]}
    return misplaced(models, written)


def require_parts(models: Sequence[Path], places: Mapping[str, Place]) -> None:
    """Refuse a placement with slips, before anybody is asked."""
    from bondline.description import refuse

    if found := slips(models, places):
        raise refuse(found)


def _unserved(error: NotServed, places: Mapping[str, Place]) -> BondlineError:
    """The same, where the placement file says it; processes have no such line."""
    from bondline.build import unserved
    from bondline.description import Place as Written
    from bondline.description import refuse
    from bondline.remote.client.troubles import Partner

    for part, place in places.items():
        if str(Partner(part, place.address)) == error.place:
            return refuse([unserved(error, Written(*place.written, 1))])
    return error


def _silent(gone: BondlineError, there: Mapping[str, Asking]) -> str:
    """The place that does not answer; none, if it answered with a refusal."""
    from bondline.remote.client.line import LineDown

    if not isinstance(gone.__cause__, LineDown):
        return ""
    every = (model.link.partner for model in there.values())
    return next((p.place for p in every if str(p) == gone.place), "")


def written_down(elsewhere: Mapping[str, Model], folder: Path) -> None:
    """From now on what partners send is in the log of the run."""
    from bondline.remote.client.asking import Asking
    from bondline.remote.client.dial import Dial
    from bondline.remote.log.audit import NAME, AuditLog
    from bondline.remote.log.unwritten import INTEGRATOR

    asked = [m for m in elsewhere.values() if isinstance(m, Asking)]
    others = [m for m in asked if isinstance(m.link.line, Dial)]  # no own processes
    if others:
        log = AuditLog(folder / NAME, INTEGRATOR)
        for model in others:
            model.link.ledger.begin(log)


def _places(where: Where) -> dict[str, Place]:
    from bondline.remote.client.placement import Place, read_placement

    placed = read_placement(where.placement) if where.placement is not None else {}
    if not where.all_here:
        return placed
    assert where.model is not None, "only a run asks for processes"
    taken = {name.partition(".")[0] for name in placed}
    here = {n: Place("") for n in _parts(where.model) if n not in taken}
    return {**here, **placed}


def _parts(model: Path) -> list[str]:
    """The parts of the outermost system."""
    from bondline.build import catalogue
    from bondline.description import load

    spec = load(model, catalogue().library).spec
    return [e.name for e in spec.system.elements] if spec is not None else []


def _command(where: Where, part: str) -> list[str]:
    target = f"{where.model}:{part}"
    sets = [word for n, v in where.set.items() for word in ("--set", f"{n}={v}")]
    more = ["--store", str(where.store), *sets]
    return [sys.executable, "-m", "bondline", "leaf", "pipe", target, *more]
