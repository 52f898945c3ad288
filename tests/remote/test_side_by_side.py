"""Partners are asked, and waited for, at the same time."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from threading import Barrier

import pytest

from bondline.errors import LeafLost, NotServed
from bondline.remote.client.link import Patience
from bondline.remote.client.placement import Place, connected
from bondline.remote.owner.gate import Call
from bondline.remote.owner.host import Host, Open
from tests.remote.conftest import parts_of, serving
from tests.remote.test_serve_command import LIMIT
from tests.remote.test_waiting import free_port

PENDULUM = "examples/double_pendulum"


class Meeting(Open):
    """Answers nobody before all have been asked."""

    def __init__(self, barrier: Barrier) -> None:
        self.barrier = barrier

    def admit(self, call: Call) -> None:
        self.barrier.wait(LIMIT)


def test_all_are_asked_before_any_has_answered(project: Path):
    parts, barrier = parts_of(project / PENDULUM), Barrier(2)
    places = {}
    with ExitStack() as servers:
        for name in parts:
            host = Host({name: parts[name]}, Meeting(barrier))
            port = servers.enter_context(serving(host, None)).port
            patience = Patience(connect=2.0 * LIMIT)
            places[name] = Place(f"127.0.0.1:{port}", patience=patience)
        there = connected(places)
        assert list(there) == list(places)
        for model in there.values():
            model.close()


def test_all_who_are_away_are_named_in_one_error():
    with free_port() as one, free_port() as two:
        away = {"lower": f"127.0.0.1:{one}", "upper": f"127.0.0.1:{two}"}
        short = Patience(grace=0.01)
        with pytest.raises(LeafLost) as told:
            connected({n: Place(p, patience=short) for n, p in away.items()})
    assert told.value.place == "2 partners"
    for name, place in away.items():
        assert f"{name} (partner {place}): nobody is there" in told.value.finding
    each = "For each of them: have its owner start it again, then call again"
    assert told.value.remedy.startswith(each)


def test_what_no_time_will_mend_is_told_while_another_is_away(project: Path):
    host = Host({"lower": parts_of(project / PENDULUM)["lower"]})
    with free_port() as nobody, serving(host, None) as server:
        places = {
            "upper": Place(f"127.0.0.1:{nobody}", patience=Patience(grace=LIMIT)),
            "lower": Place(f"127.0.0.1:{server.port}", "lwoer"),
        }
        with pytest.raises(NotServed, match="Did you mean 'lower', the only one"):
            connected(places)
