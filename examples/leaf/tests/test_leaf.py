"""The leaf does what it declares, and swings as it should."""

from math import pi, sqrt

import numpy as np
import pytest
from my_leaf import KIND, MyLeaf

from bondline.core import Window
from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.leaves import chain
from bondline.testing import assert_conforms


def test_it_conforms():
    assert_conforms(MyLeaf("mine"), make=lambda **values: KIND.make("mine", **values))


def test_it_swings_at_its_own_frequency():
    leaf = MyLeaf("mine", mass=2.0, stiffness=8.0, hardening=0.0)
    state = np.array([0.1, 0.0])
    done = leaf.advance(state, Window(0.0, pi / sqrt(8.0 / 2.0)), {})
    assert done.outputs["end"].x == pytest.approx([-0.1], abs=1e-5)


def test_it_can_be_glued():
    model = glue(
        "pair", [MyLeaf("mine"), chain("row")], {"j": ("mine.end", "row.left")}
    )
    assert model.advance(model.start(0.0).state, Window(0.0, 0.01), {}).outputs == {}


def test_a_mass_is_positive():
    with pytest.raises(SettingError, match="above 0"):
        MyLeaf("mine", mass=0.0)
