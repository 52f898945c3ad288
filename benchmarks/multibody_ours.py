"""The cases of `multibody_case` in `bondline.leaves.mbd`.

Trees are bodies on revolute and universal joints. The floating gun is a turret and
one flexible body: the tube with its modes, and the mount that it is clamped in.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from multibody_case import TIMES, TREES, Array, Gun, Link, Tree
from rival_process import Done, Job, Rival, answer, best

from bondline.leaves.mbd.driving import compiled
from bondline.leaves.mbd.forces import Force, Harmonic, JointLoad, JointSpring
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.modal.mass_points import of_points
from bondline.leaves.mbd.model import Body, Joint, Mechanism
from bondline.leaves.mbd.modes import Modes, Node
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.special import Unsuited, special
from bondline.leaves.mbd.tree import Tree as Compiled
from bondline.numerics.integrators import RungeKutta4, Stepper
from bondline.numerics.memory import state_of
from bondline.numerics.multirate import Multirate
from bondline.numerics.nordsieck import Nordsieck

OURS = Rival("Bondline", Path(__file__).resolve(), ("bondline",), "")
OWN = " specialised"
UNIVERSAL = (0.5, 0.5, 0.5, 0.5)  # its first axis is y of the world, its second z


def mechanism(case: str) -> Mechanism:
    """By the name of the case; the tip is the marker "tip" of the last body."""
    return floating(Gun()) if case == "floating" else of_links(TREES[case]())


def floating(gun: Gun) -> Mechanism:
    tree = TREES["gun"]()
    yaw, up = tree.links[:2]
    turret = Body(
        "turret",
        yaw.mass,
        yaw.inertia,
        markers={"trunnion": Frame.along(up.axis, up.at)},
    )
    joints = (
        Joint("yaw", "revolute", Frame.along(yaw.axis), "turret"),
        Joint("elevation", "revolute", "turret.trunnion", "gun.trunnion"),
    )
    held = {"trunnion": Frame.along(up.axis)}
    barrel = Body("gun", modes=modes(gun), markers=held)
    forces = (*_torque("yaw", yaw), *_torque("elevation", up))
    return Mechanism("gun", (turret, barrel), joints, forces, (0, 0, -gun.g))


def modes(gun: Gun) -> Modes:
    """Tube and mount as points with mass; two modes up, two to the side."""
    s, share = np.polynomial.legendre.leggauss(24)
    s = gun.L * (s + 1.0) / 2.0
    away = np.sqrt(gun.J_my / (4.0 * gun.mount_mass / 6.0)) * np.eye(3)
    dm = np.r_[gun.m * share / 2.0, np.full(6, gun.mount_mass / 6.0)]
    line = np.stack([gun.x_r + s, 0.0 * s, 0.0 * s], axis=1)
    phi = np.zeros((4, len(dm), 3))
    phi[:2, : len(s), 2] = phi[2:, : len(s), 1] = gun.shapes(s).T
    known = of_points(dm, np.vstack([line, away, -away]), phi)
    shift = np.zeros((3, 4))
    shift[2, :2] = shift[1, 2:] = gun.phiL
    muzzle = Node(Frame((gun.x_r + gun.L, 0, 0)), shift, np.zeros((3, 4)))
    K = np.diag(np.square([*gun.om, *gun.om]))
    return Modes(*known, K=K, D=0.0 * K, nodes={"tip": muzzle})


def of_links(tree: Tree) -> Mechanism:
    """Bodies and joints of a chain; halves of universal joints become one."""
    stages = list(_stages(tree))
    bodies: list[Body] = []
    joints: list[Joint] = []
    forces: list[Force] = []
    for k, stage in enumerate(stages):
        link, name = stage[-1], f"joint{k}"
        last = k + 1 == len(stages)
        outward = {"tip": Frame(tree.tip)} if last else {"out": _frame(stages[k + 1])}
        own = {"in": Frame(turn=_frame(stage).turn), **outward}
        bodies.append(Body(f"link{k}", link.mass, link.inertia, link.com, own))
        on = f"link{k - 1}.out" if k else _frame(stage)
        start = [each.start for each in stage]
        kind = "universal" if stage[1:] else "revolute"
        joints.append(Joint(name, kind, on, f"link{k}.in", start))
        labels = "xy" if stage[1:] else ("angle",)
        for label, each in zip(labels, stage, strict=True):
            forces += _torque(name, each)
            if each.stiffness:
                forces.append(JointSpring(name, each.stiffness, coordinate=label))
    return Mechanism(tree.name, bodies, joints, forces, (0.0, 0.0, -tree.gravity))


def _stages(tree: Tree) -> Iterator[list[Link]]:
    """A link, or two of which the first has no mass."""
    waiting: list[Link] = []
    for link in tree.links:
        waiting.append(link)
        if link.mass:
            yield waiting
            waiting = []


def _frame(stage: list[Link]) -> Frame:
    """Where a joint is on the body that carries it."""
    if stage[1:]:
        return Frame(stage[0].at, UNIVERSAL)
    return Frame.along(stage[0].axis, stage[0].at)


def _torque(joint: str, link: Link) -> list[Force]:
    constant, amplitude = link.torque
    if not (constant or amplitude):
        return []
    return [JointLoad(joint, Harmonic(constant, (), (amplitude,), 2.0 * np.pi))]


def method(job: Job) -> Stepper:
    """PECE, PEC, RK4, or a form of multirate and its ratio."""
    name, *more = job.method.removesuffix(OWN).split()
    if name == "RK4":
        return RungeKutta4(job.step)
    if name.startswith("PEC"):
        return Nordsieck(job.step, evaluate=name == "PECE")
    return Multirate(job.step, int(more[0]), name)


def run(job: Job) -> Done:
    """One second in one call; with "in windows", from Python 200 times.

    With "specialised" by a kernel for this mechanism alone.
    """
    made = mechanism(job.case)
    packed, stepper = pack(made), method(job)
    own, rates = job.method.endswith(OWN), isinstance(stepper, Multirate)
    kernel = special(job.case, packed, (), rates) if own else None
    assert not isinstance(kernel, Unsuited), kernel
    tree = Compiled(packed, kernel)
    system = compiled(tree)
    begun = np.concatenate([packed.layout.start, packed.layout.speed])

    def memories(times: Array) -> list[Array]:
        found = [stepper.begin(system, 0.0, begun)]
        for t in times:
            found.append(stepper.advance(system, found[-1], float(t)).memory)
        return found

    measured = TIMES[1:] if job.method.endswith("in windows") else TIMES[-1:]
    seconds = best(lambda: memories(measured), job.again)
    tip = packed.markers[f"{made.bodies[-1].name}.tip"]
    found = []
    for memory in memories(TIMES[1:]):
        q, u = np.split(state_of(system, memory), [tree.n_q])
        found.append(tree.outputs(q, u, [tip])[0][0, :3])
    return Done(seconds, job.steps, np.array(found))


if __name__ == "__main__":
    answer(dict.fromkeys((*TREES, "floating"), run))
