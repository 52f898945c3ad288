"""The vocabulary: values and protocols every other layer speaks in."""

from bondline.core.abilities import (
    Affine,
    Blocked,
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
from bondline.core.coupling import Assembly, Coupling, Situation
from bondline.core.interface import (
    InterfaceProblem,
    InterfaceSolution,
    InterfaceSolver,
    Slope,
    Sweep,
    Tree,
)
from bondline.core.motion import Effort, Motion, Output
from bondline.core.parameter import Capabilities, Parameter, Passport
from bondline.core.port import Causality, Port, PortRef, SignalPort, ref
from bondline.core.record import Frame, Recorder
from bondline.core.signal import FrameSignal, Signal
from bondline.core.subsystem import Advance, Energy, Model, Rejected, Subsystem
from bondline.core.window import Window, uniform

__all__ = [
    "Advance",
    "Affine",
    "Assembly",
    "Blocked",
    "Capabilities",
    "Causality",
    "Connection",
    "Correcting",
    "Coupling",
    "Effort",
    "Energy",
    "Flexibility",
    "Frame",
    "FrameSignal",
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
    "Sweep",
    "Tree",
    "Vector",
    "Window",
    "ref",
    "uniform",
]
