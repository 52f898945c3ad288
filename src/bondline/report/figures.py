"""All figures of a run, in the manner of wang2003 Figs. 11-17, and their captions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from bondline.report.canvas import save, svg
from bondline.report.counts import energy, gap, iterations, refreshes
from bondline.report.curves import forces, motion, plot
from bondline.report.picture import picture
from bondline.report.reference import difference
from bondline.report.select import bodies, called, joints, others
from bondline.report.studies import Study, epsilon_study, study
from bondline.report.words import number, percent
from bondline.run.certificate import certify_results
from bondline.run.checks import listed
from bondline.run.results import Results

__all__ = [
    "Plate",
    "Study",
    "energy",
    "epsilon_study",
    "forces",
    "gap",
    "iterations",
    "motion",
    "picture",
    "plates",
    "plot",
    "refreshes",
    "save",
    "study",
    "svg",
]

MOST = 6  # joints, bodies or owners drawn in one report; the rest is named
MOST_SIGNALS = 24  # of one owner


@dataclass(frozen=True)
class Plate:
    """A figure with its title and what to see in it."""

    key: str
    title: str
    caption: str
    figure: Figure


def plates(
    results: Results, reference: Results | None = None, studies: Sequence[Study] = ()
) -> list[Plate]:
    """Every figure that the run has numbers for."""
    out = [*_forces(results, reference), *_motions(results, reference)]
    out += [*_signals(results, reference), *_windows(results)]
    out += [
        Plate(f"study{k}", s.title, s.caption, study(s)) for k, s in enumerate(studies)
    ]
    return out


def _forces(results: Results, reference: Results | None) -> Iterator[Plate]:
    known = joints(results)
    for k, (joint, names) in enumerate(list(known.items())[:MOST]):
        words = _apart(results, reference, names) + _rest(len(known), "joints")
        figure = forces(results, joint, reference)
        yield Plate(f"force{k}", f"Interface force of {joint}", words, figure)


def _motions(results: Results, reference: Results | None) -> Iterator[Plate]:
    known = bodies(results)
    for k, body in enumerate(known[:MOST]):
        names = [n for n in results.signals if n.startswith(f"{body}.com.")]
        words = _apart(results, reference, names) + _rest(len(known), "bodies")
        figure = motion(results, body, reference)
        yield Plate(f"motion{k}", f"Motion of the centre of {body}", words, figure)


def _signals(results: Results, reference: Results | None) -> Iterator[Plate]:
    """What parts publish besides: angles of joints, modal coordinates, anything."""
    known = others(results)
    for k, (owner, names) in enumerate(list(known.items())[:MOST]):
        drawn = names[:MOST_SIGNALS]
        words = _apart(results, reference, drawn) + _rest(len(known), "owners")
        if len(names) > len(drawn):
            words += f" {len(names) - len(drawn)} more are not drawn."
        figure = plot(results, drawn, reference)
        yield Plate(f"signal{k}", f"Signals of {owner}", words, figure)


def _rest(count: int, what: str) -> str:
    more = f" The first {MOST} of {count} {what} are drawn; `bondline plot` draws any."
    return more if count > MOST else ""


def _apart(results: Results, reference: Results | None, names: Sequence[str]) -> str:
    if reference is None:
        whose = "the glued model's" if joints(results) else "this run's"
        return f"There is no reference to compare with; the curves are {whose}."
    common = [n for n in names if n in reference.signals]
    words = [_largest(results, reference, name) for name in common]
    if not any(words):
        return "The reference has none of these signals."
    pair = f"Thick: {called(results)}. Dashed: {reference.run}."
    start = f"{pair} Below: their difference, at most "
    return start + "; ".join(w for w in words if w) + "."


def _largest(results: Results, reference: Results, name: str) -> str:
    apart = difference(results, reference, name)
    if apart is None:
        return ""
    unit = results.units.get(name, "")
    whole = float(np.nanmax(np.abs(results.signals[name]), initial=0.0))
    size = f"{number(apart.largest, unit)}{percent(apart.largest, whole)}"
    return f"{size} in {name} at t = {apart.when:.3g} s"


def _windows(results: Results) -> Iterator[Plate]:
    alone = not joints(results)  # nothing is glued: its energy is all there is
    for key, (title, needs, draw, words) in _PER_WINDOW.items():
        told = not alone or (key == "energy" and _balanced(results))
        if told and len(results.windows.get(needs, ())):
            yield Plate(key, title, words(results), draw(results))


def _balanced(results: Results) -> bool:
    return certify_results(results).energy is not None


def _said_iterations(results: Results) -> str:
    counts = results.windows["iterations"]
    return (
        f"{np.nanmin(counts):.0f} to {np.nanmax(counts):.0f} corrections of the "
        f"interface forces a window, {np.nanmean(counts):.2f} in the mean over "
        f"{len(counts)} windows."
    )


def _said_refreshes(results: Results) -> str:
    builds = results.windows["builds"]
    again = int((builds[1:] > 0).sum())
    often = {0: "never again", len(builds) - 1: "again in every window"}
    words = often.get(again, f"again in {again} of {len(builds)} windows")
    return (
        f"The gluing matrix Λ was built {builds.sum():.0f} times: at the start, and "
        f"{words}. Each mark is a window that had to build it anew."
    )


def _said_gap(results: Results) -> str:
    worst = float(np.nanmax(np.abs(results.windows["gap"])))
    return (
        f"How far the parts are apart where they should meet, at most "
        f"{number(worst, 'm')}. A level line means that no gap builds up over time."
    )


def _said_energy(results: Results) -> str:
    told = certify_results(results)
    work = number(told.work_error or 0.0, "J")
    words = f"The gluing did {work} of work, signs left aside, where it should do none."
    words = words if joints(results) else "Nothing is glued here."
    if told.energy is None:
        who = f" ({listed(told.silent)})" if told.silent else ""
        return f"{words} Not every part reports its energy{who}: there is no balance."
    return (
        f"{words} The parts' own integrators are off by at most "
        f"{number(told.energy.defect, 'J')}; the largest energy is "
        f"{number(told.energy.largest, 'J')}."
    )


_Drawn = tuple[str, str, Callable[[Results], Figure], Callable[[Results], str]]
_PER_WINDOW: dict[str, _Drawn] = {
    "iterations": (
        "Iterations per window",
        "iterations",
        iterations,
        _said_iterations,
    ),
    "refreshes": ("Refreshes of Λ", "builds", refreshes, _said_refreshes),
    "gap": ("Gap per window", "gap", gap, _said_gap),
    "energy": ("Energy", "interface_work", energy, _said_energy),
}
