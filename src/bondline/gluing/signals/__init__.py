"""Causal signals between parts: controllers, sensors, actuators beside glued ports."""

from bondline.gluing.signals.exchange import EXCHANGES, Carried, check_signals
from bondline.gluing.signals.wires import Wire, Wires, unit_of

__all__ = ["EXCHANGES", "Carried", "Wire", "Wires", "check_signals", "unit_of"]
