"""Any masses, lengths, start angles and gravity, against all at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bondline.gluing import Newton
from bondline.numerics import Adaptive
from tests.cases.double_pendulum.all_at_once import Pendulum
from tests.cases.double_pendulum.glued import errors, glue, run

masses, lengths = st.floats(0.5, 50.0), st.floats(0.3, 3.0)
angles = st.floats(-np.pi, np.pi)


@settings(max_examples=6)
@example(Pendulum(g=9.81, start=(0.5, -1.0), torque=0.0))
@given(
    st.builds(
        Pendulum,
        masses,
        masses,
        lengths,
        lengths,
        st.tuples(angles, angles),
        st.floats(0.0, 20.0),
        st.floats(-50.0, 50.0),
    )
)
def test_glued_is_all_at_once(p):
    h, windows = 0.002, 250
    record = run(glue(p, "quadratic-discontinuous/e,v,a", Newton()), h, windows)
    reference = p.solve(record.t)
    x, v = errors(record, reference)
    speed = max(1.0, np.abs(np.gradient(reference["lower.angle"], h)).max())
    speed = max(speed, np.abs(np.gradient(reference["upper.angle"], h)).max())
    bound = 30.0 * (speed * h) ** 4 * max(p.l1, p.l2)
    assert x < max(bound, 1e-8)
    assert v < max(bound * speed, 1e-6)


@pytest.mark.parametrize("method", ["RK45", "DOP853"])
def test_the_parts_may_use_a_solver_of_scipy(method):
    fixed = run(glue(), windows=20)
    scipy = run(glue(integrate=Adaptive(method)), windows=20)
    assert scipy.values["lower.angle"] == pytest.approx(
        fixed.values["lower.angle"], abs=1e-9
    )
    assert np.array_equal(scipy.stats["iterations"], fixed.stats["iterations"])
