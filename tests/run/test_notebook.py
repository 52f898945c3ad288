"""What a notebook shows of models and runs."""

from __future__ import annotations

import numpy as np
from lxml import html

from bondline.core.notebook import sparkline, table
from bondline.gluing import glue
from bondline.leaves import FreeBar, PinnedBar
from bondline.run import Keep, simulate


def pendulum():
    parts = [PinnedBar("upper", torque=-200.0), FreeBar("lower")]
    return glue("pendulum", parts, {"A": ("upper.A", "lower.A")})


def words(page: str) -> list[str]:
    return [cell.text_content() for cell in html.fromstring(page).iter("td", "th")]


def test_a_model_shows_its_parts_and_joints() -> None:
    seen = words(pendulum()._repr_html_())
    assert {"upper", "lower", "A", "upper.A and lower.A", "Fx Fy"} <= set(seen)


def test_a_run_shows_every_signal_with_a_curve() -> None:
    model, kept = pendulum(), Keep()
    simulate(model, until=0.1, step=0.01, record=kept)
    results = kept.results()
    page = results._repr_html_()
    assert set(results.signals) <= set(words(page))
    assert page.count("<polyline") == len(results.signals)
    assert f"{results.signals['joint.A.Fx'].max():.4g}" in words(page)


def test_names_are_text_not_markup() -> None:
    page = table("<script>", ["a"], [["<img src=x>"]])
    assert "<script>" not in page
    assert "<img" not in page
    assert words(page) == ["a", "<img src=x>"]


def test_a_curve_bears_anything() -> None:
    for values in (np.zeros(0), np.ones(1), np.full(9, np.nan)):
        assert sparkline(values) == ""
    assert "nan" not in sparkline(np.array([1.0, np.inf, 2.0, np.nan]))
    assert "polyline" in sparkline(np.ones(5))
