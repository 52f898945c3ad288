"""What the parts of an integrated model are told over a block, and what they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Block,
    Causality,
    Inputs,
    Matrix,
    Motion,
    Output,
    Port,
    PortRef,
    Signal,
    Vector,
    Window,
)
from bondline.gluing.blocks.operator import Operator
from bondline.gluing.couplings.tt import TT
from bondline.gluing.couplings.tt_problem import TTProblem
from bondline.gluing.gaps import at_ends, look
from bondline.gluing.glueing import Glueing
from bondline.gluing.loading import loads
from bondline.gluing.state import GluedState

Many: TypeAlias = NDArray[np.float64]
"""One row a window."""

Shown: TypeAlias = Mapping[str, Sequence[Mapping[str, Output]]]
"""By part, window and port."""


class Seen(NamedTuple):
    """What the glued ports show after every window, and how far they are apart.

    `levels` of all of them are windows × levels × dofs, if they are in one array.
    """

    levels: NDArray[np.float64] | None
    gaps: NDArray[np.float64]  # windows × levels × conditions


@dataclass(frozen=True, eq=False)
class Telling:
    """Joint forces to loads, and motions to gaps, window by window."""

    inner: Glueing

    @property
    def coupling(self) -> TT:
        """Blocks are for T-T coupling."""
        assert isinstance(self.inner.coupling, TT)
        return self.inner.coupling

    @cached_property
    def exports(self) -> Mapping[str, PortRef]:
        """The exported ports that take force."""
        found = {}
        for name, end in self.inner.exports.items():
            port = self.inner.assembly.parts[end.part].ports[end.port]
            if isinstance(port, Port) and port.causality is Causality.FORCE_IN:
                found[name] = end
        return found

    def problem(self, state: GluedState, window: Window) -> TTProblem:
        """What must vanish at the end of a window."""
        problem = self.inner.problem(state, window, {})
        assert isinstance(problem, TTProblem)
        return problem

    def guess(self, state: GluedState, block: Block) -> Many:
        """The unknowns of the last window, held; nothing where forces superpose."""
        z = np.zeros_like(state.history[0])
        if not self.inner.assembly.affine:
            first = block.windows[0]
            z = self.coupling.guess(self.inner.assembly, first, state.history)
        return np.tile(z, (len(block.windows), 1))

    def forces(self, last: Vector, Z: Many) -> list[Matrix]:
        """Coefficients of all joint forces in every window, (4)."""
        found = []
        for z in Z:
            found.append(self.coupling.scheme.coefficients(z, last))
            last = found[-1].sum(axis=0)
        return found

    def told(self, state: GluedState, block: Block, Z: Many) -> dict[str, Block]:
        """What every part knows of a block: joint forces, and loads from outside."""
        F = self.forces(state.history[1], Z)
        if not (block.inputs or any(f.any() for f in F)):
            return dict.fromkeys(self.inner.assembly.parts, block)
        inputs = [block.told(k) for k in range(len(block.windows))]
        told = self.loads(self.problem(state, block.windows[0]), F, inputs)
        return {n: Block(block.windows, each) for n, each in told.items()}

    def loads(
        self, problem: TTProblem, F: Sequence[Matrix], more: Sequence[Inputs]
    ) -> Mapping[str, Sequence[Inputs]]:
        """Joint forces and loads on the exports, by part and window."""
        assembly, exports = self.inner.assembly, self.inner.exports
        if assembly.stack is not None and not any(more):
            return assembly.stack.load_rows(np.array(F))
        every = []
        for k, force in enumerate(F):
            given = more[k] if more else {}
            outside: dict[PortRef, Signal] = {exports[n]: s for n, s in given.items()}
            every.append(loads(assembly, problem.levers, force, outside))
        return {n: [each[n] for each in every] for n in assembly.parts}

    def residuals(self, operator: Operator, shown: Shown) -> Many:
        """The scheme's conditions on e, e', e'' at the end of every window, (3)."""
        return self.conditions(operator, self.seen(shown))

    def conditions(self, operator: Operator, seen: Seen) -> Many:
        """The same of what was seen."""
        W, gaps = operator.influence.problem.weights, seen.gaps
        found: Many = (W[:, : gaps.shape[1]] @ gaps).reshape(len(gaps), -1)
        return found

    def seen(self, shown: Shown) -> Seen:
        """All windows at once, where what parts show is in arrays."""
        assembly = self.inner.assembly
        levels = None if assembly.stack is None else assembly.stack.gathered_rows(shown)
        if levels is not None and assembly.stack is not None:
            return Seen(levels, assembly.stack.gaps(levels))
        rows = []
        for each in zip(*shown.values(), strict=True):
            motions = at_ends(assembly, dict(zip(shown, each, strict=True)))
            e, rate, bend = look(assembly, motions).gap
            rows.append([e, rate] if bend is None else [e, rate, bend])
        return Seen(None, np.array(rows))

    def exported(self, shown: Shown) -> list[dict[str, Output]]:
        """What the exports show."""
        ends, count = self.inner.exports.items(), len(next(iter(shown.values())))
        return [{n: shown[r.part][k][r.port] for n, r in ends} for k in range(count)]

    def answered(
        self, operator: Operator, shown: Shown, change: Many
    ) -> list[dict[str, Output]]:
        """What the exports show once the joints have answered, (9)."""
        found = self.exported(shown)
        for name in operator.exports:
            for every, (x, v, a) in zip(
                found, operator.moved(name, change), strict=True
            ):
                m = every[name]
                assert isinstance(m, Motion)
                bent = None if m.a is None else m.a + a
                every[name] = Motion(m.x + x, m.v + v, bent)
        return found
