"""Finite-element models as leaves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from bondline.core import Matrix, Parameter, Vector
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.fe.assembled import Assembled
from bondline.leaves.fe.massless import check_mass
from bondline.leaves.fe.mesh import Indices, Nodes
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.modes import damped
from bondline.leaves.fe.numbers import check_number
from bondline.leaves.fe.plug import Plug, Plugged, plugged
from bondline.leaves.fe.skin import MARKS, FullField
from bondline.leaves.fe.surfaces import outline
from bondline.leaves.fe.watching import watch
from bondline.leaves.structure import Structure
from bondline.numerics import Kinematics, Method

__all__ = ["Drawing", "Plug", "check_mass", "drawing", "fe_leaf", "start", "surface"]

SKINS = ("", "mesh", "stress")


def fe_leaf(  # noqa: PLR0913 - one argument a choice
    model: FeModel,
    ports: Mapping[str, Plug | Nodes],
    *,
    steps: int = 1,
    publish: Sequence[str] | Mapping[str, str] = (),
    draw: bool = False,
    skin: str = "",
    method: Method | None = None,
    modal: Sequence[float] = (),
    parameters: Mapping[str, Parameter] | None = None,
) -> Structure:
    """The model as a leaf, advanced by Newmark's method; `steps` of it a window.

    A port is a node set by name, or rows of the mesh; a `Plug` says more.

    `method` is the trapezoidal rule unless told. `modal` are damping ratios of the
    lowest modes of this part alone, besides all other damping.

    Nothing but the ports is known outside, unless the owner publishes it: see
    `watching.watch` for what `publish` takes. `draw` shows the outline of the mesh, in
    every window; `skin` its surface: "mesh", or "stress" for von Mises stress on it,
    with its ports. More words show more: "mesh numbers sets supports loads".
    """
    made = model.assembled
    check_mass(made)
    plugs = {name: plugged(model, name, plug) for name, plug in ports.items()}
    loaded = any(A.nnz for A in (made.value, made.rate, made.second))
    return Structure(
        model.name,
        damped(made.system, modal),
        select={name: plug.select for name, plug in plugs.items()},
        ports={name: plug.port for name, plug in plugs.items()},
        external=made.load if loaded else None,
        steps=steps,
        start_at=start(model),
        parameters=parameters or {},
        static_load=made.static_load,
        kinks=made.kinks,
        watch=watch(model, publish) if publish else None,
        draw=drawing(model) if draw else None,
        method=method or Method(),
        surface=surface(model, plugs, skin),
    )


def surface(
    model: FeModel, plugs: Mapping[str, Plugged], skin: str
) -> FullField | None:
    """What is shown of the surface of a model; `skin` as in `fe_leaf`."""
    how, *more = skin.split() or [""]
    unknown = [how] if how not in SKINS else [w for w in more if w not in MARKS]
    if unknown:
        raise SettingError(
            f"{model.name}: skin {skin!r}",
            f"there is no such way to show a surface: {unknown[0]!r}.",
            did_you_mean(unknown[0], SKINS[1:] if unknown[0] == how else MARKS),
        )
    if not how:
        return None
    ports = {name: plug.nodes for name, plug in plugs.items()}
    return FullField(model, ports, how == "stress", tuple(more))


@dataclass(frozen=True, eq=False)
class Drawing:
    """The outline of a mesh where a displacement puts it."""

    points: Matrix
    lines: Mapping[str, Indices]
    made: Assembled

    def __call__(self, q: Vector) -> Mapping[str, Matrix]:
        """Polylines at the displacements `q`."""
        u = np.asarray(self.made.T @ q, dtype=np.float64)
        moved = self.points + self.made.dofs.spread(u)[:, :3]
        return {name: moved[rows] for name, rows in self.lines.items()}


def drawing(model: FeModel) -> Drawing:
    """The outline of a model, to be shown at any displacement."""
    lines = {f"line{k}": rows for k, rows in enumerate(outline(model.mesh))}
    return Drawing(model.mesh.points, lines, model.assembled)


def start(model: FeModel) -> Kinematics | None:
    """Where the independent dofs start; None: at rest."""
    if not model.initial:
        return None
    made = model.assembled
    place = np.full(made.dofs.size, -1, dtype=np.intp)
    place[made.elimination.free] = np.arange(len(made.elimination.free))
    u, v = np.zeros((2, len(made.elimination.free)))
    for initial in model.initial:
        says = f"{model.name}: start"
        nodes = model.mesh.rows(says, initial.nodes)
        check_number(says, (initial.displacement, initial.velocity))
        numbers = made.dofs.of(nodes, (initial.component,))
        own = np.where(numbers < 0, -1, place[numbers])
        wrong = np.flatnonzero(own < 0)
        if wrong.size:
            slot = 6 * int(nodes[wrong[0]]) + initial.component
            raise SettingError(
                f"{model.name}: start of {made.dofs.named(slot)}",
                "it does not exist, is supported, or follows a link.",
                "Give a start to independent dofs; the others follow.",
            )
        u[own], v[own] = initial.displacement, initial.velocity
    return Kinematics(u, v, np.zeros_like(u))
