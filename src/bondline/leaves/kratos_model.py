"""A Kratos model part with its strategy, as `KratosStructure` uses it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csc_array
from scipy.sparse.linalg import splu

from bondline.core import FRAME_DOFS, Matrix, Vector
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.engines import attempted, engine
from bondline.leaves.fe.mesh import Indices

LINEAR = re.compile(
    r"SmallDisplacement|TrussLinear|NodalConcentrated|(?!.*Corotational).*Shell"
)
PLAIN = re.compile(f"{LINEAR.pattern}|TotalLagrangian|TrussElement")
TURNING = re.compile(".*(Shell|Beam)")
_EPS = float(np.finfo(np.float64).eps)
Fill = Callable[[Any], None]
Flags: TypeAlias = NDArray[np.bool_]


def kratos() -> tuple[Any, Any]:
    """Kratos and its structural application; one thread, so that sums keep order."""
    names = ("", ".StructuralMechanicsApplication", ".LinearSolversApplication")
    KM, SM, _ = engine("kratos", *(f"KratosMultiphysics{name}" for name in names))
    KM.Logger.GetDefaultOutput().SetSeverity(KM.Logger.Severity.WARNING)
    KM.ParallelUtilities.SetNumThreads(1)
    return KM, SM


def mdpa(text: str, shown: str = "mesh.mdpa") -> Fill:
    """Fills a model part with the nodes, elements and sets of an mdpa file."""

    def fill(part: Any) -> None:
        KM, _ = kratos()
        with TemporaryDirectory(prefix="bondline-") as folder:
            file = Path(folder) / "mesh"
            file.with_suffix(".mdpa").write_text(text, encoding="utf-8")
            attempted(
                shown,
                lambda: KM.ModelPartIO(str(file)).ReadModelPart(part),
                "Correct the mdpa file; Kratos says where it stopped.",
            )

    return fill


@dataclass(frozen=True, eq=False)
class Plan:
    """What a model part is made of, and how it goes in time."""

    name: str
    fill: Fill
    sockets: Mapping[str, str | Sequence[int]]
    held: Mapping[str, Sequence[str]]
    gravity: tuple[float, float, float]
    bossak: float
    tolerance: float
    patience: int
    lumped: bool = True  # masses of shells


class KratosModel:
    """One model part, its loads at ports, and a strategy that steps it."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.KM, self.SM = kratos()
        self._open(self._filled())

    def _filled(self) -> Any:
        KM, model = self.KM, self.KM.Model()
        part = model.CreateModelPart("structure", 2)
        part.ProcessInfo[KM.DOMAIN_SIZE] = 3
        for pair in self.levels:
            for variable in pair:
                part.AddNodalSolutionStepVariable(variable)
        for variable in (KM.REACTION, KM.REACTION_MOMENT, KM.VOLUME_ACCELERATION):
            part.AddNodalSolutionStepVariable(variable)
        for variable in self.loads:
            part.AddNodalSolutionStepVariable(variable)
        self.plan.fill(part)
        self._complete(part)
        return model

    def _complete(self, part: Any) -> None:
        """Dofs, supports, weight, and conditions that take the forces of ports."""
        if not part.NumberOfElements():
            raise SettingError(
                self.plan.name, "it has no elements.", "Fill the model part with some."
            )
        self._refuse_broken(part)
        turning = self._turning(part)
        self._share_masses(part, bool(turning))
        self._free(part, turning)
        for place, dofs in self.plan.held.items():
            for number in self._set(part, place):
                for dof in dofs:
                    part.Nodes[number].Fix(self.variable(dof))
        self._conditions(part, turning)

    def _free(self, part: Any, turning: set[int]) -> None:
        """Dofs and weight of all nodes."""
        KM = self.KM
        for node in part.Nodes:
            for name in ("DISPLACEMENT", "ROTATION")[: 1 + (node.Id in turning)]:
                other = "REACTION" if name == "DISPLACEMENT" else "REACTION_MOMENT"
                for c in "XYZ":
                    node.AddDof(_of(KM, name, c), _of(KM, other, c))
            gravity = list(self.plan.gravity)
            for k in (0, 1):
                node.SetSolutionStepValue(KM.VOLUME_ACCELERATION, k, gravity)

    def _turning(self, part: Any) -> set[int]:
        """Numbers of the nodes that turn."""
        shells = [e for e in part.Elements if TURNING.match(self._kind(e))]
        return {node.Id for element in shells for node in element.GetNodes()}

    def _share_masses(self, part: Any, turning: bool) -> None:
        """Lumped for shells: else tangents would hold turns, which no force answers.

        Consistent for solids: lumped ones go by the volume of the moment.
        """
        for properties in part.Properties:
            lumped = turning and self.plan.lumped
            properties[self.KM.COMPUTE_LUMPED_MASS_MATRIX] = lumped

    def _refuse_broken(self, part: Any) -> None:
        """Shells that write beyond their matrices (seen in Kratos 10.4)."""
        broken = {k for k in map(self._kind, part.Elements) if k.startswith("MITC")}
        if broken:
            raise SettingError(
                self.plan.name,
                f"{min(broken)} overwrites memory in dynamics of this Kratos.",
                "Take shells with three nodes: ShellThinElement3D3N is linear, "
                "ShellThickElementCorotational3D3N is not.",
            )

    def _conditions(self, part: Any, turning: set[int]) -> None:
        first = max((c.Id for c in part.Conditions), default=0) + 1
        bare = part.CreateNewProperties(
            max((p.Id for p in part.Properties), default=0) + 1
        )
        numbers = {n for s in self.plan.sockets.values() for n in self._set(part, s)}
        kinds = [("PointLoadCondition3D1N", n) for n in sorted(numbers)]
        kinds += [("PointMomentCondition3D1N", n) for n in sorted(numbers & turning)]
        for k, (kind, number) in enumerate(kinds):
            part.CreateNewCondition(kind, first + k, [number], bare)

    def _set(self, part: Any, which: str | Sequence[int]) -> list[int]:
        """Numbers of the nodes of a set, or those that are given."""
        place = self.plan.name
        if isinstance(which, str):
            if not part.HasSubModelPart(which):
                known = [p.Name for p in part.SubModelParts]
                raise SettingError(
                    place, f"there is no set {which!r}.", did_you_mean(which, known)
                )
            return [node.Id for node in part.GetSubModelPart(which).Nodes]
        for number in which:
            if not part.HasNode(int(number)):
                raise SettingError(
                    place, f"there is no node {number}.", "Nodes count from 1."
                )
        return [int(number) for number in which]

    def _kind(self, element: Any) -> str:
        named = self.KM.CompareElementsAndConditionsUtility.GetRegisteredName(element)
        return str(named)

    def _open(self, model: Any) -> None:
        """Take a model for the one that steps."""
        self.model, KM = model, self.KM
        self.part = part = model["structure"]
        self.kinds = {self._kind(element) for element in part.Elements}
        self.linear = all(LINEAR.match(kind) for kind in self.kinds)
        self.keeps = not all(PLAIN.match(kind) for kind in self.kinds)
        self.turns = any(TURNING.match(kind) for kind in self.kinds)
        (linear,) = engine("kratos", "KratosMultiphysics.python_linear_solver_factory")
        asked = KM.Parameters('{"solver_type": "LinearSolversApplication.sparse_lu"}')
        self.builder = KM.ResidualBasedBlockBuilderAndSolver(
            linear.ConstructSolver(asked)
        )
        self.scheme = KM.ResidualBasedBossakDisplacementScheme(self.plan.bossak)
        once = KM.ResidualCriteria(1e-300, 1e-300)  # one iteration a call, no verdict
        self.strategy = KM.ResidualBasedNewtonRaphsonStrategy(
            part, self.scheme, once, self.builder, 1, False, False, not self.linear
        )
        self.strategy.SetEchoLevel(0)
        self.strategy.Initialize()

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Rows of the nodes by their numbers."""
        return {node.Id: k for k, node in enumerate(self.part.Nodes)}

    @cached_property
    def points(self) -> Matrix:
        """Where the nodes rest."""
        return np.array([[n.X0, n.Y0, n.Z0] for n in self.part.Nodes])

    @cached_property
    def lines(self) -> list[list[int]]:
        """Rows of the nodes of each element."""
        return [[self.numbers[n.Id] for n in e.GetNodes()] for e in self.part.Elements]

    def rows(self, port: str) -> list[int]:
        """Rows of the nodes of a port."""
        which = self.plan.sockets[port]
        return [self.numbers[number] for number in self._set(self.part, which)]

    def variable(self, dof: str) -> Any:
        """The variable of a dof: x … rz."""
        if dof not in FRAME_DOFS:
            raise SettingError(
                f"{self.plan.name}: dofs",
                f"there is no dof {dof!r}.",
                did_you_mean(dof, FRAME_DOFS),
            )
        name = "DISPLACEMENT" if dof in FRAME_DOFS[:3] else "ROTATION"
        return _of(self.KM, name, dof[-1].upper())

    @cached_property
    def levels(self) -> tuple[tuple[Any, Any], ...]:
        """Variables for shifts and turns: places, rates, second rates."""
        KM = self.KM
        return (
            (KM.DISPLACEMENT, KM.ROTATION),
            (KM.VELOCITY, KM.ANGULAR_VELOCITY),
            (KM.ACCELERATION, KM.ANGULAR_ACCELERATION),
        )

    @cached_property
    def loads(self) -> tuple[Any, Any]:
        """Variables for forces and moments on nodes."""
        return self.SM.POINT_LOAD, self.SM.POINT_MOMENT

    def put(self, y: Matrix) -> None:
        """Levels x nodes x six, into the instant that is now."""
        for pair, level in zip(self.levels, y, strict=True):
            self._write(pair, level)
        if not self.linear:
            move = self.KM.VariableUtils().UpdateCurrentPosition
            move(self.part.Nodes, self.KM.DISPLACEMENT)

    def load(self, f: Matrix) -> None:
        """Nodes x six: forces and moments."""
        self._write(self.loads, f)

    def _write(self, pair: tuple[Any, Any], values: Matrix) -> None:
        put, nodes = self.KM.VariableUtils(), self.part.Nodes
        for variable, each in zip(pair, (values[:, :3], values[:, 3:]), strict=True):
            given = self.KM.Vector(each.ravel().tolist())
            put.SetSolutionStepValuesVector(nodes, variable, given, 0)

    def get(self) -> Matrix:
        """Levels x nodes x six, now."""
        get, nodes = self.KM.VariableUtils(), self.part.Nodes
        read = [
            [np.array(get.GetSolutionStepValuesVector(nodes, v, 0, 3)) for v in pair]
            for pair in self.levels
        ]
        return np.array(
            [np.column_stack([y.reshape(-1, 3) for y in pair]) for pair in read]
        )

    def step(self, t: float, h: float, f: Matrix) -> bool:
        """One step of length `h` to `t` under loads at its end; whether it converged.

        Points of the mesh move along where elements are not linear.
        """
        KM, strategy = self.KM, self.strategy
        self.part.CloneTimeStep(t)
        self.part.ProcessInfo[KM.DELTA_TIME] = h
        self.load(f)
        strategy.InitializeSolutionStep()
        strategy.Predict()
        converged = self._iterate()
        strategy.FinalizeSolutionStep()
        return converged

    def _iterate(self) -> bool:
        """Newton's iterations, until forces balance or only round-off is left."""
        first = last = self._off()
        least = self._noise()
        if first == 0.0:  # Kratos would print that there is nothing to solve
            return True
        if self.linear and not self.turns:
            self.strategy.SolveSolutionStep()
            return self._off() < np.inf
        for _ in range(self.plan.patience):
            if last <= least:
                return True
            self.strategy.SolveSolutionStep()
            off = self._off()
            if not off < np.inf:
                return False
            stalled = off >= 0.5 * last and off <= 1e-6 * first
            if off <= self.plan.tolerance * first or stalled:
                return True
            last = off
        return False

    def _off(self) -> float:
        """The largest force out of balance."""
        b = self.KM.Vector(self.builder.GetEquationSystemSize())
        b.fill(0.0)
        self.builder.BuildRHS(self.scheme, self.part, b)
        return float(np.abs(np.array(b)).max())

    def _noise(self) -> float:
        """Forces that round-off makes, of strains and of inertia."""
        h = float(self.part.ProcessInfo[self.KM.DELTA_TIME])
        size = float(np.ptp(self.points, axis=0).max())
        u = float(np.abs(self.get()[0]).max())
        return 4.0 * _EPS * (self._stiffest * size + 4.0 * self._heaviest * u / h**2)

    def keep(self) -> bytes:
        """All of it as bytes, for elements that remember."""
        saving = self.KM.StreamSerializer()
        saving.Save("model", self.model)
        data: bytes = saving.__getstate__()[0]
        return data

    def bring_back(self, data: bytes) -> None:
        """What `keep` wrote, in this process."""
        KM, model = self.KM, self.KM.Model()
        loading = KM.StreamSerializer.__new__(KM.StreamSerializer)
        loading.__setstate__((data, KM.SerializerTraceType.SERIALIZER_NO_TRACE))
        loading.Load("model", model)
        model["structure"].ProcessInfo[KM.IS_RESTARTED] = True
        self._open(model)

    @cached_property
    def held(self) -> Flags:
        """Nodes x six: dofs that do not exist, or that supports hold."""
        asked = [self.variable(dof) for dof in FRAME_DOFS]
        return np.array(
            [
                [not n.HasDofFor(v) or n.IsFixed(v) for v in asked]
                for n in self.part.Nodes
            ]
        )

    @cached_property
    def exists(self) -> Flags:
        """Nodes x six: dofs that there are."""
        asked = [self.variable(dof) for dof in FRAME_DOFS]
        return np.array([[n.HasDofFor(v) for v in asked] for n in self.part.Nodes])

    def accelerations(self, v: Vector, f: Matrix) -> Matrix:
        """M a = f − C v − inner forces at the instant that is now; supports stay."""
        n = len(self.points)
        total = f.ravel() + self._unbalanced() - self._damping @ v
        a, (rows, factor) = np.zeros(6 * n), self._mass
        a[rows] = factor.solve(total[rows])
        return a.reshape(n, 6)

    def weigh(self) -> None:
        """Find masses and dampers while everything rests."""
        _ = self._mass, self._damping, self._heaviest, self._stiffest

    def _unbalanced(self) -> Vector:
        """Own loads less inner forces, summed over the elements."""
        total, info = np.zeros(6 * len(self.points)), self.part.ProcessInfo
        for element, rows in zip(self.part.Elements, self._places, strict=True):
            b = self.KM.Vector()
            element.CalculateRightHandSide(b, info)
            np.add.at(total, rows, np.array(b))
        return total

    @cached_property
    def _places(self) -> list[list[int]]:
        """Rows of the dofs of each element, node by node."""
        found = []
        for element, nodes in zip(self.part.Elements, self.lines, strict=True):
            each = 6 if TURNING.match(self._kind(element)) else 3
            found.append([6 * n + c for n in nodes for c in range(each)])
        return found

    @cached_property
    def _mass(self) -> tuple[Indices, Any]:
        """Dofs that have mass and are free, and a factor of their M.

        Turns have none: Kratos' schemes do not integrate them.
        """
        M = self.summed("CalculateMassMatrix")
        heavy = (M.diagonal() > 0.0) & (np.arange(len(self.held.ravel())) % 6 < 3)
        rows = np.flatnonzero(heavy & ~self.held.ravel())
        return rows, splu(csc_array(M[rows][:, rows]))

    @cached_property
    def _stiffest(self) -> float:
        return float(self.summed("CalculateLeftHandSide").diagonal().max())

    @cached_property
    def _heaviest(self) -> float:
        return float(self.summed("CalculateMassMatrix").diagonal().max())

    @cached_property
    def _damping(self) -> Any:
        return self.summed("CalculateDampingMatrix")

    def summed(self, how: str) -> Any:
        """A matrix of all elements, six dofs a node."""
        n, entries = 6 * len(self.points), []
        for element, rows in zip(self.part.Elements, self._places, strict=True):
            A = self.KM.Matrix(len(rows), len(rows))  # shells do not size it
            A.fill(0.0)
            getattr(element, how)(A, self.part.ProcessInfo)
            made = np.array(A)
            if made.size:
                i, j = np.meshgrid(rows, rows, indexing="ij")
                entries.append((made.ravel(), i.ravel(), j.ravel()))
        if not entries:
            return csc_array((n, n))
        values, i, j = (np.concatenate(x) for x in zip(*entries, strict=True))
        return csc_array(coo_array((values, (i, j)), shape=(n, n)))


def _of(KM: Any, name: str, c: str) -> Any:
    return getattr(KM, f"{name}_{c}")
