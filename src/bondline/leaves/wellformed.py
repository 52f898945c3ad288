"""Whether matrices, selections and ports of a structure go together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bondline.core import Causality, Port
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.selection import Selection
from bondline.numerics import LinearSystem, Method, Newmark
from bondline.numerics.symmetry import asymmetry


def check_matrices(name: str, system: LinearSystem) -> None:
    """M, C and K are square, of one size, and symmetric."""
    n = system.M.shape[0]
    for letter, A in zip("MCK", system, strict=True):
        if A.shape != (n, n):
            raise SettingError(
                f"{name}: {letter}",
                f"its shape is {A.shape}.",
                f"M has {n} rows, so give {n} × {n} numbers.",
            )
        if asymmetry(A):
            raise SettingError(
                f"{name}: {letter}",
                "it is not symmetric.",
                "Give the whole matrix, both triangles; a structure with gyroscopic or "
                "follower terms needs another leaf.",
            )


def check_method(name: str, method: Method, steps: int) -> None:
    """Windows of several steps start from a balance at t₀, which not all methods have.

    Started anew in every window, others would be of first order.
    """
    check_steps(name, steps)
    if steps > 1 and not method.one_instant:
        raise SettingError(
            f"{name}: method",
            f"{method} has no balance at the start of a window of {steps} steps.",
            "Take steps=1 and shorter windows, or one of Newmark's methods.",
        )


def check_steps(name: str, steps: int) -> None:
    """A whole number of them, one at least."""
    if steps < 1 or steps != int(steps):
        raise SettingError(
            f"{name}: steps",
            f"{steps} steps a window lead nowhere.",
            "Take one Newmark step a window, or a larger whole number of them.",
        )


def prepared(name: str, newmark: Newmark) -> Newmark:
    """The method with its factors found; refused where it has none."""
    try:
        newmark.prepare()
    except np.linalg.LinAlgError as error:
        step = f"steps of {newmark.h:.3g} s" if newmark.h else "mass"
        raise SettingError(
            f"{name}: {step}",
            f"{str(error).rstrip('.')}.",
            "Mass, and stiffness that is not negative, make it so. Look at thickness, "
            "area and density of the part and at their units, and at springs with "
            "negative stiffness.",
        ) from error
    return newmark


def check_ports(
    name: str, n: int, picks: Mapping[str, Selection], ports: Mapping[str, Port]
) -> None:
    """Every port selects as many dofs as it has, among those that exist."""
    for port in dict.fromkeys([*picks, *ports]):
        if port not in picks or port not in ports:
            known, where = (picks, "ports") if port in picks else (ports, "select")
            raise SettingError(
                f"{name}.{port}", f"it is not in `{where}`.", did_you_mean(port, known)
            )
        _check_port(f"{name}.{port}", n, picks[port], ports[port])
    _check_led(name, picks, ports)


def _check_port(place: str, n: int, pick: Selection, port: Port) -> None:
    if port.frame:
        raise SettingError(
            place,
            "it is a frame, which turns by any angle.",
            "A linear structure turns by small angles: leave frame=True out.",
        )
    if pick.size != port.size:
        raise SettingError(
            place,
            f"{pick.size} dofs are selected for a port of {port.size}.",
            f"Select {port.nodes} × {' '.join(port.dofs)}, node by node.",
        )
    if not pick.fits(n):
        raise SettingError(
            place,
            f"it selects dofs that a structure of {n} dofs does not have.",
            f"Give a list of dofs from 0 to {n - 1}, each once, or rows of {n} "
            "numbers.",
        )


def _check_led(
    name: str, picks: Mapping[str, Selection], ports: Mapping[str, Port]
) -> None:
    """Ports that take motion hold dofs as they are, and none of them twice."""
    owner: dict[int, str] = {}
    for port, pick in picks.items():
        if ports[port].causality is not Causality.MOTION_IN:
            continue
        if pick.dofs is None:
            raise SettingError(
                f"{name}.{port}",
                "it takes motion, but shows combinations of dofs.",
                "Select single dofs, each once; or let it take forces.",
            )
        for dof in pick.dofs.tolist():
            if dof in owner:
                raise SettingError(
                    f"{name}.{port}",
                    f"dof {dof} is led by port {owner[dof]} already.",
                    "Let one of the two take forces, or make them one port.",
                )
            owner[dof] = port
