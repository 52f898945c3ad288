"""Choosing signals of a run by name or by pattern, and saying what they measure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from bondline.core import Vector
from bondline.errors import UsageError, did_you_mean
from bondline.run.results import Results

_QUANTITIES = {
    "m": "position",
    "m/s": "velocity",
    "m/s2": "acceleration",
    "rad": "angle",
    "rad/s": "angular velocity",
    "N": "force",
    "N.m": "moment",
    "J": "energy",
    "W": "power",
    "kg": "mass",
    "s": "time",
}


def select(results: Results, wanted: str | Sequence[str]) -> tuple[str, ...]:
    """Names of the signals that match, each once, in the order asked for."""
    patterns = (wanted,) if isinstance(wanted, str) else tuple(wanted)
    found = (name for pattern in patterns for name in _matching(results, pattern))
    return tuple(dict.fromkeys(found))


def _matching(results: Results, pattern: str) -> list[str]:
    if pattern in results.signals:
        return [pattern]
    names = [name for name in results.signals if fnmatchcase(name, pattern)]
    if not names:
        raise UsageError(
            f"run {results.run}",
            f"there is no signal {pattern!r}.",
            did_you_mean(pattern, results.signals),
        )
    return names


def per_window(results: Results, name: str) -> Vector:
    """The numbers a run kept for each window under this name."""
    if name not in results.windows:
        raise UsageError(
            f"run {results.run}",
            f"nothing was kept under {name!r} for its windows.",
            did_you_mean(name, results.windows),
        )
    return results.windows[name]


def by_unit(results: Results, names: Iterable[str]) -> dict[str, list[str]]:
    """The names, those with the same unit together."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(results.units.get(name, ""), []).append(name)
    return groups


def axis_label(unit: str) -> str:
    """What an axis in this unit says.

    >>> axis_label("N")
    'force [N]'
    """
    return f"{_QUANTITIES.get(unit, 'value')} [{unit or '-'}]"


def joints(results: Results) -> dict[str, tuple[str, ...]]:
    """The joints whose forces a run recorded, and their signals.

    A joint's signals are `joint.A.Fx`, or `left.joint.A.Fx` inside a nested model. A
    joint of three sides has two forces, `joint.A.left.Fx` and `joint.A.top.Fx`: each
    counts as a joint here. What else a model publishes under the name of a joint,
    `joint.A.x`, is no force.
    """
    found: dict[str, list[str]] = {}
    for name in results.signals:
        stem, _, component = name.rpartition(".")
        if ".joint." in f".{stem}" and component.startswith(("F", "M")):
            found.setdefault(stem, []).append(name)
    return {joint: tuple(names) for joint, names in found.items()}


def others(results: Results) -> dict[str, tuple[str, ...]]:
    """What is neither a joint's force nor the motion of a centre, by what it is of.

    Names without a dot are of the model.
    """
    known = {name for names in joints(results).values() for name in names}
    centres = tuple(f"{body}.com." for body in bodies(results))
    found: dict[str, list[str]] = {}
    for name in results.signals:
        if name not in known and not (centres and name.startswith(centres)):
            owner = name.rpartition(".")[0] or results.model
            found.setdefault(owner, []).append(name)
    return {owner: tuple(names) for owner, names in found.items()}


def called(results: Results) -> str:
    """What curves of a run are called beside a reference: glued, or by its name."""
    return "glued" if joints(results) else results.run


def bodies(results: Results) -> tuple[str, ...]:
    """The parts that publish the motion of their centre, `part.com.x`."""
    stems = (n.removesuffix(".com.x") for n in results.signals if n.endswith(".com.x"))
    return tuple(stems)
