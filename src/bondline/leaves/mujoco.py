"""MuJoCo as a leaf: rigid bodies, contacts and actuators of MJCF and URDF files.

MuJoCo steps; what it keeps between calls is its integration state, which is put in
before each window and read after it. Needs `pip install bondline[mujoco]`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import (
    FRAME_DOFS,
    Advance,
    Capabilities,
    Matrix,
    Motion,
    Observation,
    Parameter,
    Port,
    Rejected,
    Signal,
    Vector,
    Window,
)
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.engines import attempted, engine, positive, steps
from bondline.leaves.guard import finite
from bondline.leaves.raw import from_bytes, to_bytes


@dataclass(frozen=True, eq=False)
class MujocoLeaf:
    """A MuJoCo model that takes forces at sites or bodies.

    `sockets` names the site of each port, or the body where there is no such site
    (URDF has no sites). A port is a frame; those in `points` show no rotation. A
    window is as few equal steps as can be, none above the model's `timestep`; each
    feels the port forces of its middle. It starts at keyframe `key`, if one is named.
    """

    name: str
    model: Any  # mujoco.MjModel
    sockets: Mapping[str, str]
    points: Collection[str] = ()
    key: str = ""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for port in self.points:
            if port not in self.sockets:
                raise SettingError(
                    f"{self.name}: points",
                    f"no port {port!r}.",
                    did_you_mean(port, self.sockets),
                )
        _ = self._seats, self._step, self._origin  # refused here

    @cached_property
    def ports(self) -> Mapping[str, Port]:
        """A frame or a point a socket."""
        return {
            p: Port(p, FRAME_DOFS[:3]) if p in self.points else _frame(p)
            for p in self.sockets
        }

    @property
    def capabilities(self) -> Capabilities:
        """Several steps a window; it repeats, and its states are bytes."""
        return Capabilities()

    @cached_property
    def _mj(self) -> Any:
        (mj,) = engine("mujoco", "mujoco")
        mj.set_mju_user_warning(_quiet)
        return mj

    @cached_property
    def _data(self) -> Any:
        return self._mj.MjData(self.model)

    @cached_property
    def _step(self) -> float:
        """The longest step, as the owner of the model gave it."""
        longest = float(self.model.opt.timestep)
        positive(f"{self.name}: timestep", longest)
        return longest

    @cached_property
    def _spec(self) -> int:
        return int(self._mj.mjtState.mjSTATE_INTEGRATION)

    @cached_property
    def _seats(self) -> Mapping[str, tuple[bool, int]]:
        """Whether a port is at a site, and the number of that site or body."""
        return {p: self._seat(p, place) for p, place in self.sockets.items()}

    def _seat(self, port: str, place: str) -> tuple[bool, int]:
        sites, bodies = (list(self._names(kind)) for kind in ("site", "body"))
        if place in sites:
            return True, sites.index(place)
        if place in bodies:
            return False, bodies.index(place)
        raise SettingError(
            f"{self.name}.{port}",
            f"there is no site and no body {place!r}.",
            did_you_mean(place, [n for n in (*sites, *bodies) if n]),
        )

    def _names(self, kind: str) -> Iterator[str]:
        count, get = getattr(self.model, f"n{kind}"), getattr(self.model, kind)
        return (get(k).name for k in range(count))

    @cached_property
    def _origin(self) -> Vector:
        """As the model starts, at t = 0."""
        mj, data = self._mj, self._data
        mj.mj_resetData(self.model, data)
        if self.key:
            keys = [self.model.key(k).name for k in range(self.model.nkey)]
            if self.key not in keys:
                raise SettingError(
                    f"{self.name}: key",
                    f"there is no keyframe {self.key!r}.",
                    did_you_mean(self.key, keys),
                )
            mj.mj_resetDataKeyframe(self.model, data, keys.index(self.key))
        return self._read()

    def start(self, t0: float) -> Advance[Vector]:
        """As the file says, or at its keyframe."""
        self._write(self._origin)
        self._data.time = t0
        return self._shown(self._read(), {})

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under forces and moments."""
        self._write(state)
        return self._shown(state, forces)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Some steps of MuJoCo."""
        mj, data = self._mj, self._data
        self._write(state)
        data.time = window.t0
        warned = data.warning.number.sum()
        for piece in steps(window, self._step):
            middle = (0.5 * (piece.t0 + piece.t1) - window.t0) / window.h
            self.model.opt.timestep = piece.h
            self._kinematics()
            self._push({p: s.at(middle) for p, s in inputs.items()})
            mj.mj_step(self.model, data)
        self.model.opt.timestep = self._step
        if data.warning.number.sum() > warned:
            return Rejected(self.name, "MuJoCo warns of its numbers", window.at(0.5))
        self._push({})
        data.time = window.t1
        done = self._shown(self._read(), {p: s.end for p, s in inputs.items()})
        return finite(self.name, window, done)

    def _read(self) -> Vector:
        size = self._mj.mj_stateSize(self.model, self._spec)
        state = np.empty(size)
        self._mj.mj_getState(self.model, self._data, state, self._spec)
        return state

    def _write(self, state: Vector) -> None:
        self._mj.mj_setState(self.model, self._data, state, self._spec)

    def _kinematics(self) -> None:
        """Where everything is: what Jacobians are made of."""
        self._mj.mj_kinematics(self.model, self._data)
        self._mj.mj_comPos(self.model, self._data)

    def _push(self, forces: Mapping[str, Vector]) -> None:
        """Jᵀ f of all ports, as generalised forces."""
        total = self._data.qfrc_applied
        total[:] = 0.0
        for port, f in forces.items():
            total += self._jacobian(port)[: len(f)].T @ f

    def _jacobian(self, port: str) -> Matrix:
        """Of the velocity of a port, then of its spin, in world axes."""
        is_site, number = self._seats[port]
        J = np.zeros((2, 3, self.model.nv))
        ask = self._mj.mj_jacSite if is_site else self._mj.mj_jacBody
        ask(self.model, self._data, J[0], J[1], number)
        return J.reshape(6, -1)

    def _jacobian_rate(self, port: str) -> Matrix:
        is_site, number = self._seats[port]
        body = int(self.model.site_bodyid[number]) if is_site else number
        J = np.zeros((2, 3, self.model.nv))
        at = self._place(port)[0]
        self._mj.mj_jacDot(self.model, self._data, J[0], J[1], at, body)
        return J.reshape(6, -1)

    def _place(self, port: str) -> tuple[Vector, Vector]:
        is_site, number = self._seats[port]
        if not is_site:
            return self._data.xpos[number].copy(), self._data.xquat[number].copy()
        turn = np.empty(4)
        self._mj.mju_mat2Quat(turn, self._data.site_xmat[number])
        return self._data.site_xpos[number].copy(), turn

    def _shown(self, state: Vector, forces: Mapping[str, Vector]) -> Advance[Vector]:
        """What ports show now; asking for accelerations leaves the state alone."""
        self._kinematics()
        self._push(forces)
        self._mj.mj_forward(self.model, self._data)
        return Advance(state, {port: self._motion(port) for port in self.sockets})

    def _motion(self, port: str) -> Motion:
        J, data = self._jacobian(port), self._data
        x, turn = self._place(port)
        v, a = J @ data.qvel, J @ data.qacc + self._jacobian_rate(port) @ data.qvel
        if port in self.points:
            return Motion(x, v[:3], a[:3])
        return Motion(x, v, a, turn)

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """Positions of the joints, by name."""
        self._write(state)
        found = {}
        for k, name in enumerate(self._names("jnt")):
            row, kind = int(self.model.jnt_qposadr[k]), int(self.model.jnt_type[k])
            if kind in _UNITS:
                value = float(self._data.qpos[row])
                found[name or f"joint{k}"] = Observation(value, _UNITS[kind])
        return found

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """A line from the root through the bodies to each port."""
        self._write(state)
        self._kinematics()
        return {port: self._line(port) for port in self.sockets}

    def _line(self, port: str) -> Matrix:
        is_site, number = self._seats[port]
        body = int(self.model.site_bodyid[number]) if is_site else number
        line = [self._place(port)[0]]
        while body:
            line.append(self._data.xpos[body].copy())
            body = int(self.model.body_parentid[body])
        return np.array(line[::-1])

    def dump(self, state: Vector) -> bytes:
        """MuJoCo's integration state as raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)


def _quiet(message: str) -> None:
    """Warnings are counted and become rejections; no file is written about them."""


_UNITS = {2: "m", 3: "rad"}  # slides and hinges


def _frame(port: str) -> Port:
    return Port(port, FRAME_DOFS, frame=True)


def mujoco_leaf(
    name: str,
    text: str,
    sockets: Mapping[str, str],
    assets: Mapping[str, bytes] | None = None,
    **how: Any,
) -> MujocoLeaf:
    """The leaf of an MJCF or URDF text; `assets` are the files it names."""
    (mj,) = engine("mujoco", "mujoco")
    model = attempted(
        name,
        lambda: mj.MjModel.from_xml_string(text, dict(assets or {})),
        "Correct the MJCF or URDF; MuJoCo says where it stopped.",
    )
    return MujocoLeaf(name, model, sockets, **how)
