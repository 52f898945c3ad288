"""The C program of one mechanism: its rates, and the parts of multirate integration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf

import numpy as np

from bondline.kernels.straight import name, needed
from bondline.kernels.traced import Tape, TooLong, Traced, Value
from bondline.leaves.mbd.special import text
from bondline.leaves.mbd.special.equations import Equations, Traces, equations, traces
from bondline.leaves.mbd.special.reading import Array, Plan
from bondline.leaves.mbd.special.recursion import recursion
from bondline.leaves.mbd.special.solving import solved, split
from bondline.leaves.mbd.special.text import Function

FEW = 60  # velocities up to which M is written out
_UNUSED = 3  # numbers traced for one of a long program: 2.2 by the recursion, or 1.5


@dataclass(frozen=True, eq=False)
class Program:
    """C, the names of its functions, and the doubles it keeps in `work`."""

    source: str
    names: tuple[str, ...]
    kept: int
    length: int  # operations in all


def program(
    plan: Plan, ports: Sequence[int], multirate: bool, most: float = inf
) -> Program:
    """Everything that integrators call; the fast rows only if two rates are asked.

    `TooLong` if that takes more operations than `most`.
    """
    at = traces(plan, Tape(_UNUSED * most), ports)
    if multirate:
        eq = equations(at)
        more = _Fast.of(plan, eq)
        kept = more.kept
        parts = _split_rates(at, eq, kept)
        made = [_rates(at, kept), more.rates(), more.again(), parts]
    else:
        made, kept = [_rates(at, [])], []
    length = sum(len(f.numbers) for f in made)
    if length > most:
        raise TooLong
    calls = {x.index: x for each in made for x in each.numbers}.values()
    which = ", ".join(map(str, ports))
    head = [
        "/* The equations of one mechanism, written out (leaves/mbd/special). */",
        '#include "special.h"',
        *([f"static const int PORTS[] = {{{which}}};"] if ports else ()),
        *text.constants(plan, calls),
    ]
    functions = [text.function(f, len(ports)) for f in made]
    return Program(
        source="\n".join([*head, "", *functions]),
        names=tuple(f.title for f in made),
        kept=len(kept),
        length=length,
    )


def _rates(at: Traces, kept: Sequence[Traced]) -> Function:
    """By elimination or by the recursion: as asked for, or whichever is shorter."""
    ways, asked = [], at.plan.solver
    if asked != "dense":
        ways.append(recursion)
    if asked == "dense" or (asked == "auto" and at.plan.n_u <= FEW):
        ways.append(elimination)
    found = []
    for way in ways:
        with suppress(TooLong):  # perhaps the other one is not
            found.append(_all_rates(at, *way(at), kept))
    if not found:
        raise TooLong
    return min(found, key=lambda made: len(made.numbers))


def elimination(at: Traces) -> tuple[Array, list[Value]]:
    """u̇ by an elimination of M from the tips inwards, and the pivots."""
    M, P = equations(at)
    done = solved(M, P[:, None], range(at.plan.n_u)[::-1])
    return done.x[:, 0], done.pivots


def _split_rates(at: Traces, eq: Equations, kept: Sequence[Traced]) -> Function:
    du, B, pivots = split(eq.M, eq.P, at.plan.fast, at.plan.slow)
    return _all_rates(at, du, pivots, kept, B)


def _all_rates(
    at: Traces,
    du: Array,
    pivots: list[Value],
    kept: Sequence[Traced],
    B: Array | None = None,
) -> Function:
    """`rates`, or with B `split_rates`."""
    more: list[Value] = [] if B is None else list(B.ravel())
    rows = [
        *text.definite(pivots),
        *text.outputs("q_rate", at.dq),
        *text.outputs("u_rate", du),
        *text.outputs("B", more),
        *text.outputs("work", kept),
        text.finite(du),
    ]
    numbers = needed([*at.dq, *du, *more, *pivots, *kept])
    if B is None:
        return Function("rates", "q_rate u_rate", numbers, rows)
    return Function("split_rates", "q_rate u_rate B", numbers, rows)


@dataclass(frozen=True, eq=False)
class _Fast:
    """u̇_f = w − N u̇_s, kim2000 (36): in full, and where only fast variables moved."""

    results: list[Value]  # w, N
    n_fast: int
    pivots: list[Value]
    numbers: list[Traced]
    moving: list[Traced]  # those that change with fast variables
    kept: list[Traced]  # those that do not, and are read by others

    @staticmethod
    def of(plan: Plan, eq: Equations) -> _Fast:
        fast, slow = list(plan.fast), list(plan.slow)
        right = np.concatenate([eq.P[:, None], eq.M[:, slow]], axis=1)
        done = solved(eq.M, right, list(reversed(fast)))
        x = done.x[fast]
        results = [*x[:, 0], *x[:, 1:].ravel()]
        numbers = needed([*results, *done.pivots])
        given = {f"q[{k}]" for k in plan.fast_q} | {f"u[{k}]" for k in fast}
        moving = _moving(numbers, given)
        kept = _kept(moving, [*results, *done.pivots])
        return _Fast(results, len(fast), done.pivots, numbers, moving, kept)

    def _end(self) -> list[str]:
        w, N = self.results[: self.n_fast], self.results[self.n_fast :]
        return [
            *text.definite(self.pivots),
            *text.outputs("w", w),
            *text.outputs("N", N),
            "return FINE;",
        ]

    def rates(self) -> Function:
        rows = [*text.outputs("work", self.kept), *self._end()]
        return Function("fast_rates", "w N", self.numbers, rows)

    def again(self) -> Function:
        """From what the last call left in `work`."""
        told = (f"const double {name(x)} = work[{k}];" for k, x in enumerate(self.kept))
        return Function("fast_again", "w N", self.moving, self._end(), tuple(told))


def _moving(numbers: Iterable[Traced], given: set[str]) -> list[Traced]:
    found: dict[int, Traced] = {}
    for x in numbers:
        if x.op == "given":
            moves = x.args[0] in given
        else:
            moves = any(isinstance(a, Traced) and a.index in found for a in x.args)
        if moves:
            found[x.index] = x
    return list(found.values())


def _kept(moving: Sequence[Traced], results: Sequence[Value]) -> list[Traced]:
    """Operands of what moves, and results, that are computed and do not move."""
    own = {x.index for x in moving}
    read = [a for x in moving for a in x.args] + list(results)
    still = {
        a.index: a
        for a in read
        if isinstance(a, Traced) and a.index not in own and a.op != "given"
    }
    return [still[k] for k in sorted(still)]
