"""A rigid body by numbers alone: what a model file can say."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, sin, sqrt

from bondline.core import FRAME_DOFS, Parameter, Port
from bondline.leaves.declared import as_set, declare
from bondline.leaves.rigid_body import RigidBody
from bondline.leaves.spatial import Turn


def _axes(stem: str, unit: str, meaning: str) -> tuple[Parameter, ...]:
    return tuple(Parameter(f"{stem}{d}", 0.0, unit, f"{meaning}, {d}") for d in "xyz")


DECLARED: Mapping[str, Parameter] = declare(
    Parameter("mass", 1.0, "kg", "mass of the body", positive=True),
    Parameter("Ixx", 1.0, "kg*m**2", "moment of inertia, body axes", positive=True),
    Parameter("Iyy", 1.0, "kg*m**2", "moment of inertia, body axes", positive=True),
    Parameter("Izz", 1.0, "kg*m**2", "moment of inertia, body axes", positive=True),
    Parameter("Ixy", 0.0, "kg*m**2", "off-diagonal entry of the tensor"),
    Parameter("Ixz", 0.0, "kg*m**2", "off-diagonal entry of the tensor"),
    Parameter("Iyz", 0.0, "kg*m**2", "off-diagonal entry of the tensor"),
    *_axes("", "m", "centre of mass at the start"),
    *_axes("r", "rad", "rotation vector at the start"),
    *_axes("v", "m/s", "velocity at the start"),
    *_axes("w", "rad/s", "spin at the start, world axes"),
    *_axes("g", "m/s**2", "gravity"),
    *_axes("a", "m", "where frame a is in the body"),
    *_axes("b", "m", "where frame b is in the body"),
)
PORTS = {port: Port(port, FRAME_DOFS, frame=True) for port in ("a", "b")}


def body(name: str, **values: float) -> RigidBody:
    """A rigid body with two frames, `a` and `b`; `values` set what `DECLARED` lists."""
    parameters = as_set(name, DECLARED, values)
    p = {n: parameter.value for n, parameter in parameters.items()}

    def vector(stem: str) -> tuple[float, float, float]:
        return p[f"{stem}x"], p[f"{stem}y"], p[f"{stem}z"]

    return RigidBody(
        name,
        p["mass"],
        [
            [p["Ixx"], p["Ixy"], p["Ixz"]],
            [p["Ixy"], p["Iyy"], p["Iyz"]],
            [p["Ixz"], p["Iyz"], p["Izz"]],
        ],
        vector(""),
        _turn(*vector("r")),
        vector("v"),
        vector("w"),
        vector("g"),
        markers={port: vector(port) for port in PORTS},
        parameters=parameters,
    )


def _turn(x: float, y: float, z: float) -> Turn:
    """The quaternion of a rotation vector."""
    angle = sqrt(x * x + y * y + z * z)
    scale = sin(0.5 * angle) / angle if angle else 0.5
    return cos(0.5 * angle), scale * x, scale * y, scale * z
