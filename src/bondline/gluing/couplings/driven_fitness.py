"""Can these joints and parts be coupled through motion? If not, why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bondline.core import (
    FRAME_DOFS,
    Assembly,
    Causality,
    Connection,
    Matrix,
    Port,
    PortRef,
    Vector,
    Weighing,
)
from bondline.errors import SettingError, WiringError
from bondline.gluing.couplings.motion_schemes import ForceScheme, MotionScheme
from bondline.gluing.couplings.one_pass_limits import USUAL
from bondline.gluing.couplings.shared_motion import null_space

_NOTHING = 1e-12
_CLOSE = 1e-9


def mechanical(assembly: Assembly, end: PortRef) -> Port:
    """The port at one end of a joint."""
    port = assembly.parts[end.part].ports[end.port]
    assert isinstance(port, Port), f"{end} must be mechanical"
    return port


def takes_motion(assembly: Assembly, end: PortRef) -> bool:
    """Whether a port is told its motion."""
    return mechanical(assembly, end).causality is Causality.MOTION_IN


def check_xx(name: str, scheme: MotionScheme, assembly: Assembly) -> None:
    """Raise `SettingError` where X-X coupling cannot be."""
    place = f"{name}: X-X coupling"
    for end in (end for c in assembly.connections for end in c.ends):
        if not takes_motion(assembly, end):
            raise SettingError(
                place,
                f"{end} takes force and answers with motion.",
                "X-X coupling needs ports that take motion on every side; use X-T "
                "coupling here.",
            )
    for c in assembly.connections:
        check_joint(place, c, assembly)
    check_repeatable(f"{name}: scheme {scheme.name}", assembly)
    one_step = [n for n in glued(assembly) if assembly.parts[n].capabilities.one_step]
    if one_step and scheme.name != "newmark/f":
        raise SettingError(
            f"{name}: scheme {scheme.name}",
            f"{one_step[0]} takes one Newmark step a window and finds its acceleration "
            "from the position at its end by the trapezoidal rule, which this path "
            "does not follow: the acceleration rings.",
            "Use newmark/f.",
        )


def check_joint(place: str, c: Connection, assembly: Assembly) -> None:
    """Motions that leave no gap must form a fixed space."""
    ports = [mechanical(assembly, end) for end in c.ends]
    frames = [port.frame for port in ports]
    # a point has no rotations to be small: where it meets a frame, both only shift
    meet = c.constant and all(p.frame or _point(p) for p in ports)
    if any(frames) and not all(frames) and not meet:
        raise SettingError(
            place,
            f"joint {c.name} joins a frame to a port whose rotations are small.",
            "Give both ends frames, or let one of them take forces (T-T coupling).",
        )
    if not c.constant and not (all(frames) and _welds(c)):
        raise SettingError(
            place,
            f"the directions of joint {c.name} turn with its ends, so the motions that "
            "leave no gap are no fixed set.",
            "Use T-T coupling for this joint, with ports that take forces.",
        )


def _point(port: Port) -> bool:
    return port.nodes == 1 and port.dofs == FRAME_DOFS[:3]


def _welds(c: Connection) -> bool:
    """Whether the ends move as one, however the joint is turned."""
    turns = np.vstack([np.zeros(3), np.eye(3), [0.5, -1.0, 2.0]])
    try:
        closed = [c.admissible(_turned(turn)) for turn in turns]
    except WiringError:
        return False
    each = [np.hstack(c.jacobian(motions)) for motions in closed]
    T, free = null_space(each[0])
    return len(free) == 6 and all(np.abs(B @ T).max() < _CLOSE for B in each)


def _turned(turn: Vector) -> Vector:
    """x, v and a of a frame at rest."""
    return np.concatenate([np.zeros(3), turn, np.zeros(12)])


def glued(assembly: Assembly) -> list[str]:
    """The parts that a joint holds, by name."""
    return sorted({end.part for c in assembly.connections for end in c.ends})


def check_repeatable(place: str, assembly: Assembly) -> None:
    """Iterations need parts that can repeat a window."""
    for n in glued(assembly):
        if not assembly.parts[n].capabilities.repeatable:
            raise SettingError(
                place,
                f"it advances each window several times, and {n} cannot repeat one.",
                "Wrap it in Checkpointed if it can save and restore its state; or use "
                "X-T coupling in one pass, linear/explicit.",
            )


def check_inertia(scheme: MotionScheme, M: Matrix, labels: Sequence[str]) -> None:
    """The path of a scheme goes with inertia at the interface, or with none."""
    own = np.abs(np.diag(M))
    top = float(np.abs(M).max(initial=0.0))
    massless = own <= _NOTHING * max(top, 1.0)
    if scheme.ramp and massless.any():
        worst = labels[int(np.flatnonzero(massless)[0])]
        raise SettingError(
            f"X-X coupling, scheme {scheme.name}",
            f"nothing has inertia at {worst}: its acceleration changes no effort.",
            "Use linear/f where no dof of the interface has inertia; else give this "
            "dof a mass, or tie it.",
        )
    if not scheme.ramp and not massless.all():
        worst = labels[int(np.argmax(own))]
        raise SettingError(
            f"X-X coupling, scheme {scheme.name}",
            f"there is inertia at {worst} ({own.max():.3g} kg): a motion along a line "
            "has no acceleration, so the inertia would not be felt.",
            "Use newmark/f.",
        )


def refuse_outside(
    place: str, assembly: Assembly, outside: Mapping[PortRef, Any]
) -> None:
    """A port that a joint moves cannot be moved from outside, too."""
    for c in assembly.connections:
        for end in c.ends:
            if end in outside and takes_motion(assembly, end):
                raise SettingError(
                    place,
                    f"{end} is moved by joint {c.name} and by a motion from outside.",
                    "Export another port, or take the joint out of this model.",
                )


def check_xt(name: str, scheme: ForceScheme, assembly: Assembly) -> None:
    """Raise `SettingError` where X-T coupling cannot be."""
    place = f"{name}: X-T coupling"
    told: dict[PortRef, str] = {}
    for c in assembly.connections:
        check_joint(place, c, assembly)
        _check_sides(place, c, assembly)
        for end in c.ends:
            if takes_motion(assembly, end):
                if end in told:
                    raise SettingError(
                        place,
                        f"{end} is told its motion by joints {told[end]} and {c.name}.",
                        "Join all parts that meet there in one joint.",
                    )
                told[end] = c.name
    if not scheme.extrapolate:
        check_repeatable(f"{name}: scheme {scheme.name}", assembly)
    if scheme.open or scheme.name == "newmark/f":
        _check_accelerations(f"{name}: scheme {scheme.name}", assembly)
    _check_steps(place, assembly)


def weighed(assembly: Assembly, h: float) -> list[tuple[float, float, float]]:
    """Weights of x, v h and a h² of the followers that weigh what they are told."""
    parts = [assembly.parts[n] for n in glued(assembly)]
    found = []
    for part in parts:
        if isinstance(part, Weighing):
            x, v, a = part.weighing(h).tolist()
            found.append((x * h * h, v * h, a))
        elif part.capabilities.weighs:
            found.append(USUAL)
    return found


def silent_leaders(assembly: Assembly) -> list[PortRef]:
    """Ports that take force and do not say their acceleration."""
    ends = [end for c in assembly.connections for end in c.ends]
    led = [end for end in ends if not takes_motion(assembly, end)]
    return [e for e in led if not assembly.parts[e.part].capabilities.acceleration]


def _check_accelerations(place: str, assembly: Assembly) -> None:
    for end in silent_leaders(assembly):
        raise SettingError(
            place,
            f"{end} leads and gives no accelerations: under a force that goes along a "
            "cubic they cannot be told from positions and velocities, and the error is "
            "of order 1.",
            "Use linear/f.",
        )


def _check_sides(place: str, c: Connection, assembly: Assembly) -> None:
    followers = [end for end in c.ends if takes_motion(assembly, end)]
    if len(followers) in (0, len(c.ends)):
        kind, other = ("force", "T-T") if not followers else ("motion", "X-X")
        raise SettingError(
            place,
            f"all ends of joint {c.name} take {kind}.",
            "X-T coupling needs a leader that takes force and followers that take "
            f"motion at every joint; put joint {c.name} into a nested model with "
            f"{other} coupling.",
        )
    if c.law is not None:
        raise SettingError(
            place,
            f"joint {c.name} gives way under force, so its leaders do not say where "
            "its followers are.",
            "Use T-T or X-X coupling, or make the compliance a part of its own.",
        )
    told = sum(mechanical(assembly, end).size for end in followers)
    if told != len(c.components):
        fewer = told > len(c.components)
        finding = (
            f"joint {c.name} leaves {told - len(c.components)} dofs of its followers "
            "undetermined: no leader says how they move."
            if fewer
            else f"joint {c.name} has leaders that must agree with each other: "
            f"{len(c.components)} conditions, {told} dofs that follow."
        )
        raise SettingError(
            place,
            finding,
            "Give the followers only the dofs that the joint ties, or use X-X coupling."
            if fewer
            else "Glue the leaders in a nested model with T-T coupling, and export one "
            "port.",
        )


def _check_steps(place: str, assembly: Assembly) -> None:
    """A one-step follower needs a leader that keeps the trapezoidal rule."""
    for c in assembly.connections:
        can = {e: assembly.parts[e.part].capabilities.one_step for e in c.ends}
        for end in c.ends:
            leaders = [e for e in c.ends if not takes_motion(assembly, e)]
            if (
                takes_motion(assembly, end)
                and can[end]
                and not all(can[e] for e in leaders)
            ):
                raise SettingError(
                    place,
                    f"{end} takes one Newmark step a window and finds its acceleration "
                    f"from the position at its end; {leaders[0]} does not keep to the "
                    "trapezoidal rule, and the acceleration rings.",
                    "Give the follower several steps a window, the leader one, or turn "
                    "the joint round: the one-step part leads.",
                )
