"""Authorities, certificates, and what is said when they are refused."""

from __future__ import annotations

import contextlib
import ssl
from datetime import UTC, datetime, timedelta

import pytest

from bondline.cli import main
from bondline.errors import SecurityError, UsageError
from bondline.remote.trust.authority import (
    Wanted,
    grant,
    issue,
    make_ca,
    pair,
    renew,
    request,
)
from bondline.remote.trust.certificates import (
    facts,
    fingerprint,
    load_key,
    load_request,
    warning,
    why_refused,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path):
    make_ca(tmp_path, "truck", now=NOW)
    issue(tmp_path, Wanted("rail", ("rail.example", "10.0.0.1")), now=NOW)
    return tmp_path


def test_a_certificate_says_who_it_is_and_for_how_long(folder):
    said = facts(folder / "rail.pem")
    assert said.identity == "spiffe://truck/rail"
    assert said.hosts == ("rail.example", "10.0.0.1")
    assert said.days_left(NOW) == pytest.approx(90.0)
    assert not said.authority
    assert facts(folder / "ca.pem").authority


def refused(folder, now=NOW, key="rail.key", ca="ca.pem"):
    return why_refused(folder / "rail.pem", folder / key, folder / ca, now)


def test_a_good_one_is_not_refused(folder):
    assert refused(folder) is None


def test_one_that_ran_out_says_when(folder):
    said = refused(folder, NOW + timedelta(days=91))
    assert "ran out on 2026-05-30 12:00 UTC" in said
    assert "bondline cert renew" in said


def test_one_that_is_not_valid_yet_asks_for_the_clock(folder):
    said = refused(folder, NOW - timedelta(days=1))
    assert "not valid before 2026-03-01" in said
    assert "check the clock" in said


def test_clocks_may_differ_by_minutes(folder):
    assert refused(folder, NOW - timedelta(minutes=4)) is None


def test_the_wrong_authority_is_named(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    make_ca(other, "ship", now=NOW)
    said = why_refused(folder / "rail.pem", None, other / "ca.pem", NOW)
    assert "CN=authority,O=truck" in said
    assert "CN=authority,O=ship" in said


def test_another_authority_of_the_same_name_is_wrong_too(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    make_ca(other, "truck", now=NOW)
    said = why_refused(folder / "rail.pem", None, other / "ca.pem", NOW)
    assert "not by this ca.pem" in said


def test_the_wrong_key_is_named(folder):
    assert "ca.key is not the key of rail.pem" in refused(folder, key="ca.key")


def test_a_partner_is_no_authority(folder):
    assert "rail.pem (CN=rail,O=truck) is no authority" in refused(
        folder, ca="rail.pem"
    )


@pytest.mark.parametrize("text", [b"", b"hello", b"-----BEGIN CERTIFICATE-----\nxx"])
def test_what_is_no_certificate_says_so(folder, text):
    (folder / "rail.pem").write_bytes(text)
    assert "there is no certificate in this file" in refused(folder)


def test_a_file_that_is_not_there_says_so(folder):
    assert "cannot be read" in refused(folder, key="none.key")


def test_a_warning_comes_in_time(folder):
    rail = folder / "rail.pem"
    assert warning(rail, NOW + timedelta(days=59)) is None
    assert "in 30 days" in warning(rail, NOW + timedelta(days=60))
    assert "in 1 day," in warning(rail, NOW + timedelta(days=88, hours=12))
    assert "in 12 hours" in warning(rail, NOW + timedelta(days=89, hours=12))


@pytest.mark.parametrize("new_key", [False, True])
def test_renewing_keeps_the_identity(folder, new_key):
    before, key = facts(folder / "rail.pem"), load_key(folder / "rail.key")
    later = NOW + timedelta(days=80)
    renew(folder / "rail.pem", new_key=new_key, now=later)
    after = facts(folder / "rail.pem")
    assert (after.identity, after.hosts) == (before.identity, before.hosts)
    assert after.subject == before.subject
    assert after.end == before.end + timedelta(days=80)
    assert after.fingerprint != before.fingerprint
    same = load_key(folder / "rail.key").private_numbers() == key.private_numbers()
    assert same is not new_key
    assert refused(folder, later) is None


def test_renewing_mends_a_pair_that_was_torn_apart(folder):
    (folder / "rail.key").unlink()
    renew(folder / "rail.pem", new_key=True, now=NOW)
    assert refused(folder) is None


def test_one_of_another_project_is_not_renewed_here(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    make_ca(other, "ship", now=NOW)
    (other / "rail.pem").write_bytes((folder / "rail.pem").read_bytes())
    with pytest.raises(SecurityError, match="not by the authority here"):
        renew(other / "rail.pem", now=NOW)


def test_nothing_is_overwritten(folder):
    before = {p: p.read_bytes() for p in folder.iterdir()}
    with pytest.raises(UsageError, match="nothing is overwritten"):
        issue(folder, Wanted("rail"), now=NOW)
    with pytest.raises(UsageError, match="nothing is overwritten"):
        make_ca(folder, "truck", now=NOW)
    assert {p: p.read_bytes() for p in folder.iterdir()} == before


def test_a_command_that_was_cut_short_can_be_given_again(folder):
    files = pair(folder, "rail")
    files.certificate.unlink()  # the key was written, the certificate was not
    key = files.key.read_bytes()
    issue(folder, Wanted("rail"), now=NOW)
    assert files.key.read_bytes() == key
    assert refused(folder) is None


def test_a_certificate_never_outlives_its_authority(folder):
    renew(folder / "rail.pem", days=99999, now=NOW)
    assert facts(folder / "rail.pem").end == facts(folder / "ca.pem").end


def test_without_an_authority_it_says_how_to_make_one(tmp_path):
    with pytest.raises(SecurityError, match="bondline cert ca PROJECT"):
        issue(tmp_path, Wanted("rail"))


def test_a_partner_keeps_its_key_to_itself(folder, tmp_path_factory):
    there = tmp_path_factory.mktemp("supplier")
    asked = request(there, Wanted("cross", ("cross.example",)))
    made = grant(folder, asked, now=NOW)
    assert not (folder / "cross.key").exists()
    said = facts(made)
    assert said.identity == "spiffe://truck/cross"
    assert said.hosts == ("cross.example",)
    assert why_refused(made, there / "cross.key", folder / "ca.pem", NOW) is None
    renew(made, now=NOW + timedelta(days=50))
    later = NOW + timedelta(days=100)
    assert why_refused(made, there / "cross.key", folder / "ca.pem", later) is None


def test_a_request_cannot_choose_its_identity(folder, tmp_path):
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization

    own = [
        x509.UniformResourceIdentifier("spiffe://truck/integrator"),
        x509.DNSName("spy.example"),
    ]
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "spy")])
    made = x509.CertificateSigningRequestBuilder().subject_name(name)
    made = made.add_extension(x509.SubjectAlternativeName(own), critical=False)
    made = made.add_extension(x509.BasicConstraints(True, None), critical=True)
    asked = tmp_path / "spy.csr"
    signed = made.sign(load_key(folder / "rail.key"), hashes.SHA256())
    asked.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    said = facts(grant(folder, asked, now=NOW))
    assert (said.identity, said.hosts) == ("spiffe://truck/spy", ("spy.example",))
    assert not said.authority


def test_a_request_that_was_changed_is_refused(folder, tmp_path):
    asked = request(tmp_path / "there", Wanted("cross"))
    text = asked.read_text().splitlines()
    text[3] = text[3][:10] + ("A" if text[3][10] != "A" else "B") + text[3][11:]
    asked.write_text("\n".join(text))
    with pytest.raises(SecurityError, match="changed on its way"):
        grant(folder, asked, now=NOW)


def test_asking_twice_keeps_the_key(tmp_path):
    request(tmp_path, Wanted("cross"))
    key = (tmp_path / "cross.key").read_bytes()
    request(tmp_path, Wanted("cross"))
    assert (tmp_path / "cross.key").read_bytes() == key


@pytest.mark.parametrize("name", ["", "../x", "Rail", "a" * 64, "a b", "-a", "ä"])
def test_a_name_that_does_not_fit_into_an_identity_is_refused(folder, name):
    with pytest.raises(UsageError, match="identity"):
        issue(folder, Wanted(name), now=NOW)


def test_tls_takes_the_pair_and_the_authority(tmp_path):
    """With Python's own TLS, both sides in memory, strictly verified."""
    make_ca(tmp_path, "truck")
    for who in ("rail", "integrator"):
        issue(tmp_path, Wanted(who))
    server = _context(tmp_path, "rail", ssl.PROTOCOL_TLS_SERVER)
    client = _context(tmp_path, "integrator", ssl.PROTOCOL_TLS_CLIENT)
    ends = [ssl.MemoryBIO() for _ in range(4)]
    a = server.wrap_bio(ends[0], ends[1], server_side=True)
    b = client.wrap_bio(ends[2], ends[3], server_hostname="localhost")
    for _ in range(4):
        for end in (b, a):
            _try(end)
            ends[0].write(ends[3].read())
            ends[2].write(ends[1].read())
    assert a.version() == "TLSv1.3"
    assert ("URI", "spiffe://truck/integrator") in a.getpeercert()["subjectAltName"]


def _try(end):
    with contextlib.suppress(ssl.SSLWantReadError):
        end.do_handshake()


def _context(folder, who, side):
    made = ssl.SSLContext(side)
    made.load_cert_chain(folder / f"{who}.pem", folder / f"{who}.key")
    made.load_verify_locations(folder / "ca.pem")
    made.verify_mode = ssl.CERT_REQUIRED
    made.verify_flags |= ssl.VERIFY_X509_STRICT
    return made


def test_from_the_command_line(tmp_path, capsys):
    def call(*args):
        return main(["cert", *args])

    home = ("--folder", str(tmp_path))
    assert call("ca", "truck", *home) == 0
    assert call("issue", "rail", "--host", "rail.example", *home) == 0
    assert call("renew", str(tmp_path / "rail.pem"), "--new-key") == 0
    there = ("--folder", str(tmp_path / "there"))
    assert call("request", "cross", *there) == 0
    assert call("issue", str(tmp_path / "there" / "cross.csr"), *home) == 0
    capsys.readouterr()
    assert call("renew", str(tmp_path / "cross.pem")) == 0
    said = capsys.readouterr().out
    assert "send it to the partner" in said
    assert "cross.key" not in said, "it is the partner's"
    assert not (tmp_path / "cross.key").exists()
    assert call("show", str(tmp_path / "there" / "cross.csr")) == 0
    said = capsys.readouterr().out
    asked = load_request(tmp_path / "there" / "cross.csr")
    for word in ("CN=cross", "localhost, 127.0.0.1", fingerprint(asked)):
        assert word in said
    assert call("show", str(tmp_path / "rail.pem")) == 0
    said = capsys.readouterr().out
    assert "spiffe://truck/rail" in said
    assert "dates, key, authority checked" in said
