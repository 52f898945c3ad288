"""How an integrated model accelerates at its exports, from how its parts do.

    M = H_oo − H_oj Bᵀ (B H_jj Bᵀ)⁻¹ B H_jo                                       (1)

H are the mobilities of the parts at an instant, o exported ports, j ports in joints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np

from bondline.core import Assembly, Causality, Matrix, Mobile, Port, PortRef
from bondline.gluing.admittance import admittance
from bondline.gluing.leverage import Levers

Blocks: TypeAlias = Mapping[tuple[str, str], Matrix]

_RANK = 1e-12  # of the largest: joints that repeat each other


def mobilities(
    assembly: Assembly, states: Mapping[str, Any], t: float
) -> Mapping[str, Blocks]:
    """Those of the parts that know, where all ports in joints take force."""
    found: dict[str, Blocks] = {}
    for name, places in assembly.places.items():
        part = assembly.parts[name]
        ports = [part.ports[port] for port, _, _ in places]
        pushed = all(_takes_force(port) for port in ports)
        if pushed and isinstance(part, Mobile):
            blocks = part.mobility(states[name], t)
            if blocks is not None:
                found[name] = blocks
    return found


def _takes_force(port: object) -> bool:
    return isinstance(port, Port) and port.causality is Causality.FORCE_IN


def condensed(
    assembly: Assembly,
    arms: Levers,
    H: Mapping[str, Blocks],
    exports: Mapping[str, PortRef],
) -> Blocks | None:
    """(1) over the exports that take force; None where it is not known.

    Joints that repeat each other are left to `press`, which finds out whether they
    close.
    """
    shown = {
        name: end
        for name, end in exports.items()
        if _takes_force(assembly.parts[end.part].ports[end.port])
    }
    if any(end.part not in H for end in shown.values()) or len(H) < len(
        [n for n, places in assembly.places.items() if places]
    ):
        return None
    rigid = np.ones(assembly.offsets[-1], dtype=np.bool_)
    if assembly.compliant is not None:
        rigid[assembly.compliant[0]] = False
    J = admittance(assembly, arms, None, H)[np.ix_(rigid, rigid)]
    solved = _inverse(J)
    if solved is None:
        return None
    felt = {name: _felt(assembly, arms, H, end)[rigid] for name, end in shown.items()}
    blocks = {}
    for out, end_out in shown.items():
        for port, end_in in shown.items():
            block = -_shown(assembly, arms, H, end_out)[:, rigid] @ solved @ felt[port]
            if end_in.part == end_out.part:
                block = block + H[end_in.part][end_out.port, end_in.port]
            blocks[out, port] = block
    return blocks


def _inverse(J: Matrix) -> Matrix | None:
    if not len(J):
        return J
    size = np.sqrt(np.abs(J.diagonal()))
    if not (size > 0.0).all():
        return None
    values, vectors = np.linalg.eigh(0.5 * (J + J.T) / size[:, None] / size)
    if values.min() <= _RANK * values.max():
        return None
    inverse: Matrix = (vectors / values) @ vectors.T / size[:, None] / size
    return inverse


def _felt(
    assembly: Assembly, arms: Levers, H: Mapping[str, Blocks], end: PortRef
) -> Matrix:
    """B H_jo: what a push on an export does to the gaps of the joints."""
    at = assembly.offsets
    found = np.zeros((at[-1], assembly.parts[end.part].ports[end.port].size))
    for port, row, i in assembly.places[end.part]:
        pushed = H[end.part][port, end.port]
        found[at[row] : at[row + 1]] += arms[row][i].B @ pushed
    return found


def _shown(
    assembly: Assembly, arms: Levers, H: Mapping[str, Blocks], end: PortRef
) -> Matrix:
    """H_oj Bᵀ: what joint forces do to an export."""
    at = assembly.offsets
    found = np.zeros((assembly.parts[end.part].ports[end.port].size, at[-1]))
    for port, column, i in assembly.places[end.part]:
        pushed = H[end.part][end.port, port]
        found[:, at[column] : at[column + 1]] += pushed @ arms[column][i].B.T
    return found
