"""Elements of a structure file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from bondline.build.leaf_files.values import Values, named
from bondline.build.structures.grid import Grid, along
from bondline.build.structures.materials import (
    Stuff,
    metal_of,
    read_section,
    stuff_of,
)
from bondline.description.schema import LEAF
from bondline.description.untrusted import Node
from bondline.errors import SettingError
from bondline.leaves.nonlinear import (
    Arms,
    Beams2,
    Beams3,
    Bushes,
    Elements,
    Masses,
    Progressive,
    Shells,
    Solids,
    SpringLaw,
    Stop,
    Tabled,
    Ties,
)
from bondline.leaves.nonlinear.elements.block import Indices
from bondline.leaves.nonlinear.wellformed import check_spring

_BUSHES = {
    True: {2: (0, 1), 3: (0, 1, 5)},
    False: {3: (0, 1, 2), 6: (0, 1, 2, 3, 4, 5)},
}

_LONGEST = 10_000  # elements of a chain


@dataclass(frozen=True, eq=False)
class Context:
    """What elements are read with."""

    v: Values
    grid: Grid
    materials: Mapping[str, Stuff]

    @property
    def plane(self) -> bool:
        """Whether all is in x and y."""
        return self.grid.plane


def _beams(n: Node, c: Context) -> list[Elements]:
    rows = np.concatenate(c.grid.blocks(n, (2,))) if "of" in n.attributes else None
    rows, metal = _chain(n, c) if rows is None else rows, metal_of(n, c.materials)
    section = read_section(n, metal, c.plane, c.v)
    if c.plane:
        how = c.v.choice(n, "damping", ("rate", "rest"), "rate")
        return [Beams2(rows, section, rest_damping=how == "rest")]
    direction = np.array(c.v.triple(n, "direction", None))
    return [Beams3(rows, section, direction)]


def _chain(n: Node, c: Context) -> Indices:
    """Pairs of nodes along named ones; new ones between them are NAME.1, NAME.2, …"""
    stops, name = c.grid.several(n, "through"), n.get("name")
    asked = c.v.numbers(n, "elements", (), (1,))
    asked = asked * (len(stops) - 1) if len(asked) == 1 else asked
    whole = all(x == int(x) >= 1 for x in asked) and sum(asked) <= _LONGEST
    if len(stops) < 2 or len(asked) != len(stops) - 1 or not whole:
        raise SettingError(
            named(n),
            f"{len(stops)} nodes and elements={n.get('elements', '1')!r}.",
            "Go through two nodes or more; give one number of elements, or one for "
            f"each piece between them: whole ones, {_LONGEST} in all at most.",
        )
    cuts = [int(x) for x in asked]
    via = np.array(c.grid.place(n, c.v, "via")) if "via" in n.attributes else None
    ends = [np.array(c.grid.points[k]) for k in stops]
    inner = along(list(pairwise(ends)), cuts, via)
    path, k = [stops[0]], 0
    for points, stop in zip(inner, stops[1:], strict=True):
        for at in points:
            k += 1
            path.append(c.grid.add(f"{name}.{k}", at))
        k += 1
        path.append(stop)
    return np.column_stack([path[:-1], path[1:]]).astype(np.intp)


def _shells(n: Node, c: Context) -> list[Elements]:
    metal, thick = metal_of(n, c.materials), c.v.number(n, "thickness")
    layers = c.v.whole(n, "layers", 5)
    return [Shells(rows, metal, thick, layers) for rows in _listed(n, c, (3, 4))]


def _solids(n: Node, c: Context) -> list[Elements]:
    stuff = stuff_of(n, c.materials)
    return [Solids(rows, stuff) for rows in _listed(n, c, (8, 10))]


def _listed(n: Node, c: Context, sizes: tuple[int, ...]) -> list[Indices]:
    """Elements of a mesh, or one element by its nodes."""
    if "of" in n.attributes:
        return c.grid.blocks(n, sizes)
    nodes = c.grid.several(n, "nodes")
    if len(nodes) not in sizes:
        raise SettingError(
            f"{named(n)}, nodes",
            f"{len(nodes)} nodes.",
            f"Name {' or '.join(map(str, sizes))}; or say which mesh it is `of`.",
        )
    return [np.array([nodes], dtype=np.intp)]


def _bush(n: Node, c: Context) -> list[Elements]:
    k = c.v.numbers(n, "stiffness", tuple(_BUSHES[c.plane]))
    d0 = _each(n, c, "stiffening", len(k), np.inf)
    damping = _each(n, c, "damping", len(k), 0.0)
    laws = tuple(Progressive(*each) for each in zip(k, d0, damping, strict=True))
    for law in laws:
        check_spring(named(n), law)
    return [_carried(Bushes(_ends(n, c), _BUSHES[c.plane][len(k)], laws), c)]


def _each(n: Node, c: Context, key: str, count: int, usual: float) -> tuple[float, ...]:
    found = c.v.numbers(n, key, (1, count), (usual,))
    return found * count if len(found) == 1 else found


def _spring(n: Node, c: Context) -> list[Elements]:
    return [_tie(n, c, _law(n, c.v))]


def _law(n: Node, v: Values) -> SpringLaw:
    points, damping = list(n.all(LEAF, "point")), v.number(n, "damping", 0.0)
    if points:
        d, force = ([v.number(p, key) for p in points] for key in ("stretch", "force"))
        return Tabled(tuple(d), tuple(force), damping)
    stiffening = v.number(n, "stiffening", np.inf)
    return Progressive(v.number(n, "stiffness"), stiffening, damping)


def _stop(n: Node, c: Context) -> list[Elements]:
    v = c.v
    side = v.choice(n, "side", ("longer", "shorter"), "shorter")
    law = Stop(
        v.number(n, "gap", 0.0),
        v.number(n, "stiffness"),
        v.number(n, "stiffening", np.inf),
        v.number(n, "damping", 0.0),
        1.0 if side == "longer" else -1.0,
    )
    return [_tie(n, c, law)]


def _tie(n: Node, c: Context, law: SpringLaw) -> Elements:
    check_spring(named(n), law)
    free = np.array([c.v.number(n, "length")]) if "length" in n.attributes else None
    components = (0, 1) if c.plane else (0, 1, 2)
    return _carried(Ties(_ends(n, c), law, free, components), c)


def _ends(n: Node, c: Context) -> Indices:
    return np.array([[c.grid.one(n, "a"), c.grid.one(n, "b")]], dtype=np.intp)


def _carried(made: Elements, c: Context) -> Elements:
    """Ends that stand on rigid arms act on the nodes that carry them."""
    ends = set(made.nodes.ravel().tolist())
    masters = {k: m for k, m in c.grid.masters.items() if k in ends}
    return Arms(made, masters) if masters else made


def _mass(n: Node, c: Context) -> list[Elements]:
    inertia = c.v.number(n, "inertia", 0.0)
    shift, turn = ((0, 1), (5,)) if c.plane else ((0, 1, 2), (3, 4, 5))
    rows = np.array(c.grid.several(n, "at"), dtype=np.intp)[:, None]
    components = (*shift, *turn) if inertia else shift
    return [Masses(rows, c.v.number(n, "mass"), inertia, components)]


ELEMENTS: Mapping[str, Callable[[Node, Context], Sequence[Elements]]] = {
    "beams": _beams,
    "shells": _shells,
    "solids": _solids,
    "bush": _bush,
    "spring": _spring,
    "stop": _stop,
    "mass": _mass,
}
