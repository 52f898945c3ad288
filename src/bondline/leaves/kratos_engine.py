"""The Kratos model behind a `KratosFrame`: set before each call, read after it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import SettingError


@dataclass(frozen=True, eq=False)
class Frame:
    """Points in the plane and beams between rows of them.

    `area` and `inertia` are one number a beam; damping is Rayleigh's α M + β K.
    """

    points: Matrix
    pairs: Matrix
    area: Vector
    inertia: Vector
    E: float = 210e9
    density: float = 7850.0
    alpha: float = 0.0
    beta: float = 0.0


class Instant(Protocol):
    """Displacements, velocities and accelerations, three numbers a node."""

    @property
    def u(self) -> Vector:
        """x, y and the turn of each node."""
        ...

    @property
    def v(self) -> Vector:
        """Their rates."""
        ...

    @property
    def a(self) -> Vector:
        """Their second rates."""
        ...


class Found(NamedTuple):
    """An instant after a call, and how far it is from balance."""

    u: Vector
    v: Vector
    a: Vector
    residual: float


def modules() -> tuple[Any, Any]:
    """Kratos and its structural application, or how to get them."""
    try:
        import KratosMultiphysics
        import KratosMultiphysics.StructuralMechanicsApplication as Structural
    except ImportError as error:
        raise SettingError(
            "KratosFrame",
            f"Kratos cannot be imported ({error}).",
            "Install it: pip install 'bondline[kratos]'.",
        ) from error
    log = KratosMultiphysics.Logger
    log.GetDefaultOutput().SetSeverity(log.Severity.WARNING)
    return KratosMultiphysics, Structural


class Engine:
    """One Kratos model part with its strategy; holds nothing that is not set again."""

    def __init__(
        self,
        frame: Frame,
        loaded: tuple[int, ...],
        bossak: float,
        heavy: dict[int, float],
    ) -> None:
        self.frame, self.loaded, self.heavy = frame, loaded, heavy
        self.core, self.structural = modules()
        self._model = self.core.Model()
        self.part = self._model.CreateModelPart("frame", 2)
        self._fill()
        KM = self.core
        self.scheme = KM.ResidualBasedBossakDisplacementScheme(bossak)
        self.builder = KM.ResidualBasedBlockBuilderAndSolver(
            KM.SkylineLUFactorizationSolver()
        )
        once = KM.ResidualCriteria(1e-300, 1e-300)  # one iteration a call, no verdict
        self.strategy = KM.ResidualBasedNewtonRaphsonStrategy(
            self.part, self.scheme, once, self.builder, 1, False, False, True
        )
        self.strategy.SetEchoLevel(0)
        self.strategy.Initialize()
        self._h = 0.0

    def _fill(self) -> None:
        """Nodes, beams, nodal masses and loads."""
        KM, SM, part = self.core, self.structural, self.part
        part.ProcessInfo[KM.DOMAIN_SIZE] = 2
        for name in ("DISPLACEMENT", "VELOCITY", "ACCELERATION", "REACTION"):
            part.AddNodalSolutionStepVariable(getattr(KM, name))
        for name in ("ROTATION", "ANGULAR_VELOCITY", "ANGULAR_ACCELERATION"):
            part.AddNodalSolutionStepVariable(getattr(KM, name))
        part.AddNodalSolutionStepVariable(KM.REACTION_MOMENT)
        part.AddNodalSolutionStepVariable(KM.VOLUME_ACCELERATION)
        part.AddNodalSolutionStepVariable(SM.POINT_LOAD)
        for k, (x, y) in enumerate(self.frame.points.tolist()):
            part.CreateNewNode(k + 1, x, y, 0.0)
        for k, (a, b) in enumerate(self.frame.pairs.tolist()):
            section = self._section(k)
            ends = [a + 1, b + 1]
            part.CreateNewElement("CrBeamElement2D2N", k + 1, ends, section)
        self._weigh()
        for k, node in enumerate(self.loaded):
            part.CreateNewCondition(
                "PointLoadCondition2D1N", k + 1, [node + 1], section
            )
        for node in part.Nodes:
            node.AddDof(KM.DISPLACEMENT_X, KM.REACTION_X)
            node.AddDof(KM.DISPLACEMENT_Y, KM.REACTION_Y)
            node.AddDof(KM.ROTATION_Z, KM.REACTION_MOMENT_Z)
        part.SetBufferSize(2)

    def _section(self, k: int) -> Any:
        KM, SM, f = self.core, self.structural, self.frame
        made = self.part.CreateNewProperties(k + 1)
        made[KM.YOUNG_MODULUS], made[KM.POISSON_RATIO] = f.E, 0.3
        made[KM.DENSITY] = f.density
        made[SM.CROSS_AREA], made[SM.I33] = float(f.area[k]), float(f.inertia[k])
        made[SM.RAYLEIGH_ALPHA], made[SM.RAYLEIGH_BETA] = f.alpha, f.beta
        made[KM.COMPUTE_LUMPED_MASS_MATRIX] = True
        made[KM.CONSTITUTIVE_LAW] = SM.BeamConstitutiveLaw()
        return made

    def _weigh(self) -> None:
        """Large masses: nodal masses of Kratos."""
        first = len(self.frame.pairs) + 1
        plain = self.part.CreateNewProperties(first)
        for k, (node, mass) in enumerate(self.heavy.items()):
            made = self.part.CreateNewElement(
                "NodalConcentratedElement2D1N", first + k, [node + 1], plain
            )
            made.SetValue(self.core.NODAL_MASS, mass)

    @cached_property
    def masses(self) -> Vector:
        """Of all dofs, ballast included; turns have none."""
        return self._lumped(len(list(self.part.Elements)))

    @cached_property
    def _bare(self) -> Vector:
        return self._lumped(len(self.frame.pairs))

    @property
    def weighs(self) -> float:
        """In kg, without ballast."""
        return float(self._bare[0::3].sum())

    def _lumped(self, count: int) -> Vector:
        """Masses of the first `count` elements, beams before ballast."""
        total, KM = np.zeros(3 * len(self.frame.points)), self.core
        for k, element in enumerate(self.part.Elements):
            if k < count:
                M = KM.Matrix()
                element.CalculateMassMatrix(M, self.part.ProcessInfo)
                diagonal = np.array(M).diagonal()
                np.add.at(total, self._rows(element, len(diagonal)), diagonal)
        return total

    def _rows(self, element: Any, size: int) -> list[int]:
        nodes = [3 * (node.Id - 1) for node in element.GetNodes()]
        each = size // len(nodes)
        return [n + c for n in nodes for c in range(each)]

    @cached_property
    def _levels(self) -> tuple[tuple[Any, Any], ...]:
        """Variables of Kratos for shifts and turns: places, rates, second rates."""
        KM = self.core
        return (
            (KM.DISPLACEMENT, KM.ROTATION),
            (KM.VELOCITY, KM.ANGULAR_VELOCITY),
            (KM.ACCELERATION, KM.ANGULAR_ACCELERATION),
        )

    def _put(self, now: Instant, step: int) -> None:
        """Into one of the two instants that Kratos keeps."""
        put, nodes = self.core.VariableUtils(), self.part.Nodes
        for (shift, turn), y in zip(self._levels, (now.u, now.v, now.a), strict=True):
            wide = np.zeros((2, len(self.frame.points), 3))
            each = y.reshape(-1, 3)
            wide[0, :, :2], wide[1, :, 2] = each[:, :2], each[:, 2]
            for variable, values in zip((shift, turn), wide, strict=True):
                given = self.core.Vector(values.ravel().tolist())
                put.SetSolutionStepValuesVector(nodes, variable, given, step)

    def _get(self) -> tuple[Vector, Vector, Vector]:
        get, nodes, found = self.core.VariableUtils(), self.part.Nodes, list[Vector]()
        for pair in self._levels:
            shift, turn = (
                np.array(get.GetSolutionStepValuesVector(nodes, variable, 0, 3))
                for variable in pair
            )
            each = shift.reshape(-1, 3)
            each[:, 2] = turn.reshape(-1, 3)[:, 2]
            found.append(each.ravel())
        return found[0], found[1], found[2]

    def _set(self, before: Instant, now: Instant, h: float, loads: Matrix) -> None:
        """All that a call depends on."""
        KM, SM = self.core, self.structural
        self._put(before, 1)
        self._put(now, 0)
        for node, (x, y) in zip(self.loaded, loads.tolist(), strict=True):
            self.part.Nodes[node + 1].SetSolutionStepValue(SM.POINT_LOAD, [x, y, 0.0])
        self.part.ProcessInfo[KM.DELTA_TIME] = h
        self.strategy.InitializeSolutionStep()
        if h != self._h:  # weights of the scheme follow the step
            s = self.strategy
            system = s.GetSystemMatrix(), s.GetSolutionVector(), s.GetSystemVector()
            self.scheme.InitializeSolutionStep(self.part, *system)
            self._h = h

    def predicted(self, start: Instant, h: float, loads: Matrix) -> Found:
        """By Kratos' own predictor."""
        self._set(start, start, h, loads)
        self.strategy.Predict()
        return self._found()

    def corrected(self, start: Instant, now: Instant, h: float, loads: Matrix) -> Found:
        """One iteration of its Newton strategy."""
        self._set(start, now, h, loads)
        self.strategy.SolveSolutionStep()
        return self._found()

    def _found(self) -> Found:
        """What is there now; out of balance over inner forces and own inertia."""
        u, v, a = self._get()
        b = self.core.Vector(3 * len(self.frame.points))
        b.fill(0.0)
        self.builder.BuildRHS(self.scheme, self.part, b)
        force = max(
            float(np.abs(self._inner()).max(initial=0.0)),
            float(np.abs(self._bare * a).max(initial=0.0)),
        )
        off = float(np.abs(np.array(b)).max())
        return Found(u, v, a, off / force if force else (np.inf if off else 0.0))

    def _inner(self) -> Vector:
        """Forces of beams on their ends, element by element."""
        found = []
        for k, element in enumerate(self.part.Elements):
            if k < len(self.frame.pairs):
                f = self.core.Vector()
                element.CalculateRightHandSide(f, self.part.ProcessInfo)
                found.append(np.array(f))
        return np.array(found)

    def accelerations(self, u: Vector, v: Vector, loads: Vector) -> Vector:
        """At one instant: M a = p − f − C v, damping by mass only."""
        self._put(Found(u, v, np.zeros_like(u), 0.0), 0)
        f = loads - self.frame.alpha * self._bare * v
        for rows, inner in zip(self._ends, self._inner(), strict=True):
            np.add.at(f, rows, inner)
        m = self.masses
        return np.where(m > 0.0, f / np.where(m > 0.0, m, 1.0), 0.0)

    @cached_property
    def _ends(self) -> list[list[int]]:
        elements = list(self.part.Elements)[: len(self.frame.pairs)]
        return [self._rows(e, 6) for e in elements]
