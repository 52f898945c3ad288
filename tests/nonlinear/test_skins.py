"""What is seen of a nonlinear model: its surface, and plastic strain on it."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Deformed, Signal, Skinned, Window
from bondline.errors import UsageError
from bondline.leaves.nonlinear import Hold, Nonlinear, Shells, Socket, Solids
from bondline.report.meshes import Look, moved, values_of
from bondline.run.skins import Seen, dump, load
from tests.nonlinear.models import YIELDING, at, one_block, plane_cantilever

SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
CUBE = np.array([(x, y, z) for z in (0.0, 1.0) for x, y in SQUARE])


def test_plastic_strain_is_seen_where_a_beam_yields() -> None:
    leaf = plane_cantilever(YIELDING, count=6, show=True)
    assert isinstance(leaf, Skinned)
    state = leaf.start(0.0).state
    push = {"tip": Signal.hold(np.array([0.0, 4e3]))}
    for k in range(20):
        state = at(leaf.advance(state, Window(k * 1e-3, (k + 1) * 1e-3), push)).state
    skin, seen = leaf.skins()[""], leaf.deformed(state, 0.02)[""]
    assert len(skin.bars) == 6
    assert seen.plastic is not None
    assert seen.mises is not None
    assert seen.plastic[0] == seen.plastic.max() > 1e-3  # at the root
    assert seen.mises.max() > 4.2e8
    picture = moved("arm", leaf.skins(), Seen(0, 0.02, {"": seen}), Look("plastic"))
    assert picture.shown is not None
    assert picture.shown.name == "equivalent plastic strain"


@pytest.mark.parametrize(
    ("block", "faces"),
    [
        (Solids(np.arange(8)[None], YIELDING), 6),
        (Shells(np.arange(4)[None], YIELDING, 0.01), 1),
    ],
)
def test_solids_and_shells_show_their_faces(block: object, faces: int) -> None:
    points = CUBE[: block.nodes.shape[1]]
    leaf = Nonlinear(
        one_block(points, block, Hold((0,), (0, 1, 2))), {"a": Socket((2,))}, show=True
    )
    skin = leaf.skins()[""]
    assert len(skin.quads) == faces
    assert load(dump(skin)).strained
    seen = leaf.deformed(leaf.start(0.0).state, 0.0)[""]
    assert seen.plastic == pytest.approx(np.zeros(len(points)))


def test_colours_of_plastic_strain_need_a_part_that_shows_it() -> None:
    plain = Deformed(np.zeros((2, 3)))
    flowed = Deformed(np.zeros((2, 3)), None, np.array([0.0, 0.1]))
    mixed = values_of("m", {"a": plain, "b": flowed}, "plastic")
    assert mixed["a"].tolist() == [0.0, 0.0]
    with pytest.raises(UsageError, match="no part shows plastic strain"):
        values_of("m", {"a": plain}, "plastic")


def test_nothing_is_seen_that_is_not_shown() -> None:
    leaf = plane_cantilever()
    assert (leaf.skins(), leaf.shapes(leaf.start(0.0).state)) == ({}, {})
