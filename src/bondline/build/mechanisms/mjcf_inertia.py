"""Mass and inertia of a body in MJCF: told, or of its geoms."""

from __future__ import annotations

import numpy as np

from bondline.build.mechanisms.foreign import number, numbers, unfit
from bondline.build.mechanisms.mjcf_words import Words
from bondline.description.untrusted import Node
from bondline.errors import did_you_mean
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.solids import (
    Lump,
    box,
    capsule,
    composite,
    cylinder,
    ellipsoid,
    sphere,
)

_DENSITY = 1000.0
_FLAT = ("plane", "hfield")  # these belong to the world and have no mass
_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}


def lump_of(node: Node, style: str, words: Words) -> Lump | None:
    """Of `inertial`, or else of all geoms; None without mass."""
    told = next((n for n in node.children if n.name == "inertial"), None)
    if told is not None:
        return _inertial(told, words)
    geoms = [words.attributes(n, style) for n in node.children if n.name == "geom"]
    lumps = [lump for geom in geoms if (lump := _geom(geom, words)) is not None]
    return composite(*lumps) if lumps else None


def _inertial(node: Node, words: Words) -> Lump:
    mass = number(node, "mass")
    if "fullinertia" in node.attributes:
        xx, yy, zz, xy, xz, yz = numbers(node, "fullinertia", (6,))
        J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        J = np.diag(numbers(node, "diaginertia", (3,)))
    return Lump(mass, np.zeros(3), J).moved(words.frame(node))


def _geom(node: Node, words: Words) -> Lump | None:
    kind = node.get("type", "sphere")
    if kind in _FLAT or number(node, "mass", 1.0) == 0.0:
        return None
    if kind not in _SIZES:
        raise unfit(
            node,
            f"nothing tells the inertia of its type {kind!r}.",
            f"Give the body an <inertial>. {did_you_mean(kind, _SIZES)}",
        )
    mass = number(node, "mass") if "mass" in node.attributes else None
    density = 0.0 if mass is not None else number(node, "density", _DENSITY)
    where, size = _placed(node, kind, words)
    if kind in ("capsule", "cylinder"):
        make = capsule if kind == "capsule" else cylinder
        return make(size[0], 2 * size[1], mass=mass, density=density).moved(where)
    if kind == "sphere":
        return sphere(size[0], mass=mass, density=density).moved(where)
    if kind == "ellipsoid":
        return ellipsoid(*size, mass=mass, density=density).moved(where)
    x, y, z = (2 * s for s in size)
    return box(x, y, z, mass=mass, density=density).moved(where)


def _placed(node: Node, kind: str, words: Words) -> tuple[Frame, tuple[float, ...]]:
    """Where it is, and its sizes: radius and half length, or half sides."""
    count = _SIZES[kind]
    if "fromto" not in node.attributes:
        return words.frame(node), numbers(node, "size", (count, 3))[:count]
    if kind not in ("capsule", "cylinder"):
        raise unfit(node, f"fromto of a {kind}.", "Give pos, quat and size.")
    a, b = np.reshape(numbers(node, "fromto", (6,)), (2, 3))
    middle = tuple(((a + b) / 2).tolist())
    half = float(np.linalg.norm(b - a)) / 2
    radius = numbers(node, "size", (1, 2, 3))[0]
    return Frame.along((b - a).tolist(), middle), (radius, half)
