"""Supports, links and loads as cards."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from math import ceil

import numpy as np

from bondline.leaves.fe.formats.deck import Analysis
from bondline.leaves.fe.formats.inp.pen import Pen, spans
from bondline.leaves.fe.formats.inp.write_mesh import write_surface
from bondline.leaves.fe.links import ALL, Equation, Interpolation, RigidLink
from bondline.leaves.fe.loads import Gravity, Load, NodalForce, Pressure
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import (
    Constant,
    Harmonic,
    History,
    Table,
    at_rest,
)

FINEST = 200_000  # points of a sampled history


def write_links(pen: Pen) -> None:
    """Rigid links, interpolations and equations."""
    for link in pen.model.links:
        match link:
            case RigidLink():
                _rigid(pen, link)
            case Interpolation():
                _spread(pen, link)
            case Equation():
                pen.card("EQUATION")
                pen.row(len(link.nodes))
                terms = zip(pen.ids(link.nodes), link.components,
                            link.coefficients.tolist(), strict=True)  # fmt: skip
                pen.rows(chain(*((n, c + 1, k) for n, c, k in terms)), width=12)


def _rigid(pen: Pen, link: RigidLink) -> None:
    (master,) = pen.ids(link.master)
    if pen.dialect == "abaqus":
        pen.card("KINEMATIC COUPLING", REF_NODE=master)
        for first, last in spans(link.components):
            for number in pen.ids(link.slaves):
                pen.row(number, first, last)
    elif link.components == ALL:
        name = _nset(pen, link)
        pen.card("RIGID BODY", NSET=name, REF_NODE=master)
    else:
        raise pen.impossible(
            "it has rigid links of all six dofs only.", "Use the dialect 'abaqus'."
        )


def _nset(pen: Pen, link: RigidLink) -> str:
    """The node set that has just the slaves, or a new one."""
    mesh = pen.model.mesh
    slaves = mesh.rows(pen.model.name, link.slaves)
    for name, rows in mesh.node_sets.items():
        if np.array_equal(rows, slaves):
            return name
    name = pen.name("RIGID")
    pen.card("NSET", NSET=name)
    pen.rows(pen.ids(slaves))
    return name


def _spread(pen: Pen, link: Interpolation) -> None:
    if pen.dialect == "calculix":
        raise pen.impossible(
            "interpolations are not written for it.", "Use the dialect 'abaqus'."
        )
    name = pen.name("SPREAD")
    pen.card("SURFACE", NAME=name, TYPE="NODE")
    for number, weight in zip(pen.ids(link.nodes), link.weights.tolist(), strict=True):
        pen.row(number, weight)
    (reference,) = pen.ids(link.reference)
    pen.card("COUPLING", CONSTRAINT_NAME=name, REF_NODE=reference, SURFACE=name)
    pen.card("DISTRIBUTING")
    for first, last in spans(link.components):
        pen.row(first, last)


def write_supports(pen: Pen, supports: Iterable[Support], named: Named) -> None:
    """*BOUNDARY, node by node."""
    for support in supports:
        value, options = named.scaled(support.value, support.history)
        pen.card("BOUNDARY", **options)
        for number in pen.ids(support.nodes):
            for first, last in spans(support.components):
                pen.row(number, first, last, *[value] if support.value else [])


def write_initial(pen: Pen) -> None:
    """*INITIAL CONDITIONS."""
    for start in pen.model.initial:
        kinds = ("DISPLACEMENT", start.displacement), ("VELOCITY", start.velocity)
        for kind, value in kinds:
            if value:
                pen.card("INITIAL CONDITIONS", TYPE=kind)
                for number in pen.ids(start.nodes):
                    pen.row(number, start.component + 1, value)


def write_pressed(pen: Pen) -> dict[int, str]:
    """A surface for every pressure, by the pressure's place among the loads."""
    found: dict[int, str] = {}
    for i, load in enumerate(pen.model.loads):
        if isinstance(load, Pressure):
            found[i] = _surface(pen, load)
    return found


def _surface(pen: Pen, load: Pressure) -> str:
    mesh = pen.model.mesh
    wanted = mesh.faces(pen.model.name, load.faces)
    for name, faces in mesh.face_sets.items():
        if np.array_equal(faces, wanted):
            return name
    name = pen.name("PRESSED")
    write_surface(pen, name, wanted.tolist())
    return name


def write_load(pen: Pen, load: Load, named: Named, on: str) -> None:
    """A load; `on` is the surface of a pressure, or the elements of gravity."""
    match load:
        case NodalForce():
            value, options = named.scaled(load.value, load.history)
            pen.card("CLOAD", **options)
            for number in pen.ids(load.nodes):
                pen.row(number, load.component + 1, value)
        case Pressure():
            value, options = named.scaled(load.value, load.history)
            pen.card("DSLOAD", **options)
            pen.row(on, "P", value)
        case Gravity():
            size = float(np.linalg.norm(load.vector))
            value, options = named.scaled(size, load.history)
            pen.card("DLOAD", **options)
            pen.row(on, "GRAV", value, *load.vector.tolist())


class Named:
    """Histories of a model, and their amplitudes in the deck."""

    def __init__(self, pen: Pen, analysis: Analysis) -> None:
        self.pen, self.analysis = pen, analysis
        self.names: dict[History, str] = {}

    def write(self) -> None:
        """An *AMPLITUDE for each history that is not constant."""
        model = self.pen.model
        for thing in (*model.supports, *model.loads):
            history = thing.history
            if isinstance(history, Constant) or history in self.names:
                continue
            self.names[history] = self.pen.name("AMPLITUDE")
            self._write(self.names[history], history)

    def scaled(self, value: float, history: History) -> tuple[float, dict[str, str]]:
        """The value with a constant history in it, or the option that names it."""
        if isinstance(history, Constant):
            return value * history.value, {}
        return value, {"AMPLITUDE": self.names[history]}

    def _write(self, name: str, history: History) -> None:
        pen = self.pen
        at, static = pen.model.static_time, self.analysis.kind == "static"
        if at is None and static:
            history = self._sampled(history)
        if isinstance(history, Harmonic) and pen.dialect == "abaqus":
            terms = max(len(history.a), len(history.b))
            a = (*history.a, *[0.0] * (terms - len(history.a)))
            b = (*history.b, *[0.0] * (terms - len(history.b)))
            pen.card("AMPLITUDE", NAME=name, DEFINITION="PERIODIC")
            pen.row(terms, history.omega, history.t0, history.a0)
            pen.rows(chain(*zip(a, b, strict=True)))
            return
        table = history if isinstance(history, Table) else self._sampled(history)
        pen.card("AMPLITUDE", NAME=name)
        pen.rows(map(float, chain(*zip(table.times, table.values, strict=True))))

    def _sampled(self, history: History) -> Table:
        """The values at the steps of the analysis: exact where it looks."""
        t1, dt = self.analysis.t1, self.analysis.dt
        if self.analysis.kind != "dynamic":
            at = self.pen.model.static_time
            value = at_rest(history) if at is None else history.at(at)[0]
            return Table((0.0, t1), (value,) * 2)
        count = ceil(t1 / dt - 1e-9)
        if count > FINEST:
            raise self.pen.impossible(
                f"a history would have {count} points.", "Give fewer, larger steps."
            )
        times = tuple(dt * i for i in range(count + 1))
        return Table(times, tuple(history.at(t)[0] for t in times))
