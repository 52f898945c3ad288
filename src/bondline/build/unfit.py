"""Ports and outputs that a model file names, and that a partner's model does not have.

A file may declare what it likes of a part whose inside is elsewhere: only its owner's
model says what there is. Every problem has the place of the file that relies on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bondline.core import Model, Observing, Port, SignalPort
from bondline.description import ModelSpec, Problem, SystemSpec
from bondline.description.spec import SideSpec
from bondline.errors import BondlineError, did_you_mean

_Elsewhere = Mapping[str, Model]  # models of partners, by the parts they stand for
_Side = tuple[str, str, SideSpec, Model]  # what refers to it, whole name, end, model


def unfit(spec: ModelSpec, elsewhere: _Elsewhere) -> list[Problem]:
    """One problem for each end of a joint, and each port of a system, that is not."""
    return [
        _no_port(what, name, side, model)
        for what, name, side, model in _sides(spec.system, elsewhere, _ported)
        if not isinstance(model.ports.get(side.connector), Port)
    ]


def unpublished(spec: ModelSpec, elsewhere: _Elsewhere) -> list[Problem]:
    """One for each output of a system that the owner does not publish.

    Owners who let nobody start the model are not asked: a run will tell.
    """
    shown: dict[str, list[str] | None] = {}
    found = []
    for what, name, side, model in _sides(spec.system, elsewhere, _shown):
        if isinstance(model.ports.get(side.connector), SignalPort):
            continue
        if name not in shown:
            shown[name] = _published(model, spec.start)
        known = shown[name]
        if known is not None and side.connector not in known:
            found.append(_not_shown(what, name, side, known))
    return found


def _published(model: Model, t0: float) -> list[str] | None:
    """Names of what is seen of its start; None if nobody may know."""
    if not isinstance(model, Observing):
        return []
    try:
        return list(model.observe(model.start(t0).state))
    except BondlineError:
        return None


_Ends = Callable[[SystemSpec], Iterator[tuple[str, SideSpec]]]


def _sides(
    system: SystemSpec, elsewhere: _Elsewhere, ends: _Ends, path: str = ""
) -> Iterator[_Side]:
    """Those ends that are at partners', of systems that are here."""
    for what, side in ends(system):
        name = f"{path}{side.element}"
        if name in elsewhere:
            yield what, name, side, elsewhere[name]
    for element in system.elements:
        name = f"{path}{element.name}"
        if isinstance(element, SystemSpec) and name not in elsewhere:
            yield from _sides(element, elsewhere, ends, f"{name}.")


def _ported(system: SystemSpec) -> Iterator[tuple[str, SideSpec]]:
    for joint in system.gluing.joints if system.gluing else ():
        for side in joint.sides:
            yield f"joint {joint.name}", side
    for port, side in system.exports.items():
        yield f"port {port} of {system.name}", side


def _shown(system: SystemSpec) -> Iterator[tuple[str, SideSpec]]:
    for output, side in system.outputs.items():
        yield f"output {output} of {system.name}", side


def _no_port(what: str, name: str, side: SideSpec, model: Model) -> Problem:
    ports = [n for n, p in model.ports.items() if isinstance(p, Port)]
    return Problem(
        "BND084",
        side.where,
        f"{what} needs port {side.connector} of {name}, and the model at its "
        "partner's has no such port, or shows it to others only.",
        f"{did_you_mean(side.connector, ports)} Correct it here, or address and model "
        f"under [parts.{name}] in the placement file, or ask its owner for the port.",
    )


def _not_shown(what: str, name: str, side: SideSpec, known: list[str]) -> Problem:
    near = did_you_mean(side.connector, known) if known else "It publishes nothing."
    return Problem(
        "BND085",
        side.where,
        f"{what} is {side.connector} of {name}, which its owner does not publish.",
        f"{near} Ask its owner to name it among the observables of the policy, or "
        "take the output away here.",
    )
