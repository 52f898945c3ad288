"""FMUs as leaves: each in a process of its own, on Linux in a sandbox."""

from bondline.leaves.fmu.unit import Plug, SignalPin, Unit, Wire

__all__ = ["Plug", "SignalPin", "Unit", "Wire"]
