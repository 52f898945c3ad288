"""An owner who grants windows of one length: the first trouble is what is told."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.errors import NonFinite, NotAllowed
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.run import simulate
from tests.gluing.parts import Odd, glue, mass
from tests.remote.conftest import Supply

H = 0.1
ME = "spiffe://test/integrator"


def mad(window, force):
    """Follows the force until 0.25 s, then no numbers come."""
    x = 0.5 * H**2 * force[0] if window.t1 < 0.25 else np.nan
    return [x, 0.0, 0.0]


def test_a_leaf_that_answers_no_number_is_named_not_the_windows_that_were_refused(
    supply: Supply,
):
    grant = Grant(
        "spiffe://test/integrator", "b", frozenset(METHODS), steps=Steps((H,))
    )
    gate = PolicyGate.of(Policy(grants=(grant,)))
    leaf = Odd("b", mad)
    there = supply({"b": Served("b", lambda: leaf, "", EVERYTHING)}, gate=gate)
    away = there.model("b")
    with pytest.raises(NonFinite) as told:
        simulate(glue(mass("a"), away), 0.5, H)
    away.close()
    gate.close()
    assert told.value.exit_code == 30
    assert "b" in told.value.place
    assert "window" in told.value.place
    assert "0.3 s" in told.value.place
    assert f"refused by b (partner {there.address})" in told.value.remedy
    assert "0.05 s are not granted" in told.value.remedy
    assert isinstance(told.value.__cause__, NotAllowed)
