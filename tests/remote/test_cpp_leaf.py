"""A leaf server in C++, made from the protocol alone, is a partner like any other."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bondline.build import open_model
from bondline.cli import main
from bondline.core import Window
from bondline.errors import BondlineError
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.dial import Dial
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.remote.protocol import spoken
from bondline.remote.trust.tls import Credentials
from bondline.run import find, simulate
from tests.remote.conftest import placement
from tests.remote.cpp_leaf import build, flags, missing, started
from tests.remote.test_round_trips import Counting

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())
LINEAR = "examples/linear_chain"
LIKE_TWO = ("--set", "stiffness=1500", "--set", "damping=0.5")
FRIEND = ("--allow", "spiffe://test/integrator")


@pytest.fixture(scope="session")
def binary(project: Path, request: pytest.FixtureRequest) -> Path:
    return build(project, request.config.cache.mkdir("cpp_leaf"))


@pytest.fixture(scope="module")
def address(binary: Path, owner: Credentials) -> Iterator[str]:
    """The twin of part `two` of the linear chain, in C++."""
    with started(binary, owner, *FRIEND, *LIKE_TWO) as (place, _):
        yield place


@pytest.fixture
def places(address: str, tmp_path: Path, integrator: Credentials) -> Path:
    return at_chain(placement(tmp_path / "p.toml", {"two": address}, integrator))


def at_chain(file: Path) -> Path:
    """Its name on the server."""
    text = file.read_text(encoding="utf-8").replace('model = "two"', 'model = "chain"')
    file.write_text(text, encoding="utf-8")
    return file


def chain_at(address: str, secrets: Credentials, grace: float = 5.0):
    return remote_model(
        "two", Dial(address, secrets), "chain", Patience(10.0, 10.0, grace)
    )


def test_it_passes_the_conformance_kit(project: Path, places: Path, capsys):
    target = f"{project / LINEAR}:two"
    assert main(["leaf", "test", target, "--placement", str(places)]) == 0
    told = capsys.readouterr().out
    assert "0 failed" in told
    for check in ("repeatability", "rollback", "superposition", "energy", "press"):
        assert any(
            line.startswith(check) and "passed" in line for line in told.splitlines()
        ), check


def test_glued_with_python_it_is_its_python_twin(
    project: Path, places: Path, tmp_path: Path
):
    head = ["--quiet", "--project", str(tmp_path), "run", str(project / LINEAR)]
    grid = ("--until", "2s")
    assert main([*head, "--name", "here", *grid]) == 0
    assert main([*head, "--name", "away", *grid, "--placement", str(places)]) == 0
    here, away = (find(tmp_path / "runs", n).results() for n in ("here", "away"))
    assert list(here.signals) == list(away.signals)
    for name in here.signals:
        one, two = here.signals[name], away.signals[name]
        assert np.abs(one - two).max() <= 1e-12 * np.abs(one).max(), name


def test_a_window_is_one_round_trip(
    project: Path, address: str, integrator: Credentials
):
    model, asked = open_model(project / LINEAR).model, {}
    for windows in (20, 50):
        part = chain_at(address, integrator)
        line = part.link.line = Counting(part.link.line)
        both = replace(model, parts={**model.parts, "two": part})
        simulate(both, 0.01 * windows, 0.01)
        part.close()
        asked[windows] = line.asked.total() - line.asked["close"]
    assert asked[50] - asked[20] == 30, "the rest is start-up"


def test_a_server_that_was_killed_is_asked_again(
    binary: Path, owner: Credentials, integrator: Credentials
):
    """States are made again from the requests that made them: the same bits."""
    ends = []
    for killed in (False, True):
        with started(binary, owner, *FRIEND) as (place, process):
            part = chain_at(place, integrator, grace=30.0)
            state = part.start(0.0).state
            state = part.press(state, 0.0, {"left": np.array([2.0])}).state
            again = ("--listen", place, *FRIEND)
            if killed:
                process.kill()
                process.wait(10)
                with started(binary, owner, *again):
                    ends.append(_moved(part, state))
            else:
                ends.append(_moved(part, state))
            recovered = part.link.recoveries
            part.close()
        assert recovered == killed
    assert (ends[0] == ends[1]).all()


def _moved(part, state):
    done = part.advance(state, Window(0.0, 0.01), {})
    return np.concatenate([done.outputs[p].x for p in ("left", "right")])


def test_a_run_goes_on_with_another_server(
    project: Path, binary: Path, tmp_path: Path, owner, integrator
):
    """It keeps nothing on a disk: the windows are replayed, to the same bits."""
    head = ["--quiet", "--project", str(tmp_path), "run"]
    model, file = str(project / LINEAR), tmp_path / "p.toml"
    for how in (
        (model, "--name", "whole", "--until", "0.3s"),
        (model, "--name", "cut", "--until", "0.2s"),
        ("--resume", "cut", "--until", "0.3s"),
    ):
        with started(binary, owner, *FRIEND, *LIKE_TWO) as (place, _):
            at_chain(placement(file, {"two": place}, integrator))
            assert main([*head, *how, "--placement", str(file)]) == 0
    runs = [find(tmp_path / "runs", n).summary.sha256 for n in ("whole", "cut")]
    assert runs[0] == runs[1]


class Raw:
    """A client that says what it likes."""

    def __init__(self, address: str, secrets: Credentials) -> None:
        self.line = Dial(address, secrets)
        self.session = self.epoch = 0

    def open(self, takeover: bool = False) -> pb.Reply:
        ask = pb.Open(version=spoken(), coordinator="raw-one", takeover=takeover)
        reply = self.say(pb.Request(open=ask))
        self.session, self.epoch = reply.opened.session, reply.opened.epoch
        return reply

    def start(self, sequence: int, result: int) -> pb.Reply:
        return self.ask(sequence, start=pb.Start(t0=0.0, result=result))

    def ask(self, sequence: int, **what) -> pb.Reply:
        head = {"session": self.session, "epoch": self.epoch, "sequence": sequence}
        return self.say(pb.Request(**head, **what))

    def say(self, request: pb.Request) -> pb.Reply:
        return pb.Reply.FromString(
            self.line.exchange(request.SerializeToString(), 10.0)
        )

    def pulse(self) -> pb.PulseReply:
        ask = pb.PulseRequest(session=self.session, epoch=self.epoch)
        raw = self.line.pulse(ask.SerializeToString(), 10.0)
        return pb.PulseReply.FromString(raw)


@pytest.fixture
def raw(address: str, integrator: Credentials) -> Iterator[Raw]:
    client = Raw(address, integrator)
    client.open(takeover=True)
    yield client
    client.ask(0, close=pb.Close())
    client.line.close()


def test_a_request_is_served_once(raw: Raw):
    first = raw.start(1, 7)
    assert first.HasField("stepped")
    assert raw.start(1, 7) == first, "the same bytes, the same reply"
    assert raw.start(1, 8).failure.code == pb.CODE_INVALID_ARGUMENT
    assert raw.start(3, 8).failure.code == pb.CODE_FAILED_PRECONDITION
    assert raw.start(2, 7).failure.code == pb.CODE_INVALID_ARGUMENT, "a name twice"
    assert raw.start(3, 8).HasField("stepped")


def test_what_is_released_is_gone(raw: Raw):
    raw.start(1, 7)
    window = pb.Advance(state=7, t0=0.0, t1=0.01, result=8)
    assert raw.ask(2, advance=window).HasField("stepped")
    window.result = 9
    gone = raw.ask(3, advance=window, release=[7])
    assert gone.failure.code == pb.CODE_FAILED_PRECONDITION


def test_nonsense_is_refused_before_anything_changes(raw: Raw):
    raw.start(1, 7)
    wrong = (
        pb.Signal(port=2, rows=1, coefficients=[1.0]),
        pb.Signal(port=0, rows=2, coefficients=[1.0]),
        pb.Signal(port=0, rows=1, coefficients=[float("nan")]),
        pb.Signal(port=0, rows=4_000_000_000, coefficients=[1.0]),
    )
    for n, told in enumerate(wrong, start=2):
        window = pb.Advance(state=7, t0=0.0, t1=0.01, inputs=[told], result=8)
        reply = raw.ask(n, advance=window)
        assert reply.failure.code == pb.CODE_INVALID_ARGUMENT
    assert raw.ask(6, keep=pb.Keep(state=7)).failure.code == pb.CODE_UNIMPLEMENTED
    assert raw.start(7, 8).HasField("stepped"), "the name is still free"


def test_whoever_takes_over_fences_off_the_other(
    raw: Raw, address: str, integrator: Credentials
):
    raw.start(1, 7)
    assert raw.pulse().open
    assert raw.pulse().sequence == 1
    other = Raw(address, integrator)
    busy = other.open().failure
    assert busy.code == pb.CODE_RESOURCE_EXHAUSTED
    assert other.open(takeover=True).opened.epoch > raw.epoch
    assert raw.start(2, 8).failure.code == pb.CODE_ABORTED
    assert not raw.pulse().open
    other.line.close()


def test_strangers_get_nothing(binary: Path, address: str, ca, owner: Credentials):
    with pytest.raises(BondlineError, match="does not allow"):
        chain_at(address, ca.issue("stranger"), grace=1.0)
    with pytest.raises(BondlineError):  # without TLS
        chain_at(address, None, grace=1.0)


def test_it_stops_when_it_is_told(binary: Path, owner: Credentials):
    with started(binary, owner, *FRIEND) as (_, process):
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        ((), 2, "nobody is allowed anything"),
        ((*FRIEND, "--set", "weight=3"), 2, "--set weight=3"),
        ((*FRIEND, "--set", "mass=0"), 2, "must be positive"),
    ],
)
def test_it_says_what_is_wrong_with_its_flags(
    binary: Path, owner: Credentials, more, code: int, words: str
):
    done = _refused(binary, owner, *more)
    assert (done.returncode, words in done.stderr) == (code, True)


def test_it_refuses_a_key_that_others_may_read(
    binary: Path, owner: Credentials, tmp_path: Path
):
    key = tmp_path / "open.key"
    key.write_bytes(owner.key.read_bytes())
    key.chmod(0o644)
    done = _refused(binary, Credentials(owner.cert, key, owner.ca), *FRIEND)
    assert (done.returncode, "chmod 600" in done.stderr) == (3, True)


def _refused(binary: Path, secrets: Credentials, *more: str):
    command = [str(binary), *flags(secrets), *more]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False
    )


def test_the_readme_makes_the_twin_of_the_example(project):
    text = (project / "servers" / "cpp" / "README.md").read_text(encoding="utf-8")
    assert " ".join(LIKE_TWO) in text
