"""What a mechanism publishes: coordinates, and components of markers."""

from __future__ import annotations

from collections.abc import Mapping

from bondline.core import Observation, Vector
from bondline.leaves.mbd.layout import Layout
from bondline.leaves.mbd.sheet import OF_MARKER, Seen, Sheet
from bondline.leaves.mbd.tree import Tree

_TURNS = ("angle", "wx", "wy", "wz")


def published(
    sheet: Sheet, tree: Tree, q: Vector, u: Vector
) -> Mapping[str, Observation]:
    """Every signal; without any, all positions by their names."""
    order = tree.packed.layout
    wanted = sheet.signals or {name: Seen(name) for name in order.positions}
    known = set(order.positions) | set(order.speeds)
    at = list(dict.fromkeys(s.of for s in wanted.values() if s.of not in known))
    poses, twists, _ = tree.outputs(q, u, [tree.packed.markers[m] for m in at])
    rows = {"pose": dict(zip(at, poses, strict=True))}
    rows["twist"] = dict(zip(at, twists, strict=True))
    found = {}
    for name, seen in wanted.items():
        if seen.of in known:
            found[name] = _coordinate(order, seen, q, u)
        else:
            which, i, unit = OF_MARKER[seen.component]
            found[name] = Observation(float(rows[which][seen.of][i]), unit)
    return found


def _coordinate(order: Layout, seen: Seen, q: Vector, u: Vector) -> Observation:
    speed = seen.component == "speed" or seen.of not in order.positions
    unit = unit_of(order, seen.of)
    if speed:
        rate = "1/s" if unit == "1" else f"{unit}/s"
        return Observation(float(u[order.speeds.index(seen.of)]), rate)
    return Observation(float(q[order.positions.index(seen.of)]), unit)


def unit_of(order: Layout, name: str) -> str:
    """Of a coordinate; modal ones have none of their own."""
    owner, _, label = name.rpartition(".")
    joint = next((b.joint for b in order.branches if b.joint.name == owner), None)
    if joint is None or label.startswith("q"):
        return "1"
    turning = label in _TURNS or joint.kind == "universal"
    return "rad" if turning else "m"
