"""Whatever the network does, a run gives the same record or ends with a name."""

from __future__ import annotations

import pytest

from tests.chaos.conftest import Home
from tests.chaos.proxy import Weather, between
from tests.remote.conftest import Supply

WEATHER = {
    "late": Weather(delay=0.001, jitter=0.004),
    "bytes one by one": Weather(slices=1),
    "late and in slices": Weather(delay=0.001, jitter=0.002, slices=7),
}


@pytest.mark.quick(3)
@pytest.mark.parametrize("kind", WEATHER)
def test_bad_weather_changes_no_bit(home: Home, supply: Supply, kind: str):
    there = supply(home.model)
    with between(there.server.port, WEATHER[kind], seed=1) as proxy:
        places = dict.fromkeys(there.server.host.models, proxy.address)
        away = home.run("away", *home.place(places, there.secrets))
        assert proxy.passed > 10_000
    assert away == home.run("here")


RESETS = {
    "in the handshake": (1, 16, 200, 900, 1800),
    "at the first request": (2500, 3000, 3500, 4000, 4500),
    "again and again": tuple(range(5000, 21000, 900)),
}


@pytest.mark.quick(3)
@pytest.mark.parametrize("when", RESETS)
def test_resets_after_any_number_of_bytes_change_no_bit(
    home: Home, supply: Supply, when: str
):
    there = supply(home.model)
    with between(there.server.port, Weather(resets=RESETS[when])) as proxy:
        places = dict.fromkeys(there.server.host.models, proxy.address)
        away = home.run("away", *home.place(places, there.secrets))
        assert proxy.cuts == len(RESETS[when])
    assert away == home.run("here")


@pytest.mark.full
def test_resets_after_a_hundred_numbers_of_bytes_change_no_bit(
    home: Home, supply: Supply
):
    """From 1 byte to the whole conversation; ten cuts a run, each later than before."""
    there, golden = supply(home.model), home.run("here")
    every = [round(1.097**k) + k for k in range(100)]
    for turn in range(10):
        resets = every[turn::10]
        with between(there.server.port, Weather(resets=resets)) as proxy:
            places = dict.fromkeys(there.server.host.models, proxy.address)
            flag = home.place(places, there.secrets)
            assert home.run(f"away-{turn}", *flag) == golden
            assert proxy.cuts == len(resets)
