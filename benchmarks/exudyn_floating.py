"""The gun of `multibody_case` as Exudyn's reduced-order floating frame.

Its object has the four modes of the gun; the turret under it is a tree of one joint,
so that there are 12 coordinates and 6 constraints, solved with dense matrices.

Its load for gravity acts on the undeformed body, which is 0.6 mm at the muzzle. The
weight acts instead on two points of the tube that deform with it; with their shares
the weight, its moment, and its work on both modes are those of the whole tube.
"""

from __future__ import annotations

import warnings

import numpy as np
from exudyn_tree import add_torque, add_tree, load, sensed, solve
from multibody_case import TREES, Gun, Tree
from rival_process import Done, Job

WEIGHT = ((0.890833054, 0.409803327), (3.871478373, 0.590196673))  # place, share
TOLERANCE = 1e-4  # of Newton; with 1e-8 1.6 times the time, 0.7 times the error


def floating(job: Job) -> Done:
    exudyn, items = load()
    gun = Gun()
    box = exudyn.SystemContainer()
    mbs = box.AddSystem()
    body, points = add_tube(gun, mbs)
    tube = body["oFFRFreducedOrder"]
    frame = mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=body["nRigidBody"]))
    kept = [
        add_turret(exudyn, items, mbs, gun, frame),
        add_elevation(exudyn, items, mbs, gun, frame),
    ]
    heavy = items.MarkerSuperElementPosition(
        bodyNumber=tube,
        meshNodeNumbers=[points - 3, points - 2],
        weightingFactors=[share for _, share in WEIGHT],
    )
    weight = [0.0, 0.0, -gun.g * gun.m]
    mbs.AddLoad(items.Force(markerNumber=mbs.AddMarker(heavy), loadVector=weight))
    muzzle = {"bodyNumber": tube, "meshNodeNumber": points - 1, **sensed(exudyn)}
    sensor = mbs.AddSensor(items.SensorSuperElement(**muzzle))
    done = solve(exudyn, mbs, sensor, job, TOLERANCE)
    del kept
    return done


def add_tube(gun: Gun, mbs):
    """The tube at Gauss points and the mount as six, and how many are on the tube.

    The last three weigh nothing: where the weight acts, and the muzzle.
    """
    from exudyn.FEM import FEMinterface, ObjectFFRFreducedOrderInterface
    from scipy.sparse import csr_matrix, diags

    s, share = np.polynomial.legendre.leggauss(24)
    s = np.r_[gun.L * (s + 1.0) / 2.0, [x for x, _ in WEIGHT], gun.L]
    mass = np.r_[gun.m * share / 2.0, np.zeros(3), np.full(6, gun.mount_mass / 6.0)]
    away = np.sqrt(gun.J_my / (4.0 * gun.mount_mass / 6.0)) * np.eye(3)
    line = np.stack([gun.x_r + s, 0.0 * s, 0.0 * s], axis=1)
    modes = np.zeros((len(mass), 3, 4))
    modes[: len(s), 2, :2] = modes[: len(s), 1, 2:] = gun.shapes(s)
    mesh = FEMinterface()
    mesh.nodes = {"Position": np.vstack([line, away, -away])}
    mesh.massMatrix = csr_matrix(diags(np.repeat(mass, 3)))
    mesh.stiffnessMatrix = csr_matrix(mesh.massMatrix.shape)
    mesh.modeBasis = {"matrix": modes.reshape(-1, 4), "type": "NormalModes"}
    made = ObjectFFRFreducedOrderInterface(mesh)
    made.stiffnessMatrixReduced = np.diag(np.square([*gun.om, *gun.om]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        body = made.AddObjectFFRFreducedOrder(mbs, positionRef=[gun.p_x, 0.0, 0.0])
    return body, len(s)


def add_turret(exudyn, items, mbs, gun: Gun, frame):
    """A tree of one joint, its torque, and the trunnion."""
    yaw = TREES["gun"]().links[0]
    node, body = add_tree(exudyn, items, mbs, Tree("turret", (yaw,), yaw.at))
    trunnion = mbs.AddMarker(
        items.MarkerKinematicTreeRigid(
            objectNumber=body, linkNumber=0, localPosition=[gun.p_x, 0.0, 0.0]
        )
    )
    held = [1, 1, 1, 1, 0, 1]
    mbs.AddObject(
        items.GenericJoint(markerNumbers=[trunnion, frame], constrainedAxes=held)
    )
    marker = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=node, coordinate=0))
    return add_torque(exudyn, items, mbs, marker, yaw.torque)


def add_elevation(exudyn, items, mbs, gun: Gun, frame):
    """The torque about the trunnion; the turret takes none of its reaction up."""
    from exudyn.advancedUtilities import CreateSymbolicUserFunction

    _, (constant, amplitude) = gun.torques

    def value(mbs, t, loadVector):
        about = constant + amplitude * exudyn.symbolic.sin(2.0 * np.pi * t)
        return exudyn.symbolic.Vector([0.0 * t, about, 0.0 * t])

    made = CreateSymbolicUserFunction(
        mbs, value, "loadVectorUserFunction", itemTypeName="LoadTorqueVector"
    )
    mbs.AddLoad(
        items.LoadTorqueVector(
            markerNumber=frame,
            loadVector=[0.0, 1.0, 0.0],
            bodyFixed=True,
            loadVectorUserFunction=made,
        )
    )
    return made
