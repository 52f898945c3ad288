"""Bodies of a mechanism file: given, of solids, of a beam, or of a file of modes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from bondline.build.leaf_files.values import Values
from bondline.core import Matrix
from bondline.description.schema import LEAF
from bondline.description.spec import FileSpec
from bondline.description.untrusted import Node
from bondline.errors import DeckError, SettingError
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.modal import Beam, Shapes, beam_modes, read_modes
from bondline.leaves.mbd.modal.damping import ratios
from bondline.leaves.mbd.model import Body, Modes
from bondline.leaves.mbd.solids import (
    Lump,
    box,
    capsule,
    composite,
    cylinder,
    ellipsoid,
    point,
    rod,
    sphere,
    tube,
)

Files = Mapping[str, FileSpec]
_FLEXIBLE = ("beam", "modes")


def read_body(node: Node, values: Values, files: Files) -> Body:
    """One body."""
    markers = read_markers(node, values)
    solids = list(node.all(LEAF, *SOLIDS))
    flexible = list(node.all(LEAF, *_FLEXIBLE))
    told = [key for key in ("mass", "inertia", "com") if key in node.attributes]
    ways = [*flexible, *([solids] if solids else []), *([told] if told else [])]
    if len(ways) != 1:
        raise SettingError(
            f"body {node.get('name')}",
            f"its mass is given in {len(ways)} ways." if ways else "it has no mass.",
            "Give mass, inertia and com; or solids; or one beam; or one file of modes.",
        )
    if flexible:  # what is wrong with it is told at its own place
        modes = values.attempt(flexible[0], lambda n: _modes(n, values, files))
        return Body(node.get("name"), markers=markers, modes=modes)
    if solids:
        each = [values.attempt(n, lambda n: _solid(n, values)) for n in solids]
        lumps = [lump for lump in each if lump is not None]
        whole = composite(*lumps) if len(lumps) == len(each) else point(1.0)
        return whole.body(node.get("name"), markers)
    return Body(
        node.get("name"),
        values.number(node, "mass"),
        _inertia(values.numbers(node, "inertia", (3, 6), (0.0, 0.0, 0.0))),
        values.triple(node, "com"),
        markers,
    )


def _inertia(given: tuple[float, ...]) -> Matrix:
    """xx yy zz, or xx yy zz xy yz zx."""
    xx, yy, zz, xy, yz, zx = (*given, 0.0, 0.0, 0.0)[:6]
    return np.array([[xx, xy, zx], [xy, yy, yz], [zx, yz, zz]])


def read_markers(node: Node | None, values: Values) -> dict[str, Frame]:
    """The markers of a body or of the ground, by name."""
    found: dict[str, Frame] = {}
    for each in node.all(LEAF, "marker") if node else ():
        name = each.get("name")
        frame = values.attempt(each, values.frame)
        if name in found or "." in name:
            error = SettingError(
                f"marker {name}",
                "it is there twice." if name in found else "its name has a dot.",
                "Give each marker of a body a name of its own, without dots.",
            )
            values.attempt(each, _raising(error))
        elif frame is not None:
            found[name] = frame
    return found


def _raising(error: SettingError) -> Callable[[Node], None]:
    def make(_: Node) -> None:
        raise error

    return make


def _mass(node: Node, v: Values) -> dict[str, float]:
    return {k: v.number(node, k) for k in ("mass", "density") if k in node.attributes}


SOLIDS: Mapping[str, Callable[[Node, Values], Lump]] = {
    "box": lambda n, v: box(*v.triple(n, "size", None), **_mass(n, v)),
    "ellipsoid": lambda n, v: ellipsoid(*v.triple(n, "size", None), **_mass(n, v)),
    "rod": lambda n, v: rod(v.number(n, "length"), v.number(n, "mass")),
    "point": lambda n, v: point(v.number(n, "mass")),
    "sphere": lambda n, v: sphere(v.number(n, "radius"), **_mass(n, v)),
    "cylinder": lambda n, v: cylinder(
        v.number(n, "radius"), v.number(n, "length"), **_mass(n, v)
    ),
    "capsule": lambda n, v: capsule(
        v.number(n, "radius"), v.number(n, "length"), **_mass(n, v)
    ),
    "tube": lambda n, v: tube(
        v.number(n, "length"),
        v.number(n, "radius"),
        v.number(n, "inner"),
        **_mass(n, v),
    ),
}


def _solid(node: Node, values: Values) -> Lump:
    return SOLIDS[node.name](node, values).moved(values.frame(node))


def share_of(node: Node, values: Values) -> float:
    """How much of its sag at rest a body starts with."""
    each = [values.number(n, "sag", 0.0) for n in node.all(LEAF, *_FLEXIBLE)]
    return each[0] if each else 0.0


def _modes(node: Node, values: Values, files: Files) -> Modes:
    if node.name == "beam":
        made = _beam(node, values)
    else:
        made = _damped(_file(node, files), _damping(node, values))
    none = (0.0,) * made.count
    start = values.numbers(node, "start", (made.count,), none)
    return replace(
        made, start=start, speed=values.numbers(node, "speed", (made.count,), none)
    )


def _beam(node: Node, v: Values) -> Modes:
    rigid = {key: v.number(node, key, 0.0) for key in ("EIy", "EIz", "EA", "GJ")}
    ry, rz = v.numbers(node, "radii", (2,), (0.0, 0.0))
    beam = Beam(
        v.number(node, "length"),
        v.number(node, "mass"),
        **rigid,
        radii=(ry, rz),
        frame=v.frame(node),
    )
    shapes = [
        Shapes(n.get("kind"), v.whole(n, "count", 1), n.get("ends"))
        for n in node.all(LEAF, "shapes")
    ]
    nodes = {n.get("name"): v.number(n, "station") for n in node.all(LEAF, "node")}
    return beam_modes(
        beam,
        shapes,
        nodes=nodes,
        damping=_damping(node, v),
        held=node.get("held") or None,
    )


def _damping(node: Node, v: Values) -> float | tuple[float, ...]:
    """Ratios: one for all modes, or one for each."""
    given = v.numbers(node, "damping", (), (0.0,))
    return given[0] if len(given) == 1 else given


def _damped(modes: Modes, by: float | tuple[float, ...]) -> Modes:
    """With damping besides its own."""
    return replace(modes, D=modes.D + ratios(modes.M, modes.K, by)) if by else modes


def _file(node: Node, files: Files) -> Modes:
    source = node.get("source")
    if source not in files:
        raise SettingError(
            f"modes {source}", "the file could not be read.", "See the other problem."
        )
    try:
        return read_modes(files[source].data, files[source].shown)
    except DeckError as error:
        raise SettingError(error.place, error.finding, error.remedy) from error
