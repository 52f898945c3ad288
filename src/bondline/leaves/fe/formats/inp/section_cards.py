"""*SHELL SECTION and *SOLID SECTION."""

from __future__ import annotations

from collections.abc import Sequence

from bondline.leaves.fe.formats.draft import plain
from bondline.leaves.fe.formats.faces import SHELLS, SOLIDS
from bondline.leaves.fe.formats.inp.card import Card
from bondline.leaves.fe.formats.inp.work import Work
from bondline.leaves.fe.formats.row import Row, real, short
from bondline.leaves.fe.sections import (
    Material,
    ShellSection,
    SolidSection,
    TrussSection,
)

SIDES = {"SPOS": 0.5, "SNEG": -0.5}


def shell_section(card: Card, work: Work) -> None:
    """The thickness in metres; OFFSET is that of the nodes, in thicknesses."""
    chosen = members(card, work, SHELLS)
    row = card.row(0, "the thickness")
    thickness = row.positive(0, "the thickness")
    _oriented(card, work)
    away = -_offset(card) * thickness
    section = ShellSection(material_of(card, work), thickness, away + 0.0)
    work.draft.assign(chosen, section, card.place)


def _offset(card: Card) -> float:
    """From the middle surface to the nodes along the normal, in thicknesses."""
    text = card.options.get("OFFSET", "0").upper()
    value = SIDES.get(text, real(text))
    if value is None:
        raise card.wrong(
            f"OFFSET is {short(text)}.",
            "Give SPOS (nodes on the top), SNEG or a fraction of the thickness.",
        )
    return value


def solid_section(card: Card, work: Work) -> None:
    """A material for solids; for bars T3D2 also the area on the data line."""
    chosen = members(card, work, (*SOLIDS, "T3D2"))
    material = material_of(card, work)
    _oriented(card, work)
    bars = [e for e in chosen if work.draft.elements[e].kind == "T3D2"]
    solids = [e for e in chosen if work.draft.elements[e].kind != "T3D2"]
    if bars:
        row = card.row(0, "the area of the bars")
        area = row.positive(0, "the area")
        work.draft.assign(bars, TrussSection(material, area), card.place)
    if solids:
        work.draft.assign(solids, SolidSection(material), card.place)


def members(card: Card, work: Work, kinds: Sequence[str]) -> list[int]:
    """The elements of a section card, if they are of one of some kinds."""
    row = Row(card.place, [card.option("ELSET")])
    chosen = work.elements(row, 0, card.scope)
    for number in chosen:
        written = work.draft.elements[number]
        if written.kind not in kinds:
            raise card.wrong(
                f"element {plain(number)} is {written.label}.",
                f"Give *{card.title} to elements of {', '.join(kinds)} only.",
            )
    return chosen


def material_of(card: Card, work: Work) -> Material:
    """The material that a card names."""
    return work.materials.get(card.option("MATERIAL"), card.place)


def _oriented(card: Card, work: Work) -> None:
    if "ORIENTATION" in card.options:
        work.frames.get(card.option("ORIENTATION"), card.place, card.scope.name)
        work.draft.note(
            f"{card.place}: the orientation does not matter to an isotropic material."
        )
