"""What the owner of a model publishes of it: motion, stress, reactions, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, vstack

from bondline.core import FRAME_DOFS, Observation, Vector
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.recover import von_mises
from bondline.leaves.fe.stacks import Sparse
from bondline.leaves.fe.stress_rows import COMPONENTS, StressRows, stress_rows
from bondline.leaves.histories import Constant
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
    listed = [wishes] if isinstance(wishes, str) else wishes
    own = listed if isinstance(listed, Mapping) else dict.fromkeys(listed, "")
    each = [
        _granted(model, wish or name).named(name if wish else "")
        for name, wish in own.items()
    ]
    _check_once(model, [name for one in each for name in one.names])
    linear = [one for one in each if not one.peak]
    return Watch(
        tuple(name for one in linear for name in one.names),
        tuple(unit for one in linear for unit in one.units),
        _stacked(model, [one.rows for one in linear]),
        {one.names[0]: one.rows for one in each if one.peak},
    )


class _Granted(NamedTuple):
    """What one wish asks for; a `peak` is one number over all of its rows."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    rows: Rows
    peak: bool = False

    def named(self, own: str) -> _Granted:
        """The same under the owner's name for it, if there is one."""
        if not own:
            return self
        single = len(self.names) == 1
        names = (own,) if single else tuple(f"{own}.{n}" for n in self.names)
        return self._replace(names=names)


def _check_once(model: FeModel, names: Sequence[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise SettingError(
            f"{model.name}: publish {twice[0]!r}",
            "two wishes have this name.",
            "Leave one out, or name it: publish={'name': 'wish'}.",
        )


def _stacked(model: FeModel, each: Sequence[Rows]) -> Rows:
    empty = csr_array((0, model.assembled.T.shape[1]))
    u, v, a = (
        csr_array(vstack([empty, *(rows.levels[k] for rows in each)])) for k in range(3)
    )
    return Rows((u, v, a), np.concatenate([np.zeros(0), *(r.rest for r in each)]))


def _granted(model: FeModel, wish: str) -> _Granted:
    what, colon, rest = wish.partition(":")
    if not colon:
        return _motion(model, wish)
    if what == "stress":
        return _stress(model, wish, rest)
    if what == "reaction":
        return _reaction(model, wish, rest)
    raise SettingError(
        f"{model.name}: publish {wish!r}",
        f"{what!r} cannot be published.",
        did_you_mean(what, ["stress", "reaction"]) + " Motion is written SET.az.",
    )


def _motion(model: FeModel, wish: str) -> _Granted:
    name, _, quantity = wish.rpartition(".")
    if quantity not in QUANTITIES or not name:
        raise SettingError(
            f"{model.name}: publish {wish!r}",
            f"there is no motion {quantity!r}.",
            f"Write SET.az, for example. {did_you_mean(quantity, QUANTITIES)}",
        )
    level, component = QUANTITIES[quantity]
    nodes, dofs = _nodes(model, name), model.assembled.dofs
    numbers = dofs.of(nodes, (component,))
    lacking = np.flatnonzero(numbers < 0)
    if lacking.size:
        raise SettingError(
            f"{model.name}: publish {wish!r}",
            f"{dofs.named(6 * int(nodes[lacking[0]]) + component)} does not exist.",
            "Publish a dof that an element gives the node.",
        )
    ones = (np.ones(len(numbers)), (np.arange(len(numbers)), numbers))
    rows = csr_array(ones, shape=(len(numbers), dofs.size))
    labels = _labels(model, name, nodes, nodes)
    return _Granted(
        tuple(f"{label}.{quantity}" for label in labels),
        (_UNITS[level][component // 3],) * len(labels),
        _seen(model, wish, {level: rows}),
    )


def _stress(model: FeModel, wish: str, rest: str) -> _Granted:
    name, dot, component = rest.rpartition(".")
    single = bool(dot) and component in COMPONENTS
    nodes = _nodes(model, name if single else rest)
    made = stress_rows(model.mesh, model.assembled.dofs, nodes)
    if not single:
        rows = _seen(model, wish, {0: made.matrix})
        return _Granted((f"{rest}.mises",), ("Pa",), rows, peak=True)
    _check_smooth(model, wish, name, made)
    labels = _labels(model, name, made.nodes, nodes)
    chosen = made.matrix[COMPONENTS.index(component) :: 6]
    return _Granted(
        tuple(f"{a}.{b}.{component}" for a, b in zip(labels, made.layers, strict=True)),
        ("Pa",) * len(labels),
        _seen(model, wish, {0: chosen}),
    )


def _check_smooth(model: FeModel, wish: str, name: str, made: StressRows) -> None:
    spots = Counter(zip(made.nodes.tolist(), made.layers, strict=True))
    for (node, _), often in spots.items():
        if often > 1:
            raise SettingError(
                f"{model.name}: publish {wish!r}",
                f"two sections meet at node {model.mesh.ids[node]}, where stress "
                "jumps.",
                f"Publish the largest one, stress:{name}, or other nodes.",
            )


def _reaction(model: FeModel, wish: str, name: str) -> _Granted:
    """Wᵀ(M u'' + C u' + K u − F h), summed over the nodes of the set."""
    made, nodes = model.assembled, _nodes(model, name)
    plan = made.elimination
    numbers = made.dofs.of(nodes, (0, 1, 2)).reshape(-1, 3)
    held = np.full(made.dofs.size + 1, -1, dtype=np.intp)
    held[plan.held] = np.arange(len(plan.held))
    place = held[numbers]
    if not (place >= 0).any():
        raise SettingError(
            f"{model.name}: publish {wish!r}",
            "no translation of its nodes is supported.",
            "Name a set with supported nodes.",
        )
    i, c = np.nonzero(place >= 0)
    ones = (np.ones(len(i)), (c, place[i, c]))
    pick = csr_array(ones, shape=(3, len(plan.held)))
    sums = pick @ plan.W[plan.touched].T
    M, C, K = ((sums @ A).tocsr() for A in made.edge)
    loads = (-(sums @ made.forces[plan.touched])).tocsr()
    names = (f"{name}.Fx", f"{name}.Fy", f"{name}.Fz")
    return _Granted(names, ("N",) * 3, _seen(model, wish, {0: K, 1: C, 2: M}, loads))


def _nodes(model: FeModel, name: str) -> Indices:
    mesh = model.mesh
    if name not in mesh.node_sets and name.isdigit():
        rows = np.flatnonzero(mesh.ids == int(name))
        if rows.size:
            return rows
    return model.nodes(name)


def _labels(model: FeModel, name: str, which: Indices, nodes: Indices) -> list[str]:
    """Names of some nodes of a set: that of the set, where it has but one."""
    ids = model.mesh.ids
    return [f"{name}.{ids[k]}" if len(nodes) > 1 else name for k in which.tolist()]


def _seen(
    model: FeModel, wish: str, rows: Mapping[int, Sparse], loads: Sparse | None = None
) -> Rows:
    """Rows over all dofs as rows over q; what histories add must not change."""
    made = model.assembled
    count = next(iter(rows.values())).shape[0]
    none = csr_array((count, made.T.shape[1]))
    levels = [(rows[k] @ made.T).tocsr() if k in rows else none for k in range(3)]
    led = [(A @ made.G).tocsr() for A in rows.values()]
    led += [] if loads is None else [loads]
    _check_steady(model, wish, led)
    rest = rows[0] @ (made.G @ made.at(0.0)[0]) if 0 in rows else np.zeros(count)
    if loads is not None:
        rest = rest + loads @ made.at(0.0)[0]
    return Rows((levels[0], levels[1], levels[2]), np.asarray(rest, np.float64))


def _check_steady(model: FeModel, wish: str, led: Sequence[Sparse]) -> None:
    moving = {
        j
        for A in led
        for j in A.indices[A.data != 0.0].tolist()
        if not isinstance(model.assembled.histories[j], Constant)
    }
    if moving:
        raise SettingError(
            f"{model.name}: publish {wish!r}",
            "it depends on a motion or load in time directly, which a state does "
            "not know.",
            "Publish a node that no enforced motion or load in time touches.",
        )
