"""Materials and sections of a structure file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bondline.build.leaf_files.values import Values, named
from bondline.description.schema import LEAF
from bondline.description.untrusted import Node
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.fe.sections import Material
from bondline.leaves.nonlinear import (
    Fibres,
    Hardening,
    Linear,
    Plastic,
    Rubber,
    Swift,
    Table,
    fibres,
)
from bondline.leaves.nonlinear.materials.law import Metal
from bondline.leaves.nonlinear.wellformed import check_stuff

Stuff = Metal | Rubber


def _table(n: Node, v: Values) -> Hardening:
    rows = list(n.all(LEAF, "point"))
    strains, stresses = (
        [v.number(row, key) for row in rows] for key in ("strain", "stress")
    )
    return Table(tuple(strains), tuple(stresses))


HARDENING: Mapping[str, Callable[[Node, Values], Hardening]] = {
    "linear": lambda n, v: Linear(v.number(n, "yield"), v.number(n, "H", 0.0)),
    "swift": lambda n, v: Swift(
        v.number(n, "K"), v.number(n, "strain"), v.number(n, "n")
    ),
    "table": _table,
}


def read_material(node: Node, v: Values) -> Stuff:
    """What the element says, if a material can be like that."""
    stuff = _stuff(node, v)
    check_stuff(named(node), stuff)
    return stuff


def _stuff(node: Node, v: Values) -> Stuff:
    """Elastic, with one law of hardening plastic; or rubber."""
    base = Material(
        node.get("name"),
        v.number(node, "E"),
        v.number(node, "nu", 0.3),
        v.number(node, "density", 0.0),
        v.number(node, "alpha", 0.0),
        v.number(node, "beta", 0.0),
    )
    if "density" in node.attributes and not base.rho > 0.0:
        raise SettingError(
            f"{named(node)}, density",
            f"it is {base.rho:g}.",
            "Give kg/m3 above zero; 7850 is steel.",
        )
    laws = list(node.all(LEAF, *HARDENING, "rubber"))
    if len(laws) > 1:
        raise SettingError(
            named(node), f"it has {len(laws)} laws.", "Give one, or none: elastic."
        )
    if not laws:
        return base
    if laws[0].name == "rubber":
        return Rubber(base)
    kinematic = v.number(laws[0], "kinematic", 0.0)
    return Plastic(base, HARDENING[laws[0].name](laws[0], v), kinematic)


def stuff_of(node: Node, known: Mapping[str, Stuff]) -> Stuff:
    """The material that an element names."""
    name = node.get("material")
    if name not in known:
        raise SettingError(
            f"{named(node)}, material",
            f"no material {name!r}.",
            did_you_mean(name, known),
        )
    return known[name]


def metal_of(node: Node, known: Mapping[str, Stuff]) -> Metal:
    """The same, of beams and shells."""
    found = stuff_of(node, known)
    if isinstance(found, Rubber):
        raise SettingError(
            f"{named(node)}, material", "it is rubber.", "Rubber is for solids only."
        )
    return found


def read_section(node: Node, metal: Metal, plane: bool, v: Values) -> Fibres:
    """The one section inside `beams`."""
    shapes = list(node.all(LEAF, *_SECTIONS))
    if len(shapes) != 1:
        raise SettingError(
            named(node),
            f"it has {len(shapes)} sections.",
            "Give one of <box>, <rectangle>, <tube> inside it.",
        )
    return _SECTIONS[shapes[0].name](shapes[0], metal, v, plane)


def _box(n: Node, m: Metal, v: Values, plane: bool) -> Fibres:
    make = fibres.flat_box if plane else fibres.box
    depth, height = v.number(n, "depth"), v.number(n, "height")
    return make(m, depth, height, v.number(n, "wall"), v.whole(n, "cuts", 8))


def _rectangle(n: Node, m: Metal, v: Values, plane: bool) -> Fibres:
    depth, height = v.number(n, "depth"), v.number(n, "height")
    if plane:
        return fibres.layers(m, depth, height, v.whole(n, "cuts", 10))
    return fibres.rectangle(m, depth, height, v.whole(n, "cuts", 6))


def _tube(n: Node, m: Metal, v: Values, plane: bool) -> Fibres:
    cuts = v.whole(n, "cuts", 16)
    return fibres.tube(m, v.number(n, "radius"), v.number(n, "wall"), cuts)


_SECTIONS: Mapping[str, Callable[[Node, Metal, Values, bool], Fibres]] = {
    "box": _box,
    "rectangle": _rectangle,
    "tube": _tube,
}
