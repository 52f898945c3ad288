"""Pure functions on arrays. No model, no protocol, no I/O."""

from bondline.numerics.coupled import (
    Split,
    Vibrations,
    mass_coupling,
    split_by_spectrum,
    vibrations,
)
from bondline.numerics.integrators import (
    Dop853,
    DormandPrince,
    GeneralizedAlpha,
    RungeKutta4,
    Stepper,
)
from bondline.numerics.judging import Verdict, judged
from bondline.numerics.memory import Advance, Counts, state_of, time_of
from bondline.numerics.methods import Method
from bondline.numerics.modal import (
    Modes,
    lowest_modes,
    modal_damping,
    modes_below,
    modes_between,
    rayleigh,
)
from bondline.numerics.multirate import Form, Multirate
from bondline.numerics.newmark import Kinematics, LinearSystem, Newmark
from bondline.numerics.nordsieck import Nordsieck, PacedNordsieck
from bondline.numerics.ode import Adaptive, FixedStep, Integrator, Rate
from bondline.numerics.polynomials import joined, work_weights
from bondline.numerics.stiff import Cvode, Radau
from bondline.numerics.systems import System

__all__ = [
    "Adaptive",
    "Advance",
    "Counts",
    "Cvode",
    "Dop853",
    "DormandPrince",
    "FixedStep",
    "Form",
    "GeneralizedAlpha",
    "Integrator",
    "Kinematics",
    "LinearSystem",
    "Method",
    "Modes",
    "Multirate",
    "Newmark",
    "Nordsieck",
    "PacedNordsieck",
    "Radau",
    "Rate",
    "RungeKutta4",
    "Split",
    "Stepper",
    "System",
    "Verdict",
    "Vibrations",
    "joined",
    "judged",
    "lowest_modes",
    "mass_coupling",
    "modal_damping",
    "modes_below",
    "modes_between",
    "rayleigh",
    "split_by_spectrum",
    "state_of",
    "time_of",
    "vibrations",
    "work_weights",
]
