"""MuJoCo on the trees of `multibody_case`: whole runs inside its compiled rollout.

Nothing but dynamics is left on: no constraints, contacts, sensors, actuators. Torques
are applied joint forces, given for all steps beforehand. Its Euler method is started
half a step early, which makes it leapfrog: of order two for positions, at no cost.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from multibody_case import TIMES, TREES, Array, Link, Tree
from rival_process import Done, Job, Rival, answer, best

MUJOCO = Rival("MuJoCo", Path(__file__).resolve(), ("mujoco",), "mujoco")
METHODS = ("Euler", "implicitfast", "RK4")
_OFF = ("constraint", "contact", "equality", "frictionloss", "limit", "sensor")


def xml(tree: Tree, job: Job) -> str:
    """The model; halves of universal joints share a body."""
    off = " ".join(f'{name}="disable"' for name in (*_OFF, "warmstart", "autoreset"))
    bodies, ends = "", ""
    for k, link in enumerate(tree.links):
        assert link.parent == k - 1, "a chain of bodies"
        if k == 0 or tree.links[k - 1].mass:
            bodies += f'<body pos="{_row(link.at)}">'
            ends += "</body>"
        bodies += f'<joint axis="{_row(link.axis)}" stiffness="{link.stiffness!r}"/>'
        if link.mass:
            bodies += _inertial(link)
    site = f'<site name="tip" pos="{_row(tree.tip)}"/>'
    return (
        '<mujoco><compiler angle="radian" inertiafromgeom="false"/>'
        f'<option timestep="{job.step!r}" integrator="{job.method}" '
        f'gravity="0 0 {-tree.gravity!r}"><flag {off}/></option>'
        f"<worldbody>{bodies}{site}{ends}</worldbody></mujoco>"
    )


def _inertial(link: Link) -> str:
    return (
        f'<inertial pos="{_row(link.com)}" mass="{link.mass!r}" '
        f'diaginertia="{_row(link.inertia)}"/>'
    )


def _row(values: tuple[float, ...]) -> str:
    return " ".join(repr(float(v)) for v in values)


def run(job: Job) -> Done:
    import mujoco
    from mujoco import rollout

    tree, steps = TREES[job.case](), job.steps
    model = mujoco.MjModel.from_xml_string(xml(tree, job))
    data = mujoco.MjData(model)
    begun = _begun(mujoco, model, data, tree, job)
    late = 0.5 if job.method == "RK4" else 0.0  # torques are constant in a step
    torques = tree.torques((np.arange(steps) + late) * job.step)[None]
    states = np.zeros((1, steps, begun.size))
    nothing = np.zeros((1, steps, 0))
    with rollout.Rollout(nthread=0) as roll:

        def go() -> None:
            roll.rollout(
                [model], [data], begun[None], torques, nstep=steps,
                control_spec=mujoco.mjtState.mjSTATE_QFRC_APPLIED.value,
                state=states, sensordata=nothing,
            )  # fmt: skip

        seconds = best(go, job.again)
    every = steps // (len(TIMES) - 1)
    rows = np.vstack([begun, states[0, every - 1 :: every]])
    return Done(seconds, steps, _tips(mujoco, model, data, rows[:, 1 : 1 + model.nq]))


def _begun(mujoco, model, data, tree: Tree, job: Job) -> Array:
    """The first state."""
    data.qpos[:] = tree.start
    data.qfrc_applied[:] = tree.torques(0.0)
    mujoco.mj_forward(model, data)
    if job.method == "Euler":
        data.qvel[:] = -0.5 * job.step * data.qacc
    spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
    state = np.zeros(mujoco.mj_stateSize(model, spec))
    mujoco.mj_getState(model, data, state, spec)
    return state


def _tips(mujoco, model, data, rows: Array) -> Array:
    found = []
    for q in rows:
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        found.append(data.site("tip").xpos.copy())
    return np.array(found)


if __name__ == "__main__":
    answer(dict.fromkeys(TREES, run))
