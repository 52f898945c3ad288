"""A structural finite-element solver, and its models as leaves."""

from bondline.leaves.expression import Expression
from bondline.leaves.fe.formats import (
    parse_bdf,
    parse_inp,
    parse_msh,
    read_bdf,
    read_inp,
    read_msh,
    write_inp,
)
from bondline.leaves.fe.leaf import fe_leaf
from bondline.leaves.fe.links import ALL, Equation, Interpolation, RigidLink
from bondline.leaves.fe.loads import Gravity, NodalForce, Pressure
from bondline.leaves.fe.matrices import matrix_leaf
from bondline.leaves.fe.mesh import Block, Mesh
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.modes import modes
from bondline.leaves.fe.plug import Plug
from bondline.leaves.fe.recover import nodal_stress, principal, resultants, von_mises
from bondline.leaves.fe.reduction import (
    Wanted,
    craig_bampton,
    guyan,
    reduce_model,
    reduced_leaf,
)
from bondline.leaves.fe.sections import (
    BeamSection,
    Bushing,
    Material,
    PointMass,
    ShellSection,
    SolidSection,
    TrussSection,
)
from bondline.leaves.fe.static import static, total
from bondline.leaves.fe.supports import Initial, Support
from bondline.leaves.histories import Harmonic, Table

__all__ = [
    "ALL",
    "BeamSection",
    "Block",
    "Bushing",
    "Equation",
    "Expression",
    "FeModel",
    "Gravity",
    "Harmonic",
    "Initial",
    "Interpolation",
    "Material",
    "Mesh",
    "NodalForce",
    "Plug",
    "PointMass",
    "Pressure",
    "RigidLink",
    "ShellSection",
    "SolidSection",
    "Support",
    "Table",
    "TrussSection",
    "Wanted",
    "craig_bampton",
    "fe_leaf",
    "guyan",
    "matrix_leaf",
    "modes",
    "nodal_stress",
    "parse_bdf",
    "parse_inp",
    "parse_msh",
    "principal",
    "read_bdf",
    "read_inp",
    "read_msh",
    "reduce_model",
    "reduced_leaf",
    "resultants",
    "static",
    "total",
    "von_mises",
    "write_inp",
]
