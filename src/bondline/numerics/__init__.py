"""Pure functions on arrays. No model, no protocol, no I/O."""

from bondline.numerics.methods import Method
from bondline.numerics.modal import (
    Modes,
    lowest_modes,
    modal_damping,
    modes_below,
    modes_between,
    rayleigh,
)
from bondline.numerics.newmark import Kinematics, LinearSystem, Newmark
from bondline.numerics.ode import Adaptive, FixedStep, Integrator, Rate
from bondline.numerics.polynomials import joined, work_weights

__all__ = [
    "Adaptive",
    "FixedStep",
    "Integrator",
    "Kinematics",
    "LinearSystem",
    "Method",
    "Modes",
    "Newmark",
    "Rate",
    "joined",
    "lowest_modes",
    "modal_damping",
    "modes_below",
    "modes_between",
    "rayleigh",
    "work_weights",
]
