"""Linear structures advanced by Newmark's method, wang2003 section 3."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np

from bondline.core import (
    Advance,
    Block,
    BlockAdvance,
    BlockResponse,
    BlockTrial,
    Capabilities,
    Deformed,
    Energy,
    Flexibility,
    Impulse,
    Inputs,
    Matrix,
    Model,
    Observation,
    Parameter,
    Port,
    PortRef,
    Receptance,
    Rejected,
    Response,
    Settling,
    Signal,
    Skin,
    Vector,
    Window,
    Windowed,
)
from bondline.leaves.flows import Flows
from bondline.leaves.guard import finite, numbers
from bondline.leaves.kinks import inside, one_sided
from bondline.leaves.loads import check_forces, check_inputs
from bondline.leaves.one_step import Leap, Leaps
from bondline.leaves.pushing import Pushing
from bondline.leaves.raw import from_bytes, to_bytes
from bondline.leaves.resting import Resting
from bondline.leaves.ringing import impulse as ringing
from bondline.leaves.rows import StructureRows
from bondline.leaves.selection import Dofs, Rows, Selection
from bondline.leaves.shown import Draw, Surface, Watch, drawn, levels, published
from bondline.leaves.stepping import POWERS, Stepping, Way
from bondline.leaves.team import StructureTeam
from bondline.leaves.terminals import Terminals
from bondline.leaves.wellformed import (
    check_matrices,
    check_method,
    check_ports,
    prepared,
)
from bondline.numerics import Kinematics, LinearSystem, Method, Newmark
from bondline.numerics.factor import slim
from bondline.numerics.halves import Halves
from bondline.numerics.receptance import Vibration


@lru_cache(maxsize=256)
def _nominal(h: float) -> float:
    """The length without the last digits, in which it wobbles along a uniform grid."""
    return float(f"{h:.12g}")


@dataclass(frozen=True, eq=False)
class Structure:
    """M a + C v + K u = f(t) + Σ Lᵀ f_port, wang2003 (32); L selects a port's dofs.

    With `steps=1` a window is one Newmark step, which sees port inputs at its ends.
    With more it follows them inside the window. The state stacks u, v, a.

    `select` gives a port's dofs as a list, or as the rows of L. A port that takes
    motion answers with the effort, and stays where it is when it is told nothing. In
    one step its dofs go to the position told for t₁, and Newmark's method says how
    they arrive; in several they move along the path told, with its velocity and
    acceleration.

    `method` may be any of Newmark's; HHT's and generalized-α take one step a window,
    and what a port is given for t₁ acts at the instant of the method's balance.

    `kinks` are the instants at which `external` jumps or is not smooth. Windows of a
    glued model end there; the one before sees the load's limit from the left, the one
    after that from the right.
    """

    name: str
    system: LinearSystem
    select: Mapping[str, Matrix | Dofs | Rows | Sequence[int]]
    ports: Mapping[str, Port]
    external: Callable[[float], Vector] | None = None
    steps: int = 1
    start_at: Kinematics | None = None
    publish: Mapping[str, int] = field(default_factory=dict)  # name -> dof
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    rest: Vector | None = None  # positions along x, for drawing
    static_load: Vector | None = None  # own load in statics; else that at t = 0
    kinks: tuple[float, ...] = ()
    watch: Watch | None = None  # what else is published
    draw: Draw | None = None  # what there is to see at displacements u
    method: Method = field(default_factory=Method)
    surface: Surface | None = None  # what is shown of the surface

    def __post_init__(self) -> None:
        check_matrices(self.name, self._slim)
        check_method(self.name, self.method, self.steps)
        check_ports(self.name, self._slim.M.shape[0], self._ends.picks, self.ports)

    @cached_property
    def _slim(self) -> LinearSystem:
        """The matrices as they are quick to multiply with."""
        M, C, K = self.system
        return LinearSystem(slim(M), slim(C), slim(K))

    @cached_property
    def _flows(self) -> Flows:
        return Flows(self._slim, self.method, self._halves)

    @cached_property
    def _halves(self) -> Halves | None:
        return Halves.of(*self._slim)

    @cached_property
    def _ends(self) -> Terminals:
        picks = {port: Selection.of(L) for port, L in self.select.items()}
        return Terminals(picks, self.ports)

    @cached_property
    def _resting(self) -> Resting:
        ends = self._ends
        return Resting(self.name, self._slim.K, ends.picks, ends.rows, ends.held)

    def _newmark(self, h: float, method: Method) -> Newmark:
        return Newmark(self._slim, h, method, self._ends.held, self._halves)

    @cached_property
    def _still(self) -> Newmark:
        """A step of no length: M a = f."""
        return prepared(self.name, self._newmark(0.0, Method()))

    @cached_property
    def _steppings(self) -> dict[float, Stepping]:
        return {}

    def stepping(self, h: float) -> Stepping:
        """Steps of `h`: factors and unit responses, found once.

        t₁ − t₀ wobbles in its last digits along a uniform grid; one factor for all.
        """
        kept, nominal = self._steppings, _nominal(h)
        found = kept.pop(nominal, None)
        if found is None:
            for old in list(kept)[:-7]:  # adaptive windows must not fill the memory
                kept.pop(old, None)
            method = self._newmark(nominal, self.method)
            both = prepared(self.name, method), self._still
            found = Stepping(*both, self._ends, self.steps)
        kept[nominal] = found  # the last one used goes to the end
        return found

    @property
    def capabilities(self) -> Capabilities:
        """Linear; one implicit step a window when `steps` is 1."""
        return Capabilities(
            linear=True,
            one_step=self.steps == 1,
            coarse=1 < self.steps < 4,
            superposes=True,
        )

    def start(self, t0: float) -> Advance[Vector]:
        """At rest unless told otherwise, accelerations from the equations."""
        n = self.system.M.shape[0]
        rest = Kinematics(np.zeros(n), np.zeros(n), np.zeros(n))
        return self.press(np.concatenate(self.start_at or rest), t0, {})

    def press(
        self, state: Vector, t: float, forces: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant under forces: M a = f − C v − K u.

        Ports that take motion are given accelerations; without one they keep theirs.
        """
        check_forces(self.name, self.ports, forces)
        u, v, a = Kinematics(*state.reshape(3, -1))
        f = self._load(t) - self._still.inner(u, v)
        told = a[self._ends.held]
        for port, value in forces.items():
            self._ends.give(f, told, port, value)
        a, efforts = self._still.accelerate(f, told)
        return self._at_instant(Kinematics(u, v, a), efforts)

    def kick(
        self, state: Vector, t: float, impulses: Mapping[str, Vector]
    ) -> Advance[Vector]:
        """The same instant after impulses: M Δv = Σ Lᵀ p; ports that are led stay."""
        u, v, _ = Kinematics(*state.reshape(3, -1))
        f, told = np.zeros_like(u), np.zeros(len(self._ends.held))
        for port, value in impulses.items():
            if port in self._ends.pushed:
                self._ends.picks[port].add(f, value)
        more, _ = self._still.accelerate(f, told)
        return self.press(np.concatenate([u, v + more, np.zeros_like(u)]), t, {})

    def mobility(self, state: Vector, t: float) -> Mapping[tuple[str, str], Matrix]:
        """What a unit of force on each port does to accelerations: M⁻¹, once."""
        return self._pushing.blocks

    @cached_property
    def _pushing(self) -> Pushing:
        return Pushing(self._still, self._ends)

    def advance(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Vector] | Rejected:
        """Take `steps` Newmark steps, Eqs. (33)-(36)."""
        return self.arrive(window, self.walk(state, window, inputs))

    def walk(
        self,
        state: Vector,
        window: Window,
        inputs: Mapping[str, Signal],
        loaded: bool = True,
    ) -> Way:
        """Through a window; under its own loads, too, unless told otherwise."""
        check_inputs(self.name, self.ports, inputs)
        own = self.own_loads(window) if loaded and self.external else None
        return self.stepping(window.h / self.steps).walk(state, own, inputs)

    def leap(
        self,
        state: Vector,
        windows: Sequence[Window],
        inputs: Sequence[Inputs],
        loaded: bool = True,
        exact: bool = True,
    ) -> Leaps | None:
        """The same through windows of one length in one call, where that can be.

        Where it need not be `exact`, inner forces are rounded sums.
        """
        one_step = self.stepping(windows[0].h / self.steps).one_step
        if one_step is None or not all(w.like(windows[0]) for w in windows):
            return None
        if not one_step.knows(inputs):
            for each in inputs:
                check_inputs(self.name, self.ports, each)
        own = [self.own_loads(w) for w in windows] if loaded and self.external else None
        return one_step.row(state, own, one_step.told(inputs), len(windows), exact)

    def landed(
        self, windows: Sequence[Window], done: list[Advance[Vector]]
    ) -> list[Advance[Vector]] | Rejected:
        """Ends of windows in a row, if they are numbers."""
        for window, advance in zip(windows, done, strict=True):
            if not numbers(advance.state):
                answer = finite(self.name, window, advance)
                if isinstance(answer, Rejected):
                    return answer
        return done

    def glimpse(self, window: Window, way: Way) -> Advance[Vector] | Rejected:
        """The end of a window, without what happened on the way."""
        if isinstance(way, Leap):
            return self._checked(window, way.one_step.shown(way.after, 1))
        now, efforts = way.path.points[-1], way.path.efforts
        shown = self._ends.outputs(now, efforts)
        free = Advance(np.concatenate(now), shown, None, {"solves": 1})
        return self._checked(window, free)

    def arrive(self, window: Window, way: Way) -> Advance[Vector] | Rejected:
        """The end of a window, with what happened on the way."""
        return self._checked(window, self._ended(way, 1))

    def _ended(self, way: Way, solves: int) -> Advance[Vector]:
        if isinstance(way, Leap):
            return way.one_step.land(way, {}, solves)
        stepping, path = way
        own = path.own if self.external else None
        energy = self._flows.along(path.points, own, stepping.newmark.h)
        return self._report(path.points[-1], path.efforts, energy, solves)

    def respond(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Response | Rejected:
        """The advance under `inputs`, and G; its energy is counted when realised."""
        check_inputs(self.name, self.ports, inputs)
        stepping = self.stepping(window.h / self.steps)
        own = self.own_loads(window) if self.external else None
        way = stepping.walk(state, own, inputs)
        done = self.glimpse(window, way)
        if isinstance(done, Rejected):
            return done
        return Response(done, stepping.flexibility(POWERS), way)

    def realise(
        self, response: Response, inputs: Mapping[str, Signal]
    ) -> Advance[Vector]:
        """The advance under the inputs of `respond` plus these, without a step."""
        way: Way = response.inside
        if isinstance(way, Leap):
            return way.one_step.land(way, inputs, 0)
        if inputs:
            way = way._replace(path=way.stepping.retrace(way.path, inputs))
        return self._ended(way, 0)

    def team(
        self, parts: Mapping[str, Model], places: Mapping[PortRef, slice]
    ) -> StructureTeam | None:
        """With other structures, whose windows of one step are then two calls."""
        alike = {n: p for n, p in parts.items() if isinstance(p, Structure)}
        return StructureTeam(alike, places) if len(alike) == len(parts) else None

    def linearise(
        self, state: Vector, window: Window, inputs: Mapping[str, Signal]
    ) -> Flexibility:
        """G from unit responses, exact: Algorithm 1 with all unit forces at once.

        A port that takes motion answers with one level, its effort.
        """
        powers = max((s.degree for s in inputs.values()), default=0) + 1
        return self.stepping(window.h / self.steps).flexibility(powers)

    def impulse(self, state: Vector, block: Block, powers: int) -> Impulse:
        """H from unit responses, all at once; for windows of one length, found once."""
        stepping = self.stepping(block.windows[0].h / self.steps)
        count, known = len(block.windows), self._rings.get(stepping)
        if known is None or known[0] != (count, powers):
            known = (count, powers), ringing(stepping, count, powers)
            self._rings.clear()
            self._rings[stepping] = known
        return known[1]

    @cached_property
    def _rings(self) -> dict[Stepping, tuple[tuple[int, int], Impulse]]:
        return {}

    @property
    def _row(self) -> Windowed[Vector]:
        return Windowed(self, StructureRows(self))

    def respond_block(self, state: Vector, block: Block) -> BlockResponse | Rejected:
        """One solve a window."""
        return self._row.respond_block(state, block)

    def try_block(
        self,
        response: BlockResponse,
        more: Sequence[Inputs],
        ahead: Block | None = None,
        before: Settling[Vector] | None = None,
    ) -> BlockTrial[Vector] | Rejected:
        """One more solve a window: the unit responses of all dofs would fill memory."""
        return self._row.try_block(response, more, ahead, before)

    def settle_block(
        self, settling: Settling[Vector], ahead: Block | None = None
    ) -> BlockAdvance[Vector] | Rejected:
        """The trial, and what the last word on the forces adds to it."""
        return self._row.settle_block(settling, ahead)

    def equilibrium(
        self,
        state: Vector,
        load_factor: float,
        inputs: Mapping[str, Vector],
        springs: Mapping[str, Vector],
    ) -> Advance[Vector] | Rejected:
        """Rest under a share of the own load, port forces, and springs to the ground.

        Springs act on the ports' dofs: K u + Σ Lᵀ k L u = load_factor f + Σ Lᵀ f_port.
        Ports that take motion are given positions; without one they stay where they
        are in `state`. Rejected where something moves without resistance.
        """
        solver = self._resting.factored(springs)
        if isinstance(solver, Rejected):
            return solver
        own = self._load(0.0) if self.static_load is None else self.static_load
        f, told = load_factor * own, state[self._ends.held]
        for port, value in inputs.items():
            self._ends.give(f, told, port, value)
        u, efforts = solver.solve(f, told)
        still = np.zeros_like(u)
        return self._at_instant(Kinematics(u, still, still), efforts)

    def compliance(
        self, state: Vector, springs: Mapping[str, Vector]
    ) -> Flexibility | Rejected:
        """What a unit of every port input does to the equilibrium, all at once."""
        return self._resting.compliance(springs)

    def breaks(self, window: Window) -> Sequence[float]:
        """The kinks of its own load inside a window."""
        return inside(window, self.kinks) if self.kinks else ()

    def _checked(
        self, window: Window, done: Advance[Vector]
    ) -> Advance[Vector] | Rejected:
        """The same, if it is numbers; what ports show but efforts is in the state."""
        if not self._ends.led and numbers(done.state):
            return done
        return finite(self.name, window, done)

    def own_loads(self, window: Window) -> Sequence[Vector]:
        """Its own loads where a window starts and after every step."""
        at = one_sided(window, self.kinks)
        ends = [w.t1 for w in window.split(self.steps)]
        return [self._load(at(t)) for t in (window.t0, *ends)]

    def _load(self, t: float) -> Vector:
        return self.external(t) if self.external else np.zeros(self.system.M.shape[0])

    def _at_instant(self, now: Kinematics, efforts: Vector) -> Advance[Vector]:
        """Report an instant."""
        return self._report(now, efforts, Energy(self._flows.stored(now)))

    def _report(
        self, now: Kinematics, efforts: Vector, energy: Energy, solves: int = 1
    ) -> Advance[Vector]:
        outputs = self._ends.outputs(now, efforts)
        return Advance(np.concatenate(now), outputs, energy, {"solves": solves})

    def observe(self, state: Vector) -> Mapping[str, Observation]:
        """Displacements of the published dofs, and what is watched."""
        return published(state, self.publish, self.watch)

    def shapes(self, state: Vector) -> Mapping[str, Matrix]:
        """The masses in a row, where a rest position is known; or what `draw` shows."""
        return drawn(state, self.rest, self.draw)

    def skins(self) -> Mapping[str, Skin]:
        """Its surface, where the owner shows it."""
        return {"": self.surface.rest} if self.surface else {}

    def deformed(
        self, state: Vector, t: float | None, share: float = 1.0
    ) -> Mapping[str, Deformed]:
        """Where its surface is."""
        u = levels(state).u
        return {"": self.surface.at(u, t, share)} if self.surface else {}

    def swinging(
        self, omega: float, ports: Mapping[str, Vector]
    ) -> Mapping[str, Deformed]:
        """Its surface while its force ports swing."""
        if self.surface is None:
            return {}
        parts = [np.zeros(0), *(ports[p] for p in self._ends.pushed)]
        u = self._vibration.shape(omega, np.concatenate(parts))
        return {"": self.surface.amplitudes(u)}

    def dump(self, state: Vector) -> bytes:
        """u, v, a as raw doubles."""
        return to_bytes(state)

    def load(self, data: bytes) -> Vector:
        """The state that `dump` wrote."""
        return from_bytes(data)

    @cached_property
    def _vibration(self) -> Vibration:
        n, ends = self.system.M.shape[0], self._ends
        rows = [np.zeros((0, n)), *(ends.picks[p].rows(n) for p in ends.pushed)]
        return Vibration(self._slim, np.concatenate(rows), ends.held)

    def receptance(self, omega: float, damped: bool = True) -> Receptance:
        """H(ω) over the ports that take force; ports that take motion are held."""
        H, below = self._vibration.at(omega, damped)
        return Receptance(self._ends.blocks(H), below)
