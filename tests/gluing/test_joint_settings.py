"""Settings that joints refuse."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.errors import SettingError
from bondline.gluing.joints import makers
from bondline.gluing.joints.bushing import Bushing

from .joint_motions import ENDS


@pytest.mark.parametrize(
    ("make", "finding", "remedy"),
    [
        (
            lambda: makers.revolute("j", ENDS, (0, 0, 0)),
            "axis is 0 0 0",
            "not all zero",
        ),
        (lambda: makers.revolute("j", ENDS, (1, 2)), "axis is 1 2", "three numbers"),
        (lambda: makers.planar("j", ENDS, axis2=(0, np.nan, 0)), "0 nan 0", "three"),
        (
            lambda: makers.point_on_line("j", ENDS, (1, 0, 1), plane=True),
            "leaves the plane",
            "1 0 0",
        ),
        (lambda: makers.distance("j", ENDS, 0.0), "length is 0.0", "spherical"),
        (lambda: makers.fixed("j", ENDS, [(0, 0, 0)]), "frames have 3", "each end"),
        (
            lambda: makers.fixed("j", ENDS, (), [(0, 0), (0, 0, 0)]),
            "rests have 2 + 3",
            "leave rests out",
        ),
        (
            lambda: Bushing(makers.spherical("j", ENDS), (1.0, 2.0), (0.0,) * 3),
            "stiffness is 1 2",
            "Fx Fy Fz",
        ),
        (
            lambda: Bushing(makers.spherical("j", ENDS), (1.0,) * 3, (0.0, 0.0, -1.0)),
            "damping is 0 0 -1",
            "negative",
        ),
    ],
)
def test_settings_that_a_joint_refuses(make, finding, remedy):
    with pytest.raises(SettingError) as caught:
        make()
    assert caught.value.place == "joint j"
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy
