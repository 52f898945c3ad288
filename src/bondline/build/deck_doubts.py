"""What is doubtful about decks: other units than SI, loads that the step misses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import pi
from typing import TYPE_CHECKING

import numpy as np

from bondline.build.catalogue import catalogue
from bondline.build.component import components
from bondline.build.deck_annotation import asked_settings
from bondline.build.decks import modelled, readers
from bondline.description import ComponentSpec, ModelSpec, Place, Problem, numbers
from bondline.description.spec import FileSpec
from bondline.errors import DeckError

if TYPE_CHECKING:
    from bondline.leaves.fe.model import FeModel
    from bondline.leaves.fe.sections import Material
    from bondline.leaves.histories import History

_LIGHT = (1e-11, 1e-7)  # t/mm³: from foam to tungsten; no solid is as light in kg/m³
_SOFT = (1.0, 5e6)  # MPa: from rubber to diamond; in Pa softer than rubber
_HUGE = 50.0  # m
_CARDS = {"inp": r"\*(DENSITY|ELASTIC)", "bdf": r"MAT1"}
Values = Mapping[str, float]


def doubtful(spec: ModelSpec, step: float | None) -> list[Problem]:
    """Warnings about the decks of a model that is run with windows of `step` s."""
    values, _ = numbers(spec.system, catalogue())
    found = []
    for name, part in components(spec.system):
        if part.file is not None and part.file.ending in readers():
            found += list(_of_part(name, part, values, step))
    return found


def _of_part(
    name: str, part: ComponentSpec, values: Values, step: float | None
) -> Iterator[Problem]:
    prefix = f"{name}."
    own = {n.removeprefix(prefix): v for n, v in values.items() if n.startswith(prefix)}
    try:
        model = modelled(part, tuple(sorted(own.items())))[0].model
    except DeckError:
        return  # told as a problem
    assert part.file is not None
    yield from _units(part.file, model)
    if step is not None:
        inner = step / asked_settings(part)[0].steps
        yield from _missed(name, part.file, model, inner)


def _units(file: FileSpec, model: FeModel) -> Iterator[Problem]:
    size = float(np.ptp(model.mesh.points, axis=0).max(initial=0.0))
    for material in _materials(model):
        if not in_millimetres(material, size):
            continue
        density = f" and the density {material.rho:.4g}" if material.rho else ""
        yield Problem(
            "BND056",
            _card(file),
            f"E = {material.E:.4g}{density} of material {material.name}, in a part of "
            f"{size:.4g} m, look like N, mm, t and s.",
            "Decks are in SI units, and nothing in a deck says otherwise: give lengths "
            "in m (times 1e-3), E and pressures in Pa (times 1e6), densities in kg/m³ "
            "(times 1e12), masses in kg (times 1e3), moments in N m (times 1e-3).",
            "warning",
        )
        return


def _materials(model: FeModel) -> list[Material]:
    each = [getattr(b.section, "material", None) for b in model.mesh.blocks]
    return list(dict.fromkeys(m for m in each if m is not None))


def in_millimetres(material: Material, size: float) -> bool:
    """Whether a material looks like N, mm and t, in a part of that size."""
    soft = _SOFT[0] <= material.E <= _SOFT[1]
    if material.rho:
        return soft and _LIGHT[0] <= material.rho <= _LIGHT[1]
    return soft and size > _HUGE


def _card(file: FileSpec) -> Place:
    """The line of the deck that says what the material is."""
    ending = "inp" if file.ending == "inp" else "bdf"
    text = file.data.decode("utf-8", errors="replace")
    found = re.search(rf"^{_CARDS[ending]}", text, re.MULTILINE | re.IGNORECASE)
    if found is None:
        return Place(file.shown)
    return Place(file.shown, text.count("\n", 0, found.start()) + 1, 1)


def _missed(
    name: str, file: FileSpec, model: FeModel, step: float
) -> Iterator[Problem]:
    """Loads and supports that turn round within a step: ωh > π (Nyquist)."""
    acting = [load.history for load in model.loads]
    acting += [support.history for support in model.supports if support.value]
    quickest = max((_highest(h) for h in acting), default=0.0)
    if quickest * step <= pi:
        return
    yield Problem(
        "BND057",
        Place(file.shown),
        f"{name} is loaded at {quickest / (2.0 * pi):.4g} Hz, and steps of "
        f"{step:.4g} s see at most {0.5 / step:.4g} Hz: what is computed has another "
        "frequency.",
        f"Take a step of at most {0.1 * pi / quickest:.2g} s, a twentieth of a period.",
        "warning",
    )


def _highest(history: History) -> float:
    """The highest ω with an amplitude; 0 for what is not harmonic."""
    from bondline.leaves.histories import Harmonic

    if not isinstance(history, Harmonic):
        return 0.0
    terms = max((len(c) for c in (history.a, history.b)), default=0)
    present = [
        n + 1 for n in range(terms) for c in (history.a, history.b) if any(c[n : n + 1])
    ]
    return max(present, default=0) * abs(history.omega)
