"""*CLOAD, *DLOAD and *DSLOAD."""

from __future__ import annotations

import numpy as np

from bondline.leaves.fe.formats.draft import plain
from bondline.leaves.fe.formats.faces import SHELLS
from bondline.leaves.fe.formats.inp.card import Card
from bondline.leaves.fe.formats.inp.set_cards import face_of
from bondline.leaves.fe.formats.inp.support_cards import fresh_start
from bondline.leaves.fe.formats.inp.work import Work
from bondline.leaves.fe.formats.row import Row, short
from bondline.leaves.fe.sections import Bushing, PointMass, Section

BOTTOM = 2  # Abaqus: P on a shell pushes along its normal, that is, into its bottom


def cload(card: Card, work: Work) -> None:
    """Node or set, dof, force in N or moment in N m."""
    _fixed_direction(card)
    forces, history = work.draft.acting.forces, work.history(card)
    fresh_start(card, work, "CLOAD", forces.clear)
    for row in card.rows():
        component = row.label(1, "the dof")
        if component > 6:
            raise row.wrong(f"the dof is {component}.", "Give one from 1 to 6.")
        value = row.number(2, "the force")
        for number in work.nodes(row, 0, card.scope):
            at = work.draft.rows[number], component - 1
            forces.put(at, value, history, card.step)


def dload(card: Card, work: Work) -> None:
    """Element or set, P or P1 ... P6 and a pressure; or GRAV, size and direction."""
    _fixed_direction(card)
    _fresh(card, work)
    for row in card.rows():
        label = row.word(1).upper()
        if label == "GRAV":
            _gravity(row, card, work)
        elif label.startswith("P") and (label == "P" or label[1:].isdigit()):
            for element in work.elements(row, 0, card.scope):
                _press(row, card, work, (element, label))
        else:
            raise row.wrong(
                f"there is no load {short(label)} here.",
                "Give P, P1 to P6 or GRAV; or spread the load over nodes: *CLOAD.",
            )


def _press(row: Row, card: Card, work: Work, at: tuple[int, str]) -> None:
    element, label = at
    kind = work.draft.elements[element].kind
    side = label.replace("P", "S", 1)
    face = BOTTOM if kind in SHELLS else face_of(row, kind, side)
    value, history = row.number(2, "the pressure"), work.history(card)
    work.draft.acting.pressures.put((element, face), value, history, card.step)


def dsload(card: Card, work: Work) -> None:
    """Surface, P, pressure in Pa: positive pushes into the surface."""
    _fixed_direction(card)
    _fresh(card, work)
    history = work.history(card)
    for row in card.rows():
        if row.word(1).upper() != "P":
            raise row.wrong(
                f"there is no load {short(row.word(1))} here.",
                "Give P; or spread the load over nodes: *CLOAD.",
            )
        surface = work.surfaces.get(row.word(0).strip('"'), row.place, card.scope.name)
        if surface.nodes:
            raise row.wrong("the surface has only nodes.", "Give one of element faces.")
        value = row.number(2, "the pressure")
        for face in surface.faces:
            work.draft.acting.pressures.put(face, value, history, card.step)


def _fresh(card: Card, work: Work) -> None:
    acting = work.draft.acting

    def clear() -> None:
        acting.pressures.clear()
        acting.gravity.clear()

    fresh_start(card, work, "DLOAD", clear)


def _gravity(row: Row, card: Card, work: Work) -> None:
    if row.word(0):
        _all_mass(row, work, set(work.elements(row, 0, card.scope)))
    _some_mass(row, work)
    size = row.number(2, "the acceleration")
    direction = np.array([row.number(i, "a direction", 0.0) for i in (3, 4, 5)])
    length = np.linalg.norm(direction)
    if not length > 0.0:
        raise row.wrong("gravity has no direction.", "Give its components: 0, 0, -1.")
    x, y, z = (size / length * direction).tolist()
    gravity = work.draft.acting.gravity
    gravity[:] = [entry for entry in gravity if entry[2] == card.step]
    gravity.append(((x, y, z), work.history(card), card.step))


def _all_mass(row: Row, work: Work, chosen: set[int]) -> None:
    """Gravity acts on all mass here, so all elements with mass must be in the set."""
    draft = work.draft
    for number in draft.elements:
        section = draft.assigned.get(number)
        if number in chosen or section is None:
            continue
        if heavy(draft.sections[section]):
            raise row.wrong(
                f"element {plain(number)} has mass and is not in {row.word(0)!r}.",
                "Let gravity act on all elements, or give the others density 0.",
            )


def _some_mass(row: Row, work: Work) -> None:
    if not any(heavy(s) for s in work.draft.sections):
        raise row.wrong(
            "gravity acts on mass, and no material has a density.",
            "Give *DENSITY under *MATERIAL, or leave the load away.",
        )


def heavy(section: Section) -> bool:
    """Whether elements with this section have mass."""
    if isinstance(section, PointMass):
        return section.mass > 0.0
    return not isinstance(section, Bushing) and section.material.rho > 0.0


def _fixed_direction(card: Card) -> None:
    if card.options.get("FOLLOWER", "NO").upper() == "YES" or (
        "FOLLOWER" in card.options and not card.options["FOLLOWER"]
    ):
        raise card.wrong("it follows the motion.", "Leave FOLLOWER away.")
