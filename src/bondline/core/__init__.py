"""The vocabulary: values and protocols every other layer speaks in."""

from bondline.core.abilities import (
    Affine,
    Blocked,
    Breaking,
    Correcting,
    Flexibility,
    Linearising,
    Observation,
    Observing,
    Placing,
    Pressing,
    Reacting,
    Reaction,
    Response,
    Serialising,
    Showing,
    Static,
)
from bondline.core.arrays import Matrix, Vector
from bondline.core.connection import Connection, Gap
from bondline.core.coupling import Alone, Assembly, Coupling, Crew, Situation
from bondline.core.interface import (
    InterfaceProblem,
    InterfaceSolution,
    InterfaceSolver,
    Slope,
    Sweep,
    Tree,
)
from bondline.core.motion import Effort, Motion, Output, Pose
from bondline.core.parameter import Capabilities, Parameter, Passport
from bondline.core.port import (
    FRAME_DOFS,
    Causality,
    Port,
    PortRef,
    SignalPort,
    Surface,
    ref,
)
from bondline.core.record import Frame, Recorder
from bondline.core.signal import Signal
from bondline.core.subsystem import Advance, Energy, Model, Rejected, Subsystem
from bondline.core.window import Window, uniform

__all__ = [
    "FRAME_DOFS",
    "Advance",
    "Affine",
    "Alone",
    "Assembly",
    "Blocked",
    "Breaking",
    "Capabilities",
    "Causality",
    "Connection",
    "Correcting",
    "Coupling",
    "Crew",
    "Effort",
    "Energy",
    "Flexibility",
    "Frame",
    "Gap",
    "InterfaceProblem",
    "InterfaceSolution",
    "InterfaceSolver",
    "Linearising",
    "Matrix",
    "Model",
    "Motion",
    "Observation",
    "Observing",
    "Output",
    "Parameter",
    "Passport",
    "Placing",
    "Port",
    "PortRef",
    "Pose",
    "Pressing",
    "Reacting",
    "Reaction",
    "Recorder",
    "Rejected",
    "Response",
    "Serialising",
    "Showing",
    "Signal",
    "SignalPort",
    "Situation",
    "Slope",
    "Static",
    "Subsystem",
    "Surface",
    "Sweep",
    "Tree",
    "Vector",
    "Window",
    "ref",
    "uniform",
]
