"""The window after a window, to the bit: what is foreseen costs no round trip."""

from __future__ import annotations

import pytest

from bondline.core import uniform
from bondline.remote.client.foresight import Foresight


@pytest.mark.parametrize(
    ("t0", "h"),
    [
        *((t0, h) for t0 in (0.0, 0.25) for h in (1e-3, 5e-4, 0.1, 2.5e-5, 0.007)),
        (0.0, 1e-3 / 3.0),
    ],
)
def test_all_windows_of_a_grid_are_foreseen(t0: float, h: float) -> None:
    guess = Foresight()
    guess.began(t0)
    for n in range(20_000):
        assert guess.after(uniform(t0, h, n)) == uniform(t0, h, n + 1), n


@pytest.mark.parametrize("n", [3_999, 4_002, 7_001, 65_537])
def test_a_run_that_goes_on_late_is_foreseen_from_its_first_window(n: int) -> None:
    """Where 1 ms is 0.9999999999994 ms, as far as instants can tell."""
    guess = Foresight()
    for k in range(n, n + 50):
        assert guess.after(uniform(0.0, 1e-3, k)) == uniform(0.0, 1e-3, k + 1)


def test_a_window_of_another_length_is_taken_up() -> None:
    guess = Foresight()
    guess.after(uniform(0.0, 0.1, 0))
    assert guess.after(uniform(0.0, 0.025, 4)) == uniform(0.0, 0.025, 5)
