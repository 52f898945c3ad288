"""Can the parts be glued at two rates?"""

from __future__ import annotations

from collections.abc import Iterator

from bondline.description.catalogue import Catalogue
from bondline.description.place import Problem
from bondline.description.ports import coupling_of
from bondline.description.spec import RatesSpec, SystemSpec
from bondline.errors import did_you_mean

_RANGES = {"ratio": (1, 1_000_000), "order": (1, 3)}
_FORMS = ("residual", "paper")


def check_rates(system: SystemSpec, catalogue: Catalogue) -> Iterator[Problem]:
    """The rates of one system, if it has any."""
    rates = system.gluing.rates if system.gluing else None
    if rates is None:
        return
    yield from _fast(system, rates)
    yield from _settings(rates)
    coupling = coupling_of(system, catalogue)
    if coupling not in (None, "T-T"):
        yield Problem(
            "BND058",
            rates.where,
            f"two rates, and the coupling is {coupling}.",
            "Let all ports at the joints take forces (T-T), or leave g:rates out.",
        )


def _fast(system: SystemSpec, rates: RatesSpec) -> Iterator[Problem]:
    names = [element.name for element in system.elements]
    if rates.fast not in names:
        finding = f"no element {rates.fast[:200]!r} that could be fast."
        remedy = did_you_mean(rates.fast, names)
        yield Problem("BND058", rates.where, finding, remedy)
        return
    for joint in system.gluing.joints if system.gluing else ():
        joined = [side.element for side in joint.sides]
        if joined and rates.fast not in joined:
            yield Problem(
                "BND058",
                joint.where,
                f"joint {joint.name} joins {' and '.join(joined)}, which are both "
                f"slow: only {rates.fast} is fast.",
                "Put the parts that go at one rate into a nested system.",
            )


def _settings(rates: RatesSpec) -> Iterator[Problem]:
    for key, (least, most) in _RANGES.items():
        value = getattr(rates, key)
        if not least <= value <= most:
            yield Problem(
                "BND043",
                rates.where,
                f"{key} is {value}.",
                f"Give a whole number from {least} to {most}.",
            )
    if rates.form not in _FORMS:
        yield Problem(
            "BND044",
            rates.where,
            f'no such choice: form="{rates.form[:200]}".',
            did_you_mean(rates.form, _FORMS),
        )
