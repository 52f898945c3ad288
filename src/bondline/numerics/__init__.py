"""Pure functions on arrays. No model, no protocol, no I/O."""

from bondline.numerics.hermite import work_weights
from bondline.numerics.newmark import Kinematics, LinearSystem, Newmark
from bondline.numerics.ode import Adaptive, FixedStep, Integrator, Rate

__all__ = [
    "Adaptive",
    "FixedStep",
    "Integrator",
    "Kinematics",
    "LinearSystem",
    "Newmark",
    "Rate",
    "work_weights",
]
