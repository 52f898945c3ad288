"""*STEP with *STATIC, *FREQUENCY or *DYNAMIC."""

from __future__ import annotations

from bondline.leaves.fe.formats.deck import Analysis
from bondline.leaves.fe.formats.inp.card import Card
from bondline.leaves.fe.formats.inp.work import Work
from bondline.leaves.histories import STEADY, Table

PROCEDURES = ("STATIC", "FREQUENCY", "DYNAMIC")


def step(card: Card, work: Work) -> None:
    """What a step computes; loads and supports are read by their own cards."""
    if card.options.get("NLGEOM", "NO").upper() not in ("NO",):
        raise card.wrong(
            "it asks for large displacements (NLGEOM).",
            "Leave NLGEOM away: statics and dynamics are linear here.",
        )
    found = [under for under in card.under if under.title in PROCEDURES]
    if len(found) != 1:
        raise card.wrong(
            f"the step has {len(found)} procedures.",
            "Give one of *STATIC, *FREQUENCY, *DYNAMIC in every step.",
        )
    analysis = READ[found[0].title](found[0], card.options.get("NAME", ""))
    work.steps.append(analysis)
    if analysis.kind == "dynamic" and "DIRECT" not in found[0].options:
        work.draft.note(f"{found[0].place}: all steps are as long as the first.")
    ramped = card.choice("AMPLITUDE", ("STEP", "RAMP"), "STEP") == "RAMP"
    if ramped and analysis.kind == "dynamic":
        work.ramps[card.step] = Table((0.0, analysis.t1), (0.0, 1.0))
    else:
        work.ramps[card.step] = STEADY


def static(card: Card, name: str) -> Analysis:
    """First increment, duration."""
    for row in card.rows():
        return Analysis("static", t1=row.positive(1, "the duration", 1.0), name=name)
    return Analysis("static", name=name)


def frequency(card: Card, name: str) -> Analysis:
    """How many modes."""
    row = card.row(0, "the number of modes")
    return Analysis("frequency", modes=row.label(0, "the number of modes"), name=name)


def dynamic(card: Card, name: str) -> Analysis:
    """Step size, duration; ALPHA of the HHT method is -0.05 unless told."""
    if "EXPLICIT" in card.options:
        raise card.wrong("it is explicit.", "Leave EXPLICIT away and give a step size.")
    card.choice("APPLICATION", ("TRANSIENT FIDELITY",), "TRANSIENT FIDELITY")
    row = card.row(0, "the line with step size and duration")
    dt, t1 = row.positive(0, "the step size"), row.positive(1, "the duration")
    alpha = card.number("ALPHA", -0.05)
    if not -1 / 3 <= alpha <= 0.0:
        raise card.wrong(f"ALPHA is {alpha:g}.", "Give one from -1/3 to 0.")
    if dt > t1:
        raise row.wrong(
            f"the step {dt:g} is longer than the duration {t1:g}.",
            "Give a shorter one.",
        )
    return Analysis("dynamic", dt, t1, alpha + 0.0, name=name)


READ = {"STATIC": static, "FREQUENCY": frequency, "DYNAMIC": dynamic}
