"""The table as a page: `python -m tests.cases.feature_table.make` writes it."""

from __future__ import annotations

import re
from itertools import groupby
from multiprocessing import Pool
from pathlib import Path

from tests.cases.feature_table.bodies import SPATIAL
from tests.cases.feature_table.combine import ALL_SOLVERS, LEVELS, attempt, cells
from tests.cases.feature_table.problems import LINEAR

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "feature_table.md"
HEAD = """# Joints, couplings, solvers, levels

Every joint, in small problems that are also solved as a whole, without any gluing:
linear parts by dense matrices, bodies by equations of motion with constraints. Made by
`python -m tests.cases.feature_table.make`; a test compares it with what the code does.

A cell says the largest error of positions, relative to how far anything moves; in
brackets the mean iterations a window and the leaf solves per leaf and window.
*Refused* means that the model was not run, for the reason in the list below the table.
*No convergence* means that the window was given up with an error that says where and
what to try; tolerances are 1e-11, and solvers that learn as they go have 40 iterations.
*Warned* means that the result is wrong and that a warning said so.

Four parts are glued in a row, the joint on trial first: flat, as two pairs, or pair,
third and fourth one inside the other (three levels). The solver on trial works on the
outermost level, Newton's on those inside. One pass has windows a quarter as long.
Nested levels show every scheme with newton, and every solver with constant/e,
newmark/a,v,u and, on two levels, newmark/f.
"""
_WORDS = {"diverged": "no convergence", "wrong": "WRONG"}


def problems():
    return [make() for make in (*LINEAR, *SPATIAL)]


def words(outcome):
    """One cell."""
    if outcome.verdict in _WORDS or outcome.verdict == "refused":
        return _WORDS.get(outcome.verdict, outcome.verdict)
    figures = f"{outcome.error:.0e} ({outcome.iterations:.1f}, {outcome.solves:.1f})"
    return figures if outcome.verdict == "works" else f"warned: {figures}"


def page(outcomes):
    """The whole page from outcomes by cell."""
    text = [HEAD]
    for problem, group in groupby(outcomes, key=lambda cell: cell.problem.name):
        text += ["", f"## {problem[0].upper()}{problem[1:]}", ""]
        text += section({cell: outcomes[cell] for cell in group})
    return "\n".join(text) + "\n"


def section(outcomes):
    rows, reasons = [], []
    for scheme, group in groupby(outcomes, key=lambda c: f"{c.coupling} {c.scheme}"):
        own = {cell: outcomes[cell] for cell in group}
        found = dict.fromkeys(o.reason for o in own.values() if o.verdict == "refused")
        whole = all(o.verdict == "refused" for o in own.values())
        which = "refused" if whole else "some solvers refused"
        reasons += [f"- {scheme}: {which}: {plain(reason)}." for reason in found]
        rows += [] if whole else lines(scheme, own)
    head = ["coupling and scheme", "levels", *ALL_SOLVERS]
    table = [line(head), line(["---"] * len(head)), *rows] if rows else []
    return [*table, "", *reasons]


def lines(scheme, own):
    found = []
    for level in LEVELS:
        at = {cell.solver: o for cell, o in own.items() if cell.level == level}
        if any(o.verdict != "refused" for o in at.values()):
            shown = [words(at[s]) if s in at else "" for s in ALL_SOLVERS]
            found.append(line([scheme, level, *shown]))
    return found


def line(entries):
    return f"| {' | '.join(entries)} |"


def plain(reason):
    """A reason without what differs from level to level."""
    return re.sub(r"\s+", " ", reason.replace("|", "/"))


def verdicts(text):
    """What a page says, by problem, coupling and scheme, level and solver."""
    found, problem = {}, ""
    for row in text.splitlines():
        if row.startswith("## "):
            problem = row[3:].lower()
        elif row.startswith("| ") and not row.startswith(("| ---", "| coupling")):
            scheme, level, *each = (entry.strip() for entry in row[1:-1].split("|"))
            for solver, entry in zip(ALL_SOLVERS, each, strict=True):
                found[problem, scheme, level, solver] = verdict(entry)
    return found


def verdict(entry):
    known = {"refused": "refused", "no convergence": "diverged", "": ""}
    return known.get(entry, "warned" if entry.startswith("warned") else "works")


def outcomes_of(i):
    """Outcomes of the cells of problem number `i`, in their order."""
    return [attempt(cell) for cell in cells(problems()[i : i + 1])]


def main():
    count = len(problems())
    with Pool() as pool:
        found = pool.map(outcomes_of, range(count), chunksize=1)
    flat = [outcome for each in found for outcome in each]
    text = page(dict(zip(cells(problems()), flat, strict=True)))
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
