"""From a checked description to a model that runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bondline.build.broken import demand
from bondline.build.catalogue import catalogue
from bondline.build.kinds import kinds
from bondline.core import Connection, InterfaceSolver, Model, Port, PortRef
from bondline.description import (
    ComponentSpec,
    GluingSpec,
    JointSpec,
    ModelSpec,
    Place,
    SystemSpec,
    check,
    numbers,
    refuse,
)
from bondline.errors import SettingError, WiringError
from bondline.gluing import (
    TT,
    IntegratedModel,
    Probe,
    Tie,
    choose_solver,
    default_scheme,
    scheme,
)


def build(spec: ModelSpec) -> IntegratedModel:
    """The integrated model that `spec` describes.

    `DescriptionError` if `check` finds errors; `WiringError` or `SettingError`, with
    the place in the file, where the parts do not go together.
    """
    demand(spec)
    problems = check(spec, catalogue())
    if any(p.fatal for p in problems):
        raise refuse(problems)
    try:
        return assemble(spec)
    except Misfit as misfit:
        where, error = misfit.where, misfit.error
        place = f"{where}: {error.place}"
        raise type(error)(place, error.finding, error.remedy) from error


class Misfit(Exception):
    """Parts that do not go together, and the place that says they should."""

    def __init__(self, where: Place, error: WiringError | SettingError) -> None:
        super().__init__(str(where), error)
        self.where, self.error = where, error


def assemble(spec: ModelSpec) -> IntegratedModel:
    """The same of a description without errors; raises `Misfit`."""
    values, _ = numbers(spec.system, catalogue())
    root = replace(spec.system, name=spec.name or spec.system.name)
    return _system(root, values, "")


def _system(
    system: SystemSpec, values: Mapping[str, float], path: str
) -> IntegratedModel:
    gluing = system.gluing or GluingSpec(system.where)
    parts = {e.name: _part(e, values, path) for e in system.elements}
    try:
        return IntegratedModel(
            system.name,
            parts,
            [_joint(joint, parts) for joint in gluing.joints],
            _coupling(gluing, parts),
            _solver(gluing),
            exports={
                name: PortRef(side.element, side.connector)
                for name, side in system.exports.items()
            },
            windows=gluing.windows,
        )
    except (WiringError, SettingError) as error:
        raise Misfit(gluing.where, error) from error


def _part(
    element: ComponentSpec | SystemSpec, values: Mapping[str, float], path: str
) -> Model:
    prefix = f"{path}{element.name}."
    if isinstance(element, SystemSpec):
        return _system(element, values, prefix)
    own = {
        name.removeprefix(prefix): number
        for name, number in values.items()
        if name.startswith(prefix)
    }
    try:
        return kinds()[element.kind or ""].make(element.name, **own)
    except (WiringError, SettingError) as error:
        raise Misfit(element.where, error) from error


def _joint(joint: JointSpec, parts: Mapping[str, Model]) -> Connection:
    ends = tuple(PortRef(side.element, side.connector) for side in joint.sides)
    port = parts[ends[0].part].ports[ends[0].port]
    dofs = port.dofs * port.nodes if isinstance(port, Port) else ()
    return Tie(joint.name, ends, dofs)


def _coupling(gluing: GluingSpec, parts: Mapping[str, Model]) -> TT:
    chosen = scheme(gluing.scheme) if gluing.scheme else default_scheme(parts)
    if gluing.epsilon is None:
        return TT(chosen)
    return TT(chosen, Probe(epsilon=gluing.epsilon))


def _solver(gluing: GluingSpec) -> InterfaceSolver[Any]:
    given: dict[str, Any] = {
        "tolerance": gluing.tolerance,
        "force_tolerance": gluing.force_tolerance,
        "max_iterations": gluing.max_iterations,
        "refresh": gluing.refresh,
        "update": gluing.update,
    }
    return choose_solver(**{k: v for k, v in given.items() if v is not None})
