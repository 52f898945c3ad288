"""A Kratos model part with its strategy, as `KratosStructure` uses it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import FRAME_DOFS, Matrix, Vector
from bondline.leaves.engines import engine
from bondline.leaves.kratos_part import (
    LINEAR,
    PLAIN,
    TURNING,
    Fill,
    Plan,
    Variables,
    filled,
    kratos,
    mdpa,
    node_numbers,
)
from bondline.leaves.kratos_sums import Flags, Sums, Weights

__all__ = ["Fill", "KratosModel", "Plan", "kratos", "mdpa"]

_EPS = float(np.finfo(np.float64).eps)


class KratosModel:
    """One model part, its loads at ports, and a strategy that steps it."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.names = Variables(*kratos())
        self.KM = self.names.KM
        self._open(filled(plan, self.names))

    def _open(self, model: Any) -> None:
        """Take a model for the one that steps."""
        self.model, KM = model, self.KM
        self.part = part = model["structure"]
        self.kinds = {self.names.kind(element) for element in part.Elements}
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
    def sums(self) -> Sums:
        """Sums over the elements."""
        return Sums.of(self.part, self.names)

    @cached_property
    def points(self) -> Matrix:
        """Where the nodes rest."""
        return np.array([[n.X0, n.Y0, n.Z0] for n in self.part.Nodes])

    def rows(self, port: str) -> list[int]:
        """Rows of the nodes of a port."""
        which = self.plan.sockets[port]
        found = node_numbers(self.part, self.plan.name, which)
        return [self.sums.numbers[number] for number in found]

    def put(self, y: Matrix) -> None:
        """Levels x nodes x six, into the instant that is now."""
        for pair, level in zip(self.names.levels, y, strict=True):
            self._write(pair, level)
        if not self.linear:
            move = self.KM.VariableUtils().UpdateCurrentPosition
            move(self.part.Nodes, self.KM.DISPLACEMENT)

    def load(self, f: Matrix) -> None:
        """Nodes x six: forces and moments."""
        self._write(self.names.loads, f)

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
            for pair in self.names.levels
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
        inertia = 4.0 * self.weights.heaviest * u / h**2
        return 4.0 * _EPS * (self.weights.stiffest * size + inertia)

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
        asked = [self.names.dof(self.plan.name, dof) for dof in FRAME_DOFS]
        return np.array(
            [
                [not n.HasDofFor(v) or n.IsFixed(v) for v in asked]
                for n in self.part.Nodes
            ]
        )

    @cached_property
    def exists(self) -> Flags:
        """Nodes x six: dofs that there are."""
        asked = [self.names.dof(self.plan.name, dof) for dof in FRAME_DOFS]
        return np.array([[n.HasDofFor(v) for v in asked] for n in self.part.Nodes])

    @cached_property
    def weights(self) -> Weights:
        """Masses and dampers; to be asked for first while everything rests."""
        return Weights.of(self.part, self.sums, self.held)

    def accelerations(self, v: Vector, f: Matrix) -> Matrix:
        """M a = f − C v − inner forces at the instant that is now; supports stay."""
        total = f.ravel() + self.sums.unbalanced(self.part)
        return self.weights.accelerations(v, total)

    def summed(self, how: str) -> Any:
        """A matrix of all elements, six dofs a node."""
        return self.sums.matrix(self.part, how)
