"""Who does not trust whom: told with the certificate, the date and the remedy."""

from __future__ import annotations

import gc
import socket
import struct
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from bondline.core import uniform
from bondline.errors import LeafLost, NotAllowed, SettingError
from bondline.leaves import chain
from bondline.remote.client.dial import Dial
from bondline.remote.client.link import Patience
from bondline.remote.client.placement import Place
from bondline.remote.client.remote import remote_model
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served
from bondline.remote.owner.server import serve
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.trust.diagnose import diagnose
from bondline.remote.trust.tls import Credentials
from tests.remote.certificates import Authority, authority
from tests.remote.conftest import placement, serving

QUICK = Patience(5.0, 5.0, 0.5)


@pytest.fixture
def host() -> Host:
    return Host({"chain": Served("chain", lambda: chain("chain"))})


def complaint(
    host: Host, server: Credentials | None, mine: Credentials, name: str = ""
):
    with serving(host, server) as there:
        line = Dial(f"127.0.0.1:{there.port}", mine, name)
        with pytest.raises(NotAllowed) as told:
            remote_model("part", line, "chain", QUICK)
        line.close()
    assert told.value.exit_code == 3
    return str(told.value)


def test_an_expired_certificate_is_named_with_its_date(host, ca: Authority, owner):
    old = ca.issue("old", days=10.0, late=20.0)
    told = complaint(host, owner, old)
    assert "your certificate (CN=old) expired on 20" in told
    assert "renewed" in told


def test_a_servers_expired_certificate_is_named(host, ca: Authority, integrator):
    told = complaint(host, ca.issue("tired", 10.0, 20.0), integrator)
    assert "the server's certificate (CN=tired) expired on" in told


def test_a_certificate_of_tomorrow_is_named(host, ca: Authority, owner):
    told = complaint(host, owner, ca.issue("early", days=30.0, late=-5.0))
    assert "your certificate (CN=early) is not valid before" in told


def test_another_authority_is_named(host, tmp_path: Path, owner):
    other = authority(tmp_path / "other", "others").issue("stranger")
    told = complaint(host, owner, other)
    assert "the server's certificate (CN=owner) was signed by CN=authority" in told


def test_a_certificate_that_the_server_does_not_know(host, tmp_path: Path, ca, owner):
    other = authority(tmp_path / "other", "others").issue("stranger")
    both = tmp_path / "both.pem"
    both.write_bytes(ca.pem.read_bytes() + other.ca.read_bytes())
    told = complaint(host, owner, Credentials(other.cert, other.key, both))
    assert "the server does not accept your certificate (CN=stranger)" in told


def test_a_wrong_name_lists_the_right_ones(host, owner, integrator):
    told = complaint(host, owner, integrator, "axles.example")
    assert "is for localhost, 127.0.0.1, not for axles.example" in told


def test_a_server_without_tls_is_told(host, integrator):
    assert "does not speak TLS" in complaint(host, None, integrator)


def test_a_server_with_tls_is_told_to_who_goes_without(host, owner):
    with serving(host, owner) as there:
        line = Place(f"127.0.0.1:{there.port}").line("part", None)
        with pytest.raises(NotAllowed, match="the server speaks TLS") as told:
            remote_model("part", line, "chain", QUICK)
        line.close()
    assert "insecure = true" in told.value.finding
    assert "cert, key and ca" in told.value.remedy


NAMELESS = {
    "none": ((), "it has no spiffe:// id"),
    "two": (("spiffe://t/a", "spiffe://t/b"), "it has spiffe://t/a, spiffe://t/b"),
    "other": (("https://t/a",), "it has https://t/a"),
}


@pytest.mark.parametrize("case", NAMELESS)
def test_nobody_is_named_by_a_host(case, ca: Authority, owner, tmp_path):
    ids, words = NAMELESS[case]
    grants = tuple(
        Grant(who, "chain", frozenset(METHODS))
        for who in ("localhost", "nameless", "", *ids)
    )
    gate = PolicyGate.of(Policy(grants=grants, audit=tmp_path / "audit.jsonl"))
    strict = Host({"chain": Served("chain", lambda: chain("chain"))}, gate)
    told = complaint(strict, owner, ca.issue("nameless", ids=ids))
    gate.close()
    assert f"your certificate (CN=nameless) carries no partner name: {words}" in told
    assert "bondline cert issue" in told
    denied = [r for r in read_log(tmp_path / "audit.jsonl").records if "reason" in r]
    assert {r["who"] for r in denied} == {""}
    assert all("carries no partner name" in r["reason"] for r in denied)


def emptied(mine: Credentials, folder: Path, which: str) -> Credentials:
    """The same, but one file is empty."""
    made = folder / f"empty.{which}"
    made.touch(mode=0o600)
    return replace(mine, **{which: made})


@pytest.mark.parametrize("which", ["cert", "key", "ca"])
@pytest.mark.parametrize("rubbish", [b"", b"-----BEGIN CERTIFICATE-----\nAAAA\n"])
def test_a_file_without_a_certificate_is_told(host, owner, tmp_path, which, rubbish):
    """gRPC would abort the process of a client, and the server blame the port."""
    bad = emptied(owner, tmp_path, which)
    getattr(bad, which).write_bytes(rubbish)
    what = "private key" if which == "key" else "certificate"
    for use in (bad.for_channel, lambda: serve(host, "127.0.0.1:0", bad)):
        with pytest.raises(SettingError, match=f"there is no {what} in it") as told:
            use()
        assert told.value.place == str(tmp_path / f"empty.{which}")
        assert told.value.exit_code == 3


def test_the_key_of_another_certificate_is_told(host, owner, integrator):
    mixed = replace(integrator, key=owner.key)
    for use in (mixed.for_channel, lambda: serve(host, "127.0.0.1:0", mixed)):
        with pytest.raises(SettingError, match="it is not the key of") as told:
            use()
        assert told.value.place == str(owner.key)
        assert str(integrator.cert) in told.value.finding
        assert "CN=integrator" in told.value.finding


def test_a_certificate_that_is_emptied_during_a_run_is_told(host, owner, tmp_path, ca):
    mine = ca.issue("fleeting")
    with serving(host, owner) as there:
        line = Dial(f"127.0.0.1:{there.port}", mine)
        model = remote_model("part", line, "chain", QUICK)
        state = model.start(0.0).state
        mine.cert.write_bytes(b"")
        line.hang_up()  # as when the partner is started again
        with pytest.raises(SettingError, match="there is no certificate in it"):
            model.advance(state, uniform(0.0, 0.01, 0), {})
        line.close()


def test_a_server_goes_on_with_the_old_files_if_the_new_ones_are_none(
    host, ca, integrator
):
    secrets = ca.issue("careless")
    with serving(host, secrets) as there:
        secrets.cert.write_bytes(b"")
        line = Dial(f"127.0.0.1:{there.port}", integrator)
        assert remote_model("part", line, "chain", QUICK).ports
        line.close()


def test_nobody_there_is_no_matter_of_trust(host, owner, integrator):
    with serving(host, owner) as there:
        port = there.port
    line = Dial(f"127.0.0.1:{port}", integrator)
    with pytest.raises(LeafLost, match="nobody is there") as told:
        remote_model("part", line, "chain", QUICK)
    line.close()
    assert told.value.exit_code == 20


def test_a_line_that_is_reset_at_once_says_nothing_of_trust(tmp_path: Path):
    """And leaves no connection open: an unclosed one would be a warning."""
    mine = authority(tmp_path).issue("integrator")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = "{}:{}".format(*listener.getsockname())
        cut = Thread(target=reset_all, args=(listener,), daemon=True)
        cut.start()
        found = [diagnose(mine, address) for _ in range(20)]
        gc.collect()
        listener.shutdown(socket.SHUT_RDWR)
        cut.join(10.0)
    assert found == [None] * 20


def reset_all(listener: socket.socket) -> None:
    """Whoever comes hears nothing but a reset."""
    while True:
        try:
            line, _ = listener.accept()
        except OSError:
            return
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.close()


# What threads of gRPC do that are at work while Python takes itself apart, at times.
LATE = """
import os, sys
class Late:
    def __del__(self, abort=os.abort):
        abort()
late = Late()
from bondline.cli import main
sys.exit(main())
"""


def test_who_spoke_grpc_leaves_before_python_is_taken_apart(
    host, tmp_path: Path, owner, ca: Authority, project: Path
):
    stranger = replace(authority(tmp_path / "other").issue("stranger"), ca=ca.pem)
    model = project / "examples/linear_chain"
    with serving(host, owner) as there:
        places = dict.fromkeys(("one", "two"), f"127.0.0.1:{there.port}")
        file = placement(tmp_path / "p.toml", places, stranger)
        words = ["check", str(model), "--placement", str(file)]
        done = subprocess.run(
            [sys.executable, "-c", LATE, *words], capture_output=True, text=True
        )
    assert done.returncode == 3, done.stderr
    assert "which is not in" in done.stderr, "and all of it was said"
