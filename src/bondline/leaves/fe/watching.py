"""What the owner of a model publishes of it: motion, stress, reactions, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_array, vstack

from bondline.core import FRAME_DOFS, Observation, Vector
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.fe.assembled import Assembled
from bondline.leaves.fe.histories import Constant
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.recover import von_mises
from bondline.leaves.fe.stacks import Sparse
from bondline.leaves.fe.stress_rows import COMPONENTS, stress_rows
from bondline.numerics import Kinematics

QUANTITIES: Mapping[str, tuple[int, int]] = {
    f"{letter}{dof}": (level, c)
    for level, letter in enumerate(("", "v", "a"))
    for c, dof in enumerate(FRAME_DOFS)
}
"""Names of motion: level (displacement, velocity, acceleration) and component."""

_UNITS = (("m", "rad"), ("m/s", "rad/s"), ("m/s²", "rad/s²"))


@dataclass(frozen=True, eq=False)
class Rows:
    """Numbers that are linear in the motion q, q', q'': Σ rows × level + rest."""

    levels: tuple[Sparse, Sparse, Sparse]
    rest: Vector

    def of(self, now: Kinematics) -> Vector:
        """Their values."""
        total = self.rest
        for R, y in zip(self.levels, now, strict=True):
            if R.nnz:
                total = total + R @ y
        return np.asarray(total, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Watch:
    """Named values of a state; `peaks` are largest von Mises stresses over rows."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    rows: Rows
    peaks: Mapping[str, Rows] = field(default_factory=dict)

    def __call__(self, now: Kinematics) -> Mapping[str, Observation]:
        """The values at one instant."""
        values = self.rows.of(now).tolist() if self.names else []
        named = zip(self.names, values, self.units, strict=True)
        found = {n: Observation(value, unit) for n, value, unit in named}
        for name, rows in self.peaks.items():
            stress = rows.of(now).reshape(-1, 6)
            peak = float(von_mises(stress).max(initial=0.0))
            found[name] = Observation(peak, "Pa")
        return found


def watch(model: FeModel, wishes: Sequence[str] | Mapping[str, str]) -> Watch:
    """What the wishes ask for; a mapping gives them names of the owner's choice.

    `SET.az` is motion: x y z rx ry rz, with v or a in front for rates (`SET.12.az`,
    where a set has several nodes; a node's number stands for a set of one).
    `stress:SET` is the largest von Mises stress there, `stress:SET.xx` one component
    at every node and layer, `reaction:SET` the sum of the supports' forces.
    """
    builder = _Builder(model)
    listed = [wishes] if isinstance(wishes, str) else wishes
    own = listed if isinstance(listed, Mapping) else dict.fromkeys(listed, "")
    for name, wish in own.items():
        builder.add(wish or name, name if wish else "")
    return builder.made()


@dataclass(eq=False)
class _Builder:
    model: FeModel
    names: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    rows: list[Rows] = field(default_factory=list)
    peaks: dict[str, Rows] = field(default_factory=dict)

    def add(self, wish: str, own: str) -> None:
        """Rows for one wish, under the owner's name for it if there is one."""
        before, peaks = len(self.names), {*self.peaks}
        self._add(wish)
        if not own:
            return
        new = self.names[before:]
        self.names[before:] = [own] if len(new) == 1 else [f"{own}.{n}" for n in new]
        for name in self.peaks.keys() - peaks:
            self.peaks[own] = self.peaks.pop(name)

    def _add(self, wish: str) -> None:
        what, colon, rest = wish.partition(":")
        if not colon:
            self._motion(wish)
        elif what == "stress":
            self._stress(wish, rest)
        elif what == "reaction":
            self._reaction(wish, rest)
        else:
            raise SettingError(
                f"{self.model.name}: publish {wish!r}",
                f"{what!r} cannot be published.",
                did_you_mean(what, ["stress", "reaction"])
                + " Motion is written SET.az.",
            )

    def _motion(self, wish: str) -> None:
        name, _, quantity = wish.rpartition(".")
        if quantity not in QUANTITIES or not name:
            raise SettingError(
                f"{self.model.name}: publish {wish!r}",
                f"there is no motion {quantity!r}.",
                f"Write SET.az, for example. {did_you_mean(quantity, QUANTITIES)}",
            )
        level, component = QUANTITIES[quantity]
        nodes = self._nodes(wish, name)
        dofs = self.model.assembled.dofs
        numbers = dofs.of(nodes, (component,))
        for node, number in zip(nodes.tolist(), numbers.tolist(), strict=True):
            if number < 0:
                raise SettingError(
                    f"{self.model.name}: publish {wish!r}",
                    f"{dofs.named(6 * node + component)} does not exist.",
                    "Publish a dof that an element gives the node.",
                )
            self.names.append(f"{self._label(name, node, nodes)}.{quantity}")
            self.units.append(_UNITS[level][component // 3])
        shape = (len(numbers), dofs.size)
        ones = (np.ones(len(numbers)), (np.arange(len(numbers)), numbers))
        self.rows.append(self._seen(wish, {level: csr_array(ones, shape=shape)}))

    def _stress(self, wish: str, rest: str) -> None:
        name, dot, component = rest.rpartition(".")
        single = bool(dot) and component in COMPONENTS
        nodes = self._nodes(wish, name if single else rest)
        made = stress_rows(self.model.mesh, self.model.assembled.dofs, nodes)
        if not single:
            self.peaks[f"{rest}.mises"] = self._seen(wish, {0: made.matrix})
            return
        spots = list(zip(made.nodes.tolist(), made.layers, strict=True))
        often = Counter(spots)
        for node, layer in spots:
            if often[node, layer] > 1:
                raise SettingError(
                    f"{self.model.name}: publish {wish!r}",
                    f"two sections meet at node {self.model.mesh.ids[node]}, where "
                    "stress jumps.",
                    f"Publish the largest one, stress:{name}, or other nodes.",
                )
            label = self._label(name, node, nodes)
            self.names.append(f"{label}.{layer}.{component}")
            self.units.append("Pa")
        chosen = made.matrix[COMPONENTS.index(component) :: 6]
        self.rows.append(self._seen(wish, {0: chosen}))

    def _reaction(self, wish: str, name: str) -> None:
        """Wᵀ(M u'' + C u' + K u − F h), summed over the nodes of the set."""
        made, nodes = self.model.assembled, self._nodes(wish, name)
        plan = made.elimination
        numbers = made.dofs.of(nodes, (0, 1, 2)).reshape(-1, 3)
        held = np.full(made.dofs.size + 1, -1, dtype=np.intp)
        held[plan.held] = np.arange(len(plan.held))
        place = held[numbers]
        if not (place >= 0).any():
            raise SettingError(
                f"{self.model.name}: publish {wish!r}",
                "no translation of its nodes is supported.",
                "Name a set with supported nodes.",
            )
        i, c = np.nonzero(place >= 0)
        ones = (np.ones(len(i)), (c, place[i, c]))
        pick = csr_array(ones, shape=(3, len(plan.held)))
        sums = pick @ plan.W[plan.touched].T
        M, C, K = ((sums @ A).tocsr() for A in made.edge)
        loads = (-(sums @ made.forces[plan.touched])).tocsr()
        self.names += [f"{name}.F{d}" for d in "xyz"]
        self.units += ["N"] * 3
        self.rows.append(self._seen(wish, {0: K, 1: C, 2: M}, loads))

    def _nodes(self, wish: str, name: str) -> Indices:
        mesh = self.model.mesh
        if name not in mesh.node_sets and name.isdigit():
            rows = np.flatnonzero(mesh.ids == int(name))
            if rows.size:
                return rows
        return self.model.nodes(name)

    def _label(self, name: str, node: int, nodes: Indices) -> str:
        return f"{name}.{self.model.mesh.ids[node]}" if len(nodes) > 1 else name

    def _seen(
        self, wish: str, rows: Mapping[int, Sparse], loads: Sparse | None = None
    ) -> Rows:
        """Rows over all dofs as rows over q; what histories add must not change."""
        made = self.model.assembled
        count = next(iter(rows.values())).shape[0]
        none = csr_array((count, made.T.shape[1]))
        levels = [(rows[k] @ made.T).tocsr() if k in rows else none for k in range(3)]
        led = [(A @ made.G).tocsr() for A in rows.values()]
        led += [] if loads is None else [loads]
        self._check_steady(wish, made, led)
        rest = rows[0] @ (made.G @ made.at(0.0)[0]) if 0 in rows else np.zeros(count)
        if loads is not None:
            rest = rest + loads @ made.at(0.0)[0]
        return Rows((levels[0], levels[1], levels[2]), np.asarray(rest, np.float64))

    def _check_steady(self, wish: str, made: Assembled, led: Sequence[Sparse]) -> None:
        moving = {
            j
            for A in led
            for j in A.indices[A.data != 0.0].tolist()
            if not isinstance(made.histories[j], Constant)
        }
        if moving:
            raise SettingError(
                f"{self.model.name}: publish {wish!r}",
                "it depends on a motion or load in time directly, which a state does "
                "not know.",
                "Publish a node that no enforced motion or load in time touches.",
            )

    def made(self) -> Watch:
        n = self.model.assembled.T.shape[1]
        empty = csr_array((0, n))
        levels = [
            csr_array(vstack([empty, *(r.levels[k] for r in self.rows)]))
            for k in range(3)
        ]
        rest = np.concatenate([np.zeros(0), *(r.rest for r in self.rows)])
        rows = Rows((levels[0], levels[1], levels[2]), rest)
        return Watch(tuple(self.names), tuple(self.units), rows, self.peaks)
