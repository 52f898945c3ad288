"""What do two rates between leaves save, and at what error?

The arm and the whip of `leaf_rates_case`, glued at one rate and at two. Advances of
each leaf are counted, and evaluations of their equations follow from the steps that
each takes inside a window; the error is the largest of joint angles and modal
coordinates against one leaf of all, with steps by a tolerance of 1e-13.
"""

from __future__ import annotations

import numpy as np
from leaf_rates_case import Row, measure, one_rate, reference, two_rates

UNTIL, EVERY = 0.096, 0.008


def orders(exact: np.ndarray, windows: tuple[float, ...], **how: object) -> list[Row]:
    """The same with shorter and shorter windows."""
    return [measure(two_rates(H, 10, **how), H, exact, UNTIL) for H in windows]


def say(title: str, H: float, row: Row, before: Row | None = None) -> None:
    order = f"  order {np.log2(before.error / row.error):.2f}" if before else ""
    print(
        f"{title:34} H {1e3 * H:5.2f} ms  advances: arm {row.slow:5d}  "
        f"whip {row.fast:6d}  error {row.error:.1e}{order}"
    )


def main() -> None:
    exact = reference(EVERY, UNTIL)
    for h in (4e-4, 2e-4, 1e-4):
        say("one rate", h, measure(one_rate(h), h, exact, UNTIL))
    windows = (4e-3, 2e-3, 1e-3, 5e-4)
    for order in (1, 2, 3):
        before = None
        for H, row in zip(windows, orders(exact, windows, order=order), strict=True):
            say(f"two rates, order {order}, one pass", H, row, before)
            before = row
    before = None
    for H, row in zip(
        windows, orders(exact, windows, order=2, iterate=True), strict=True
    ):
        say("two rates, order 2, iterated", H, row, before)
        before = row
    for ratio in (2, 5, 10, 20):
        H = ratio * 2e-4
        say(f"short windows of 0.2 ms, ratio {ratio}", H, ratio_row(exact, H, ratio))


def ratio_row(exact: np.ndarray, H: float, ratio: int) -> Row:
    """The same short windows, and longer and longer long ones."""
    return measure(two_rates(H, ratio), H, exact, UNTIL)


if __name__ == "__main__":
    main()
