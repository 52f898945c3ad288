"""`./run ladder`: every case, one table, and the page of the documentation."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable

from rich.console import Console
from rich.table import Table

from bondline.errors import did_you_mean
from tests.cases.ladder.every import CASES, CHAPTERS, short
from tests.cases.ladder.page import COLUMNS, PAGE, cells_of, excuses, page
from tests.cases.ladder.rung import Rung

WIDTH = 150  # nothing is cut off, whatever the terminal


def asked(arguments: list[str] | None = None) -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser("./run ladder", description=__doc__)
    names = [short(case) for case in CASES]
    parser.add_argument("case", nargs="*", metavar="CASE")
    parser.add_argument("--fast", action="store_true", help="coarse meshes")
    parser.epilog = f"Without a CASE all are climbed: {', '.join(names)}."
    found = parser.parse_args(arguments)
    for name in found.case:
        if name not in names:
            parser.error(f"there is no case {name!r}. {did_you_mean(name, names)}")
    return found


def table(rungs: Iterable[tuple[str, Rung]]) -> Table:
    """All rungs, with a line between chapters."""
    made, last = Table(box=None, header_style="bold"), ""
    for name in COLUMNS:
        made.add_column(name, no_wrap=True)
    for chapter, rung in rungs:
        if chapter != last:
            made.add_row(f"[bold]{chapter}[/bold]", *[""] * (len(COLUMNS) - 1))
            last = chapter
        *row, _ = cells_of(rung)
        verdict = "[green]yes[/green]" if rung.passes else "[red]no[/red]"
        made.add_row(*row, verdict)
    return made


def main(arguments: list[str] | None = None) -> int:
    """0 if every rung holds or says why it does not."""
    wanted, console = asked(arguments), Console()
    console.width = max(console.width, WIDTH)
    found = []
    with Console(stderr=True).status("climbing") as status:
        for chapter, cases in CHAPTERS.items():
            for case in cases:
                if not wanted.case or short(case) in wanted.case:
                    status.update(f"{chapter}: {short(case)}")
                    found += [(chapter, rung) for rung in case.rungs(not wanted.fast)]
    console.print(table(found))
    rungs = [rung for _, rung in found]
    for line in excuses(rungs):
        console.print(line, style="yellow")
    if not wanted.case and not wanted.fast:
        PAGE.write_text(page(found), encoding="utf-8")
        console.print(f"{len(rungs)} rungs; see docs/reference/{PAGE.name}.")
    wrong = [r for r in rungs if r.passes == bool(r.excuse)]
    for rung in wrong:
        console.print(f"unexpected: {rung}", style="red")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
