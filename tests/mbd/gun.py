"""The gun-turret of kim2000 with public data for what the paper leaves out."""

from __future__ import annotations

from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.modal import Beam, Shapes, beam_modes

LENGTH = 5.30
EI = 2.07e11 * 0.00011430615952819099
TUBE = Beam(
    LENGTH, 1175.0, EIy=EI, EIz=EI, frame=Frame((0.25203222937948677, 0.0, 0.0))
)


def gun_modes():
    """Two modes upwards, two sideways."""
    return beam_modes(
        TUBE, [Shapes("bend-z", 2), Shapes("bend-y", 2)], nodes={"muzzle": LENGTH}
    )
