"""*MATERIAL with *ELASTIC, *DENSITY and *DAMPING."""

from __future__ import annotations

from bondline.leaves.fe.formats.inp.card import Card
from bondline.leaves.fe.formats.inp.work import Work
from bondline.leaves.fe.sections import Material

THERMAL = ("EXPANSION", "CONDUCTIVITY", "SPECIFIC HEAT")


def material(card: Card, work: Work) -> None:
    """An isotropic elastic material."""
    parts = {under.title: under for under in card.under}
    for title in THERMAL:
        if title in parts:
            work.draft.note(f"{parts[title].place} is passed over: nothing is heated.")
    if "ELASTIC" not in parts:
        raise card.wrong("it has no *ELASTIC.", "Add *ELASTIC with E and nu.")
    E, nu = _elastic(parts["ELASTIC"])
    rho = _density(parts["DENSITY"]) if "DENSITY" in parts else 0.0
    alpha, beta = _damping(parts["DAMPING"]) if "DAMPING" in parts else (0.0, 0.0)
    name = card.option("NAME")
    work.materials.put(name, Material(name, E, nu, rho, alpha, beta))


def _elastic(card: Card) -> tuple[float, float]:
    card.choice("TYPE", ("ISOTROPIC", "ISO"), "ISOTROPIC")
    _one_line(card)
    row = card.row(0, "the line with E and nu")
    E, nu = row.positive(0, "Young's modulus"), row.number(1, "Poisson's ratio", 0.0)
    if not -1.0 < nu < 0.5:
        raise row.wrong(
            f"Poisson's ratio is {nu:g}.", "Give one above -1 and below 0.5."
        )
    return E, nu


def _density(card: Card) -> float:
    _one_line(card)
    row = card.row(0, "the density")
    rho = row.number(0, "the density")
    if rho < 0.0:
        raise row.wrong(f"the density is {rho:g}.", "Give 0 or more, in kg/m³.")
    return rho


def _damping(card: Card) -> tuple[float, float]:
    if card.number("STRUCTURAL", 0.0) or card.number("COMPOSITE", 0.0):
        raise card.wrong(
            "STRUCTURAL or COMPOSITE damping is not computed here.",
            "Give Rayleigh damping with ALPHA= and BETA=.",
        )
    found = card.number("ALPHA", 0.0), card.number("BETA", 0.0)
    if min(found) < 0.0:
        raise card.wrong("the damping is negative.", "Give ALPHA and BETA from 0 on.")
    return found


def _one_line(card: Card) -> None:
    if len(card.lines) > 1:
        raise card.wrong(
            "there is more than one line: it depends on temperature.",
            "Give one line, for the temperature of the analysis.",
        )
