"""The ground: whatever pulls, it stays."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.core import Signal, Window
from bondline.errors import SettingError
from bondline.leaves import ground
from bondline.testing import check_leaf

ROCK = ground("rock", x=1.0, z=-2.0, rz=np.pi / 2)
W = Window(0.1, 0.3)


def test_no_force_moves_it():
    before = ROCK.start(0.0).outputs["a"]
    pull = {"a": Signal(1e9 * np.ones((2, 6)))}
    after = ROCK.advance(None, W, pull).outputs["a"]
    np.testing.assert_array_equal(after.x, [1.0, 0.0, -2.0])
    np.testing.assert_allclose(after.turn, [0.5**0.5, 0.0, 0.0, 0.5**0.5])
    assert not after.v.any()
    assert not after.a.any()
    assert after.x.tobytes() == before.x.tobytes()
    assert ROCK.press(None, 0.0, {"a": np.ones(6)}).outputs["a"] is after
    assert ROCK.equilibrium(None, 1.0, {}, {}).outputs["a"] is after


def test_its_flexibility_is_zero_for_every_coefficient():
    G = ROCK.linearise(None, W, {"a": Signal(np.ones((3, 6)))})
    assert G.blocks["a", "a"].shape == (3, 6, 3, 6)
    assert not G.blocks["a", "a"].any()


def test_it_does_what_it_declares():
    assert not check_leaf(ROCK, 0.01).failed


def test_nonsense_is_refused():
    with pytest.raises(SettingError) as caught:
        ground("rock", height=1.0)
    assert caught.value.place == "rock.height"
    assert "no such parameter" in caught.value.finding
    assert "Known: rx, ry, rz, x, y, z." in caught.value.remedy
