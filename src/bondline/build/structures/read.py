"""A structure file as a leaf, and everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bondline.build.decks import readers
from bondline.build.leaf_files.values import Values, named, true
from bondline.build.mechanisms.bodies import Files
from bondline.build.mechanisms.forces import read_history
from bondline.build.structures.elements import ELEMENTS, Context
from bondline.build.structures.grid import Grid
from bondline.build.structures.materials import read_material
from bondline.build.structures.signals import numbered, read_force, read_signal
from bondline.core import FRAME_DOFS, Parameter
from bondline.description import Problem
from bondline.description.schema import LEAF
from bondline.description.untrusted import Node
from bondline.errors import DeckError, SettingError, did_you_mean
from bondline.leaves.expression import Expression
from bondline.leaves.histories import History
from bondline.leaves.large_mass.adapter import Compliance, LargeMass
from bondline.leaves.large_mass.masses import Masses
from bondline.leaves.large_mass.weights import Weights
from bondline.leaves.mbd.forces import Polynomial
from bondline.leaves.nonlinear import (
    Bench,
    Elements,
    Hold,
    Newton,
    Nonlinear,
    NonlinearModel,
    Push,
    Socket,
)
from bondline.numerics import Method


def read_structure(
    root: Node, name: str, parameters: Mapping[str, Parameter], files: Files
) -> tuple[Nonlinear | LargeMass | None, list[Problem]]:
    """The leaf with these values of the parameters, or what is wrong."""
    v = Values(parameters)
    made = v.attempt(root, lambda n: _Reader(n, name, v, files).leaf())
    return (None if v.problems else made), v.problems


@dataclass(frozen=True, eq=False)
class _Reader:
    root: Node
    name: str
    v: Values
    files: Files

    def leaf(self) -> Nonlinear | LargeMass | None:
        """With its large masses, where ports take motion."""
        grid = Grid(true(self.root, "plane"))
        blocks, seats = self._blocks(grid)
        holds = self._every("hold", lambda n: _hold(n, grid))
        bench = Bench(seats, tuple(h for lying, h in holds if lying))
        pushes, kinks = self._pushes(grid)
        sockets = self._sockets(grid)
        forces, publish = self._signals(grid, sockets)
        if self.v.problems:
            return None
        gravity = self.v.triple(self.root, "gravity")
        standing = tuple(h for lying, h in holds if not lying)
        model = NonlinearModel(self.name, grid.array, blocks, standing, pushes, gravity)
        method, newton, steps = self._integration()
        leaf = Nonlinear(
            model,
            sockets,
            steps,
            method,
            newton,
            kinks=kinks,
            publish=publish,
            show=True,
            velocity=self.v.triple(self.root, "velocity"),
            settled=true(self.root, "settled"),
            bench=bench,
            parameters=self.v.parameters,
        )
        _weighed(leaf, grid.rows, self._led_ports)
        _try(leaf)
        return self._led(leaf, forces)

    def _every(self, kind: str, make: Any) -> list[Any]:
        made = [self.v.attempt(n, make) for n in self.root.all(LEAF, kind)]
        return [each for each in made if each is not None]

    def _blocks(self, grid: Grid) -> tuple[tuple[Elements, ...], tuple[Elements, ...]]:
        """Elements of the model, and those of its bench."""
        materials = {}
        for n in self.root.all(LEAF, "material"):
            materials[n.get("name")] = self.v.attempt(
                n, lambda n: read_material(n, self.v)
            )
        self._every("mesh", lambda n: _mesh(n, grid, self.files))
        self._every("node", lambda n: _node(n, grid, self.v))  # may stand on a mesh
        known = {name: m for name, m in materials.items() if m is not None}
        context = Context(self.v, grid, known)
        blocks, seats = list[Elements](), list[Elements]()
        for n in self.root.all(LEAF, *ELEMENTS):
            made = self.v.attempt(n, lambda n: ELEMENTS[n.name](n, context)) or ()
            (seats if true(n, "bench") else blocks).extend(made)
        return tuple(blocks), tuple(seats)

    def _pushes(self, grid: Grid) -> tuple[tuple[Push, ...], tuple[float, ...]]:
        pushes, kinks = list[Push](), set[float]()
        for n in self.root.all(LEAF, "push"):
            made = self.v.attempt(n, lambda n: _push(n, grid, self.v))
            if made is not None:
                pushes += made[0]
                kinks |= set(made[1])
        return tuple(pushes), tuple(sorted(kinks))

    def _sockets(self, grid: Grid) -> dict[str, Socket]:
        found: dict[str, Socket] = {}
        for n in self.root.all(LEAF, "port"):
            made = self.v.attempt(n, lambda n: _socket(n, grid, self.v, found))
            if made is not None:
                found[n.get("name")] = made
        return found

    def _signals(
        self, grid: Grid, sockets: Mapping[str, Socket]
    ) -> tuple[dict[str, tuple[str, int]], dict[str, Any]]:
        """Forces of ports, and all else that is published."""
        forces, found = dict[str, tuple[str, int]](), dict[str, Any]()
        led = self._led_ports
        for n in self.root.all(LEAF, "signal"):
            if n.get("component")[:1] in ("F", "M"):
                at = self.v.attempt(n, lambda n: read_force(n, sockets, led))
                forces |= {n.get("name"): at} if at else {}
            else:
                found[n.get("name")] = self.v.attempt(n, lambda n: read_signal(n, grid))
        return forces, found

    @property
    def _led_ports(self) -> tuple[str, ...]:
        ports = list(self.root.all(LEAF, "port"))
        takes = [self.v.choice(n, "takes", ("force", "motion"), "force") for n in ports]
        each = zip(ports, takes, strict=True)
        return tuple(n.get("name") for n, word in each if word == "motion")

    def _integration(self) -> tuple[Method, Newton, int]:
        node, v = self.root.one(LEAF, "integration"), self.v
        if node is None:
            return Method.generalized_alpha(0.8), Newton(), 1
        words = ("generalized-alpha", "trapezoidal")
        alpha = v.choice(node, "method", words, words[0]) == words[0]
        rho = v.number(node, "rho", 0.8)
        usual = Newton()
        newton = Newton(
            v.number(node, "tolerance", usual.tolerance),
            v.whole(node, "patience", usual.patience),
            v.choice(node, "newton", ("full", "modified"), "full") == "modified",
        )
        method = Method.generalized_alpha(rho) if alpha else Method()
        return method, newton, v.whole(node, "steps", 1)

    def _led(
        self, leaf: Nonlinear, forces: Mapping[str, tuple[str, int]]
    ) -> Nonlinear | LargeMass:
        led = self._led_ports
        node, v = self.root.one(LEAF, "large-mass"), self.v
        if not led:
            return leaf
        node = node or self.root
        large = Masses(v.number(node, "ratio", 0.0), v.number(node, "radius", 0.05))
        weights = Weights(v.number(node, "weights", 5.0))
        ways: tuple[Compliance, ...] = ("diagonal", "full")
        way = v.choice(node, "compliance", ways, ways[0])
        return LargeMass(
            leaf,
            led,
            large,
            weights,
            v.number(node, "tolerance", 1e-10),
            v.number(node, "following", 1e-5),
            compliance=ways[ways.index(way)],
            parameters=v.parameters,
            publish=numbered(leaf, forces),
        )


def _weighed(leaf: Nonlinear, names: Mapping[str, int], led: Sequence[str]) -> None:
    """Every node that moves has mass, or a port that is told motion: a large one."""
    model, carried = leaf.model, {n for p in led for n in leaf.sockets[p].nodes}
    slots, own = model.dofs.slots, model.pattern.diagonal(model.mass)
    bare = set((slots[(own <= 0.0) & (slots % 6 < 3)] // 6).tolist()) - carried
    if not bare:
        return
    first = next(name for name, row in names.items() if row in bare)
    more = f", and {len(bare) - 1} more" if len(bare) > 1 else ""
    raise SettingError(
        f"{leaf.name}: node {first}{more}",
        "it moves and has no mass.",
        "Give the material of its elements a density, or the node a <mass>.",
    )


def _try(leaf: Nonlinear) -> None:
    """What is computed once, now: so that what is wrong is told with the file."""
    _ = leaf.ports, leaf.mass
    leaf.start(0.0)


def _node(n: Node, grid: Grid, v: Values) -> None:
    master = grid.one(n, "on") if "on" in n.attributes else None
    row = grid.add(n.get("name"), grid.place(n, v, "at"))
    if master is not None:
        if grid.plane:
            raise SettingError(
                named(n), "rigid arms are in space.", "Leave out `plane`, or `on`."
            )
        grid.masters[row] = master


def _mesh(n: Node, grid: Grid, files: Files) -> None:
    source = n.get("source")
    if source not in files:
        raise SettingError(
            f"mesh {source}", "the file could not be read.", "See the other problem."
        )
    file = files[source]
    known = readers()
    if file.ending not in known:
        raise SettingError(
            f"mesh {source}", "it is no deck.", f"Decks end with {', '.join(known)}."
        )
    try:
        text = file.data.decode("utf-8", errors="replace")
        deck = known[file.ending].read(text, {})
    except DeckError as error:
        raise SettingError(error.place, error.finding, error.remedy) from error
    grid.add_mesh(n.get("name"), deck.model.mesh)


def _dofs(n: Node) -> tuple[int, ...]:
    words = n.get("dofs").split()
    for word in words:
        if word not in FRAME_DOFS:
            raise SettingError(
                f"{named(n)}, dofs", f"{word!r}.", did_you_mean(word, FRAME_DOFS)
            )
    return tuple(FRAME_DOFS.index(word) for word in words)


def _hold(n: Node, grid: Grid) -> tuple[bool, Hold]:
    made = Hold(grid.several(n, "at"), _dofs(n) or (0, 1, 2, 3, 4, 5))
    return true(n, "bench"), made


def _push(n: Node, grid: Grid, v: Values) -> tuple[list[Push], tuple[float, ...]]:
    row, history = grid.one(n, "at"), _history(n, v)
    loads = (*v.triple(n, "force"), *v.triple(n, "moment"))
    made = [
        Push(row, c, partial(_scaled, history, size))
        for c, size in enumerate(loads)
        if size
    ]
    return made, history.kinks


def _history(n: Node, v: Values) -> History:
    found = read_history(n, v)
    if not isinstance(found, Polynomial):
        return found
    terms = (f"({c!r})*t**{k}" for k, c in enumerate(found.coefficients))
    return Expression("+".join(terms))


def _scaled(history: History, size: float, t: float) -> float:
    return size * history.at(t)[0]


def _socket(n: Node, grid: Grid, v: Values, known: Mapping[str, Socket]) -> Socket:
    if n.get("name") in known:
        raise SettingError(named(n), "it is there twice.", "Name it once.")
    v.choice(n, "takes", ("force", "motion"), "force")
    frame, absolute = (true(n, key) for key in ("frame", "absolute"))
    return Socket(grid.several(n, "at"), _dofs(n), frame, absolute)
