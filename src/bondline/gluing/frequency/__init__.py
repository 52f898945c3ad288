"""The glued assembly in frequency: modes and responses from interface dynamics only."""

from bondline.gluing.frequency.inner import mode_shape
from bondline.gluing.frequency.interface import Interface, interface
from bondline.gluing.frequency.level import Level
from bondline.gluing.frequency.modes import Mode, lowest, modes
from bondline.gluing.frequency.response import response

__all__ = [
    "Interface",
    "Level",
    "Mode",
    "interface",
    "lowest",
    "mode_shape",
    "modes",
    "response",
]
