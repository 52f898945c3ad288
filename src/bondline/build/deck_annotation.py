"""What the owner of a deck asks for, in terms of the deck."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from bondline.build.deck_method import KEYS, asked_method
from bondline.core import FRAME_DOFS, Causality, Parameter
from bondline.description import ComponentSpec, Place, Problem
from bondline.description.bindings import read_number
from bondline.description.forms import TRUTH, WHOLE
from bondline.description.spec import PlugSpec
from bondline.description.units import UnitTrouble, to_si
from bondline.errors import did_you_mean
from bondline.numerics import Method

if TYPE_CHECKING:
    from bondline.leaves.fe.formats import Deck
    from bondline.leaves.fe.mesh import Indices, Mesh
    from bondline.leaves.fe.plug import Plug

TAKES = {"force": Causality.FORCE_IN, "motion": Causality.MOTION_IN}
MASSES = ("consistent", "lumped")
DRAWN = ("mesh", "stress")
SETTINGS = ("steps", "mass", "draw", "staticTime", *KEYS)


@dataclass(frozen=True, slots=True)
class How:
    """How a deck is made a leaf; `static_time`, `method` None: as the deck says."""

    steps: int = 1
    lumped: bool = False
    draw: bool = False
    skin: str = ""
    static_time: float | None = None
    method: Method | None = None


def asked_settings(part: ComponentSpec) -> tuple[How, list[Problem]]:
    """The settings, and what is wrong with the others."""
    how, problems = How(), list[Problem]()
    settings = dict(part.fe.settings) if part.fe else {}
    method, wrong = asked_method(settings)
    problems += [_wrong(part, _place(part), *told) for told in wrong]
    for key, text in settings.items():
        if key in KEYS:
            continue
        changed = _setting(how, key, text)
        if isinstance(changed, str):
            problems.append(_wrong(part, _place(part), f'{key}="{text[:60]}"', changed))
        else:
            how = changed
    return replace(how, method=method), problems


def _setting(how: How, key: str, text: str) -> How | str:
    """The settings with one more, or what would be right."""
    if key == "steps":
        count = WHOLE.read(text)
        fits = count is not None and 1 <= count <= 1_000_000
        return replace(how, steps=count) if fits else "Give a whole number, 1 or more."
    if key == "mass":
        fits = text in MASSES
        lumped = replace(how, lumped=text == "lumped")
        return lumped if fits else did_you_mean(text, MASSES)
    if key == "draw":
        return _drawn(how, text)
    if key == "staticTime":
        at = read_number(text)
        fits = at is not None and isfinite(at)
        return replace(how, static_time=at) if fits else "Give a time in seconds."
    return did_you_mean(key, SETTINGS)


def _drawn(how: How, text: str) -> How | str:
    """Nothing, the outline in every window, or the surface with or without stress."""
    from bondline.leaves.fe.skin import MARKS

    first, *more = text.split() or [""]
    if first in DRAWN:
        unknown = [word for word in more if word not in MARKS]
        if unknown:
            return did_you_mean(unknown[0], MARKS)
        return replace(how, draw=False, skin=" ".join([first, *more]))
    draw = TRUTH.read(text)
    if draw is None:
        return (
            "Give mesh or stress, with any of numbers sets supports loads behind it; "
            "true (the outline) or false."
        )
    return replace(how, draw=draw, skin="")


def declared(
    part: ComponentSpec, deck: Deck
) -> tuple[dict[str, Parameter], list[Problem]]:
    """Parameters that the deck gives as numbers, in the words of their owner.

    Those that the deck computes from others are not to be set.
    """
    found = {
        name: Parameter(name, p.value)
        for name, p in deck.parameters.items()
        if read_number(p.meaning) is not None
    }
    problems = []
    for told in part.fe.parameters if part.fe else ():
        unit = to_si(1.0, told.unit, "1")
        if told.name not in found:
            remedy = did_you_mean(told.name, found)
            problems.append(_wrong(part, told.where, f"parameter {told.name}", remedy))
        elif isinstance(unit, UnitTrouble) and not unit.known:
            problems.append(Problem("BND032", told.where, unit.finding, unit.remedy))
        else:
            found[told.name] = replace(
                found[told.name],
                unit=told.unit,
                meaning=told.meaning,
                positive=told.positive,
            )
    return found, problems


def asked_ports(
    part: ComponentSpec, mesh: Mesh
) -> tuple[dict[str, Plug], list[Problem]]:
    """Ports by name: node sets that connectors name, or that the annotation gives."""
    from bondline.leaves.fe.plug import Plug

    told = {p.name: p for p in part.fe.ports} if part.fe else {}
    plugs, problems = dict[str, Plug](), list[Problem]()
    for c in part.connectors:
        if not c.mechanical:
            continue
        spec = told.get(c.name, PlugSpec(c.name, c.name, "force", "", c.where))
        nodes = _nodes(spec.set, mesh)
        wrong = _port_problem(part, spec, nodes is not None, mesh)
        if wrong is not None:
            problems.append(wrong)
        elif nodes is not None:
            dofs = tuple(FRAME_DOFS.index(d) for d in spec.dofs.split())
            plugs[c.name] = Plug(nodes, dofs or None, TAKES[spec.takes])
    names = [c.name for c in part.connectors if c.mechanical]
    for name, spec in told.items():
        if name not in names:
            remedy = 'Give it a connector of kind="unspecified". '
            remedy += did_you_mean(name, names)
            problems.append(_wrong(part, spec.where, f"port {name}", remedy))
    return plugs, problems


def _port_problem(
    part: ComponentSpec, spec: PlugSpec, known: bool, mesh: Mesh
) -> Problem | None:
    if not known:
        finding = f"{part.name} has no node set {spec.set[:60]!r}."
        remedy = did_you_mean(spec.set, mesh.node_sets)
        return Problem("BND025", spec.where, finding, remedy)
    if spec.takes not in TAKES:
        what = f"port {spec.name} with takes={spec.takes[:60]!r}"
        return _wrong(part, spec.where, what, did_you_mean(spec.takes, TAKES))
    for d in spec.dofs.split():
        if d not in FRAME_DOFS:
            what = f"port {spec.name} with the dof {d[:60]!r}"
            return _wrong(part, spec.where, what, did_you_mean(d, FRAME_DOFS))
    return None


def asked_publish(
    part: ComponentSpec, mesh: Mesh
) -> tuple[dict[str, str], list[Problem]]:
    """What is published, as `fe_leaf` wants it told: by name."""
    from bondline.leaves.fe.stress_rows import COMPONENTS
    from bondline.leaves.fe.watching import QUANTITIES

    words = [*QUANTITIES, "stress", "reaction", *(f"stress.{c}" for c in COMPONENTS)]
    found, problems = dict[str, str](), list[Problem]()
    for p in part.fe.publish if part.fe else ():
        nodes = node_set(p.set, mesh) or _numbered(p.set, mesh)
        if nodes is None:
            remedy = "Name a node by its number, or a set. "
            remedy += did_you_mean(p.set, mesh.node_sets)
            what = f"{p.name} at the nodes {p.set[:60]!r}"
            problems.append(_wrong(part, p.where, what, remedy))
        elif p.component not in words:
            what = f"{p.name} with the component {p.component[:60]!r}"
            remedy = did_you_mean(p.component, words)
            problems.append(_wrong(part, p.where, what, remedy))
        else:
            found[p.name] = _wish(nodes, p.component)
    return found, problems


def _wish(nodes: str, component: str) -> str:
    what, dot, direction = component.partition(".")
    if what in ("stress", "reaction"):
        return f"{what}:{nodes}{dot}{direction}"
    return f"{nodes}.{component}"


def node_set(name: str, mesh: Mesh) -> str | None:
    """The set of that name as the deck spells it; case does not matter in decks."""
    known = {own.lower(): own for own in mesh.node_sets}
    return name if name in mesh.node_sets else known.get(name.lower())


def _numbered(name: str, mesh: Mesh) -> str | None:
    return name if name.isdigit() and (mesh.ids == int(name)).any() else None


def _nodes(words: str, mesh: Mesh) -> str | Indices | None:
    """A set by its name, or rows of nodes by their numbers."""
    found = node_set(words, mesh)
    if found is not None:
        return found
    each = words.split()
    if not each or any(_numbered(word, mesh) is None for word in each):
        return None
    order = np.argsort(mesh.ids)
    wanted = np.array([int(word) for word in each])
    rows: Indices = order[np.searchsorted(mesh.ids, wanted, sorter=order)]
    return rows


def _place(part: ComponentSpec) -> Place:
    return part.fe.where if part.fe else part.where


def _wrong(part: ComponentSpec, where: Place, what: str, remedy: str) -> Problem:
    finding = f"{part.name} is asked for {what}, which it does not have."
    return Problem("BND072", where, finding, remedy)
