"""Nonlinear finite elements: large displacements and rotations, plasticity, rubber."""

from bondline.leaves.nonlinear.arc import ArcLength
from bondline.leaves.nonlinear.corrector import Newton
from bondline.leaves.nonlinear.elements import fibres
from bondline.leaves.nonlinear.elements.arms import Arms
from bondline.leaves.nonlinear.elements.beam2 import Beams2
from bondline.leaves.nonlinear.elements.beam3 import Beams3
from bondline.leaves.nonlinear.elements.block import Answer, Elements, Moved
from bondline.leaves.nonlinear.elements.fibres import Fibres
from bondline.leaves.nonlinear.elements.masses import Masses
from bondline.leaves.nonlinear.elements.shells import Shells
from bondline.leaves.nonlinear.elements.solids import Solids
from bondline.leaves.nonlinear.elements.springs import (
    Bushes,
    Progressive,
    SpringLaw,
    Stop,
    Tabled,
    Ties,
)
from bondline.leaves.nonlinear.leaf import Nonlinear
from bondline.leaves.nonlinear.materials.hardening import (
    Hardening,
    Linear,
    Swift,
    Table,
)
from bondline.leaves.nonlinear.materials.law import Law, Plastic, Point
from bondline.leaves.nonlinear.materials.solid import Rubber
from bondline.leaves.nonlinear.model import Hold, NonlinearModel, Push
from bondline.leaves.nonlinear.sockets import Socket
from bondline.leaves.nonlinear.state import Parts
from bondline.leaves.nonlinear.statics import Settled, Statics, Stuck
from bondline.leaves.nonlinear.unloaded import Bench

__all__ = [
    "Answer",
    "ArcLength",
    "Arms",
    "Beams2",
    "Beams3",
    "Bench",
    "Bushes",
    "Elements",
    "Fibres",
    "Hardening",
    "Hold",
    "Law",
    "Linear",
    "Masses",
    "Moved",
    "Newton",
    "Nonlinear",
    "NonlinearModel",
    "Parts",
    "Plastic",
    "Point",
    "Progressive",
    "Push",
    "Rubber",
    "Settled",
    "Shells",
    "Socket",
    "Solids",
    "SpringLaw",
    "Statics",
    "Stop",
    "Stuck",
    "Swift",
    "Table",
    "Tabled",
    "Ties",
    "fibres",
]
