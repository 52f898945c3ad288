"""What a structure file publishes: motions, reactions, and forces of led ports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bondline.build.leaf_files.values import named
from bondline.build.structures.grid import Grid
from bondline.core import FRAME_DOFS
from bondline.description.untrusted import Node
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.nonlinear import Nonlinear, Socket

_WHOLE = {
    "plastic-strain": "plastic_strain",
    "stress": "stress",
    "plastic-work": "plastic_work",
    "strain-energy": "strain_energy",
}


def read_signal(n: Node, grid: Grid) -> Any:
    """Of a node, or of the whole structure; in the words of `Nonlinear.publish`."""
    of, component = n.get("of"), n.get("component")
    if of in _WHOLE:
        return _WHOLE[of]
    if of not in grid.rows:
        raise SettingError(
            f"{named(n)}, of",
            f"no node {of!r}.",
            did_you_mean(of, [*grid.rows, *_WHOLE]),
        )
    reaction = component.startswith("R")
    word = component[1:] if reaction else component
    if word not in FRAME_DOFS:
        raise SettingError(
            f"{named(n)}, component", f"{component!r}.", did_you_mean(word, FRAME_DOFS)
        )
    at = grid.rows[of], FRAME_DOFS.index(word)
    if reaction:
        return ("reaction", *at)
    if "unloaded" in n.attributes:
        return ("set", *at, grid.one(n, "unloaded"))
    return (*at, grid.one(n, "from")) if "from" in n.attributes else at


def read_force(
    n: Node, sockets: Mapping[str, Socket], led: tuple[str, ...]
) -> tuple[str, int]:
    """Of a port that takes motion: its name, and which of six components."""
    of, component = n.get("of"), n.get("component")
    if of not in led or of not in sockets:
        raise SettingError(
            f"{named(n)}, of",
            f"no port {of!r} that takes motion.",
            f"Forces are told of these. {did_you_mean(of, led)}",
        )
    words = {"Fx": 0, "Fy": 1, "Fz": 2, "Mx": 3, "My": 4, "Mz": 5}
    if component not in words:
        raise SettingError(
            f"{named(n)}, component", f"{component!r}.", did_you_mean(component, words)
        )
    return of, words[component]


def numbered(
    leaf: Nonlinear, forces: Mapping[str, tuple[str, int]]
) -> dict[str, tuple[str, int]]:
    """Numbers of dofs of ports, from components 0 … 5; where a port has that dof."""
    found = {}
    for name, (port, c) in forces.items():
        dofs = leaf.ports[port].dofs
        if FRAME_DOFS[c] not in dofs:
            raise SettingError(
                f"signal {name}, component",
                f"{port} has no {FRAME_DOFS[c]}.",
                f"It has {' '.join(dofs)}.",
            )
        found[name] = port, dofs.index(FRAME_DOFS[c])
    return found
