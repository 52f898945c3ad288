"""Reading an Abaqus or CalculiX deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from bondline.core import Parameter
from bondline.errors import DeckError
from bondline.leaves.fe.formats.deck import Deck
from bondline.leaves.fe.formats.draft import Draft, Sets
from bondline.leaves.fe.formats.findings import Findings
from bondline.leaves.fe.formats.inp.card import Card, Line, squeezed
from bondline.leaves.fe.formats.inp.cards import cards
from bondline.leaves.fe.formats.inp.lines import Source
from bondline.leaves.fe.formats.inp.mesh_cards import known_nodes
from bondline.leaves.fe.formats.inp.nest import Nest
from bondline.leaves.fe.formats.inp.parameters import Parameters
from bondline.leaves.fe.formats.inp.placing import place_instances
from bondline.leaves.fe.formats.inp.register import CARDS, STAGES
from bondline.leaves.fe.formats.inp.work import Work
from bondline.leaves.fe.formats.text import text_of, uniform

T = TypeVar("T")
NODES, LAST = 0, STAGES - 1


def read_inp(
    path: Path | str, parameters: Mapping[str, float] | None = None, step: int = 0
) -> Deck:
    """The model of an INP deck in a file.

    `parameters` replace values of *PARAMETER. The model has the supports and loads of
    one step, counted from 1; 0 is the last. `DeckError` names file, line and card of
    all mistakes found, up to twenty. Numbers are taken as SI: m, kg, s, N, Pa.
    """
    file = Path(path)
    lines = Source(file.parent).lines(text_of(file), file.name)
    return _parsed(lines, file.name, parameters or {}, step)


def parse_inp(
    text: str,
    parameters: Mapping[str, float] | None = None,
    step: int = 0,
    *,
    name: str = "deck.inp",
) -> Deck:
    """The model of an INP deck that is given as its text, which includes no files.

    Mistakes are told by `name`; else it is `read_inp`.
    """
    lines = Source(None).lines(uniform(text), name)
    return _parsed(lines, name, parameters or {}, step)


def _parsed(
    lines: Iterator[Line], file: str, parameters: Mapping[str, float], step: int
) -> Deck:
    findings, values = Findings(), Parameters(dict(parameters))
    found = cards(lines, values, findings)
    nest = Nest(findings)
    nest.take(found)
    findings.report()
    settable = values.checked(file)
    work = Work(Draft(Path(file).stem, file), scopes=nest.scopes)
    chosen = _chosen(nest, step, file)
    _read(nest, work, chosen, findings)
    return _deck(work, chosen, settable, nest.notes)


def _chosen(nest: Nest, step: int, file: str) -> int:
    if not 0 <= step <= nest.steps:
        raise DeckError(
            file, f"there is no step {step}.", f"Give 0 to {nest.steps}; 0 is the last."
        )
    return step or nest.steps


def _read(nest: Nest, work: Work, chosen: int, findings: Findings) -> None:
    """Stage by stage, so that a mistake is not reported by all that build on it."""
    for stage in range(STAGES):
        for card in nest.cards:
            known = CARDS[squeezed(card.title)]
            if known.stage != stage or (stage == LAST and card.step > chosen):
                continue
            with findings.gathering():
                _call(card, work)
        if stage == NODES:
            with findings.gathering():
                place_instances(nest.instances, work)
            with findings.gathering():
                known_nodes(work)
        findings.report()


def _call(card: Card, work: Work) -> None:
    read = CARDS[squeezed(card.title)].read
    if read is not None:
        read(card, work)


def _deck(
    work: Work, chosen: int, settable: Mapping[str, Parameter], notes: list[str]
) -> Deck:
    analysis = work.steps[chosen - 1] if chosen else None
    if len(work.steps) > 1:
        work.draft.note(
            f"There are {len(work.steps)} steps; the model is that of step {chosen}."
        )
    sets = Sets(
        shown(work.node_sets.spelt()),
        shown(work.element_sets.spelt()),
        shown({n: s.faces for n, s in work.surfaces.spelt().items() if s.faces}),
    )
    at = analysis.t1 if analysis and analysis.kind == "static" else None
    model = work.draft.model(sets, at)
    return Deck(
        model, settable, analysis, tuple(work.steps), (*notes, *work.draft.notes)
    )


def shown(things: Mapping[str, T]) -> Mapping[str, T]:
    """Things by name, without the instance where that leaves no doubt.

    >>> shown({"A-1.TIP": 1, "A-1.END": 2, "B-1.END": 3})
    {'TIP': 1, 'A-1.END': 2, 'B-1.END': 3}
    """
    short = Counter(name.rpartition(".")[2].upper() for name in things)
    return {
        name.rpartition(".")[2]
        if short[name.rpartition(".")[2].upper()] == 1
        else name: thing
        for name, thing in things.items()
    }
