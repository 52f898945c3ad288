"""What is doubtful about decks: other units than SI, loads that the step misses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from bondline.build.catalogue import catalogue
from bondline.build.component import components
from bondline.build.deck_annotation import asked_settings
from bondline.build.decks import modelled, readers
from bondline.build.doubts import in_millimetres, missed, units
from bondline.build.leaf_doubts import leaf_doubts
from bondline.description import ComponentSpec, ModelSpec, Place, Problem, numbers
from bondline.description.spec import LEAF_ENDING, FileSpec
from bondline.errors import DeckError

if TYPE_CHECKING:
    from bondline.leaves.fe.model import FeModel
    from bondline.leaves.fe.sections import Material
    from bondline.leaves.histories import History

_CARDS = {"inp": r"\*(DENSITY|ELASTIC)", "bdf": r"MAT1"}
Values = Mapping[str, float]


def doubtful(spec: ModelSpec, step: float | None) -> list[Problem]:
    """Warnings about the decks of a model that is run with windows of `step` s."""
    values, _ = numbers(spec.system, catalogue())
    found = []
    for name, part in components(spec.system):
        own = _own(name, values)
        if part.file is not None and part.file.ending in readers():
            found += list(_of_part(name, part, own, step))
        elif part.file is not None and part.file.ending == LEAF_ENDING:
            found += list(leaf_doubts(part, own, step))
    return found


def _own(name: str, values: Values) -> Values:
    """The values of a part, by their names in it."""
    prefix = f"{name}."
    return {
        n.removeprefix(prefix): v for n, v in values.items() if n.startswith(prefix)
    }


def _of_part(
    name: str, part: ComponentSpec, own: Values, step: float | None
) -> Iterator[Problem]:
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
        yield units(_card(file), material, f", in a part of {size:.4g} m,", "Decks")
        return


def _materials(model: FeModel) -> list[Material]:
    each = [getattr(b.section, "material", None) for b in model.mesh.blocks]
    return list(dict.fromkeys(m for m in each if m is not None))


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
    """Loads and supports that turn round within a step."""
    acting = [load.history for load in model.loads]
    acting += [support.history for support in model.supports if support.value]
    quickest = max((_highest(h) for h in acting), default=0.0)
    problem = missed(Place(file.shown), name, quickest, step)
    if problem is not None:
        yield problem


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
