"""A mechanism as lines."""

from __future__ import annotations

from collections.abc import Mapping

from bondline.core import Matrix, Vector
from bondline.leaves.mbd.sheet import Sheet
from bondline.leaves.mbd.tree import Tree


def lines(sheet: Sheet, tree: Tree, q: Vector, u: Vector) -> Mapping[str, Matrix]:
    """Those of the sheet; without any, a star of its markers for every body."""
    wanted = sheet.lines or stars(sheet)
    numbers = tree.packed.markers
    which = [numbers[m] for line in wanted.values() for m in line]
    points = tree.outputs(q, u, which)[0][:, :3]
    found, at = {}, 0
    for name, line in wanted.items():
        found[name] = points[at : at + len(line)]
        at += len(line)
    return found


def stars(sheet: Sheet) -> dict[str, tuple[str, ...]]:
    """From the inboard marker of each body to its others, and back."""
    found = {}
    for joint in sheet.mechanism.joints:
        body, _, own = joint.outboard.partition(".")
        places = next(b for b in sheet.mechanism.bodies if b.name == body).places
        hub = joint.outboard
        line = [hub]
        for name in places:
            if name != own:
                line += [f"{body}.{name}", hub]
        found[body] = tuple(line[:-1] if len(line) > 1 else (hub, hub))
    return found
