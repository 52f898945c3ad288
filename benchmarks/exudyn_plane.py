"""The chain of `multibody_case` in Exudyn as bodies in a plane with sparse constraints.

Its manual advises against long kinematic trees; this is quicker than those.
"""

from __future__ import annotations

import numpy as np
from exudyn_tree import load, sensed, solve
from multibody_case import chain
from rival_process import Done, Job


def plane(job: Job) -> Done:
    exudyn, items = load()
    tree = chain()
    box = exudyn.SystemContainer()
    mbs = box.AddSystem()
    last = mbs.AddMarker(
        items.MarkerBodyPosition(bodyNumber=mbs.AddObject(items.ObjectGround()))
    )
    at = np.zeros(2)
    for link, angle in zip(tree.links, -np.cumsum(tree.start), strict=True):
        half = -link.com[2]
        away = half * np.array([np.sin(angle), -np.cos(angle)])
        node = items.NodeRigidBody2D(referenceCoordinates=[*(at + away), angle])
        body = mbs.AddObject(
            items.ObjectRigidBody2D(
                nodeNumber=mbs.AddNode(node), mass=link.mass, inertia=link.inertia[1]
            )
        )
        ends = [
            mbs.AddMarker(
                items.MarkerBodyPosition(bodyNumber=body, localPosition=[0.0, y, 0.0])
            )
            for y in (half, -half)
        ]
        mbs.AddObject(items.ObjectJointRevolute2D(markerNumbers=[last, ends[0]]))
        heavy = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body))
        pull = [0.0, -tree.gravity, 0.0]
        mbs.AddLoad(items.LoadMassProportional(markerNumber=heavy, loadVector=pull))
        last, at = ends[1], at + 2.0 * away
    tip = {"bodyNumber": body, "localPosition": [0.0, -half, 0.0], **sensed(exudyn)}
    sensor = mbs.AddSensor(items.SensorBody(**tip))
    done = solve(exudyn, mbs, sensor, job, 1e-6, "EigenSparse")
    return Done(done.seconds, done.steps, done.tip[:, [0, 2, 1]])
