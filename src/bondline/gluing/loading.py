"""Who feels what: the joint forces as loads on the ports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bondline.core import Assembly, Matrix, PortRef, Signal
from bondline.gluing.leverage import Levers


def loads(
    assembly: Assembly,
    levers: Levers,
    F: Matrix,
    outside: Mapping[PortRef, Signal],
) -> dict[str, dict[str, Signal]]:
    """Cᵢ F with Cᵢ = Bᵢᵀ for every end, wang2003 (7)-(8), and the loads from outside.

    Row k of `F` holds the coefficients of sᵏ of all joint forces.
    """
    found: dict[str, dict[str, Signal]] = {n: {} for n in assembly.parts}
    for end, signal in outside.items():
        found[end.part][end.port] = signal
    for end, acting in _forces(assembly, levers, F):
        load, ports = Signal(acting), found[end.part]
        known = ports.get(end.port)
        ports[end.port] = load if known is None else known + load
    return found


def _forces(
    assembly: Assembly, levers: Levers, F: Matrix
) -> Iterable[tuple[PortRef, Matrix]]:
    if assembly.stack is not None:
        return assembly.stack.loads(F).items()
    at = assembly.offsets
    return (
        (end, lever.load(F[:, at[k] : at[k + 1]]))
        for k, c in enumerate(assembly.connections)
        for end, lever in zip(c.ends, levers[k], strict=True)
    )
