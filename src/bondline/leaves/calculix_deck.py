"""Decks for CalculiX: what one may say here, and what is added to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from bondline.core import Vector
from bondline.errors import DeckError, did_you_mean

LOADS = ("CLOAD", "DLOAD", "DSLOAD", "TEMPERATURE", "DFLUX", "CFLUX", "BASEMOTION")
_FILE = re.compile(r"\b(INPUT|FILE|GLOBAL|BINARY|JOBNAME)\s*=", re.IGNORECASE)
_NAMES_FILES = ("INCLUDE", "RESTART", "SUBMODEL", "NETWORKMPC", "USERMATERIAL")
MATRICES = "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n*END STEP\n"


@dataclass(frozen=True, eq=False)
class ModelDeck:
    """What comes before the first step of a deck: nodes, sets, and the text itself."""

    text: str
    elements: int  # the highest number of one
    points: Mapping[int, tuple[float, float, float]]
    sets: Mapping[str, Sequence[int]]

    def nodes(self, place: str, name: str) -> list[int]:
        """Numbers of the nodes of a set, each once, in its order."""
        found = self.sets.get(name.upper())
        if found is None:
            raise DeckError(
                place, f"no node set {name!r}.", did_you_mean(name.upper(), self.sets)
            )
        return list(dict.fromkeys(found))


@dataclass(eq=False)
class _Scan:
    shown: str
    points: dict[int, tuple[float, float, float]] = field(default_factory=dict)
    sets: dict[str, list[int]] = field(default_factory=dict)
    elements: int = 0

    def take(self, title: str, options: Mapping[str, str], rows: list[str]) -> None:
        name = options.get("NSET", "").upper()
        if title == "NODE":
            for row in rows:
                number, *at = row.split(",")
                x, y, z = ([float(u) for u in at if u.strip()] + [0.0] * 3)[:3]
                self.points[int(number)] = (x, y, z)
                if name:
                    self.sets.setdefault(name, []).append(int(number))
        elif title == "ELEMENT":
            firsts = (row.split(",")[0].strip() for row in rows)
            found = [int(first) for first in firsts if first.isdigit()]
            self.elements = max([self.elements, *found])
        elif title == "NSET" and name:
            self.sets.setdefault(name, []).extend(self._members(options, rows))

    def _members(self, options: Mapping[str, str], rows: list[str]) -> Iterator[int]:
        for row in rows:
            words = [w.strip() for w in row.split(",") if w.strip()]
            if "GENERATE" in options:
                first, last, *by = (int(w) for w in words)
                yield from range(first, last + 1, by[0] if by else 1)
                continue
            for word in words:
                if word.lstrip("+-").isdigit():
                    yield int(word)
                else:
                    yield from self.sets.get(word.upper(), [])


def read_model(text: str, shown: str) -> ModelDeck:
    """The model of a deck; refused where it names other files or has own loads."""
    scan, kept, before = _Scan(shown), list[str](), True
    for number, card in _cards(text):
        title, options = _keyword(card[0])
        _refuse(f"{shown}:{number}", title, card[0])
        before = before and title != "STEP"
        if before:
            kept += card
            try:
                scan.take(title, options, card[1:])
            except ValueError as error:
                raise DeckError(
                    f"{shown}:{number}", f"{error}.", "Write numbers with commas."
                ) from error
    text = "\n".join([*kept, ""])
    return ModelDeck(text, scan.elements, scan.points, scan.sets)


def _cards(text: str) -> Iterator[tuple[int, list[str]]]:
    """Keyword lines with their data lines, and where they are."""
    card: list[str] = []
    first = 0
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("**") or not line.strip():
            continue
        if line.lstrip().startswith("*"):
            if card:
                yield first, card
            card, first = [line.strip()], number
        elif card:
            card.append(line.strip())
    if card:
        yield first, card


def _keyword(line: str) -> tuple[str, dict[str, str]]:
    """Title and options; blanks inside of their names are none to CalculiX."""
    title, *rest = line.lstrip("*").split(",")
    pairs = (word.partition("=") for word in rest)
    options = {_dense(key).upper(): value.strip() for key, _, value in pairs}
    return _dense(title).upper(), options


def _dense(line: str) -> str:
    return "".join(line.split())


def _refuse(place: str, title: str, line: str) -> None:
    if title in _NAMES_FILES or _FILE.search(_dense(line)):
        raise DeckError(
            place,
            f"*{title} names a file.",
            "Put everything into one deck: CalculiX reads nothing else here.",
        )
    if title in LOADS:
        raise DeckError(
            place,
            f"*{title}: a load of its own.",
            "Push at a port instead: here the deck gives the structure alone.",
        )


def static_deck(
    model: ModelDeck,
    forces: Mapping[tuple[int, int], float],
    springs: Mapping[tuple[int, int], float],
) -> str:
    """A deck that finds the rest under forces on dofs, on springs to the ground."""
    lines, first = [model.text.rstrip()], model.elements + 1
    for k, ((node, dof), stiffness) in enumerate(springs.items()):
        name = f"BONDLINE{k}"
        lines += [f"*ELEMENT, TYPE=SPRING1, ELSET={name}", f"{first + k},{node}"]
        lines += [f"*SPRING, ELSET={name}", f"{dof + 1}", f"{stiffness!r}"]
    lines += ["*NSET, NSET=BONDLINE", *(f"{number}," for number in model.points)]
    lines += ["*STEP, NLGEOM, INC=1000", "*STATIC", "0.1,1."]
    acting = {at: f for at, f in forces.items() if f}
    lines += ["*CLOAD"] if acting else []
    lines += [f"{node},{dof + 1},{f!r}" for (node, dof), f in acting.items()]
    lines += ["*NODE PRINT, NSET=BONDLINE", "U", "*END STEP", ""]
    return "\n".join(lines)


def read_displacements(text: str) -> dict[int, Vector]:
    """The last table of displacements in a .dat file, by numbers of nodes."""
    found: dict[int, Vector] = {}
    for line in text.splitlines():
        words = line.split()
        if "displacements" in line:
            found = {}
        elif len(words) == 4 and words[0].isdigit():
            found[int(words[0])] = np.array([float(w) for w in words[1:]])
    return found
