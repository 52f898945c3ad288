"""The arm, in Exudyn: two bars with a soft weld between them, so that it bends."""

from __future__ import annotations

import exudyn as exu
import numpy as np
from exudyn.utilities import InertiaCuboid, MarkerBodyRigid, SensorMarker

from bondline.leaves.exudyn import ExudynLeaf

ROOT = (0.3, 0.0, 1.0)
BAR, SIDE = 0.5, 0.04
STIFF = np.diag([1e6] * 3 + [4e3] * 3)


def arm(name: str, density: float = 2700.0, softness: float = 1.0) -> ExudynLeaf:
    """From the bracket's seat, one metre along x."""
    mbs = exu.SystemContainer().AddSystem()
    inertia = InertiaCuboid(density=density, sideLengths=[BAR, SIDE, SIDE])
    bars = [
        mbs.CreateRigidBody(
            inertia=inertia,
            referencePosition=[ROOT[0] + (k + 0.5) * BAR, *ROOT[1:]],
            gravity=[0.0, 0.0, -9.81],
        )
        for k in (0, 1)
    ]
    half = BAR / 2.0
    mbs.CreateRigidBodySpringDamper(
        itemNumbers=bars,
        localPosition0=[half, 0.0, 0.0],
        localPosition1=[-half, 0.0, 0.0],
        stiffness=STIFF / softness,
        damping=5e-3 * STIFF,
    )
    ends = {"root": (bars[0], -half), "tip": (bars[1], half), "grip": (bars[1], half)}
    for port, (bar, x) in ends.items():
        at = [x, 0.0, 0.0]
        mbs.AddMarker(MarkerBodyRigid(name=port, bodyNumber=bar, localPosition=at))
    tip = mbs.GetMarkerNumber("tip")
    mbs.AddSensor(
        SensorMarker(
            name="tip",
            markerNumber=tip,
            outputVariableType=exu.OutputVariableType.Position,
            writeToFile=False,
        )
    )
    ports = {port: port for port in ends}
    return ExudynLeaf(
        name, mbs, ports, step=5e-4, points=("grip",), sensors={"tip": "m"}
    )
