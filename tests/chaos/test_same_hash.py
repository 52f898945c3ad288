"""One record, however the parts are reached and whatever dies meanwhile."""

from __future__ import annotations

import pytest

from bondline.remote.trust.tls import Credentials
from tests.chaos.conftest import Home
from tests.chaos.kills import Lives, coordinators_killed, leaves_killed
from tests.chaos.proxy import Weather, between
from tests.remote.conftest import Supply

WILD = Weather(delay=0.0005, jitter=0.001, slices=97, resets=(3000, 9000, 20000, 40000))


@pytest.mark.quick(1)
def test_in_process_pipes_wire_chaos_and_kills_give_one_hash(
    home: Home, supply: Supply, owner: Credentials, integrator: Credentials
):
    there = supply(home.model)
    names = there.server.host.models
    direct = home.place(dict.fromkeys(names, there.address), integrator)
    found = {
        "in process": home.run("here"),
        "pipes": home.run("pipes", "--processes"),
        "loopback with certificates": home.run("wire", *direct),
    }
    with between(there.server.port, WILD, seed=7) as proxy:
        chaos = home.place(dict.fromkeys(names, proxy.address), integrator)
        found["through the proxy"] = home.run("proxy", *chaos)
        assert proxy.cuts == 4
    lives = Lives(home, owner, integrator)
    for how in (leaves_killed, coordinators_killed):
        toll = how(lives, kills=2, seed=1)
        assert toll.kills == 2
        found |= {f"{how.__name__} {k}": h for k, h in enumerate(toll.hashes)}
    assert len(set(found.values())) == 1, found
