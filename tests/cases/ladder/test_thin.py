"""Plates as thin as can be are glued; and what is really free is still named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bondline.core import Rejected
from bondline.errors import SingularInterface
from bondline.leaves.fe.static import static
from tests.cases.ladder.climb import apart
from tests.cases.ladder.cutting import Cut, bisected
from tests.cases.ladder.plates import quarter


@pytest.mark.parametrize("parts", [2, 4])
@pytest.mark.parametrize("thick", [1e-2, 1e-4, 1e-5])
def test_thin_plates_are_not_free(thick, parts):
    """Bending is (t / a)² of the rest: that is what round-off may grow by."""
    whole = quarter(4, 1, "simple", "even", thick, 1e8 * thick**3)
    found = Cut(whole, bisected(whole.mesh, parts)).at_rest()
    assert found is not None
    assert apart(found, static(whole).u, 1.0) < 1e-14 / thick**2


@pytest.mark.parametrize("thick", [1e-2, 1e-5])
def test_a_thin_plate_that_nothing_holds_has_three_free_motions(thick):
    whole = quarter(4, 1, "simple", "even", thick)
    held = tuple(s for s in whole.supports if set(s.components) == {0, 1, 5})
    assert len(held) == 1
    loose = replace(whole, supports=held)
    model = Cut(loose, bisected(loose.mesh, 4)).flat()
    found = model.equilibrium(model.start(0.0).state, 1.0, {}, {})
    assert isinstance(found, Rejected)
    assert isinstance(found.error, SingularInterface)
    assert found.error.finding.startswith("3 free motions meet no resistance")
