"""SEC-12: who has no valid certificate of the project gets nothing, not even a name.

The explanation is at the client (tests/remote/test_trust.py has the other cases).
Whoever gets through and is nobody known is refused and written down; of those who do
not get through, test_sec_12_handshakes.py.
"""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess

import grpc
import pytest

from bondline.errors import NotAllowed
from bondline.leaves import chain
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.dial import Dial
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.served import Served
from bondline.remote.privacy.policy import Grant, Policy
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.protocol import SERVICE, spoken
from tests.remote.certificates import authority
from tests.remote.conftest import ca, integrator, owner, supply  # noqa: F401

LIMIT = 20  # s for anything
ASK = pb.DescribeRequest(version=spoken(), model="chain").SerializeToString()


@pytest.fixture
def there(supply, tmp_path):  # noqa: F811
    grant = Grant("spiffe://test/integrator", "chain", frozenset({"describe", "open"}))
    gate = PolicyGate.of(Policy(grants=(grant,), audit=tmp_path / "audit.jsonl"))
    yield supply({"chain": Served("chain", lambda: chain("chain"))}, gate=gate)
    gate.close()


def described(channel) -> bytes:
    with channel:
        return channel.unary_unary(f"/{SERVICE}/Describe")(ASK, timeout=LIMIT)


def refused(channel) -> None:
    with pytest.raises(grpc.RpcError) as told:
        described(channel)
    assert told.value.code() == grpc.StatusCode.UNAVAILABLE


def secure(there, ca_file, pair=None):
    key, cert = (None, None) if pair is None else (p.read_bytes() for p in pair)
    with_these = grpc.ssl_channel_credentials(ca_file.read_bytes(), key, cert)
    return grpc.secure_channel(there.address, with_these)


def test_the_right_certificate_is_served(there):
    """The positive control of all that is refused below."""
    mine = there.secrets
    got = described(secure(there, mine.ca, (mine.key, mine.cert)))
    assert pb.DescribeReply.FromString(got).HasField("description")


def test_no_certificate_is_refused_and_the_servers_standard_error_says_why(
    there, capfd
):
    """From there `bondline leaf serve` takes it into the audit log."""
    refused(secure(there, there.secrets.ca))
    assert "PEER_DID_NOT_RETURN_A_CERTIFICATE" in capfd.readouterr().err


def test_plaintext_is_refused(there):
    refused(grpc.insecure_channel(there.address))


@pytest.mark.parametrize(
    ("days", "late"), [(10.0, 20.0), (30.0, -5.0)], ids=["expired", "not-yet-valid"]
)
def test_a_certificate_out_of_time_is_refused(there, ca, days, late):  # noqa: F811
    other = ca.issue("untimely", days, late)
    refused(secure(there, other.ca, (other.key, other.cert)))


def test_a_certificate_of_another_authority_is_refused(there, tmp_path):
    other = authority(tmp_path / "other").issue("integrator")
    refused(secure(there, there.secrets.ca, (other.key, other.cert)))


def test_the_wrong_identity_is_refused_and_written_down(there, ca, tmp_path):  # noqa: F811
    other = ca.issue("stranger")
    line = Dial(there.address, other)
    got = pb.DescribeReply.FromString(line.describe(ASK, LIMIT))
    line.close()
    assert got.failure.code == pb.CODE_PERMISSION_DENIED
    assert "spiffe://test/stranger may not describe" in got.failure.reason
    (denied,) = [r for r in log(tmp_path) if r["kind"] == "denied"]
    assert denied["who"] == "spiffe://test/stranger"


def test_a_server_with_another_name_is_not_believed(there):
    from bondline.remote.client.link import Patience
    from bondline.remote.client.remote import remote_model

    line = Dial(there.address, there.secrets, "axles.example")
    with pytest.raises(NotAllowed, match=r"not for axles\.example"):
        remote_model("part", line, "chain", Patience(5.0, 5.0, 0.5))
    line.close()


def log(tmp_path):
    return read_log(tmp_path / "audit.jsonl").records


def test_tls_1_3_is_what_is_spoken(there):
    mine = there.secrets
    context = ssl.create_default_context(cafile=str(mine.ca))
    context.load_cert_chain(mine.cert, mine.key)
    context.set_alpn_protocols(["h2"])
    host, _, port = there.address.partition(":")
    with (
        socket.create_connection((host, int(port)), LIMIT) as raw,
        context.wrap_socket(raw, server_hostname=host) as safe,
    ):
        assert safe.recv(1), "the server goes on after it has seen the certificate"
        assert safe.version() == "TLSv1.3"
        assert safe.selected_alpn_protocol() == "h2"


SPOKEN = {"-tls1": False, "-tls1_1": False, "-tls1_2": True, "-tls1_3": True}


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl here")
@pytest.mark.parametrize("version", SPOKEN)
def test_nothing_older_than_tls_1_2(there, version):
    mine = there.secrets
    words = ["openssl", "s_client", "-connect", there.address, version, "-brief"]
    words += ["-CAfile", mine.ca, "-cert", mine.cert, "-key", mine.key, "-alpn", "h2"]
    words += ["-cipher", "ALL:@SECLEVEL=0", "-verify_return_error"]
    done = subprocess.run(
        [*map(str, words)], input=b"", capture_output=True, timeout=LIMIT, check=False
    )
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    assert ("CONNECTION ESTABLISHED" in said) == SPOKEN[version], said
    if not SPOKEN[version]:
        hung_up = "unexpected eof" in said or "alert protocol version" in said
        assert hung_up, f"it must be the server who says no: {said}"
