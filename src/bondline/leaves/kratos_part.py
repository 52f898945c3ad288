"""Model parts of Kratos: filled, held, and ready for forces at ports."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bondline.core import FRAME_DOFS
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.engines import attempted, engine

LINEAR = re.compile(
    r"SmallDisplacement|TrussLinear|NodalConcentrated|(?!.*Corotational).*Shell"
)
PLAIN = re.compile(f"{LINEAR.pattern}|TotalLagrangian|TrussElement")
TURNING = re.compile(".*(Shell|Beam)")
Fill = Callable[[Any], None]


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


@dataclass(frozen=True, eq=False)
class Variables:
    """What Kratos calls the values of nodes."""

    KM: Any
    SM: Any

    @cached_property
    def levels(self) -> tuple[tuple[Any, Any], ...]:
        """For shifts and turns: places, rates, second rates."""
        KM = self.KM
        return (
            (KM.DISPLACEMENT, KM.ROTATION),
            (KM.VELOCITY, KM.ANGULAR_VELOCITY),
            (KM.ACCELERATION, KM.ANGULAR_ACCELERATION),
        )

    @cached_property
    def loads(self) -> tuple[Any, Any]:
        """For forces and moments on nodes."""
        return self.SM.POINT_LOAD, self.SM.POINT_MOMENT

    @cached_property
    def every(self) -> tuple[Any, ...]:
        """All that a node must have."""
        KM = self.KM
        inner = KM.REACTION, KM.REACTION_MOMENT, KM.VOLUME_ACCELERATION
        return (*(v for pair in self.levels for v in pair), *inner, *self.loads)

    def component(self, name: str, c: str) -> Any:
        """One of three: X, Y or Z."""
        return getattr(self.KM, f"{name}_{c}")

    def dof(self, place: str, dof: str) -> Any:
        """That of a dof: x … rz."""
        if dof not in FRAME_DOFS:
            raise SettingError(
                f"{place}: dofs",
                f"there is no dof {dof!r}.",
                did_you_mean(dof, FRAME_DOFS),
            )
        name = "DISPLACEMENT" if dof in FRAME_DOFS[:3] else "ROTATION"
        return self.component(name, dof[-1].upper())

    def kind(self, element: Any) -> str:
        """What Kratos calls an element."""
        named = self.KM.CompareElementsAndConditionsUtility.GetRegisteredName(element)
        return str(named)


def filled(plan: Plan, names: Variables) -> Any:
    """A model with one part, which is made as `plan` says."""
    model = names.KM.Model()
    part = model.CreateModelPart("structure", 2)
    part.ProcessInfo[names.KM.DOMAIN_SIZE] = 3
    for variable in names.every:
        part.AddNodalSolutionStepVariable(variable)
    plan.fill(part)
    _complete(part, plan, names)
    return model


def node_numbers(part: Any, place: str, which: str | Sequence[int]) -> list[int]:
    """Those of the nodes of a set, or those that are given."""
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


def _complete(part: Any, plan: Plan, names: Variables) -> None:
    """Dofs, supports, weight, and conditions that take the forces of ports."""
    if not part.NumberOfElements():
        raise SettingError(
            plan.name, "it has no elements.", "Fill the model part with some."
        )
    kinds = [names.kind(element) for element in part.Elements]
    _refuse_broken(plan.name, kinds)
    turning = _turning(part, kinds)
    _share_masses(part, names, bool(turning) and plan.lumped)
    _free(part, plan, names, turning)
    for place, dofs in plan.held.items():
        for number in node_numbers(part, plan.name, place):
            for dof in dofs:
                part.Nodes[number].Fix(names.dof(plan.name, dof))
    _take_forces(part, plan, turning)


def _refuse_broken(place: str, kinds: Sequence[str]) -> None:
    """Shells that write beyond their matrices (seen in Kratos 10.4)."""
    broken = {kind for kind in kinds if kind.startswith("MITC")}
    if broken:
        raise SettingError(
            place,
            f"{min(broken)} overwrites memory in dynamics of this Kratos.",
            "Take shells with three nodes: ShellThinElement3D3N is linear, "
            "ShellThickElementCorotational3D3N is not.",
        )


def _turning(part: Any, kinds: Sequence[str]) -> set[int]:
    """Numbers of the nodes that turn."""
    pairs = zip(part.Elements, kinds, strict=True)
    shells = [element for element, kind in pairs if TURNING.match(kind)]
    return {node.Id for element in shells for node in element.GetNodes()}


def _share_masses(part: Any, names: Variables, lumped: bool) -> None:
    """Lumped for shells: else tangents would hold turns, which no force answers.

    Consistent for solids: lumped ones go by the volume of the moment.
    """
    for properties in part.Properties:
        properties[names.KM.COMPUTE_LUMPED_MASS_MATRIX] = lumped


def _free(part: Any, plan: Plan, names: Variables, turning: set[int]) -> None:
    """Dofs and weight of all nodes."""
    pairs = ("DISPLACEMENT", "REACTION"), ("ROTATION", "REACTION_MOMENT")
    for node in part.Nodes:
        for name, other in pairs[: 1 + (node.Id in turning)]:
            for c in "XYZ":
                node.AddDof(names.component(name, c), names.component(other, c))
        gravity = list(plan.gravity)
        for k in (0, 1):
            node.SetSolutionStepValue(names.KM.VOLUME_ACCELERATION, k, gravity)


def _take_forces(part: Any, plan: Plan, turning: set[int]) -> None:
    """Conditions at the nodes of all ports."""
    first = max((c.Id for c in part.Conditions), default=0) + 1
    bare = part.CreateNewProperties(max((p.Id for p in part.Properties), default=0) + 1)
    sets = [node_numbers(part, plan.name, s) for s in plan.sockets.values()]
    numbers = {number for each in sets for number in each}
    kinds = [("PointLoadCondition3D1N", n) for n in sorted(numbers)]
    kinds += [("PointMomentCondition3D1N", n) for n in sorted(numbers & turning)]
    for k, (kind, number) in enumerate(kinds):
        part.CreateNewCondition(kind, first + k, [number], bare)
