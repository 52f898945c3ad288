"""The page about a sweep: how far it is, what came out, what failed and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bondline.errors import StorageError
from bondline.report.figures import Plate
from bondline.report.html import commands, document, drawn
from bondline.report.markup import Safe, element, flat, section, text
from bondline.report.markup import table as html_table
from bondline.report.variants import Scale, parallel, responses
from bondline.report.words import number
from bondline.sweep.record import Standing, Sweep
from bondline.sweep.table import Table, table

_MOST_ROWS, _MOST_ACROSS, _MOST_UP, _MOST_PARALLEL = 500, 4, 6, 8


def write_page(sweep: Sweep, path: Path) -> Path:
    """The page as a file that needs nothing else."""
    try:
        path.write_text(page(sweep), encoding="utf-8", newline="\n")
    except OSError as error:
        raise StorageError(
            str(path),
            f"the page cannot be written ({error.strerror}).",
            "Check the folder, your rights and the room on the disk.",
        ) from error
    return path


def page(sweep: Sweep) -> str:
    """The same as text."""
    standing, found = sweep.standing, table(sweep)
    told = f"{counts(standing)} · {standing.status} {standing.message}".strip()
    line = element("p", text(f"sweep {sweep.id} · {told}"), cls="run")
    header = element("header", element("h1", text(standing.model)), line)
    return document(
        f"{standing.model} · {sweep.id}", header, _sections(sweep, standing, found)
    )


def counts(standing: Standing) -> str:
    """How many variants have which status."""
    words = [f"{n} {status}" for status, n in standing.counts.items() if n]
    return f"{standing.total} variants: {', '.join(words)}"


def _sections(sweep: Sweep, standing: Standing, found: Table) -> Iterator[Safe]:
    yield section("Figures", *(drawn(plate) for plate in plates(found)))
    yield section("What failed", _failures(found))
    yield section("Results", html_table(*_summary(found)))
    yield section("Variants", _note(standing), html_table(*_rows(found)))
    facts = sweep.facts
    axes = {f"axis {axis['name']}": _axis(axis) for axis in facts.pop("axes")}
    yield section("Settings", html_table((), flat({**axes, **_known(facts)})))
    yield section("How to go on", commands(_commands(sweep, found)))


def plates(found: Table) -> list[Plate]:
    """The figures that there are numbers for."""
    across = [_scale(found, name) for name in found.parameters if _varies(found, name)]
    wanted = [name for name in found.results if not name.startswith("certificate.")]
    up = [_scale(found, name) for name in wanted if _varies(found, name)]
    if not (across and up):
        return []
    chosen = [*across[: _MOST_PARALLEL - 2], *up]
    return [
        Plate(
            "parallel",
            "All variants at once",
            "A line a variant, from its parameters to its results; each quantity from "
            "its least to its largest value. The colour is the last quantity's; grey "
            "lines have none.",
            parallel(chosen[:_MOST_PARALLEL]),
        ),
        Plate(
            "responses",
            "Results over parameters",
            f"A dot a variant. {_left_out(across, up)}".strip(),
            responses(across[:_MOST_ACROSS], up[:_MOST_UP]),
        ),
    ]


def _left_out(across: Sequence[Scale], up: Sequence[Scale]) -> str:
    more = max(0, len(up) - _MOST_UP) + max(0, len(across) - _MOST_ACROSS)
    return f"{more} more columns are in the table." if more else ""


def _scale(found: Table, name: str) -> Scale:
    return Scale.of(found.label(name), found.columns[name])


def _varies(found: Table, name: str) -> bool:
    return len({v for v in found.columns[name] if v is not None}) > 1


def _failures(found: Table) -> Safe:
    reasons = Counter(str(r) for r in found.columns["reason"] if r)
    rows = [(f"{n} ×", why) for why, n in reasons.most_common(20)]
    return html_table(("variants", "reason"), rows)


def _summary(found: Table) -> tuple[Sequence[str], list[tuple[str, ...]]]:
    rows = []
    for name in found.results:
        known = [(v, k) for k, v in enumerate(found.columns[name]) if v is not None]
        if known:
            ends = (min(known), max(known))
            told = (t for v, k in ends for t in (number(v), str(k)))
            rows.append((found.label(name), *told))
    return ("result", "least", "variant", "largest", "variant"), rows


def _note(standing: Standing) -> Safe:
    if standing.total <= _MOST_ROWS:
        return Safe("")
    words = f"The first {_MOST_ROWS} of {standing.total}; the table has them all."
    return element("p", text(words))


def _rows(found: Table) -> tuple[Sequence[str], list[list[str]]]:
    names = ["variant", *found.parameters, "status", *found.results[:6], "run"]
    head = [found.label(name) for name in names]
    columns = [found.columns[name][:_MOST_ROWS] for name in names]
    rows = zip(*columns, strict=True)
    return head, [[_cell(v) for v in row] for row in rows]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _axis(axis: dict[str, Any]) -> str:
    if "choices" in axis:
        return ", ".join(axis["choices"])
    how = f", {axis['count']} values" if axis["count"] else ""
    log = ", even in the logarithm" if axis["log"] else ""
    return f"{axis['low']:g} to {axis['high']:g} {axis['unit']}{how}{log}"


def _known(facts: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in facts.items() if v not in (None, {}, [])}


def _commands(sweep: Sweep, found: Table) -> list[str]:
    some = next((r for r, s in _run_status(found) if s == "done"), None)
    look = [f"bondline report {some}", f"bondline plot {some}"] if some else []
    return [f"bondline sweep --resume {sweep.id}", *look]


def _run_status(found: Table) -> Iterator[tuple[Any, Any]]:
    return zip(found.columns["run"], found.columns["status"], strict=True)
