"""The plan-view control arm: all at once, and cut for gluing.

An L of 22 fibre beams (x forward, y outboard) between a wheel, 36 kg, and a chassis,
375 kg, that moves along x. A pulse pushes the wheel back; the arm yields.

- Variant H: bushes and their sleeves belong to the arm; it is cut at the ball joint and
  at the chassis, both heavy.
- Variant S: the sleeves (0.4 kg) are bodies of their own, on bushes to the chassis; the
  arm is cut at the ball joint and at both sleeves. Light: the trap of explicit schemes.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear import (
    Beams2,
    Bushes,
    Hold,
    Linear,
    Masses,
    Newton,
    Nonlinear,
    NonlinearModel,
    Plastic,
    Progressive,
    Push,
    Socket,
)
from bondline.leaves.nonlinear.elements.block import Elements, Indices
from bondline.leaves.nonlinear.elements.fibres import flat_box
from bondline.numerics import Method

HERE = Path(__file__).parent
DATA: dict[str, Any] = json.loads((HERE / "control_arm.json").read_text())
BALL_JOINT, FRONT, REAR = (DATA["interface"][k] for k in ("BJ", "front", "rear"))
CHASSIS = len(DATA["nodes"])
METHOD = Method.generalized_alpha(0.8)


def pulse(force: float = 16e3, duration: float = 30e-3) -> Callable[[float], float]:
    """The force on the wheel along x: half a sine, backwards."""
    return lambda t: -force * np.sin(np.pi * t / duration) if t < duration else 0.0


def points() -> np.ndarray[Any, np.dtype[np.float64]]:
    """Nodes of the arm, then one of the chassis."""
    flat = np.array([*DATA["nodes"], [0.0, 0.0]])
    return np.column_stack([flat, np.zeros(len(flat))])


def beams() -> tuple[Elements, ...]:
    """Both legs; Rayleigh's β acts through the stiffness at rest, as the reference."""
    alpha, beta = DATA["rayleigh"]
    steel = Material("steel", DATA["E"], 0.3, DATA["rho"], alpha, beta)
    metal = Plastic(steel, Linear(DATA["sigma_y"], DATA["H_iso"]))
    rows = np.array(DATA["elements"], dtype=np.intp)
    sections = DATA["section_main_depth_height_t"], DATA["section_rear"]
    return tuple(
        Beams2(leg, flat_box(metal, *sizes), rest_damping=True)
        for leg, sizes in zip((rows[:12], rows[12:]), sections, strict=True)
    )


def bushes() -> tuple[Elements, ...]:
    """From the chassis to both ends of the arm: k d (1 + (d/6 mm)²) + 400 ḋ."""
    pairs = ((FRONT, DATA["bush_front"]), (REAR, DATA["bush_rear"]))
    return tuple(
        Bushes(
            _rows([CHASSIS, node]),
            (0, 1),
            tuple(Progressive(k, 6e-3, 400.0) for k in stiffness),
        )
        for node, stiffness in pairs
    )


def _rows(*rows: list[int]) -> Indices:
    return np.array(rows, dtype=np.intp)


def _mass(kg: float, *nodes: int) -> Masses:
    return Masses(_rows(*([n] for n in nodes)), kg, components=(0, 1))


PUBLISHED = {
    "balljoint.x": (BALL_JOINT, 0),
    "balljoint.y": (BALL_JOINT, 1),
    "chassis.x": (CHASSIS, 0),
    "plastic_strain.max": "plastic_strain",
}


def all_at_once(
    force: float = 16e3, duration: float = 30e-3, tolerance: float = 1e-8
) -> Nonlinear:
    """One model of everything."""
    blocks = (
        *beams(),
        *bushes(),
        _mass(DATA["sleeve"], FRONT, REAR),
        _mass(DATA["wheel"], BALL_JOINT),
        _mass(DATA["chassis"], CHASSIS),
    )
    push = Push(BALL_JOINT, 0, pulse(force, duration))
    held = (Hold((CHASSIS,), (1,)),)
    model = NonlinearModel("all", points(), blocks, held, (push,))
    newton = Newton(tolerance)
    return Nonlinear(
        model, {}, 1, METHOD, newton, kinks=(duration,), publish=PUBLISHED, show=True
    )


def arm(variant: str = "H", tolerance: float = 1e-8) -> Nonlinear:
    """The arm alone: ports `ball_joint`, and `chassis` (H) or `front`, `rear` (S)."""
    newton, ball = Newton(tolerance), Socket((BALL_JOINT,), (0, 1))
    if variant == "S":
        model = NonlinearModel("arm", points()[:CHASSIS], beams())
        ends = {"front": Socket((FRONT,), (0, 1)), "rear": Socket((REAR,), (0, 1))}
        published = {k: v for k, v in PUBLISHED.items() if k != "chassis.x"}
        return Nonlinear(
            model, {"ball_joint": ball, **ends}, 1, METHOD, newton, publish=published
        )
    blocks = (*beams(), *bushes(), _mass(DATA["sleeve"], FRONT, REAR))
    model = NonlinearModel("arm", points(), blocks, (Hold((CHASSIS,), (1,)),))
    ports = {"ball_joint": ball, "chassis": Socket((CHASSIS,), (0,))}
    return Nonlinear(model, ports, 1, METHOD, newton, publish=PUBLISHED)


def wheel(
    force: float = 16e3, duration: float = 30e-3, method: Method = METHOD
) -> Nonlinear:
    """The wheel and its upright, pushed; port `hub`.

    With the method of the arm, glued parts are the whole. A body that is *told* forces
    at t₁ (explicit schemes) must feel them there: give it `Method()`, whose balance is
    at t₁. With generalized-alpha a force told for t₁ acts earlier in the step.
    """
    push = Push(0, 0, pulse(force, duration))
    model = NonlinearModel(
        "wheel", np.zeros((1, 3)), (_mass(DATA["wheel"], 0),), (), (push,)
    )
    return Nonlinear(model, {"hub": Socket((0,), (0, 1))}, 1, method, kinks=(duration,))


def chassis(method: Method = METHOD) -> Nonlinear:
    """The chassis of variant H, along x; port `mount`."""
    held = (Hold((0,), (1,)),)
    mass = _mass(DATA["chassis"], 0)
    model = NonlinearModel("chassis", np.zeros((1, 3)), (mass,), held)
    return Nonlinear(model, {"mount": Socket((0,), (0,))}, 1, method)


def sleeves(method: Method = METHOD) -> Nonlinear:
    """The chassis of variant S with both sleeves on their bushes; `front`, `rear`."""
    blocks = (
        *bushes(),
        _mass(DATA["sleeve"], FRONT, REAR),
        _mass(DATA["chassis"], CHASSIS),
    )
    model = NonlinearModel("chassis", points(), blocks, (Hold((CHASSIS,), (1,)),))
    ends = {"front": Socket((FRONT,), (0, 1)), "rear": Socket((REAR,), (0, 1))}
    return Nonlinear(model, ends, 1, method)
