"""A block of windows of an integrated model: asked once, solved, told once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bondline.core import (
    Advance,
    Block,
    BlockAdvance,
    Blocked,
    BlockResponse,
    Causality,
    Impulse,
    Inputs,
    InterfaceSolution,
    Matrix,
    Motion,
    Output,
    Port,
    PortRef,
    Rejected,
    Signal,
    Window,
    Windowed,
)
from bondline.gluing.blocks.lags import Rung
from bondline.gluing.blocks.operator import KnownSlope, Operator
from bondline.gluing.blocks.toeplitz import Toeplitz
from bondline.gluing.couplings.tt import TT
from bondline.gluing.couplings.tt_problem import TTProblem
from bondline.gluing.gaps import look
from bondline.gluing.glueing import Glueing
from bondline.gluing.loading import loads
from bondline.gluing.solvers.gluing_matrix import build
from bondline.gluing.solvers.loop import closed
from bondline.gluing.state import GluedState

Many = NDArray[np.float64]
"""One row a window."""

_CLOSE = 1e-9  # as in `superposing`: what may be left of a gap, relative to the motion
_FORCE = 1e-6  # a correction below this part of the largest force is none
_SLOW = 0.7  # corrections that leave more than this of the residual lead nowhere


@dataclass(frozen=True, eq=False)
class Posed:
    """A block that the parts have answered once, and the forces that follow."""

    state: GluedState
    block: Block
    operator: Operator
    responses: Mapping[str, BlockResponse]
    guess: Many  # the unknowns that the parts were told
    Z: Many  # those that close the gaps, if all is linear
    residual: Many  # under the guess
    exchanges: int  # that it took to get here
    fresh: bool  # whether Λ was built for this block


@dataclass(frozen=True, eq=False)
class Blockwise:
    """The blocks of one integrated model."""

    inner: Glueing
    count: int  # windows that H is found for

    @cached_property
    def _parts(self) -> Mapping[str, Blocked[Any]]:
        parts = self.inner.assembly.parts.items()
        return {n: p if isinstance(p, Blocked) else Windowed(p) for n, p in parts}

    @property
    def _coupling(self) -> TT:
        assert isinstance(self.inner.coupling, TT)
        return self.inner.coupling

    @cached_property
    def _exports(self) -> Mapping[str, PortRef]:
        """The exported ports that take force."""
        found = {}
        for name, end in self.inner.exports.items():
            port = self.inner.assembly.parts[end.part].ports[end.port]
            if isinstance(port, Port) and port.causality is Causality.FORCE_IN:
                found[name] = end
        return found

    def impulse(
        self, state: GluedState, block: Block, powers: int
    ) -> Impulse | Rejected:
        """H of the exports, from those of the parts: (9)."""
        operator = self._operator(state, block, self._guess(state, block), powers)
        if isinstance(operator, Rejected):
            return operator
        return operator.condensed(powers)

    def respond_block(
        self, state: GluedState, block: Block
    ) -> BlockResponse | Rejected:
        """Every part under a guess of the joint forces, and the forces that follow."""
        guess = self._guess(state, block)
        known = len(self._kept)
        operator = self._operator(state, block, guess)
        if isinstance(operator, Rejected):
            return operator
        told = self._told(state, block, guess)
        jobs = [
            partial(part.respond_block, state.parts[n], told[n])
            for n, part in self._parts.items()
        ]
        answers = dict(zip(self._parts, self.inner.assembly.crew.call(jobs), strict=True))
        price = 1 if known and self.inner.assembly.affine else 2
        return self._posed((state, block, operator, guess), answers, price)

    def _guess(self, state: GluedState, block: Block) -> Many:
        """Those of the last window held; nothing where forces superpose."""
        assembly, first = self.inner.assembly, block.windows[0]
        z, _, _ = state.history
        if not assembly.affine:
            z = self._coupling.guess(assembly, first, state.history)
        else:
            z = np.zeros_like(z)
        return np.tile(z, (len(block.windows), 1))

    def _problem(self, state: GluedState, window: Window) -> TTProblem:
        problem = self.inner.problem(state, window, {})
        assert isinstance(problem, TTProblem)
        return problem

    @cached_property
    def _kept(self) -> dict[float, Operator]:
        return {}

    def _operator(
        self, state: GluedState, block: Block, guess: Many, powers: int = 0
    ) -> Operator | Rejected:
        """T for such windows; found once where all is linear, else for every block."""
        problem = self._problem(state, block.windows[0])
        count = max(self.count, len(block.windows))
        powers = max(powers, problem.scheme.powers)
        affine, known = self.inner.assembly.affine, self._kept.get(problem.h)
        if affine and known is not None:
            if known.powers >= powers and known.rung.count >= count:
                return known
        if not affine:
            count = len(block.windows)
        made = self._rung(state, block, guess, (problem, count, powers))
        if affine and not isinstance(made, Rejected):
            self._kept.clear()
            self._kept[problem.h] = made
        return made

    def _rung(
        self,
        state: GluedState,
        block: Block,
        guess: Many,
        wanted: tuple[TTProblem, int, int],
    ) -> Operator | Rejected:
        problem, count, powers = wanted
        told = self._told(state, block, guess)
        if self.inner.assembly.affine:
            longer = [block.windows[0]] * count  # only their length counts
            told = {n: Block(longer) for n in told}
        jobs = [
            partial(part.impulse, state.parts[n], told[n], powers)
            for n, part in self._parts.items()
        ]
        H: dict[str, Impulse] = {}
        for n, answer in zip(
            self._parts, self.inner.assembly.crew.call(jobs), strict=True
        ):
            if isinstance(answer, Rejected):
                return answer
            H[n] = answer
        rung = Rung(problem, H, count)
        return self._factored(state, rung, powers)

    def _factored(
        self, state: GluedState, rung: Rung, powers: int
    ) -> Operator | Rejected:
        problem, J = rung.problem, rung.joints
        Lam = state.memory
        affine = self.inner.assembly.affine
        if Lam is None or not Lam.fits(problem.h) or not affine:
            known = KnownSlope(problem, J[0])
            here = problem.forecast(np.zeros(problem.size))
            from bondline.core import Sweep

            made = build(
                known,
                np.zeros(problem.size),
                Sweep(here, {}, 0),
                self.inner.solver.tolerance,
                state.memory,
            )
            if isinstance(made, Rejected):
                return made
            Lam = made
        price = sum(h.solves for h in rung.H.values())
        return Operator(Toeplitz(J, Lam), rung, self._exports, powers, price)

    def _told(
        self, state: GluedState, block: Block, Z: Many
    ) -> dict[str, Block]:
        """What every part knows of a block: joint forces, and loads from outside."""
        outside = [self._outward(block.told(k)) for k in range(len(block.windows))]
        F = self._forces(state, Z)
        return self._loads(state, block, F, outside)

    def _outward(self, inputs: Inputs) -> dict[PortRef, Signal]:
        return {self.inner.exports[n]: signal for n, signal in inputs.items()}

    def _loads(
        self,
        state: GluedState,
        block: Block,
        F: Sequence[Matrix],
        outside: Sequence[Mapping[PortRef, Signal]],
    ) -> dict[str, Block]:
        levers = self._problem(state, block.windows[0]).levers
        every = [
            loads(self.inner.assembly, levers, F_k, more)
            for F_k, more in zip(F, outside, strict=True)
        ]
        return {n: Block(block.windows, [k[n] for k in every]) for n in self._parts}

    def _forces(self, state: GluedState, Z: Many) -> list[Matrix]:
        """Coefficients of all joint forces in every window: (4)."""
        found, last = [], state.history[1]
        for z in Z:
            found.append(self._coupling.scheme.coefficients(z, last))
            last = found[-1].sum(axis=0)
        return found

    def _posed(
        self,
        what: tuple[GluedState, Block, Operator, Many],
        answers: Mapping[str, BlockResponse | Rejected],
        exchanges: int,
    ) -> BlockResponse | Rejected:
        state, block, operator, guess = what
        responses: dict[str, BlockResponse] = {}
        for n, answer in answers.items():
            if isinstance(answer, Rejected):
                return answer
            responses[n] = answer
        shown = [
            {n: r.free[k] for n, r in responses.items()}
            for k in range(len(block.windows))
        ]
        residual = self._residuals(operator, shown)
        change = operator.T.solve(residual)
        free = self._exported(operator, shown, change)
        fresh = operator.T.Lam is not state.memory
        posed = Posed(
            state, block, operator, responses, guess, guess + change, residual,
            exchanges, fresh,
        )  # fmt: skip
        return BlockResponse(free, sum(r.solves for r in responses.values()), posed)

    def _residuals(
        self, operator: Operator, shown: Sequence[Mapping[str, Mapping[str, Output]]]
    ) -> Many:
        """The scheme's conditions on e, e', e'' at the end of every window: (3)."""
        W, rows = operator.rung.problem.weights, []
        for outputs in shown:
            motions = {r: _motion(outputs, r) for r in self.inner.assembly.ends}
            e, rate, bend = look(self.inner.assembly, motions).gap
            levels = [e, rate] if bend is None else [e, rate, bend]
            rows.append((W[:, : len(levels)] @ np.stack(levels)).ravel())
        return np.array(rows)

    def _exported(
        self,
        operator: Operator,
        shown: Sequence[Mapping[str, Mapping[str, Output]]],
        change: Many,
    ) -> list[dict[str, Output]]:
        """What the exports show once the joints have answered."""
        moved = {n: operator.moved(n, change) for n in operator.exports}
        found = []
        for k, outputs in enumerate(shown):
            every = {n: outputs[r.part][r.port] for n, r in self.inner.exports.items()}
            for n, levels in moved.items():
                m = every[n]
                assert isinstance(m, Motion)
                x, v, a = levels[k]
                bent = None if m.a is None else m.a + a
                every[n] = Motion(m.x + x, m.v + v, bent)
            found.append(every)
        return found

    def realise_block(
        self,
        response: BlockResponse,
        more: Sequence[Inputs],
        ahead: Block | None = None,
    ) -> BlockAdvance[GluedState] | Rejected:
        """The parts under the joint forces; corrected until every gap is closed.

        Linear parts need no correction: what is left of the gaps is round-off.
        """
        posed: Posed = response.inside
        T, Z = posed.operator.T, posed.Z + posed.operator.unknowns(more)
        norms = [np.linalg.norm(posed.residual, axis=1)]
        patience = self._patience
        for made in range(1, patience + 1):
            done = self._realised(posed, Z, more, ahead)
            if isinstance(done, Rejected):
                return done
            residual = self._residuals(posed.operator, _shown(done))
            norms.append(np.linalg.norm(residual, axis=1))
            step = T.solve(residual)
            if self._settled(posed, Z, step, norms):
                return self._accepted(posed, Z, done, norms, made, ahead, more)
            if not np.isfinite(norms[-1]).all():
                break
            if made > 2 and norms[-1].max() > _SLOW**2 * norms[-3].max():
                break
            Z = Z + step
        first = posed.block.windows[0]
        left = float(norms[-1].max())
        finding = (
            f"{len(Z)} windows together do not converge: {left:.1e} m are left after "
            f"{len(norms) - 1} corrections"
        )
        return Rejected(self.inner.name, finding, first.t1)

    @property
    def _patience(self) -> int:
        return int(getattr(self.inner.solver, "max_iterations", 25))

    def _settled(
        self, posed: Posed, Z: Many, step: Many, norms: Sequence[Many]
    ) -> bool:
        """Whether all gaps are closed, and the forces would hardly change."""
        problem, tolerance = posed.operator.rung.problem, self.inner.solver.tolerance
        if self.inner.assembly.affine:
            return True  # judged window by window, when they are accepted
        if not all(closed(problem, tolerance, float(n)) for n in norms[-1]):
            return False
        largest = max(float(np.abs(Z).max()), problem.floor)
        return float(np.abs(step).max()) <= _FORCE * largest

    def _realised(
        self, posed: Posed, Z: Many, more: Sequence[Inputs], ahead: Block | None
    ) -> Mapping[str, BlockAdvance[Any]] | Rejected:
        state, block = posed.state, posed.block
        F = self._forces(state, Z)
        change = [
            f - g for f, g in zip(F, self._forces(state, posed.guess), strict=True)
        ]
        outside = [self._outward(inputs) for inputs in more] or [{} for _ in F]
        told = self._loads(state, block, change, outside)
        later: Mapping[str, Block | None] = dict.fromkeys(self._parts)
        if ahead is not None and self.inner.assembly.affine:
            later = self._ahead(posed, Z, F[-1], ahead)
        jobs = [
            partial(
                part.realise_block, posed.responses[n], told[n].inputs, later[n]
            )
            for n, part in self._parts.items()
        ]
        done: dict[str, BlockAdvance[Any]] = {}
        for n, answer in zip(
            self._parts, self.inner.assembly.crew.call(jobs), strict=True
        ):
            if isinstance(answer, Rejected):
                return answer
            done[n] = answer
        return done

    def _ahead(
        self, posed: Posed, Z: Many, F: Matrix, ahead: Block
    ) -> Mapping[str, Block]:
        """What the parts know of the block after this one, before it is solved."""
        z, last, h = posed.state.history
        then = replace(posed.state, history=(Z[-1], F.sum(axis=0), h))
        return self._told(then, ahead, np.zeros((len(ahead.windows), len(z))))

    def _accepted(
        self,
        posed: Posed,
        Z: Many,
        done: Mapping[str, BlockAdvance[Any]],
        norms: Sequence[Many],
        made: int,
        ahead: Block | None,
        more: Sequence[Inputs],
    ) -> BlockAdvance[GluedState] | Rejected:
        state, Lam = posed.state, posed.operator.T.Lam
        advances: list[Advance[GluedState]] = []
        for k, window in enumerate(posed.block.windows):
            problem = self._problem(state, window)
            each = {n: d.advances[k] for n, d in done.items()}
            paid = sum(int(a.stats.get("solves", 1)) for a in each.values())
            price = paid * (1 + made) // 2  # every part counts its response, too
            sweep = problem.swept(Z[k], each, 0)
            if isinstance(sweep, Rejected):
                return sweep
            history = tuple(float(n[k]) for n in norms)
            tolerance = self.inner.solver.tolerance
            enough = max(tolerance, problem.noise)
            if self.inner.assembly.affine:
                enough += _CLOSE * (history[0] + problem.reach)
                if not history[-1] <= enough:
                    finding = (
                        f"its parts do not superpose: {history[-1]:.1e} m are left"
                    )
                    return Rejected(self.inner.name, finding, window.t1)
            first = posed.fresh and k == 0
            found = InterfaceSolution(
                Z[k], sweep, Lam, history, True,
                price + (posed.operator.solves if first else 0),
                int(first), Lam.condition, Lam.warnings if first else (), enough,
            )  # fmt: skip
            advance = self.inner.accept(state, window, found)
            count = posed.exchanges + made if k == 0 else 0
            stats = {**advance.stats, "exchanges": float(count)}
            advances.append(replace(advance, stats=stats))
            state = advance.state
        return self._onward(posed, advances, done, ahead)

    def _onward(
        self,
        posed: Posed,
        advances: list[Advance[GluedState]],
        done: Mapping[str, BlockAdvance[Any]],
        ahead: Block | None,
    ) -> BlockAdvance[GluedState] | Rejected:
        answers = {n: d.ahead for n, d in done.items() if d.ahead is not None}
        if ahead is None or len(answers) < len(done):
            return BlockAdvance(advances)
        state = advances[-1].state
        guess = np.zeros((len(ahead.windows), posed.Z.shape[1]))
        what = (state, ahead, posed.operator, guess)
        posed_next = self._posed(what, answers, 0)
        if isinstance(posed_next, Rejected):
            return posed_next
        return BlockAdvance(advances, posed_next)


def _motion(outputs: Mapping[str, Mapping[str, Output]], end: PortRef) -> Motion:
    shown = outputs[end.part][end.port]
    assert isinstance(shown, Motion), f"{end} must answer with motion"
    return shown


def _shown(
    done: Mapping[str, BlockAdvance[Any]],
) -> list[dict[str, Mapping[str, Output]]]:
    first = next(iter(done.values()))
    return [
        {n: d.advances[k].outputs for n, d in done.items()}
        for k in range(len(first.advances))
    ]
