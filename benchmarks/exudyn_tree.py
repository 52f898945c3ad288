"""Trees of `multibody_case` as kinematic trees of Exudyn, in minimal coordinates.

Torques are its symbolic functions, which are compiled as its solvers are; positions
are kept in memory 200 times a second.
"""

from __future__ import annotations

import sys

import numpy as np
from multibody_case import TIMES, TREES, Array, Tree, X, Y, Z
from rival_process import Done, Job, best

DEFAULTS = "its own defaults"  # of its solver: generalised alpha, Newton to 1e-8


def load():
    """The module that checks no ranges, and its items."""
    sys.exudynFast = True
    import exudyn
    from exudyn import itemInterface

    return exudyn, itemInterface


def tree(job: Job) -> Done:
    exudyn, items = load()
    case = TREES[job.case]()
    box = exudyn.SystemContainer()
    mbs = box.AddSystem()
    node, body = add_tree(exudyn, items, mbs, case)
    kept = []
    for k, link in enumerate(case.links):
        if any(link.torque):
            marker = mbs.AddMarker(
                items.MarkerNodeCoordinate(nodeNumber=node, coordinate=k)
            )
            kept.append(add_torque(exudyn, items, mbs, marker, link.torque))
    sensor = mbs.AddSensor(
        items.SensorKinematicTree(
            objectNumber=body,
            linkNumber=len(case.links) - 1,
            localPosition=[float(x) for x in case.tip],
            **sensed(exudyn),
        )
    )
    return solve(exudyn, mbs, sensor, job)


def sensed(exudyn) -> dict:
    """A position that is kept in memory."""
    return {
        "outputVariableType": exudyn.OutputVariableType.Position,
        "storeInternal": True,
        "writeToFile": False,
    }


def add_tree(exudyn, items, mbs, case: Tree):
    """A kinematic tree: its node and its object."""
    links, n = case.links, len(case.links)
    kinds = {X: "RevoluteX", Y: "RevoluteY", Z: "RevoluteZ"}
    node = mbs.AddNode(
        items.NodeGenericODE2(
            referenceCoordinates=[0.0] * n,
            initialCoordinates=case.start.tolist(),
            initialCoordinates_t=[0.0] * n,
            numberOfODE2Coordinates=n,
        )
    )
    springs = {}
    if any(link.stiffness for link in links):
        springs = {
            "jointPositionOffsetVector": [0.0] * n,
            "jointVelocityOffsetVector": [0.0] * n,
            "jointPControlVector": [link.stiffness for link in links],
            "jointDControlVector": [0.0] * n,
        }
    body = items.ObjectKinematicTree(
        nodeNumber=node,
        gravity=[0.0, 0.0, -case.gravity],
        jointTypes=[getattr(exudyn.JointType, kinds[link.axis]) for link in links],
        linkParents=[link.parent for link in links],
        jointTransformations=exudyn.Matrix3DList([np.eye(3)] * n),
        jointOffsets=exudyn.Vector3DList([[float(x) for x in k.at] for k in links]),
        linkInertiasCOM=exudyn.Matrix3DList([np.diag(link.inertia) for link in links]),
        linkCOMs=exudyn.Vector3DList([[float(x) for x in k.com] for k in links]),
        linkMasses=[link.mass for link in links],
        **springs,
    )
    return node, mbs.AddObject(body)


def add_torque(exudyn, items, mbs, marker, torque: tuple[float, float]):
    """A load on one coordinate; what is returned must stay alive."""
    from exudyn.advancedUtilities import CreateSymbolicUserFunction

    constant, amplitude = torque

    def value(mbs, t, load):
        return constant + amplitude * exudyn.symbolic.sin(2.0 * np.pi * t)

    made = CreateSymbolicUserFunction(
        mbs, value, "loadUserFunction", itemTypeName="LoadCoordinate"
    )
    mbs.AddLoad(
        items.LoadCoordinate(markerNumber=marker, load=1.0, loadUserFunction=made)
    )
    return made


def solve(
    exudyn, mbs, sensor, job: Job, tolerance: float = 1e-8, matrices: str = "EXUdense"
) -> Done:
    """One second with constant steps; by `DEFAULTS`, with nothing else asked for."""
    mbs.Assemble()
    settings = exudyn.SimulationSettings()
    time, more = settings.timeIntegration, {}
    time.endTime, time.numberOfSteps, time.verboseMode = 1.0, job.steps, 0
    settings.solution.file.write = False
    settings.solution.sensors.writePeriod = TIMES[1]
    if job.method != DEFAULTS:
        time.automaticStepSize = False
        time.newton.relativeTolerance = tolerance
        time.generalizedAlpha.spectralRadius = 1.0
        settings.linearSolver.solverType = getattr(exudyn.LinearSolverType, matrices)
        more = {"solverType": getattr(exudyn.DynamicSolverType, job.method)}
    seconds = best(lambda: mbs.SolveDynamic(settings, **more), job.again)
    tip: Array = mbs.GetSensorStoredData(sensor)[:, 1:]
    return Done(seconds, job.steps, tip)
