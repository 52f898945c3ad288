"""FT-04, FT-05: networks that are cut, flap, lose packets or are narrow.

Real ones: an office and two suppliers in namespaces of the kernel, `bondline` on each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import mkdtemp
from threading import Event
from time import monotonic

import pytest

from bondline.remote.trust.tls import Credentials
from tests.chaos.conftest import Home
from tests.chaos.lab import (
    MACHINES,
    Laboratory,
    laboratory,
    received,
    why_none,
)
from tests.remote.certificates import Authority
from tests.remote.test_serve_command import LIMIT, flags

SERVED = {"left": "upper", "right": "lower"}  # parts of the pendulum, and where
LEASE = 3.0  # s
CUT = "left"
FULL = pytest.mark.full
UNREACHABLE, HELD = 22, 60  # exit codes
LONG = ("--until", "1s", "--step", "10ms")
LITTLE = ("--until", "300ms", "--step", "10ms")
SHORT = ("--until", "20ms", "--step", "10ms")
MIDDLE = 30_000  # bytes that a supplier heard: the run is in its middle


@pytest.fixture
def lab() -> Iterator[Laboratory]:
    if reason := why_none():
        pytest.skip(reason)
    with laboratory() as made:
        yield made


@dataclass(frozen=True)
class Site:
    """Servers of both suppliers, and an office that runs the pendulum."""

    lab: Laboratory
    home: Home
    secrets: Credentials
    others: Credentials  # somebody else's
    addresses: dict[str, str]
    servers: dict[str, int]  # their pids

    def run(self, name: str, times: tuple[str, ...], *words: object) -> BaseProcess:
        """A run that goes on; resumed if there are no words."""
        home, flag = self.home, self.home.place(self.addresses, self.secrets, *times)
        given = (home.model, "--name", name, *words) if words else ("--resume", name)
        return self.bondline("office", home.folder, "run", *given, *flag)

    def bondline(self, machine: str, folder: Path, *words: object) -> BaseProcess:
        head = ("--quiet", "--project", folder)
        return self.lab.bondline(machine, self.log, *head, *words)

    @property
    def log(self) -> Path:
        return self.home.folder / "office.log"

    def said(self) -> str:
        return " ".join(self.log.read_text().split())

    def until(self, what: Callable[[], bool]) -> None:
        end = monotonic() + LIMIT
        while not what():
            assert monotonic() < end, self.said()
            Event().wait(0.01)

    def middle(self, run: BaseProcess, heard: int = MIDDLE) -> None:
        """Wait until a run is in its middle."""
        pid = self.servers[CUT]
        before = received(pid)
        self.until(lambda: received(pid) - before > heard or not run.is_alive())
        assert run.is_alive(), self.said()

    def free(self) -> bool:
        """Whether the supplier who is cut off serves somebody on its own machine."""
        near = replace(self.home, folder=Path(mkdtemp(dir=self.home.folder)))
        there = {SERVED[CUT]: self.addresses[SERVED[CUT]]}
        words = ("run", near.model, *SHORT, *near.place(there, self.others))
        code = ended(self.bondline(CUT, near.folder, *words))
        assert code in (0, HELD), self.said()
        return code == 0


def _serves(log: Path) -> bool:
    return log.exists() and "serving" in log.read_text()


def ended(process: BaseProcess) -> int | None:
    process.join(LIMIT)
    return process.exitcode


@pytest.fixture
def site(lab: Laboratory, pendulum: Home, ca: Authority) -> Site:
    """Suppliers of one session each."""
    owner = ca.issue("networked", addresses=tuple(MACHINES.values()))
    made = Site(lab, pendulum, ca.issue("office"), ca.issue("others"), {}, {})
    for machine, part in SERVED.items():
        address, log = f"{MACHINES[machine]}:7443", pendulum.folder / f"{machine}.log"
        words = (f"{pendulum.model}:{part}", *flags(owner), "--listen", address)
        limits = ("--lease", LEASE, "--sessions", 1)
        store = ("--store", pendulum.folder / f"{machine}-store")
        begun = lab.bondline(machine, log, "leaf", "serve", *words, *limits, *store)
        made.addresses[part], made.servers[machine] = address, begun.pid or 0
        made.until(partial(_serves, log))
    return made


WAITS = ("step = 0.5", "grace = 60")
HASTY = ("step = 0.5", "grace = 1.5")
CUTS = {"both": ("input", "output"), "to it": ("input",), "from it": ("output",)}


@pytest.mark.quick(1)
@pytest.mark.parametrize("ways", CUTS)
def test_a_cut_that_outlasts_the_lease_changes_no_bit(site: Site, ways: str):
    """The supplier is free for others then; the run makes its states there again."""
    run = site.run("away", WAITS, *LONG)
    site.middle(run)
    began = monotonic()
    site.lab.cut(CUT, CUTS[ways])
    if site.free():
        assert monotonic() - began >= LEASE, "not before the lease is over"
    site.until(site.free)
    assert run.is_alive(), "it waits"
    site.lab.heal(CUT)
    assert ended(run) == 0, site.said()
    assert site.home.sha("away") == site.home.run("here", *LONG)


@pytest.mark.quick(3)
@pytest.mark.parametrize("ways", CUTS)
def test_a_cut_that_outlasts_the_grace_ends_with_22_and_goes_on_to_the_same_bits(
    site: Site, ways: str
):
    run = site.run("away", HASTY, *LONG)
    site.middle(run)
    site.lab.cut(CUT, CUTS[ways])
    assert ended(run) == UNREACHABLE, site.said()
    assert "there is no way to it" in site.said()
    site.lab.heal(CUT)
    site.until(site.free)  # the supplier heard no goodbye: the lease has to run out
    assert ended(site.run("away", WAITS)) == 0, site.said()
    assert site.home.sha("away") == site.home.run("here", *LONG)


def test_a_supplier_who_cannot_be_reached_at_the_start_is_not_said_to_hang(site: Site):
    site.lab.cut(CUT)
    assert ended(site.run("away", (*HASTY, "connect = 0.5"), *SHORT)) == UNREACHABLE
    assert "there is no way to it" in site.said()


@pytest.mark.parametrize(
    ("half", "times"), [(0.2, 5), pytest.param(1.0, 30, marks=FULL)]
)
def test_a_network_that_flaps_changes_no_bit(site: Site, half: float, times: int):
    """As long up as down, through as many runs as it takes; for a minute in full."""
    hashes, flaps = [], 0
    while flaps < times:
        run = site.run(f"away-{len(hashes)}", WAITS, *LONG)
        while run.is_alive() and flaps < times:
            site.lab.cut(CUT)
            run.join(half)
            site.lab.heal(CUT)
            run.join(half)
            flaps += 1
        assert ended(run) == 0, site.said()
        hashes.append(site.home.sha(f"away-{len(hashes)}"))
    assert set(hashes) == {site.home.run("here", *LONG)}


def test_one_packet_in_twenty_lost_changes_no_bit(site: Site):
    for machine in MACHINES:
        site.lab.lose(machine, 5)
    assert ended(site.run("away", WAITS, *LITTLE)) == 0, site.said()
    assert sum(map(site.lab.lost, MACHINES)) > 10
    assert site.home.sha("away") == site.home.run("here", *LITTLE)


def test_256_kbit_a_second_change_no_bit(site: Site):
    for machine in MACHINES:
        site.lab.narrow(machine, "256kbit")
    began = monotonic()
    assert ended(site.run("away", WAITS, *LITTLE)) == 0, site.said()
    heard = received(site.servers[CUT])
    assert heard * 8 <= (monotonic() - began) * 256e3 + 8 * 4096, "it was narrow"
    assert site.home.sha("away") == site.home.run("here", *LITTLE)
