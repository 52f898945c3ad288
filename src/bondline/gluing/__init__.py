"""Couplings, joints, interface solvers, and the integrated model they make."""

from bondline.gluing.couplings.choose import COUPLINGS, Choice, choose_coupling
from bondline.gluing.couplings.fitness import default_scheme
from bondline.gluing.couplings.motion_schemes import (
    FORCE_SCHEMES,
    MOTION_SCHEMES,
    ForceScheme,
    MotionScheme,
    force_scheme,
    motion_scheme,
)
from bondline.gluing.couplings.one_pass import OnePassTT
from bondline.gluing.couplings.probing import Probe
from bondline.gluing.couplings.schemes import REFUSED, SCHEMES, Scheme, scheme
from bondline.gluing.couplings.tt import TT
from bondline.gluing.couplings.xt import XT
from bondline.gluing.couplings.xx import XX
from bondline.gluing.crew import Threads
from bondline.gluing.glue import Joined, glue, joint
from bondline.gluing.integrated import IntegratedModel
from bondline.gluing.joints.as_met import as_met
from bondline.gluing.joints.bushing import Bushing
from bondline.gluing.joints.joint import Joint
from bondline.gluing.joints.kinds import JOINT_KINDS, JointKind, make_joint
from bondline.gluing.joints.mesh_tie import MeshTie
from bondline.gluing.joints.tie import Tie
from bondline.gluing.pacing import Pace
from bondline.gluing.rates.two_rates import TwoRates
from bondline.gluing.solvers.aitken import Aitken
from bondline.gluing.solvers.anderson import Anderson
from bondline.gluing.solvers.choose import REFRESH, SOLVERS, UPDATE, choose_solver
from bondline.gluing.solvers.diagonal_secant import DiagonalSecant
from bondline.gluing.solvers.iqn_ils import IQNILS
from bondline.gluing.solvers.iterated import Iterated
from bondline.gluing.solvers.lagged import Lagged
from bondline.gluing.solvers.loop import Stop
from bondline.gluing.solvers.newton import Newton
from bondline.gluing.solvers.one_pass import OnePass
from bondline.gluing.solvers.redundancy import redundant_conditions
from bondline.gluing.solvers.relaxation import Relaxation
from bondline.gluing.state import GluedState

__all__ = [
    "COUPLINGS",
    "FORCE_SCHEMES",
    "IQNILS",
    "JOINT_KINDS",
    "MOTION_SCHEMES",
    "REFRESH",
    "REFUSED",
    "SCHEMES",
    "SOLVERS",
    "TT",
    "UPDATE",
    "XT",
    "XX",
    "Aitken",
    "Anderson",
    "Bushing",
    "Choice",
    "DiagonalSecant",
    "ForceScheme",
    "GluedState",
    "IntegratedModel",
    "Iterated",
    "Joined",
    "Joint",
    "JointKind",
    "Lagged",
    "MeshTie",
    "MotionScheme",
    "Newton",
    "OnePass",
    "OnePassTT",
    "Pace",
    "Probe",
    "Relaxation",
    "Scheme",
    "Stop",
    "Threads",
    "Tie",
    "TwoRates",
    "as_met",
    "choose_coupling",
    "choose_solver",
    "default_scheme",
    "force_scheme",
    "glue",
    "joint",
    "make_joint",
    "motion_scheme",
    "redundant_conditions",
    "scheme",
]
