"""The ladder as a page of the documentation, and the page read again."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from math import inf
from pathlib import Path
from typing import NamedTuple

from tests.cases.ladder.rung import Rung

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "ladder.md"
HEAD = """# Verification ladder

Known cases with known answers. Made by `./run ladder`; a test compares this page with
what the code does.

*Found* is what the uncut model gives, and *ratio* that by the reference, which must be
inside the gate. Then the same model is cut into leaves, each with its own solver, and
glued: *glued* is the largest difference from the uncut model of any displacement (in
statics), of any frequency (in vibration) or of any displacement at any step (in time),
relative, and in brackets the most it may be. *parts* are the leaves; 2 × 2 are two
glued models of two leaves, glued. *deck* is the same difference after the model was
written as an INP deck and read again. Units are those of the source (SI for NAFEMS).
Mechanisms are one leaf each: where the reference is 0, *found* is the distance from it.

A case that misses a gate says **no**, and why. Nothing is left out for it.

Some gates were given before anything was computed: FV12 (2 %), the roof (−1 to +2.5 %),
orders of gluing (± 0.1), the shaken cantilever (1e-11), patch tests (1e-12), ties that
repeat each other (1e-10), and those of mechanisms; but the angles of Andrews' squeezer
had 1e-10 rad first, and the slider-crank from points with mass was added later. All
others, and the meshes, were chosen with results at hand: they guard what was reached
and do not predict it. Gates of gluing leave room for round-off times the condition of
the case. The tests of `./run test` have coarser meshes and wider gates.
"""
COLUMNS = (
    *("case", "mesh and value", "reference", "found", "ratio", "gate"),
    *("parts", "glued", "deck", "dofs", "holds"),
)


def cells_of(rung: Rung) -> tuple[str, ...]:
    """One row."""
    exact = rung.reference == 0.0
    low, high = rung.gate
    return (
        rung.case,
        rung.name,
        f"{rung.reference:.5g}",
        _error(rung.value) if exact else f"{rung.value:.5g}",
        "" if exact else f"{rung.ratio:.4f}",
        f"≤ {high:.0e}" if exact else f"{low:.6g} … {high:.6g}",
        rung.cut,
        _glued(rung),
        _error(rung.deck),
        str(rung.dofs or ""),
        "yes" if rung.passes else "**no**",
    )


def _glued(rung: Rung) -> str:
    """The error, and the most it may be."""
    if rung.glued is None:
        return ""
    if rung.glued == inf:
        return "refused"
    return f"{_error(rung.glued)} (≤ {rung.gluing_gate:.0e})"


def _error(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.0e}" if value else "0"


def page(rungs: Iterable[tuple[str, Rung]]) -> str:
    """The whole page."""
    text = [HEAD]
    for chapter, group in groupby(rungs, key=lambda pair: pair[0]):
        own = [rung for _, rung in group]
        text += [f"## {chapter}", "", _line(COLUMNS), _line(["---"] * len(COLUMNS))]
        text += [_line(cells_of(rung)) for rung in own]
        text += ["", *_notes(own), ""]
    return "\n".join(text).rstrip() + "\n"


def _notes(rungs: list[Rung]) -> list[str]:
    found = [f"- {line}" for line in excuses(rungs)]
    sources: dict[str, dict[str, None]] = {}
    for rung in rungs:
        sources.setdefault(rung.source, {})[rung.case] = None
    told = "; ".join(f"{', '.join(cases)}: {s}" for s, cases in sources.items())
    return [*found, *([""] if found else []), f"References: {told}."]


def excuses(rungs: Iterable[Rung]) -> list[str]:
    """Why rungs miss their gates, each reason once."""
    found: dict[tuple[str, str], list[str]] = {}
    for rung in rungs:
        if rung.excuse:
            found.setdefault((rung.case, rung.excuse), []).append(rung.name)
    return [
        f"{case} ({'; '.join(names)}): {why}." for (case, why), names in found.items()
    ]


def _line(entries: Iterable[str]) -> str:
    return f"| {' | '.join(entries)} |"


class Row(NamedTuple):
    """What a page says of one rung."""

    found: float
    gate: str
    holds: bool


def rows(text: str) -> dict[tuple[str, str, str], Row]:
    """What a page says, by case, mesh and parts."""
    found = {}
    for line in text.splitlines():
        entries = [entry.strip() for entry in line.strip("|").split("|")]
        if len(entries) != len(COLUMNS) or entries[0] in ("case", "---"):
            continue
        at = dict(zip(COLUMNS, entries, strict=True))
        key = (at["case"], at["mesh and value"], at["parts"])
        found[key] = Row(float(at["found"]), at["gate"], at["holds"] == "yes")
    return found
