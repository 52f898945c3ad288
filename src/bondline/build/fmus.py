"""Parts that are FMUs."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.util import find_spec
from math import isclose
from pathlib import Path
from typing import TYPE_CHECKING

from bondline.core import (
    Causality,
    Model,
    Parameter,
    Passport,
    SignalPort,
)
from bondline.description import ComponentSpec, Place, Problem
from bondline.description.catalogue import Examined, FileForm
from bondline.description.fmu import (
    FmuText,
    PortText,
    Variable,
    open_fmu,
    ports_of,
    read_fmu,
    unpack,
)
from bondline.description.spec import FileSpec, FmuSpec
from bondline.description.units import scale
from bondline.errors import SettingError, did_you_mean

if TYPE_CHECKING:
    from bondline.leaves.fmu import Plug, SignalPin, Unit, Wire

ENDING = "fmu"
MEANING = "an FMU for co-simulation"


def files() -> Mapping[str, FileForm]:
    """What a model file may name as an FMU."""
    return {ENDING: FileForm(MEANING, examined)}


@lru_cache(maxsize=64)
def examined(part: ComponentSpec) -> Examined:
    """What an FMU says of itself, and what is wrong with it; nothing of it is run."""
    assert part.file is not None, "only what could be read is examined"
    text = _text(part.file)
    if isinstance(text, Problem):
        return Examined(None, (text,))
    ports, problems = ports_of(text, part.fmu.interfaces if part.fmu else ())
    unit = _unit(part, text, ports, {}, Path())
    passport = Passport(ENDING, MEANING, unit.parameters, unit.ports, unit.capabilities)
    portless = _portless(part, list(ports)) if not problems else ()
    wrong = [*problems, *_lacking(part), *portless]
    wrong += _vague(text, {v.name for p in ports.values() for v in p.variables})
    shown = [n for n, s in unit.signals.items() if not s.port.incoming]
    return Examined(passport, tuple(wrong), tuple(shown))


def _lacking(part: ComponentSpec) -> Iterator[Problem]:
    if find_spec("fmpy") is None:
        yield Problem(
            "BND100",
            part.where,
            f"{part.name} is an FMU, and fmpy, which runs them, is not installed.",
            "Install it: pip install bondline[fmi].",
        )


def _portless(part: ComponentSpec, ports: list[str]) -> Iterator[Problem]:
    for c in part.connectors:
        if c.mechanical and c.name not in ports:
            finding = f"{part.name} has no port {c.name[:60]!r}."
            yield Problem("BND025", c.where, finding, did_you_mean(c.name, ports))


@lru_cache(maxsize=64)
def _text(file: FileSpec) -> FmuText | Problem:
    packed = open_fmu(file.data, file.shown)
    return packed if isinstance(packed, Problem) else read_fmu(packed)


def make(part: ComponentSpec, values: Mapping[str, float]) -> Model:
    """The leaf of an FMU: unpacked, started, and tried whether it can be wound back."""
    from bondline.leaves.fmu.making import fmu_leaf

    assert part.file is not None, "only what could be read is made"
    text = _text(part.file)
    if isinstance(text, Problem):
        raise _setting(text)
    ports, problems = ports_of(text, part.fmu.interfaces if part.fmu else ())
    wrong = [*problems, *_resized(part, text, values)]
    if wrong:
        raise _setting(wrong[0])
    folder = Path(tempfile.mkdtemp(prefix="bondline-fmu-"))
    try:
        problem = unpack(part.file.data, part.file.shown, text.library, folder)
        if problem is not None:
            raise _setting(problem)
        unit = _unit(part, text, ports, values, folder)
        leaf = fmu_leaf(part.name, unit, text.step)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(leaf, shutil.rmtree, folder, True)
    return leaf


def _resized(
    part: ComponentSpec, text: FmuText, values: Mapping[str, float]
) -> Iterator[Problem]:
    """Ports are known before values are: sizes stay as the description has them."""
    for v in text.of("structuralParameter"):
        if v.name in values and values[v.name] != v.start:
            yield Problem(
                "BND103",
                part.where,
                f"{v.name} of {part.name} says how large arrays are, and cannot be set "
                f"to {values[v.name]:g}.",
                f"Leave it at {v.start or 0.0:g}, or export the FMU in that size.",
            )


def _setting(problem: Problem) -> SettingError:
    return SettingError(str(problem.where), problem.finding, problem.remedy)


def _unit(
    part: ComponentSpec,
    text: FmuText,
    ports: Mapping[str, PortText],
    values: Mapping[str, float],
    folder: Path,
) -> Unit:
    from bondline.leaves.fmu import Unit

    said = part.fmu or FmuSpec(Place(part.name))
    used = {v.name for port in ports.values() for v in port.variables}
    declared = dict(_parameters(text))
    return Unit(
        version=text.version,
        identifier=text.identifier,
        token=text.token,
        folder=folder,
        library=text.library,
        plugs={name: _plug(port) for name, port in ports.items()},
        signals=dict(_signals(text, used)),
        parameters={
            n: Parameter(n, values.get(n, p.value), p.unit, p.meaning)
            for n, p in declared.items()
        },
        settings=tuple(_settings(text, values)),
        saves=text.saves,
        serialises=text.saves and text.serialises,
        derivatives=text.derivatives,
        interpolates=text.interpolates,
        once=text.once,
        steps=said.steps,
        patience=said.patience,
    )


def _parameters(text: FmuText) -> Iterator[tuple[str, Parameter]]:
    for v in text.of("parameter", "structuralParameter"):
        structural = v.causality == "structuralParameter"
        if structural or (v.number and v.variability in ("fixed", "tunable")):
            meaning = "size of arrays; stays as it is" if structural else ""
            yield v.name, Parameter(v.name, v.start or 0.0, _meant(v), meaning)


def _settings(
    text: FmuText, values: Mapping[str, float]
) -> Iterator[tuple[Wire, float]]:
    """What is set before the start: arrays as a whole, for FMI sets no element."""
    arrays = {v.reference for n in values if (v := text.variables[n]).size > 1}
    for v in text.of("parameter"):
        if v.name in values:
            yield _wire(v), values[v.name]
        elif v.size > 1 and v.reference in arrays and v.start is not None:
            yield _wire(v), v.start


def _meant(v: Variable) -> str:
    """The unit, unless the FMU means something else by the name than we do."""
    known = scale(v.unit) if v.unit else None
    other = known is not None and not isclose(known, v.factor, rel_tol=1e-6)
    return "1" if other or not v.unit else v.unit


def _vague(text: FmuText, ports: set[str]) -> Iterator[Problem]:
    """Units that cannot be relied on, once each: of ports, or with two meanings."""
    told = set[str]()
    for v in text.of("input", "output", "parameter"):
        known = scale(v.unit) if v.unit and v.unit not in told else 1.0
        finding = ""
        if known is None and v.name in ports and v.factor == 1.0:
            finding = f"{v.name} is in {v.unit!r}, which is no unit known here"
            finding += ": it is taken to be SI."
        elif v.unit and v.unit not in told and _meant(v) != v.unit:
            finding = f"{v.name} is in {v.unit!r}, which the FMU defines as something "
            finding += "else than it is: its numbers are taken as they are."
        if finding:
            told.add(v.unit)
            remedy = "Name units as SI does: N, N.m, m, rad, mm, N/mm."
            yield Problem("BND138", text.where, finding, remedy, "warning")


def _signals(text: FmuText, used: set[str]) -> Iterator[tuple[str, SignalPin]]:
    from bondline.leaves.fmu import SignalPin

    for v in text.of("input", "output"):
        if v.name not in used:
            port = SignalPort(v.name, _meant(v), v.causality == "input")
            yield v.name, SignalPin(port, _wire(v), v.start or 0.0)


def _plug(port: PortText) -> Plug:
    from bondline.leaves.fmu import Plug

    levels = (port.position, port.velocity, port.acceleration)
    led = port.port.causality is Causality.MOTION_IN
    starts = tuple(v.start or 0.0 for level in levels for v in level)
    return Plug(
        port.port,
        force=_wires(port.force),
        x=_wires(port.position),
        v=_wires(port.velocity),
        a=_wires(port.acceleration),
        turn=_wires(port.turn),
        at=starts if led else (),
    )


def _wires(variables: tuple[Variable, ...]) -> tuple[Wire, ...]:
    return tuple(map(_wire, variables))


def _wire(variable: Variable) -> Wire:
    from bondline.leaves.fmu import Wire

    v = variable
    return Wire(v.reference, v.kind, v.element, v.size)
