"""Meshes that are none are refused before anything is assembled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.errors import SettingError
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import SolidSection

from .parts import STEEL, plate

MESH = plate(2, 1)
BLOCK = MESH.blocks[0]
BENT = MESH.points.copy()
BENT[3, 1] = np.nan


@pytest.mark.parametrize(
    ("mesh", "place", "finding", "remedy"),
    [
        (
            replace(MESH, points=MESH.points[:, :2]),
            "m: points",
            "shape is (6, 2)",
            "x y z",
        ),
        (replace(MESH, points=BENT), "m: node 4", "not finite", "finite numbers"),
        (replace(MESH, ids=MESH.ids[1:]), "m: ids", "5 numbers for 6", "a node"),
        (
            replace(MESH, ids=np.array([1, 2, 3, 3, 5, 6])),
            "m: node 3",
            "2 nodes have this number",
            "of its own",
        ),
        (
            replace(MESH, blocks=(replace(BLOCK, nodes=BLOCK.nodes + 1),)),
            "m: element 2, S4",
            "its nodes are the rows 2 3 6 5 of 6",
            "not the owner's numbers",
        ),
        (
            replace(MESH, blocks=(replace(BLOCK, ids=BLOCK.ids[:1]),)),
            "m: elements of kind S4",
            "shape (2, 4), and there are 1 ids",
            "one number an element",
        ),
        (
            replace(MESH, blocks=(BLOCK, BLOCK)),
            "m: element 1",
            "2 elements have this number",
            "of its own",
        ),
        (
            replace(MESH, blocks=(replace(BLOCK, nodes=BLOCK.nodes[:, :3]),)),
            "element 1, S4",
            "it names 3 nodes",
            "Give 4 nodes",
        ),
        (
            replace(MESH, blocks=(replace(BLOCK, section=SolidSection(STEEL)),)),
            "element 1, S4",
            "its section is a SolidSection",
            "take a ShellSection",
        ),
    ],
)
def test_what_is_no_mesh_is_refused(mesh, place, finding, remedy):
    with pytest.raises(SettingError) as error:
        _ = FeModel("m", mesh).assembled
    assert error.value.place == place
    assert finding in error.value.finding
    assert remedy in error.value.remedy
