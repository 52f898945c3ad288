"""Kratos StructuralMechanics on the models of `frame_case`: frequencies.

Its thin quadrilateral (Kirchhoff's plate) is asked: the thick one of release 10.4.4
writes past its memory on these meshes and ends the process.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from frame_case import Shells
from frame_process import Code, answer

THIN = "ShellThinElementCorotational3D4N"
_TRIANGLE = "ShellThinElement3D3N"
_AXES = "XYZ"
_MOVES = [f"{n}_{x}" for n in ("DISPLACEMENT", "ROTATION") for x in _AXES]
_PUSHES = [f"{n}_{x}" for n in ("REACTION", "REACTION_MOMENT") for x in _AXES]
_VARIABLES = ("DISPLACEMENT", "ROTATION", "REACTION", "REACTION_MOMENT")
KRATOS = Code(
    Path(__file__).resolve(),
    (
        "KratosMultiphysics",
        "KratosLinearSolversApplication",
        "KratosStructuralMechanicsApplication",
    ),
    "kratos",
)


def frequencies(shells: Shells, kind: str, count: int) -> list[float]:
    import KratosMultiphysics
    from KratosMultiphysics import StructuralMechanicsApplication, eigen_solver_factory

    model = KratosMultiphysics.Model()  # its parts end with it
    part = _part(model, shells, kind)
    settings = KratosMultiphysics.Parameters(
        '{"solver_type": "spectra_sym_g_eigs_shift"}'
    )
    settings.AddInt("number_of_eigenvalues", count)
    solver = eigen_solver_factory.ConstructSolver(settings)
    builder = KratosMultiphysics.ResidualBasedBlockBuilderAndSolver(solver)
    scheme = StructuralMechanicsApplication.EigensolverDynamicScheme()
    StructuralMechanicsApplication.EigensolverStrategy(
        part, scheme, builder, 0.0, 1.0, False, False
    ).Solve()
    squares = np.array(
        list(part.ProcessInfo[StructuralMechanicsApplication.EIGENVALUE_VECTOR])
    )
    return (np.sqrt(np.sort(squares)) / (2.0 * np.pi)).tolist()


def _part(model, shells: Shells, kind: str):
    import KratosMultiphysics

    part = model.CreateModelPart("frame", 2)
    for name in _VARIABLES:
        part.AddNodalSolutionStepVariable(getattr(KratosMultiphysics, name))
    part.ProcessInfo[KratosMultiphysics.DOMAIN_SIZE] = 3
    stuff = _section(part, shells)
    for k, x in enumerate(shells.points.tolist(), 1):
        part.CreateNewNode(k, *x)
    rows = [*(shells.quads + 1).tolist(), *(shells.triangles + 1).tolist()]
    for k, nodes in enumerate(rows, 1):
        part.CreateNewElement(kind if len(nodes) == 4 else _TRIANGLE, k, nodes, stuff)
    for name, push in zip(_MOVES, _PUSHES, strict=True):
        KratosMultiphysics.VariableUtils().AddDof(
            getattr(KratosMultiphysics, name), getattr(KratosMultiphysics, push), part
        )
    for k, c in np.argwhere(shells.fixed).tolist():
        part.Nodes[k + 1].Fix(getattr(KratosMultiphysics, _MOVES[c]))
    return part


def _section(part, shells: Shells):
    import KratosMultiphysics
    from KratosMultiphysics import StructuralMechanicsApplication

    stuff = part.CreateNewProperties(1)
    for name, value in (
        (KratosMultiphysics.YOUNG_MODULUS, shells.E),
        (KratosMultiphysics.POISSON_RATIO, shells.nu),
        (KratosMultiphysics.DENSITY, shells.rho),
        (KratosMultiphysics.THICKNESS, shells.thickness),
        (
            KratosMultiphysics.CONSTITUTIVE_LAW,
            StructuralMechanicsApplication.LinearElasticPlaneStress2DLaw(),
        ),
    ):
        stuff.SetValue(name, value)
    return stuff


if __name__ == "__main__":
    answer({"frequencies": frequencies})
