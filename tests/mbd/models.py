"""The gun-turret of kim2000, section 4, and a chain with a flexible tip."""

import json
from pathlib import Path

import numpy as np

from bondline.leaves.mbd.forces import Harmonic, JointLoad
from bondline.leaves.mbd.model import Body, Frame, Joint, Mechanism, Modes, Node

_DATA = Path(__file__).with_name("data")
GUN = json.loads((_DATA / "gun_params.json").read_text())
CHAIN = json.loads((_DATA / "chain40.json").read_text())


def gun_modes(p=GUN):
    """Bending modes of a tube along x: two vertical (z), two horizontal (y)."""
    axes, shapes = (2, 2, 1, 1), (0, 1, 0, 1)
    I0, S1, S2 = np.zeros((4, 3)), np.zeros((4, 3, 3)), np.zeros((4, 4, 3, 3))
    shift = np.zeros((3, 4))
    for k, (axis, j) in enumerate(zip(axes, shapes, strict=True)):
        I0[k, axis], S1[k, 0, axis] = p["I0"][j], p["I1"][j]
        shift[axis, k] = p["phiL"][j]
        for other, (axis2, j2) in enumerate(zip(axes, shapes, strict=True)):
            S2[k, other, axis, axis2] = float(j == j2)
    J0 = np.diag([0.0, p["J"] + p["J_my"], p["J"]])
    om = np.array([p["om"][j] for j in shapes])
    muzzle = Node(Frame((p["x_r"] + p["L"], 0.0, 0.0)), shift, np.zeros((3, 4)))
    c0 = np.array([p["S1"], 0.0, 0.0])
    return Modes(
        *(p["m"], c0, J0, I0, S1, S2, np.eye(4), np.diag(om**2), np.zeros((4, 4))),
        {"muzzle": muzzle},
    )


def gun_turret(p=GUN):
    trunnion = Frame.along((0, 1, 0), (p["p_x"], 0.0, 0.0))
    turret = Body(
        "turret", 0.0, np.diag([p["J_yaw"]] * 3), markers={"trunnion": trunnion}
    )
    root = Frame.along((0, 1, 0))
    gun = Body("gun", markers={"root": root}, modes=gun_modes(p))
    w = 2.0 * np.pi
    torques = (
        JointLoad("turret", Harmonic(b=(-45500.0,), omega=w)),
        JointLoad("elevation", Harmonic(a0=-33451.0, b=(17600.0,), omega=w)),
    )
    joints = (
        Joint("turret", "revolute", "ground", "turret"),
        Joint("elevation", "revolute", "turret.trunnion", "gun.root"),
    )
    return Mechanism("gun-turret", [turret, gun], joints, torques, (0, 0, -p["g"]))


def chain(p=CHAIN, n=None):
    """Links that hang down in the plane x, z; the last carries a beam that goes on."""
    n, length, m = n or p["n"], p["l"], p["m"]
    axis = (0.0, -1.0, 0.0)  # an angle from the downward vertical towards +x
    root, tip = Frame.along(axis), Frame.along(axis, (0.0, 0.0, -length))
    link = (m, (m * length**2 / 12, m * length**2 / 12, 0.0), (0.0, 0.0, -length / 2))
    places = {"root": root, "tip": tip}
    bodies = [Body(f"link{i}", *link, places) for i in range(n - 1)]
    bodies.append(Body("tip", markers={"root": root}, modes=chain_tip(p)))
    angles = 0.1 * np.sin(np.linspace(0.2, 2.5, n))
    starts = np.diff(angles, prepend=0.0)
    joints = [
        Joint(
            f"j{i}",
            "revolute",
            Frame.along(axis) if i == 0 else f"{bodies[i - 1].name}.tip",
            f"{bodies[i].name}.root",
            (starts[i],),
        )
        for i in range(n)
    ]
    return Mechanism("chain", bodies, joints, (), (0.0, 0.0, -p["g"]))


def chain_tip(p):
    length, hub, beam, L = p["l"], p["hub_mass"], p["beam_mass"], p["beam_length"]
    I0, S1, S2 = np.zeros((2, 3)), np.zeros((2, 3, 3)), np.zeros((2, 2, 3, 3))
    I0[:, 0], S1[:, 2, 0] = p["I0"], -np.array(p["I1"])
    S2[:, :, 0, 0] = np.eye(2)
    c = -(hub * length / 2 + beam * (length + L / 2))
    J0 = np.diag([p["J_last"], p["J_last"], 0.0])
    return Modes(
        *(hub + beam, (0.0, 0.0, c), J0, I0, S1, S2, np.eye(2)),
        *(np.diag(np.square(p["om"])), np.zeros((2, 2))),
        start=p["a0"],
    )
