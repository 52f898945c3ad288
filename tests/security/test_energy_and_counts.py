"""SEC-13: energies and counts of a part leave where its owner says so, only there."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.errors import SecurityError
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.remote.owner.host import Host
from bondline.remote.owner.published import EVERYTHING, Published
from bondline.remote.owner.served import Served
from bondline.remote.privacy.policy_file import read_policy
from bondline.run import Keep, simulate
from bondline.run.certificate import certify
from tests.remote.test_coming_back import Direct

from .beams import H, assembly, hidden


def played(show):
    """Frames of a glued run whose part is elsewhere; None: here."""
    part = hidden()
    if show is not None:
        host = Host({"hidden": Served("hidden", hidden, "d", show)})
        line = Direct(lambda: host, "")
        part = remote_model("hidden", line, "hidden", Patience(5.0, 5.0, 5.0))
    kept = Keep()
    simulate(assembly(part, 0), until=30 * H, step=H, record=kept)
    return kept.frames


SHOWN = {
    "nothing": Published(),
    "energy": Published(energy=True),
    "counts": Published(counts=True),
    "all": EVERYTHING,
}


@pytest.mark.parametrize("show", SHOWN)
def test_a_run_is_the_same_with_and_without_them(show):
    here, away = played(None), played(SHOWN[show])
    told = SHOWN[show]
    for one, two in zip(here, away, strict=True):
        for name, force in one.forces.items():
            assert np.array_equal(force.coefficients, two.forces[name].coefficients)
        assert one.values == two.values
        assert (two.energy is not None) == told.energy
        assert any(n.startswith("hidden.") for n in two.stats) == told.counts
        if told.energy:
            assert one.energy == two.energy
    assert (here == away) == (told.energy and told.counts)


def test_the_certificate_says_that_the_energy_is_not_known():
    without, known = (certify(played(SHOWN[show])) for show in ("nothing", "all"))
    said = {c.title: c for c in without.checks()}["Energy balance"]
    assert (without.energy, said.good) == (None, None)
    assert "Not every part reports its energy" in said.finding
    assert known.energy is not None
    assert without.gap == known.gap


def test_a_policy_grants_them_by_name_and_by_default_none():
    text = """
[models.rail]
publish = {}
"""
    terms = read_policy(text.format('["energy", "counts", "inner"]')).terms("rail")
    assert terms.publish == {"energy", "counts", "inner"}
    assert read_policy(text.format("[]")).terms("rail").publish == frozenset()
    with pytest.raises(SecurityError, match="energies"):
        read_policy(text.format('["energies"]'))
