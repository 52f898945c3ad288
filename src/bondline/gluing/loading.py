"""Who feels what: the joint forces as loads on the ports."""

from __future__ import annotations

from collections.abc import Mapping

from bondline.core import Assembly, Matrix, PortRef, Signal, superposed
from bondline.gluing.leverage import Levers


def loads(
    assembly: Assembly,
    levers: Levers,
    F: Matrix,
    outside: Mapping[PortRef, Signal],
) -> dict[str, Mapping[str, Signal]]:
    """Cᵢ F with Cᵢ = Bᵢᵀ for every end, wang2003 (7)-(8), and the loads from outside.

    Row k of `F` holds the coefficients of sᵏ of all joint forces.
    """
    given: dict[str, dict[str, Signal]] = {n: {} for n in assembly.parts}
    for end, signal in outside.items():
        given[end.part][end.port] = signal
    if assembly.stack is None:
        return {**_one_by_one(assembly, levers, F, given)}
    told = assembly.stack.loads(F)
    return {n: superposed(own, told.get(n, {})) for n, own in given.items()}


def _one_by_one(
    assembly: Assembly, levers: Levers, F: Matrix, given: dict[str, dict[str, Signal]]
) -> dict[str, dict[str, Signal]]:
    at = assembly.offsets
    for k, c in enumerate(assembly.connections):
        for end, lever in zip(c.ends, levers[k], strict=True):
            load = Signal(lever.load(F[:, at[k] : at[k + 1]]))
            known = given[end.part].get(end.port)
            given[end.part][end.port] = load if known is None else known + load
    return given
