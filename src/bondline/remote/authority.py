"""A project's certificate authority, and the certificates it gives to partners.

A partner is known by the URI in its certificate, `spiffe://PROJECT/PARTNER`; policies
name it. Certificates are short-lived: there is no revocation list, they run out.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from bondline.errors import SecurityError, UsageError
from bondline.remote.certificates import (
    load_certificate,
    load_key,
    why_refused,
)
from bondline.remote.files import PRIVATE, write_new, write_over

LEAF_DAYS, CA_DAYS = 90, 1095
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
_SKEW = timedelta(minutes=5)  # clocks differ


@dataclass(frozen=True, slots=True)
class Pair:
    """A certificate and the key that belongs to it."""

    certificate: Path
    key: Path


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a partner's certificate shall say; hosts are DNS names and IP addresses."""

    partner: str
    hosts: Sequence[str] = ("localhost", "127.0.0.1", "::1")
    days: float = LEAF_DAYS


def pair(folder: Path, name: str) -> Pair:
    """Where the certificate and the key of that name are."""
    return Pair(folder / f"{name}.pem", folder / f"{name}.key")


def make_ca(
    folder: Path, project: str, days: float = CA_DAYS, now: datetime | None = None
) -> Pair:
    """A new authority for one project, as `ca.pem` and `ca.key`."""
    _check_name("project", project)
    files = pair(folder, "ca")
    _check_free(files)
    key, start = _own_key(files), now or datetime.now(UTC)
    name = _named(project, "authority")
    spoken = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    builder = (
        _begun(name, name, key, start, start + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(spoken, critical=True)
        .add_extension(_spoken_for(f"spiffe://{project}"), critical=False)
    )
    _write(files, builder.sign(key, hashes.SHA256()), key)
    return files


def issue(folder: Path, wanted: Wanted, now: datetime | None = None) -> Pair:
    """A certificate for a partner, signed by the authority in `folder`."""
    _check_name("partner", wanted.partner)
    files = pair(folder, wanted.partner)
    _check_free(files)
    ca, signer = _authority(folder, now)
    identity = f"{_project(ca)}/{wanted.partner}"
    names = x509.SubjectAlternativeName(
        [x509.UniformResourceIdentifier(identity), *map(_host, wanted.hosts)]
    )
    key = _own_key(files)
    subject = _named(_project(ca).removeprefix("spiffe://"), wanted.partner)
    made = _signed(ca, signer, subject, names, key, _dates(ca, wanted.days, now))
    _write(files, made, key)
    return files


def renew(
    certificate: Path,
    days: float = LEAF_DAYS,
    new_key: bool = False,
    now: datetime | None = None,
) -> Pair:
    """The same partner, the same names, later dates; the file is replaced at once.

    With the same key one file changes, so that a server that reads both always finds a
    pair. A new key is written first; if the machine dies between the two, `show` says
    that they do not belong together, and renewing again mends it.
    """
    files = pair(certificate.parent, certificate.stem)
    old = load_certificate(files.certificate)
    ca, signer = _authority(certificate.parent, now)
    if old.issuer != ca.subject:
        raise SecurityError(
            str(certificate),
            f"it was given by {old.issuer.rfc4514_string()}, not by the authority "
            f"here, {ca.subject.rfc4514_string()}.",
            "Renew it where its authority is.",
        )
    key = _new_key() if new_key else load_key(files.key)
    names = old.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    made = _signed(ca, signer, old.subject, names, key, _dates(ca, days, now))
    if new_key:
        write_over(files.key, _key_bytes(key), PRIVATE)
    write_over(files.certificate, _bytes(made))
    return files


def _authority(
    folder: Path, now: datetime | None
) -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    files = pair(folder, "ca")
    if not files.certificate.exists():
        raise SecurityError(
            str(folder),
            "there is no authority (ca.pem, ca.key) in this folder.",
            "Make one: bondline cert ca PROJECT.",
        )
    reason = why_refused(files.certificate, files.key, files.certificate, now)
    if reason:
        raise SecurityError(
            str(files.certificate), reason, "Make a new authority: bondline cert ca."
        )
    return load_certificate(files.certificate), load_key(files.key)


def _project(ca: x509.Certificate) -> str:
    """`spiffe://PROJECT`."""
    names = ca.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return names.get_values_for_type(x509.UniformResourceIdentifier)[0]


def _dates(
    ca: x509.Certificate, days: float, now: datetime | None
) -> tuple[datetime, datetime]:
    start = now or datetime.now(UTC)
    return start, min(start + timedelta(days=days), ca.not_valid_after_utc)


def _begun(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    start: datetime,
    end: datetime,
) -> x509.CertificateBuilder:
    own = x509.SubjectKeyIdentifier.from_public_key(key.public_key())
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start - _SKEW)
        .not_valid_after(end)
        .add_extension(own, critical=False)
    )


def _signed(
    ca: x509.Certificate,
    signer: ec.EllipticCurvePrivateKey,
    subject: x509.Name,
    names: x509.SubjectAlternativeName,
    key: ec.EllipticCurvePrivateKey,
    dates: tuple[datetime, datetime],
) -> x509.Certificate:
    spoken = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
    both = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    above = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
    return (
        _begun(subject, ca.subject, key, *dates)
        .add_extension(above, critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(spoken, critical=True)
        .add_extension(x509.ExtendedKeyUsage(both), critical=False)
        .add_extension(names, critical=False)
        .sign(signer, hashes.SHA256())
    )


def _write(
    files: Pair, made: x509.Certificate, key: ec.EllipticCurvePrivateKey
) -> None:
    write_new(files.key, _key_bytes(key), PRIVATE)
    write_new(files.certificate, _bytes(made))


def _bytes(made: x509.Certificate) -> bytes:
    return made.public_bytes(serialization.Encoding.PEM)


def _key_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _own_key(files: Pair) -> ec.EllipticCurvePrivateKey:
    """A new key; or one without a certificate, from a command that was cut short."""
    return load_key(files.key) if files.key.exists() else _new_key()


def _new_key() -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def _named(project: str, who: str) -> x509.Name:
    return x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, project),
            x509.NameAttribute(NameOID.COMMON_NAME, who),
        ]
    )


def _spoken_for(identity: str) -> x509.SubjectAlternativeName:
    return x509.SubjectAlternativeName([x509.UniformResourceIdentifier(identity)])


def _host(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _check_name(what: str, name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{what} {name!r}",
            "it goes into a certificate's identity, and does not fit there.",
            "Use small letters, digits, - and _; at most 63, starting with no sign.",
        )


def _check_free(files: Pair) -> None:
    if files.certificate.exists():
        raise UsageError(
            str(files.certificate),
            "there is such a file already; nothing is overwritten.",
            "Renew a certificate with bondline cert renew, or choose another "
            "folder with --folder.",
        )
