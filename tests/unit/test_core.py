"""Laws of the values every layer speaks in."""

from __future__ import annotations

from itertools import pairwise
from math import isclose

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.polynomial import polynomial
from numpy.testing import assert_allclose, assert_array_equal

from bondline.core import (
    Energy,
    Port,
    PortRef,
    Pose,
    Signal,
    SignalPort,
    Window,
    ref,
    uniform,
)

numbers = st.floats(-1e6, 1e6)
fractions = st.floats(0.0, 1.0)


def coefficients(columns: int = 2) -> st.SearchStrategy[np.ndarray]:
    """Of a polynomial of degree 0 to 4."""
    shapes = st.integers(1, 5).map(lambda rows: (rows, columns))
    return shapes.flatmap(lambda shape: hnp.arrays(np.float64, shape, elements=numbers))


signals = coefficients().map(Signal)
windows = st.tuples(st.floats(-1e3, 1e3), st.floats(1e-6, 1e3)).map(
    lambda pair: Window(pair[0], pair[0] + pair[1])
)


@given(coefficients(), fractions)
def test_a_signal_is_the_polynomial_of_its_coefficients(c, s):
    exact = polynomial.polyval(s, c)
    assert_allclose(Signal(c).at(s), exact, rtol=1e-12, atol=1e-9)


@given(signals, signals, fractions)
def test_signals_add_as_functions(f, g, s):
    assert_allclose((f + g).at(s), f.at(s) + g.at(s), rtol=1e-12, atol=1e-8)


@given(signals, signals)
def test_adding_signals_does_not_care_for_order(f, g):
    assert_array_equal((f + g).coefficients, (g + f).coefficients)
    assert (f + g).degree == max(f.degree, g.degree)


@given(coefficients(), coefficients())
def test_adding_leaves_both_signals_alone(a, b):
    before = a.copy(), b.copy()
    Signal(a) + Signal(b)
    assert_array_equal(a, before[0])
    assert_array_equal(b, before[1])


@given(signals)
def test_a_signal_starts_and_ends_at_its_limits(f):
    assert_array_equal(f.start, f.at(0.0))
    assert_array_equal(f.end, f.at(1.0))


@given(hnp.arrays(np.float64, 3, elements=numbers), fractions)
def test_a_held_value_is_constant(value, s):
    assert_array_equal(Signal.hold(value).at(s), value)


def test_a_line_runs_from_start_to_end():
    line = Signal.line(np.array([1.0, 4.0]), np.array([3.0, 0.0]))
    assert line.degree == 1
    assert_array_equal(line.start, [1.0, 4.0])
    assert_array_equal(line.at(0.5), [2.0, 2.0])
    assert_array_equal(line.end, [3.0, 0.0])


def test_a_frame_signal_starts_from_a_pose():
    pose = Pose(np.ones(3), np.array([1.0, 0, 0, 0]))
    frame = Signal(np.zeros((2, 6)), pose)
    assert frame.part(0.0, 0.5).origin is pose


@given(windows, st.integers(1, 50))
def test_pieces_of_a_window_share_their_end_points_exactly(window, pieces):
    parts = list(window.split(pieces))
    assert len(parts) == pieces
    assert (parts[0].t0, parts[-1].t1) == (window.t0, window.t1)
    assert all(a.t1 == b.t0 for a, b in pairwise(parts))


@given(windows)
def test_one_piece_is_the_window(window):
    assert list(window.split(1)) == [window]


@given(windows, fractions)
def test_fractions_stay_inside_and_are_exact_at_the_ends(window, s):
    assert window.t0 <= window.at(s) <= window.t1 or isclose(window.at(s), window.t1)
    assert (window.at(0.0), window.at(1.0)) == (window.t0, window.t1)


@given(st.floats(-1e3, 1e3), st.floats(1e-4, 10.0), st.integers(0, 10**6))
def test_neighbours_on_a_uniform_grid_share_their_end_points(t0, h, n):
    assert uniform(t0, h, n).t1 == uniform(t0, h, n + 1).t0


def test_a_uniform_grid_does_not_drift():
    assert uniform(0.0, 0.1, 999_999).t1 == 100_000.0
    assert uniform(0.0, 0.01, 299) == Window(2.99, 3.0)


@pytest.mark.parametrize("t1", [0.0, -1.0, float("nan")])
def test_a_window_must_move_forward(t1):
    with pytest.raises(ValueError, match=r"found t0 = 0\.0.*t1 must be the larger"):
        Window(0.0, t1)


@given(*[st.lists(numbers, min_size=3, max_size=3) for _ in range(2)])
def test_energies_add_term_by_term(a, b):
    total = Energy(*a) + Energy(*b)
    assert [total.stored, total.dissipated, total.supplied] == [
        x + y for x, y in zip(a, b, strict=True)
    ]


def test_the_size_of_a_port_counts_every_dof_of_every_node():
    assert Port("edge", ("x", "y", "z"), nodes=31).size == 93
    assert SignalPort("tau", "N.m", incoming=True).size == 1


@given(st.from_regex(r"\A[a-z]+(\.[a-z]+)*\Z"), st.from_regex(r"\A[A-Za-z_]+\Z"))
def test_a_port_reference_reads_what_it_prints(part, port):
    assert ref(str(PortRef(part, port))) == PortRef(part, port)


@pytest.mark.parametrize("text", ["", "upper", "upper.", ".A", "."])
def test_a_port_reference_needs_a_part_and_a_port(text):
    with pytest.raises(ValueError, match=r"part\.port, for example upper\.A"):
        ref(text)
