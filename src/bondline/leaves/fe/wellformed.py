"""Whether a mesh is one: asked once, before anything is assembled."""

from __future__ import annotations

import numpy as np

from bondline.errors import SettingError
from bondline.leaves.fe.mesh import Block, Mesh


def check_mesh(name: str, mesh: Mesh) -> None:
    """Refuse points, numbers and elements that do not go together."""
    points = np.asarray(mesh.points)
    count = len(points)
    if points.shape != (count, 3):
        raise SettingError(
            f"{name}: points",
            f"their shape is {points.shape}.",
            "Give one row x y z a node, z = 0 in the plane.",
        )
    wrong = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(mesh.ids) != count:
        raise SettingError(
            f"{name}: ids",
            f"{len(mesh.ids)} numbers for {count} nodes.",
            "Give one number a node.",
        )
    if wrong.size:
        raise SettingError(
            f"{name}: node {mesh.ids[wrong[0]]}",
            "its position is not finite.",
            "Give three finite numbers.",
        )
    for block in mesh.blocks:
        _check_block(name, block, count)
    _check_numbers(name, mesh)


def _check_block(name: str, block: Block, count: int) -> None:
    if block.nodes.ndim != 2 or len(block.ids) != len(block.nodes):
        raise SettingError(
            f"{name}: elements of kind {block.kind}",
            f"nodes have the shape {block.nodes.shape}, and there are "
            f"{len(block.ids)} ids.",
            "Give one row of nodes and one number an element.",
        )
    wrong = np.flatnonzero(((block.nodes < 0) | (block.nodes >= count)).any(axis=1))
    if wrong.size:
        row = block.nodes[wrong[0]]
        raise SettingError(
            f"{name}: element {block.ids[wrong[0]]}, {block.kind}",
            f"its nodes are the rows {' '.join(map(str, row))} of {count}.",
            "Name rows of `Mesh.points`, from 0; not the owner's numbers.",
        )


def _check_numbers(name: str, mesh: Mesh) -> None:
    """No two nodes, no two elements have one number: messages and sets use them."""
    each = [np.zeros(0, dtype=np.intp), *(block.ids for block in mesh.blocks)]
    for what, ids in (("node", mesh.ids), ("element", np.concatenate(each))):
        unique, counts = np.unique(ids, return_counts=True)
        if len(unique) < len(ids):
            raise SettingError(
                f"{name}: {what} {unique[counts > 1][0]}",
                f"{counts.max()} {what}s have this number.",
                "Give each a number of its own.",
            )
