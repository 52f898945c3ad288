"""From a checked description to a model that runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from bondline.build.broken import demand
from bondline.build.catalogue import catalogue
from bondline.build.from_file import make as make_from_file
from bondline.build.given import CAUSALITY
from bondline.build.kinds import kinds
from bondline.build.unfit import unfit
from bondline.build.wiring import wire
from bondline.core import (
    Alone,
    Connection,
    Crew,
    Model,
    Port,
    PortRef,
    SignalPort,
)
from bondline.description import (
    Catalogue,
    ComponentSpec,
    ConnectionSpec,
    GluingSpec,
    JointForm,
    JointSpec,
    ModelSpec,
    Place,
    RatesSpec,
    SystemSpec,
    check,
    numbers,
    refuse,
)
from bondline.description.settings import joint_settings, solver_settings
from bondline.description.spec import REMOTE
from bondline.errors import SettingError, Unplaced, WiringError
from bondline.gluing import IntegratedModel, Probe
from bondline.gluing.crew import Threads, Turns
from bondline.gluing.pacing import Pace
from bondline.gluing.signals import Wire
from bondline.gluing.strategy import Wish, strategy

Elsewhere = Mapping[str, Model]  # models of partners, by the parts they stand for


def build(spec: ModelSpec, elsewhere: Elsewhere | None = None) -> IntegratedModel:
    """The integrated model that `spec` describes.

    Parts named in `elsewhere` (`rear.axle`) are not made but taken from there.
    `DescriptionError` if `check` finds errors; `WiringError` or `SettingError`, with
    the place in the file, where the parts do not go together.
    """
    _demand_sound(spec, elsewhere or {})
    with _placed():
        return assemble(spec, elsewhere)


def _demand_sound(spec: ModelSpec, elsewhere: Elsewhere) -> None:
    demand(spec)
    # what ports take may depend on values that are set: the parts made so are judged
    problems = [p for p in check(spec, catalogue()) if p.code != CAUSALITY]
    problems += unfit(spec, elsewhere)
    if any(p.fatal for p in problems):
        raise refuse(problems)


@contextmanager
def _placed() -> Iterator[None]:
    """A misfit becomes an error that has the place in the file."""
    try:
        yield
    except Misfit as misfit:
        where, error = misfit.where, misfit.error
        place = f"{where}: {error.place}"
        raise type(error)(place, error.finding, error.remedy) from error


def build_part(
    spec: ModelSpec, part: str, elsewhere: Elsewhere | None = None
) -> Model | None:
    """The part `rear.axle` and nothing beside it, which may stay with its owner.

    None if the description has no such part; errors as those of `build`.
    """
    _demand_sound(spec, {})  # beside it nothing needs to fit
    element: ComponentSpec | SystemSpec | None = spec.system
    for name in part.split("."):
        inside = element.elements if isinstance(element, SystemSpec) else ()
        element = next((e for e in inside if e.name == name), None)
    if element is None:
        return None
    values, _ = numbers(spec.system, catalogue())
    with _placed():
        path = part.removesuffix(element.name)
        return _part(element, _Known(values, elsewhere or {}), path)


class Misfit(Exception):
    """Parts that do not go together, and the place that says they should."""

    def __init__(self, where: Place, error: WiringError | SettingError) -> None:
        super().__init__(str(where), error)
        self.where, self.error = where, error


def assemble(spec: ModelSpec, elsewhere: Elsewhere | None = None) -> IntegratedModel:
    """The same of a description without errors; raises `Misfit`."""
    values, _ = numbers(spec.system, catalogue())
    root = replace(spec.system, name=spec.name or spec.system.name)
    return _system(root, _Known(values, elsewhere or {}), "")


class _Known(NamedTuple):
    """What is known by full names (`rear.axle`): numbers, and models of partners."""

    values: Mapping[str, float]
    elsewhere: Elsewhere


def _system(system: SystemSpec, known: _Known, path: str) -> IntegratedModel:
    gluing, forms = system.gluing or GluingSpec(system.where), catalogue()
    parts = {e.name: _part(e, known, path) for e in system.elements}
    joints = [_joint(joint, parts, forms.joints) for joint in gluing.joints]
    try:
        chosen = strategy(parts, joints, _wish(gluing, forms))
        return IntegratedModel(
            system.name,
            parts,
            joints,
            chosen.coupling,
            chosen.solver,
            exports=_exports(system, parts),
            windows=gluing.windows,
            crew=_crew(gluing, [f"{path}{name}" in known.elsewhere for name in parts]),
            why=chosen.why,
            pace=_pace(gluing),
            start_from=gluing.start or "given",
            block=gluing.block,
            waveform=gluing.waveform,
            outputs={
                name: PortRef(side.element, side.connector)
                for name, side in system.outputs.items()
            },
            wires=[_wire(c, system, parts) for c in system.wires],
            signals=gluing.signals or "hold",
        )
    except (WiringError, SettingError) as error:
        raise Misfit(gluing.where, error) from error


def _exports(system: SystemSpec, parts: Mapping[str, Model]) -> dict[str, PortRef]:
    """Ports that the outside sees, and signals of parts that have them as such."""
    signals = {**system.inputs, **system.outputs}
    own = {
        name: side
        for name, side in signals.items()
        if isinstance(parts[side.element].ports.get(side.connector), SignalPort)
    }
    return {
        name: PortRef(side.element, side.connector)
        for name, side in {**system.exports, **own}.items()
    }


def _wire(
    connection: ConnectionSpec, system: SystemSpec, parts: Mapping[str, Model]
) -> Wire:
    try:
        return wire(connection, system, parts)
    except SettingError as error:
        raise Misfit(connection.where, error) from error


def _crew(gluing: GluingSpec, elsewhere: Sequence[bool]) -> Crew:
    """Partners are asked side by side, so that a window waits for the slowest only."""
    if elsewhere and all(elsewhere):
        return Turns()
    count = max(gluing.threads, sum(elsewhere))
    return Threads(count, waits=any(elsewhere)) if count > 1 else Alone()


def _part(element: ComponentSpec | SystemSpec, known: _Known, path: str) -> Model:
    full = f"{path}{element.name}"
    prefix = f"{full}."
    if full in known.elsewhere:
        return known.elsewhere[full]
    if isinstance(element, SystemSpec):
        return _system(element, known, prefix)
    if element.kind == REMOTE:
        raise Misfit(element.where, _nowhere(full))
    own = {
        name.removeprefix(prefix): number
        for name, number in known.values.items()
        if name.startswith(prefix)
    }
    try:
        if element.file is not None:
            return make_from_file(element, own)
        return kinds()[element.kind or ""].make(element.name, **own)
    except (WiringError, SettingError) as error:
        raise Misfit(element.where, error) from error


def _nowhere(name: str) -> Unplaced:
    return Unplaced(
        f"part {name}",
        "its model stays with its owner, and nobody said where that is.",
        f"Give --placement FILE, with the address under [parts.{name}].",
    )


def _joint(
    joint: JointSpec, parts: Mapping[str, Model], exact: Mapping[str, JointForm]
) -> Connection:
    """With the ports that the parts have, which may say more than their passports."""
    ends = tuple(PortRef(side.element, side.connector) for side in joint.sides)
    ports = [parts[end.part].ports[end.port] for end in ends]
    known = [port for port in ports if isinstance(port, Port)]
    kind = exact[joint.kind]
    try:
        made = kind.make(joint.name, ends, known, **joint_settings(joint, kind)[0])
        made.suits(f"joint {joint.name}", known)
    except (WiringError, SettingError) as error:
        raise Misfit(joint.where, error) from error
    return made


def _pace(gluing: GluingSpec) -> Pace | None:
    if gluing.adaptive is None:
        return None
    how: dict[str, Any] = {"estimate": gluing.estimate} if gluing.estimate else {}
    return Pace(gluing.adaptive, **how)


def _wish(gluing: GluingSpec, known: Catalogue) -> Wish:
    return Wish(
        coupling=gluing.method,
        scheme=gluing.scheme,
        solver=gluing.solver,
        settings=solver_settings(gluing, known)[0],
        probe=None if gluing.epsilon is None else Probe(epsilon=gluing.epsilon),
        rates=_rates(gluing.rates),
    )


def _rates(rates: RatesSpec | None) -> dict[str, Any] | None:
    if rates is None:
        return None
    own = {key: getattr(rates, key) for key in ("fast", "order", "form", "iterate")}
    return {**own, "windows": rates.ratio}
