"""The large mass method (liu): a leaf that takes force is told motion instead."""

from bondline.leaves.large_mass.adapter import LargeMass
from bondline.leaves.large_mass.compliance import apparent_mass, dynamic_compliance
from bondline.leaves.large_mass.masses import Masses
from bondline.leaves.large_mass.weights import Weights

__all__ = [
    "LargeMass",
    "Masses",
    "Weights",
    "apparent_mass",
    "dynamic_compliance",
]
