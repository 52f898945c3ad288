"""Reading Nastran bulk data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TypeAlias

from bondline.errors import nearest
from bondline.leaves.fe.formats.bdf import (
    load_cards,
    mesh_cards,
    point_cards,
    property_cards,
)
from bondline.leaves.fe.formats.bdf.control import Control, split
from bondline.leaves.fe.formats.bdf.fields import Entry, entries
from bondline.leaves.fe.formats.bdf.work import Bulk, listed
from bondline.leaves.fe.formats.deck import Analysis, Deck
from bondline.leaves.fe.formats.draft import Draft, Sets
from bondline.leaves.fe.formats.findings import Findings
from bondline.leaves.fe.formats.row import Row
from bondline.leaves.fe.formats.text import text_of, uniform

Reading: TypeAlias = Callable[[Row, Bulk], None]
STAGES: tuple[Mapping[str, Reading], ...] = (
    {"CORD2R": mesh_cards.cord2r},
    {"GRID": mesh_cards.grid},
    {
        "CQUAD4": partial(mesh_cards.shell, "S4", 4),
        "CTRIA3": partial(mesh_cards.shell, "S3", 3),
        "CROD": partial(mesh_cards.plain, "T3D2", 2),
        "CBAR": mesh_cards.cbar,
        "CHEXA": mesh_cards.chexa,
        "CTETRA": mesh_cards.ctetra,
        "MAT1": property_cards.mat1,
    },
    {
        "PSHELL": property_cards.pshell,
        "PSOLID": property_cards.psolid,
        "PROD": property_cards.prod,
        "PBAR": property_cards.pbar,
        "PBARL": property_cards.pbarl,
    },
    {
        "CONM2": point_cards.conm2,
        "CELAS2": point_cards.celas2,
        "CDAMP2": point_cards.cdamp2,
        "RBE2": point_cards.rbe2,
        "RBE3": point_cards.rbe3,
    },
    {
        "SPC": load_cards.spc,
        "SPC1": load_cards.spc1,
        "FORCE": load_cards.force,
        "MOMENT": load_cards.moment,
        "GRAV": load_cards.grav,
        "PLOAD4": load_cards.pload4,
    },
)
COMBINING = ("SPCADD", "LOAD", "EIGRL", "PARAM")
BULK = frozenset(name for stage in STAGES for name in stage) | set(COMBINING)


def read_bdf(path: Path | str) -> Deck:
    """The model of a Nastran deck in a file.

    Supports and loads are those that case control chooses first (SPC = n, LOAD = n),
    all if it chooses none. `DeckError` names file, line and entry of all mistakes
    found, up to twenty. Numbers are taken as SI: m, kg, s, N, Pa.
    """
    return _parsed(text_of(Path(path)), Path(path).name)


def parse_bdf(text: str, *, name: str = "deck.bdf") -> Deck:
    """The model of a Nastran deck that is given as its text; see `read_bdf`."""
    return _parsed(uniform(text), name)


def _parsed(text: str, file: str) -> Deck:
    control, lines = split(text)
    found = list(entries(lines, file))
    bulk, findings = Bulk(Draft(Path(file).stem, file)), Findings()
    for entry in found:
        with findings.gathering():
            _known(entry)
    findings.report()
    with findings.gathering():
        _choose(control, found, bulk)
    _read(found, bulk, findings)
    return _deck(control, bulk)


def _known(entry: Entry) -> None:
    if entry.name in BULK:
        return
    close = nearest(entry.name, BULK)
    raise entry.row.wrong(
        "this entry is not understood.",
        (f"Did you mean {close}? " if close else "")
        + "It could change the result, so it is not passed over: take it out. "
        f"Known: {', '.join(sorted(BULK))}.",
    )


def _choose(control: Control, found: list[Entry], bulk: Bulk) -> None:
    """Which sets are in use; SPCADD and LOAD combine others."""
    sums = {e.row.label(0, "the set"): e.row for e in found if e.name == "SPCADD"}
    if "SPC" in control.chosen:
        number = control.chosen["SPC"]
        parts = listed(sums[number], 1, {}) if number in sums else [number]
        bulk.spcs = dict.fromkeys(parts, 1.0)
    loads = {e.row.label(0, "the set"): e.row for e in found if e.name == "LOAD"}
    if "LOAD" in control.chosen:
        number = control.chosen["LOAD"]
        bulk.loads = _combined(loads[number]) if number in loads else {number: 1.0}
    elif loads:
        raise next(iter(loads.values())).wrong(
            "case control chooses no LOAD.", "Say LOAD = n before BEGIN BULK."
        )
    for entry in found:
        if entry.name == "EIGRL":
            bulk.modes = entry.row.label(3, "the number of modes", 10)
        if entry.name == "PARAM":
            _parameter(entry.row, bulk)
    if control.subcases > 1:
        bulk.draft.note("There is more than one subcase; the model is the first's.")


def _combined(row: Row) -> dict[int, float]:
    """S times each load set times its own factor."""
    overall = row.number(1, "the factor")
    return {
        row.label(i + 1, "the load set"): overall * row.number(i, "a factor")
        for i in range(2, len(row), 2)
    }


def _parameter(row: Row, bulk: Bulk) -> None:
    if row.word(0).upper() == "WTMASS" and row.number(1, "WTMASS") != 1.0:
        raise row.wrong("WTMASS is not 1.", "Give masses in kg and leave it away.")
    bulk.draft.note(f"{row.place} {row.word(0)} is passed over.")


def _read(found: list[Entry], bulk: Bulk, findings: Findings) -> None:
    for stage in STAGES:
        if "CONM2" in stage:
            for section, numbers in bulk.shared.values():
                bulk.draft.assign(numbers, section, bulk.draft.place)
        for entry in found:
            if entry.name in stage:
                with findings.gathering():
                    stage[entry.name](entry.row, bulk)
        findings.report()
    for entry in found:
        if entry.name == "GRID":
            mesh_cards.held_grid(entry.row, bulk)


def _deck(control: Control, bulk: Bulk) -> Deck:
    nodes = bulk.draft.nodes
    sets = {
        f"SET_{number}": list(dict.fromkeys(members))
        for number, members in control.sets.items()
        if members and all(node in nodes for node in members)
    }
    elements = {f"PROPERTY_{number}": some for number, some in bulk.used.items()}
    model = bulk.draft.model(Sets(sets, elements, {}))
    steps = (Analysis("frequency", modes=bulk.modes),) if bulk.modes else ()
    return Deck(model, {}, steps[0] if steps else None, steps, tuple(bulk.draft.notes))
