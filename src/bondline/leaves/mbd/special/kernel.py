"""The specialised kernel of a mechanism in place of the general one."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bondline.errors import UsageError
from bondline.kernels.special import library
from bondline.kernels.system import CSystem
from bondline.kernels.traced import TooLong
from bondline.leaves.mbd.codes import Head
from bondline.leaves.mbd.pack import Packed
from bondline.leaves.mbd.special.program import FEW, Program, program
from bondline.leaves.mbd.special.reading import Plan, plan_of
from bondline.leaves.mbd.special.solving import NotDefinite
from bondline.leaves.mbd.special.unsuited import Unsuited

_CALLED = ("formula.c", "history.c", "tree_laws.c")  # what programs may call
# Integrators, whose loops are written out for one size.
_ONE_RATE = ("nordsieck.c", "onestep.c")
_TWO_RATES = ("multirate.c", "multirate_start.c", "residual.c")
_MODES = 40  # of one body; its equations grow with their square
_LONGEST = 40_000  # operations; compilers take half a minute for them


@dataclass(frozen=True, eq=False)
class Special:
    """Functions for one mechanism, loaded; wrenches at `ports` may act on it.

    `slower` says why the rows of two rates are not among them though they were asked.
    """

    made: Program
    loaded: ctypes.CDLL
    ports: tuple[int, ...]
    slower: Unsuited | None = None

    def replace(self, system: CSystem, markers: Sequence[int]) -> None:
        """Let integrators call these; what is not there stays general."""
        strange = sorted({*markers} - {*self.ports})
        if strange:
            raise UsageError(
                "specialised kernel",
                f"wrenches act at the markers {strange}, for which it was not made.",
                "Name all ports when it is made.",
            )
        kinds: dict[str, Any] = dict(CSystem._fields_)
        for name in self.made.names:
            setattr(system, name, kinds[name]((name, self.loaded)))
        if "fast_again" not in self.made.names:
            # the general one reads what the general `rates` would have left in `work`
            system.fast_again = kinds["fast_again"]()
        system.work = max(system.work, self.made.kept)


def special(
    name: str, packed: Packed, ports: Sequence[int] = (), multirate: bool = False
) -> Special | Unsuited:
    """The kernel of a mechanism alone, or why there is none.

    `ports` are numbers of markers at which wrenches may act.
    """
    plan, where = plan_of(packed), tuple(dict.fromkeys(ports))
    if packed.ints[Head.LOOPS]:
        return Unsuited("it has closed loops or motions that are told")
    modes = max((b.n_modes for b in plan.branches), default=0)
    if modes > _MODES:
        return Unsuited(f"a body of it has {modes} modes, more than {_MODES}")
    slower = None
    made = _program(plan, where, multirate)
    if multirate and isinstance(made, Unsuited):  # the rows of two rates are many
        slower, made = made, _program(plan, where, multirate=False)
    if isinstance(made, Unsuited):
        return made
    parts = (*_CALLED, *_ONE_RATE, *(_TWO_RATES if multirate else ()))
    told = (f"-DBONDLINE_N_Q={plan.n_q}", f"-DBONDLINE_N_U={plan.n_u}")
    loaded = library(f"specialised kernel of {name}", made.source, parts, told)
    return Special(made, loaded, where, slower)


def _program(plan: Plan, ports: Sequence[int], multirate: bool) -> Program | Unsuited:
    if multirate and plan.n_u > FEW:
        return Unsuited(f"it has {plan.n_u} velocities, more than {FEW}")
    try:
        return program(plan, ports, multirate, _LONGEST)
    except TooLong:
        return Unsuited(f"its equations take more than {_LONGEST:,} operations")
    except NotDefinite:
        return Unsuited("its mass matrix is not positive definite")
