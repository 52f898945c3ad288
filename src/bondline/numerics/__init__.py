"""Pure functions on arrays. No model, no protocol, no I/O."""

from bondline.numerics.newmark import Kinematics, LinearSystem, Newmark
from bondline.numerics.ode import Adaptive, FixedStep, Integrator, Rate
from bondline.numerics.polynomials import joined, work_weights

__all__ = [
    "Adaptive",
    "FixedStep",
    "Integrator",
    "Kinematics",
    "LinearSystem",
    "Newmark",
    "Rate",
    "joined",
    "work_weights",
]
