"""Two rates: the fast part takes short windows while the slow ones take one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    InterfaceSolution,
    InterfaceSolver,
    Matrix,
    Motion,
    PortRef,
    Situation,
    Tree,
    Vector,
    Window,
)
from bondline.errors import SettingError, did_you_mean
from bondline.gluing.couplings.probing import Probe
from bondline.gluing.couplings.schemes import SCHEMES, Scheme
from bondline.gluing.couplings.tt import TT
from bondline.gluing.gaps import motion_of
from bondline.gluing.leverage import levers
from bondline.gluing.loading import loads
from bondline.gluing.rates import foretelling
from bondline.gluing.rates.problem import Inside, RatesProblem, Seen
from bondline.gluing.rates.split import Split, acceleration, check_split
from bondline.gluing.solvers.newton import Newton

Form: TypeAlias = Literal["residual", "paper"]
_USUAL = SCHEMES["linear-discontinuous/e,v"]


class RatesHistory(NamedTuple):
    """What slow parts did by themselves in the last window, and the stand-ins."""

    path: Matrix  # coefficients of sᵏ × dofs of the slow parts at the joints
    h: float  # length of the last window, 0 at the start
    W: Mapping[str, Matrix]  # mobilities of the slow parts where it ended
    inside: Inside


@dataclass(frozen=True)
class TwoRates:
    """`fast` is advanced first, in `windows` short windows, glued to stand-ins.

    Then the slow parts take the window at once, under the load that the fast part had
    for them. What they do by themselves is foretold with `order` coefficients. In one
    pass the next window makes good what was foretold wrong; with `iterate` the window
    is repeated until stand-ins and slow parts agree. `form` says how stand-ins answer
    to the fast part: by their mobility ("residual"), or not at all ("paper").
    """

    fast: str
    windows: int = 10
    order: int = 3
    form: Form = "residual"
    iterate: bool = False
    scheme: Scheme = _USUAL
    solver: InterfaceSolver[Any] = Newton()  # noqa: RUF009 - a frozen value
    probe: Probe = Probe()  # noqa: RUF009 - a frozen value
    _splits: dict[int, Split] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check_count("windows", self.windows, 1, 1_000_000)
        _check_count("order", self.order, 1, 3)
        if self.form not in get_args(Form):
            remedy = did_you_mean(self.form, get_args(Form))
            raise SettingError("two rates: form", f"no form {self.form!r}.", remedy)

    @cached_property
    def inner(self) -> TT:
        """The coupling of the short windows."""
        return TT(self.scheme, self.probe)

    def split(self, assembly: Assembly) -> Split:
        """Found once an assembly."""
        kept = self._splits.get(id(assembly))
        if kept is None or kept.outer is not assembly:
            how = (self.inner, self.solver, self.windows)
            kept = Split(assembly, self.fast, *how)
            self._splits[id(assembly)] = kept
        return kept

    def start(
        self,
        assembly: Assembly,
        starts: Mapping[str, Advance[Any]],
        t0: float,
        outside: Mapping[PortRef, Vector],
    ) -> tuple[Mapping[str, Advance[Any]], RatesHistory, Matrix]:
        """Accelerations that agree; what is not due to the joints is foretold."""
        split = self.split(assembly)
        starts, history, forces = self.inner.start(assembly, starts, t0, outside)
        ends = {end: motion_of(starts, end) for end in assembly.ends}
        arms = levers(assembly, ends, 0.0, instant=True)
        told = loads(assembly, arms, forces[:1], {})
        path = np.zeros((self.order, split.size))
        kept, standing = dict[str, Matrix](), dict[str, dict[str, Motion]]()
        for n, stand_in in split.slow.items():
            standing[n] = {p: ends[PortRef(n, p)] for p in stand_in.ports}
            W = split.mobility(n, starts[n].state, t0)
            f = np.concatenate([told[n][p].start for p in stand_in.ports])
            a = np.concatenate([acceleration(m) for m in standing[n].values()])
            path[0, split.where[n]] = a - W @ f if self.form == "residual" else a
            kept[n] = W
        inside = Inside(standing, forces, history, self.solver.start())
        return starts, RatesHistory(path, 0.0, kept, inside), forces

    def guess(
        self, assembly: Assembly, window: Window, history: RatesHistory
    ) -> Vector:
        """The last window's polynomial, continued: kim2000 (40)."""
        share = window.h / history.h if history.h else 0.0
        path = foretelling.continued(history.path, share)
        return (window.nominal**2 * path).ravel()

    def problem(
        self,
        assembly: Assembly,
        situation: Situation,
        window: Window,
        history: RatesHistory,
    ) -> RatesProblem:
        """Stand-ins do as the slow parts do, on one window."""
        split = self.split(assembly)
        once = not self.iterate and (bool(history.h) or not split.repeatable)
        how = (self.form == "residual", self.order, once)
        return RatesProblem(split, situation, window, history.inside, history.W, *how)

    def accept(
        self,
        assembly: Assembly,
        window: Window,
        found: InterfaceSolution[Any],
        history: RatesHistory,
    ) -> tuple[RatesHistory, Matrix]:
        """What the slow parts did, and the joint forces of all short windows as one."""
        seen: Seen = found.sweep.inside
        split, path, W = self.split(assembly), seen.path.copy(), dict(history.W)
        for n, own in split.where.items():
            if split.slow[n].linear:
                continue
            state = found.sweep.advances[n].state
            W[n] = split.mobility(n, state, window.t1)
            if self.form == "residual":  # two_rates.md (3)
                more = seen.told[n] @ (history.W[n] - W[n]).T
                path[:, own] += foretelling.of_load(more, self.order)
        return RatesHistory(path, window.h, W, seen.inside), seen.inside.forces

    def settings(self) -> dict[str, Any]:
        """All of it."""
        return {
            "method": "two rates",
            "fast": self.fast,
            "rate": self.windows,
            "order": self.order,
            "form": self.form,
            "iterate": self.iterate,
            "scheme": self.scheme.name,
            "inner_solver": self.solver.settings(),
            **asdict(self.probe),
        }

    def suits(self, place: str, assembly: Assembly) -> None:
        """Joints are between the fast part and slow ones that can be stood in for."""
        split = self.split(assembly)
        check_split(f"{place}: two rates", assembly, split, self.iterate)

    @property
    def sharp(self) -> bool:
        """The force of a long window is the nearest polynomial to many short ones."""
        return False

    def work(self, forces: tuple[Matrix, Matrix], gap: Matrix) -> Vector:
        """As T-T coupling counts it."""
        return self.inner.work(forces, gap)

    def join(self, forces: tuple[Matrix, Matrix], share: float) -> Matrix:
        """As T-T coupling does."""
        return self.inner.join(forces, share)

    def dump(self, history: RatesHistory) -> Tree:
        """Everything, as arrays."""
        standing, forces, inner, memory = history.inside
        return [
            history.path,
            np.array([history.h]),
            dict(history.W),
            {
                n: {p: [m.x, m.v, m.a, m.turn] for p, m in ports.items()}
                for n, ports in standing.items()
            },
            forces,
            self.inner.dump(inner),
            self.solver.dump(memory),
        ]

    def load(self, data: Tree) -> RatesHistory:
        """The history that `dump` wrote."""
        tree: Any = data
        path, h, W, standing, forces, inner, memory = tree
        motions = {
            n: {p: Motion(*levels) for p, levels in ports.items()}
            for n, ports in standing.items()
        }
        history = self.inner.load(inner)
        inside = Inside(motions, forces, history, self.solver.load(memory))
        return RatesHistory(path, float(h[0]), W, inside)


def _check_count(key: str, value: object, least: int, most: int) -> None:
    if not isinstance(value, int) or not least <= value <= most:
        raise SettingError(
            f"two rates: {key}",
            f"it is {value!r}.",
            f"Take a whole number from {least} to {most}.",
        )
