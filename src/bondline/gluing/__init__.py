"""Couplings, joints, interface solvers, and the integrated model they make."""

from bondline.gluing.couplings.fitness import default_scheme
from bondline.gluing.couplings.probing import Probe
from bondline.gluing.couplings.schemes import REFUSED, SCHEMES, Scheme, scheme
from bondline.gluing.couplings.tt import TT
from bondline.gluing.glue import glue
from bondline.gluing.integrated import IntegratedModel
from bondline.gluing.joints.tie import Tie
from bondline.gluing.solvers.choose import REFRESH, UPDATE, choose_solver
from bondline.gluing.solvers.lagged import Lagged
from bondline.gluing.solvers.newton import Newton
from bondline.gluing.state import GluedState

__all__ = [
    "REFRESH",
    "REFUSED",
    "SCHEMES",
    "TT",
    "UPDATE",
    "GluedState",
    "IntegratedModel",
    "Lagged",
    "Newton",
    "Probe",
    "Scheme",
    "Tie",
    "choose_solver",
    "default_scheme",
    "glue",
    "scheme",
]
