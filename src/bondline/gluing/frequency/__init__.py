"""The glued assembly in frequency: modes and responses from interface dynamics only."""

from bondline.gluing.frequency.interface import Interface, Level, interface
from bondline.gluing.frequency.modes import Mode, modes
from bondline.gluing.frequency.response import response

__all__ = ["Interface", "Level", "Mode", "interface", "modes", "response"]
