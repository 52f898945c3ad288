from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.errors import UsageError
from bondline.report.reference import difference, reference
from bondline.run.results import Results


def test_shared_instants_are_compared_without_interpolation(run: Results) -> None:
    coarse = {"t": run.t[::10], "joint.A.Fx": run.signals["joint.A.Fx"][::10]}
    apart = difference(run, reference(coarse), "joint.A.Fx")
    assert apart is not None
    assert len(apart.t) == 31
    assert apart.largest == 0.0


def test_rounded_instants_of_a_file_are_the_same_instants(run: Results) -> None:
    columns = {"t": np.round(run.t, 12), "joint.A.Fx": run.signals["joint.A.Fx"] - 1.0}
    apart = difference(run, reference(columns), "joint.A.Fx")
    assert apart is not None
    np.testing.assert_allclose(apart.values, 1.0)


def test_other_instants_are_those_of_the_reference() -> None:
    t = np.linspace(0.0, 1.0, 11)
    mine = reference({"t": t, "x": t**3})
    sparse = reference({"t": [0.25, 0.55, 3.0], "x": [0.25**3, 0.55**3 - 1.0, 9.0]})
    apart = difference(mine, sparse, "x")
    assert apart is not None
    np.testing.assert_allclose(apart.t, [0.25, 0.55])
    np.testing.assert_allclose(apart.values, [0.0, 1.0], atol=1e-12)
    assert apart.when == 0.55


def test_runs_that_never_meet_in_time_have_no_difference(run: Results) -> None:
    later = replace(run, t=run.t + 100.0)
    assert difference(run, later, "joint.A.Fx") is None


@pytest.mark.parametrize(
    ("columns", "finding", "remedy"),
    [
        ({"T": [0.0]}, "no column 't'", "Known: T"),
        ({"t": [0.0, 0.0], "x": [1.0, 2.0]}, "does not increase", "Sort the rows"),
        ({"t": [0.0, np.nan], "x": [1.0, 2.0]}, "does not increase", "Sort the rows"),
        ({"t": [0.0, 1.0], "x": [1.0]}, "column 'x' has shape (1,)", "one value"),
    ],
)
def test_a_reference_that_cannot_be_used_says_why(
    columns: dict[str, list[float]], finding: str, remedy: str
) -> None:
    with pytest.raises(UsageError) as caught:
        reference(columns, name="adams.csv")
    assert caught.value.place == "adams.csv"
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy
