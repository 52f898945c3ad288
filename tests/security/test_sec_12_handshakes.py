"""SEC-12: handshakes that fail are in the owner's log, with address and reason."""

from __future__ import annotations

import json
import os
import socket
import ssl
import subprocess
import sys
import warnings
from pathlib import Path
from threading import Event
from time import monotonic

import psutil
import pytest

from bondline.cli import main
from bondline.remote.log.audit import AuditLog
from bondline.remote.log.audit_read import read_log
from bondline.remote.privacy.knocks import KIND, MOST, Knocks, knocked
from bondline.remote.trust.diagnose import diagnose
from bondline.remote.trust.handshakes import Failed, Hearing, traced
from tests.remote.certificates import Authority, authority
from tests.remote.test_serve_command import LIMIT, served
from tests.security.test_sec_26_audit import full_disk

POLICY = """\
[owner]
audit = "audit.jsonl"

[[grant]]
who = "spiffe://test/integrator"
model = "chain"
methods = ["session"]
"""
UNAUDITED = POLICY.partition("\n\n")[2]
NO_TLS = "it speaks no TLS"
OTHER = "its certificate is of another authority"
REFUSED = {
    "none": "it showed no certificate",
    "expired": "its certificate has expired",
    "early": "its certificate is not valid yet",
    "namesake": OTHER,
    "stranger": OTHER,
    "plaintext": NO_TLS,
    "browser": NO_TLS,
    "TLSv1": "it speaks no TLS 1.2 or newer",
    "TLSv1_1": "it speaks no TLS 1.2 or newer",
}
ALERT = b"\x15"  # TLS's; an answer begins with a length, or with HTTP
RAW = {
    "plaintext": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "browser": b"GET / HTTP/1.1\r\n",
}


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


class Visitor:
    """Somebody who knocks, and remembers where from."""

    def __init__(self, address: str, ca: Authority, folder: Path) -> None:
        host, _, port = address.partition(":")
        self.place = (host, int(port))
        others = authority(folder / "others"), authority(folder / "more", "strangers")
        self.shown = {
            "good": ca.issue("integrator"),
            "expired": ca.issue("expired", 10.0, 20.0),
            "early": ca.issue("early", 30.0, -5.0),
            "namesake": others[0].issue("integrator"),
            "stranger": others[1].issue("integrator"),
        }
        self.ca, self.addresses = ca.pem, dict[str, str]()

    def knock(self, how: str) -> bool:
        """Whether the server says anything but that there is no handshake."""
        with socket.create_connection(self.place, LIMIT) as raw:
            self.addresses[how] = "{}:{}".format(*raw.getsockname())
            try:
                if how in RAW:
                    raw.sendall(RAW[how])
                    return raw.recv(1) not in (b"", ALERT)
                with self.context(how).wrap_socket(
                    raw, server_hostname="localhost"
                ) as s:
                    return bool(s.recv(1))
            except OSError:
                return False

    def context(self, how: str) -> ssl.SSLContext:
        made = ssl.create_default_context(cafile=str(self.ca))
        made.set_alpn_protocols(["h2"])
        mine = self.shown.get(how, self.shown["good"])
        if how != "none":
            made.load_cert_chain(mine.cert, mine.key)
        if how.startswith("TLSv1"):
            made.set_ciphers("ALL:@SECLEVEL=0")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that these are old
                made.minimum_version = made.maximum_version = ssl.TLSVersion[how]
        return made


def begun(folder: Path, ca: Authority, policy: str = POLICY, **how):
    (folder / "policy.toml").write_text(policy)
    mine = ca.issue("owner")
    secrets = ["--cert", mine.cert, "--key", mine.key, "--client-ca", mine.ca]
    return served(folder, "chain", *secrets, "--policy", "policy.toml", **how)


def stopped(process: subprocess.Popen[str]) -> None:
    process.terminate()
    assert process.wait(LIMIT) == 0


@pytest.fixture(scope="module")
def ca(tmp_path_factory) -> Authority:
    return authority(tmp_path_factory.mktemp("ca"))


@pytest.fixture(scope="module")
def visited(ca, tmp_path_factory):
    """Everybody knocked once: what they got, the log, and standard error."""
    folder = tmp_path_factory.mktemp("owner")
    with (
        (folder / "err").open("wb") as err,
        begun(folder, ca, stderr=err) as (address, process),
    ):
        visitor = Visitor(address, ca, folder)
        assert diagnose(visitor.shown["good"], address) is None
        got = {how: visitor.knock(how) for how in ("good", *REFUSED)}
        stopped(process)
    return visitor, got, folder


@pytest.mark.parametrize("how", REFUSED)
def test_who_is_refused_is_written_down(visited, how):
    visitor, got, folder = visited
    assert not got[how]
    records = read_log(folder / "audit.jsonl").records
    (found,) = [r for r in records if r.get("peer") == visitor.addresses[how]]
    assert (found["kind"], found["reason"]) == (KIND, REFUSED[how])


def test_who_gets_through_is_not(visited):
    """The positive control; nor is a run that looks why its line broke."""
    visitor, got, folder = visited
    assert got["good"]
    records = read_log(folder / "audit.jsonl").records
    assert visitor.addresses["good"] not in {r.get("peer") for r in records}
    assert sum(r["kind"] == KIND for r in records) == len(REFUSED)


def test_standard_error_is_as_it_was(visited):
    """One line of gRPC's for each, and nothing of what only we wanted to know."""
    lines = (visited[2] / "err").read_text().splitlines()
    said = [line for line in lines if "Handshake failed with error" in line]
    assert len(said) == len(REFUSED)
    assert all(line.startswith("warning  ") for line in lines if line not in said)


def test_bondline_audit_shows_them(visited, capsys):
    log = str(visited[2] / "audit.jsonl")
    assert main(["audit", log]) == 0
    shown = capsys.readouterr().out
    assert f"{len(REFUSED)} handshakes failed" in shown
    assert all(reason in shown for reason in REFUSED.values())
    assert main(["--json", "audit", log]) == 0
    told = json.loads(capsys.readouterr().out)["handshakes"]
    assert {(k["host"], k["reason"]) for k in told} == {
        ("127.0.0.1", reason) for reason in REFUSED.values()
    }
    assert sum(k["times"] for k in told) == len(REFUSED)


def test_who_hides_what_grpc_says_has_the_records_all_the_same(ca, tmp_path):
    env = {**os.environ, "GRPC_VERBOSITY": "ERROR"}
    with (
        (tmp_path / "err").open("wb") as err,
        begun(tmp_path, ca, stderr=err, env=env) as (address, process),
    ):
        Visitor(address, ca, tmp_path).knock("none")
        stopped(process)
    (found,) = knocked(read_log(tmp_path / "audit.jsonl").records)
    assert found.reason == REFUSED["none"]
    assert "Handshake" not in (tmp_path / "err").read_text()


def test_a_server_that_is_killed_has_written_them_down(ca, tmp_path):
    with begun(tmp_path, ca) as (address, process):
        Visitor(address, ca, tmp_path).knock("none")
        process.kill()
        process.wait(LIMIT)
    end = monotonic() + LIMIT
    while not knocked(read_log(tmp_path / "audit.jsonl").records):
        assert monotonic() < end, "the listener outlives the server, and writes"
        Event().wait(0.02)


@pytest.mark.parametrize(("policy", "listeners"), [(POLICY, 1), (UNAUDITED, 0)])
def test_nobody_listens_where_there_is_no_log(ca, tmp_path, policy, listeners):
    with begun(tmp_path, ca, policy) as (_, process):
        assert len(psutil.Process(process.pid).children()) == listeners
        stopped(process)


def test_it_is_told_when_grpc_cannot_be_made_to_speak_any_more():
    assert "grpc" in sys.modules
    with pytest.warns(RuntimeWarning, match="will not be written down"), traced():
        pass


# what a process says while it is overheard

DYING = """
import os, signal
from pathlib import Path
from bondline.remote.privacy.listener import overheard
with overheard(Path("audit.jsonl")):
    os.write(2, b"words " * 5000 + b"last words")
    os.kill(os.getpid(), signal.SIG{})
"""
ALONE = """
import os, psutil, sys
from pathlib import Path
from threading import Event
from bondline.remote.privacy.listener import overheard
before = os.fstat(2).st_ino
with overheard(Path("audit.jsonl")):
    (listener,) = psutil.Process().children()
    listener.kill()
    while os.fstat(2).st_ino != before:
        Event().wait(0.01)
    print("still heard", file=sys.stderr)
"""


def said(code: str, folder: Path) -> bytes:
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=folder, stderr=subprocess.PIPE, timeout=LIMIT, check=False
    )
    return done.stderr


@pytest.mark.parametrize("how", ["KILL", "ABRT", "SEGV"])
def test_the_last_words_of_a_crash_are_heard(how: str, tmp_path):
    assert said(DYING.format(how), tmp_path) == b"words " * 5000 + b"last words"


def test_a_listener_that_dies_stops_nobody(tmp_path):
    warned, heard = said(ALONE, tmp_path).decode().splitlines()
    assert "no longer written down" in warned
    assert heard == "still heard"


# lines of gRPC's among others

T = "I1117 18:58:58.411952   21524 "
FAILED = (
    f"{T}ssl_transport_security.cc:2563] Handshake failed with error SSL_ERROR_SSL: "
    "error:100000c0:SSL routines:OPENSSL_internal:PEER_DID_NOT_RETURN_A_CERTIFICATE: "
    "Invalid certificate verification context\n"
)
WHERE = (
    f"{T}handshaker.cc:155] CallNextHandshakerLocked: error=UNKNOWN: Ssl handshake "
    "failed (TSI_PROTOCOL_FAILURE): SSL_ERROR_SSL: error:100000c0:SSL routines:"
    "OPENSSL_internal:PEER_DID_NOT_RETURN_A_CERTIFICATE: Invalid certificate "
    "verification context: OK\n"
    "=== Source Location Trace: ===\nsrc/core/util/status_helper.cc:68\n"
    " shutdown=false index=2, args={endpoint=0x7, args={"
    "grpc.internal.endpoint_peer_address=%s, %s=0x5}}\n"
    f"{T}channel_trace.h:396] handshake manager 0x7: Failed with error: UNKNOWN: no\n"
    "=== Source Location Trace: ===\nsrc/core/util/status_helper.cc:68\n\n"
)
SERVER, CLIENT = "grpc.internal.server_credentials", "grpc.internal.channel_credentials"
OURS = FAILED + WHERE % ("ipv6:%5B::1%5D:41128", SERVER)
WORDS = "Important: 1\n\nInside\n=== not ours\n shutdown=1\nW1 and so on\n"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 100_000])
def test_what_others_write_stays_as_it_is(size: int):
    text = (WORDS + OURS + WORDS + "half a line, ").encode()
    hearing, out = Hearing(), b""
    for k in range(0, len(text), size):
        out += hearing.hear(text[k : k + size])
    out += hearing.end()
    assert out.decode() == WORDS + FAILED + WORDS + "half a line, "
    assert hearing.taken() == [Failed("[::1]:41128", REFUSED["none"])]


def test_a_prompt_does_not_wait_for_its_end():
    assert Hearing().hear(b"password: ") == b"password: "


def test_a_line_that_nobody_ended_is_kept_apart():
    hearing = Hearing()
    assert (
        hearing.hear((f"50 % {WHERE % ('ipv4:1.2.3.4:5', SERVER)}").encode())
        == b"50 % "
    )


def test_handshakes_that_we_began_ourselves_are_not_visits():
    hearing = Hearing()
    hearing.hear((FAILED + WHERE % ("ipv4:10.0.0.9:7443", CLIENT)).encode())
    hearing.end()
    assert hearing.taken() == []


def test_an_address_belongs_to_the_handshake_that_ended_for_its_reason():
    """Whatever else happens meanwhile, and in whichever thread."""
    hearing = Hearing()
    old = FAILED.replace("PEER_DID_NOT_RETURN_A_CERTIFICATE", "UNSUPPORTED_PROTOCOL")
    begins = WHERE.replace("error=UNKNOWN: Ssl", "error=OK shutdown=false")
    for text, peer in ((begins, "a:1"), (WHERE, "b:2"), (begins, "c:3")):
        where = text.replace(" 21524 ", " 21525 ") % (peer, SERVER)
        hearing.hear((old + FAILED + where).encode())
    hearing.end()
    assert [f for f in hearing.taken() if f.peer] == [Failed("b:2", REFUSED["none"])]


def test_without_an_address_there_is_still_the_reason():
    hearing = Hearing()
    where = WHERE.replace("endpoint_peer_address", "endpoint_peer") % ("a:1", SERVER)
    hearing.hear(where.encode())
    assert hearing.taken() == [Failed("", REFUSED["none"])]


# how many are written down


def records(path: Path) -> list:
    return [r for r in read_log(path).records if r["kind"] == KIND]


def test_a_flood_does_not_fill_the_disk(tmp_path):
    clock, path = Clock(), tmp_path / "audit.jsonl"
    knocks = Knocks(AuditLog(path, "owner"), clock)
    for k in range(3000):  # in three minutes
        clock.now = 100.0 + 0.06 * k
        knocks.enter(Failed(f"10.0.0.{k % 250}:{k}", NO_TLS))
    knocks.close()
    assert len(records(path)) <= 3 * (MOST + 1)
    assert path.stat().st_size < 3 * 4_000, "6 MB a day"
    assert sum(k.times for k in knocked(records(path))) == 3000, "all are counted"


def test_how_many_more_there_were_is_said_when_the_minute_is_over(tmp_path):
    clock, path = Clock(), tmp_path / "audit.jsonl"
    knocks = Knocks(AuditLog(path, "owner"), clock)
    for reason in (*(MOST + 2) * [NO_TLS], OTHER):
        knocks.enter(Failed("10.0.0.1:5", reason))
    assert (knocks.due, len(records(path))) == (60.0, MOST)
    clock.now += 60.0
    knocks.settle()
    told = [["10.0.0.1", NO_TLS, 2], ["10.0.0.1", OTHER, 1]]
    assert records(path)[-1]["more"] == told
    assert knocks.due is None


def test_what_the_disk_does_not_take_is_counted_and_said_once(tmp_path):
    clock, told, path = Clock(), list[str](), tmp_path / "audit.jsonl"
    knocks = Knocks(AuditLog(path, "owner"), clock, told.append)
    with full_disk(path, 0):
        for _ in range(3):
            knocks.enter(Failed("10.0.0.1:5", NO_TLS))
    assert len(told) == 1
    clock.now += 60.0
    knocks.settle()
    assert [r["more"] for r in records(path)] == [[["10.0.0.1", NO_TLS, 3]]]
    knocks.close()
