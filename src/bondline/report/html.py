"""The report: one HTML page that needs nothing else, in light and in dark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources

import numpy as np

from bondline.errors import UsageError
from bondline.report.canvas import svg
from bondline.report.figures import Plate, picture, plates
from bondline.report.markup import Safe, element, flat, join, section, table, text
from bondline.report.palette import dark_rules
from bondline.report.reference import difference
from bondline.report.select import joints
from bondline.report.studies import Study
from bondline.report.tree import TreeNode, tree
from bondline.report.verdict import Verdict, flows, orders, verdict
from bondline.report.words import number
from bondline.run.certificate import Check, certify_results
from bondline.run.results import Results


@dataclass(frozen=True)
class Report:
    """Everything a report says; only `results` must be there.

    `facts` are versions, hashes and the numeric fingerprint; `commands` are the
    lines that reproduce the run; `why_no_model` stands where the model would.
    `surfaces` are pictures of what the parts show.
    """

    results: Results
    reference: Results | None = None
    studies: Sequence[Study] = ()
    model: TreeNode | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    commands: Sequence[str] = ()
    why_no_model: str = ""
    surfaces: Sequence[Plate] = ()


def page(report: Report) -> str:
    """The report as HTML. No script, nothing from outside, every text inert."""
    results = report.results
    if not len(results.t):
        raise UsageError(
            f"run {results.run}",
            "nothing was recorded, not even its start.",
            f"Run the model first: bondline run {results.model}.",
        )
    title = f"{results.model} · {results.run}"
    return document(title, _header(report), _sections(report))


def document(title: str, header: Safe, sections: Iterable[Safe]) -> str:
    """A page of ours around those sections."""
    body = join(
        [
            header,
            element("main", *sections),
            element("footer", text("Made by Bondline. This page needs no network.")),
        ]
    )
    return _SHELL.format(csp=_CSP, title=text(title), style=_style(), body=body)


_CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_SHELL = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def _style() -> str:
    sheet = resources.files("bondline.report") / "page" / "report.css"
    return sheet.read_text("utf-8") + dark_rules()


def _header(report: Report) -> Safe:
    results = report.results
    span = f"{len(results.t) - 1} windows, {number(float(np.ptp(results.t)), 's')}"
    line = element("p", text(f"run {results.run} · {span}"), cls="run")
    return element("header", element("h1", text(results.model)), line)


def _sections(report: Report) -> Iterator[Safe]:
    results = report.results
    yield _certificate(verdict(results), results)
    told = certify_results(results)
    noted = told.warnings
    yield section("Warnings", _bullets(list(dict.fromkeys([*noted, *report.warnings]))))
    yield section("Error of each signal", table(*orders(told)))
    yield section("Work through the joints", table(*flows(told)))
    yield _overview(report)
    yield section("Surfaces", *(drawn(plate) for plate in report.surfaces))
    figures = plates(results, report.reference, report.studies)
    yield section("Figures", *(drawn(plate) for plate in figures))
    yield section("Against the reference", _comparison(report))
    yield section("Model", _model(report))
    yield section("Settings", table((), flat(results.settings)))
    yield section("Versions and hashes", table((), flat(report.facts)))
    yield section("How to reproduce", commands(report.commands))


def _certificate(said: Verdict, results: Results) -> Safe:
    mark = text("✓" if said.good else "!")
    words = element("h2", text(said.words))
    big = element("div", element("span", mark, cls="mark"), words, cls="big")
    checks = element("ul", *(_check(c) for c in said.checks), cls="checks")
    tables = ("sides", "refined")  # shown as such
    kept = {k: v for k, v in results.certificate.items() if k not in tables}
    stored = flat(kept)
    more = element("summary", text("The certificate as it was stored with the run"))
    details = element("details", more, table((), stored)) if stored else Safe("")
    kind = "certificate good" if said.good else "certificate care"
    return element("section", big, checks, details, cls=kind)


_MARKS = {True: ("✓", "yes"), False: ("!", "no"), None: ("?", "open")}


def _check(check: Check) -> Safe:
    mark, kind = _MARKS[check.good]
    title = element("strong", text(check.title))
    finding = element("span", text(check.finding), cls="finding")
    return element(
        "li", element("span", text(mark), cls="mark"), title, finding, cls=kind
    )


def _overview(report: Report) -> Safe:
    results = report.results
    halves = [
        "the mechanism at equal intervals of time, the past fading"
        if results.shapes
        else "",
        "the force in its first joint" if joints(results) else "",
    ]
    words = ", and ".join(filter(None, halves))
    if not words:
        return Safe("")
    drawn = Safe(svg(picture(results, report.reference), "overview"))
    caption = element("figcaption", text(f"{words[0].upper()}{words[1:]}."))
    return element("figure", element("div", drawn, cls="wide"), caption, cls="overview")


def drawn(plate: Plate) -> Safe:
    """A figure under its title, with its caption; it can be folded away."""
    title = element("summary", text(plate.title))
    lines = Safe(svg(plate.figure, plate.key))
    shown = element("div", lines, cls="wide")
    caption = element("figcaption", text(plate.caption))
    inside = element("figure", shown, caption)
    return Safe(f"<details open>{title}{inside}</details>")


def _comparison(report: Report) -> Safe:
    head = ("signal", "largest difference", "at", "rms", "largest value")
    return table(head, _differences(report))


def _differences(report: Report) -> Iterator[Sequence[object]]:
    results, other = report.results, report.reference
    for name in results.signals if other is not None else ():
        if other is None or name not in other.signals:
            continue
        apart = difference(results, other, name)
        if apart is not None:
            unit = results.units.get(name, "")
            rms = float(np.sqrt(np.nanmean(apart.values**2)))
            most = float(np.nanmax(np.abs(results.signals[name]), initial=0.0))
            numbers = (number(v, unit) for v in (rms, most))
            yield name, number(apart.largest, unit), number(apart.when, "s"), *numbers


def _model(report: Report) -> Safe:
    if report.model:
        return tree(report.model)
    why_not = report.why_no_model
    return element("p", text(why_not)) if why_not else Safe("")


def _bullets(lines: Sequence[str]) -> Safe:
    items = [element("li", text(line)) for line in lines]
    return element("ul", *items, cls="warnings") if items else Safe("")


def commands(lines: Sequence[str]) -> Safe:
    """Lines to type."""
    return element("pre", text("\n".join(lines))) if lines else Safe("")
