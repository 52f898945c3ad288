"""Numbers that remember how they came about."""

import numpy as np
import pytest

from bondline.kernels.traced import Tape


def test_one_difference_is_one_number_whichever_way_it_is_taken():
    tape = Tape()
    x, y = tape.given("x"), tape.given("y")
    assert -(x - y) is y - x
    assert (y - x) * -1.0 is x - y


@pytest.mark.parametrize("way", ["__add__", "__sub__", "__mul__", "__truediv__"])
def test_an_array_works_on_its_elements_itself(way):
    x = Tape().given("x")
    row = np.array([1.0, 2.0], dtype=object)
    made = getattr(x, way)
    assert made(row) is NotImplemented
    assert made(2.0) is not NotImplemented
    assert (x / row)[1] is x / 2.0
