"""Optimisers look for the best variant, and never run one twice."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bondline.build import Given
from bondline.errors import Interrupted, LeafFailed, UsageError
from bondline.sweep import Here, Search, cancel, find_sweep, optimise
from bondline.sweep.optimise import _nelder_mead

METHODS = (
    "nelder-mead",
    pytest.param("differential-evolution", marks=pytest.mark.full),
)
METHODS += (pytest.param("optuna", marks=pytest.mark.full),)


@pytest.mark.parametrize("method", METHODS)
def test_the_best_variant_is_found_and_kept(home, want, method):
    """The force in the joint grows with the lower mass: the least one is the best."""
    if method == "optuna":
        pytest.importorskip("optuna")
    wanted = want("lower.mass=5..20kg")
    search = Search("joint.A.Fx:absmax", method, evaluations=8)
    best = optimise(home.sweeps, home.runs, wanted, search, name="o")
    values = [v.results["joint.A.Fx:absmax"] for v in best.sweep.variants()]
    assert best.value == min(values) < values[0]
    assert (home.runs / best.variant.run).is_dir()


def test_what_was_asked_once_is_not_run_again(home, want):
    wanted = want("lower.mass=5..20kg", asked=["joint.A.Fx:absmax"])
    few, more = (Search(nearly_30, evaluations=n) for n in (4, 6))
    first = optimise(home.sweeps, home.runs, wanted, few, name="o")
    stamps = {p: p.stat().st_mtime_ns for p in home.runs.glob("*/run.sqlite")}
    second = optimise(home.sweeps, home.runs, wanted, more, name="o")
    assert all(p.stat().st_mtime_ns == t for p, t in stamps.items())
    assert len(first.sweep.variants()) == 6
    assert second.value <= first.value


def nearly_30(results: Mapping[str, float]) -> float:
    return abs(results["joint.A.Fx:absmax"] - 30.0)


def test_an_objective_may_be_a_function(home, want):
    wanted = want("lower.mass=5..20kg", asked=["lower.com.x:final"])
    search = Search(lambda r: abs(r["lower.com.x:final"]), evaluations=3)
    best = optimise(home.sweeps, home.runs, wanted, search)
    assert best.value == abs(best.variant.results["lower.com.x:final"])


def test_what_cannot_be_optimised_is_told(home, want):
    wanted = want("lower.mass=5..20kg")
    with pytest.raises(UsageError, match="no such optimiser"):
        optimise(home.sweeps, home.runs, wanted, Search("a:max", "newton"))
    with pytest.raises(UsageError, match="no such result"):
        optimise(
            home.sweeps, home.runs, wanted, Search("certificate.gp", evaluations=1)
        )


def test_where_every_variant_fails_it_says_so(home, want):
    wanted = want("upper.mass=8kg", "upper.torque=1e305..1e306N*m")
    search = Search("lower.com.x:max", evaluations=2)
    with pytest.raises(LeafFailed, match="no variant could be run"):
        optimise(home.sweeps, home.runs, wanted, search)
    misspelt = Search("lower.com.z:max", evaluations=2)
    with pytest.raises(UsageError, match=r"Did you mean 'lower\.com\.y'"):
        optimise(home.sweeps, home.runs, wanted, misspelt)


def test_cancelled_it_ends_with_the_best_so_far_and_can_go_on(home, want):
    def cancelled_after_two(results: Mapping[str, float]) -> float:
        sweep = find_sweep(home.sweeps, "o")
        if sweep.standing.total == 2:
            cancel(sweep)
        return nearly_30(results)

    wanted = want("lower.mass=5..20kg", asked=["joint.A.Fx:absmax"])
    search = Search(cancelled_after_two, evaluations=5)
    best = optimise(home.sweeps, home.runs, wanted, search, name="o")
    assert best.sweep.standing.counts == {"done": 2}
    search = Search(nearly_30, evaluations=3)
    best = optimise(home.sweeps, home.runs, wanted, search, name="o")
    assert best.sweep.standing.counts == {"done": 3}


def test_cancelled_within_a_variant_it_begins_no_other(home, want):
    class Cancelled(Here):
        def submit(self, task):
            cancel(find_sweep(home.sweeps, "o"))
            return super().submit(task)

    wanted = want("lower.mass=5..20kg", asked=["joint.A.Fx:absmax"])
    search = Search(nearly_30, evaluations=4)
    with pytest.raises(Interrupted, match="cancelled before a variant was done"):
        optimise(home.sweeps, home.runs, wanted, search, name="o", pool=Cancelled())
    assert find_sweep(home.sweeps, "o").standing.counts == {"cancelled": 1}


def test_a_name_stands_for_one_model_and_its_axes(home, want):
    search = Search("joint.A.Fx:absmax", evaluations=1)
    optimise(home.sweeps, home.runs, want("lower.mass=5..20kg"), search, name="o")
    for wanted, word in (
        (want("lower.mass=10..15kg"), "axes"),
        (want("lower.mass=5..20kg", until=0.06), "end"),
        (want("lower.mass=5..20kg", given=Given(tolerance=1e-7)), "settings"),
    ):
        with pytest.raises(UsageError, match=f"other values of: {word}"):
            optimise(home.sweeps, home.runs, wanted, search, name="o")


def test_nelder_mead_ends_where_nothing_gets_better():
    class Valley:
        axes, search, asked = (None,), Search("", evaluations=500), 0

        def __call__(self, shares):
            self.asked += 1
            return 1e6 * (0.1 + (shares[0] - 0.3) ** 2)

    valley = Valley()
    _nelder_mead(valley)
    assert valley.asked < 40
