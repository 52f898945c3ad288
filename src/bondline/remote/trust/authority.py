"""A project's certificate authority, and the certificates it gives to partners.

A partner is known by the URI in its certificate, `spiffe://PROJECT/PARTNER`; policies
name it. Certificates are short-lived: there is no revocation list, they run out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bondline.errors import SecurityError, UsageError
from bondline.remote.trust.certificates import (
    load_certificate,
    load_key,
    load_request,
    why_refused,
)
from bondline.remote.trust.files import PRIVATE, write_new, write_over
from bondline.remote.trust.signing import (
    begun,
    common_name,
    host,
    hosts_of,
    key_pem,
    named,
    new_private_key,
    pem_of,
    signed,
    spoken_for,
)

LEAF_DAYS, CA_DAYS = 90, 1095
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


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
    name = named(project, "authority")
    spoken = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    builder = (
        begun(name, name, key.public_key(), start, start + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(spoken, critical=True)
        .add_extension(spoken_for(f"spiffe://{project}"), critical=False)
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
        [x509.UniformResourceIdentifier(identity), *map(host, wanted.hosts)]
    )
    key = _own_key(files)
    subject = named(_project(ca).removeprefix("spiffe://"), wanted.partner)
    dates = _dates(ca, wanted.days, now)
    made = signed(ca, signer, subject, names, key.public_key(), dates)
    _write(files, made, key)
    return files


def request(folder: Path, wanted: Wanted) -> Path:
    """A partner's request for a certificate, PARTNER.csr; its key stays here."""
    _check_name("partner", wanted.partner)
    files = pair(folder, wanted.partner)
    _check_free(files)
    key = _own_key(files)
    names = x509.SubjectAlternativeName([host(one) for one in wanted.hosts])
    asked = (
        x509.CertificateSigningRequestBuilder()
        .subject_name(
            x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, wanted.partner)])
        )
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{wanted.partner}.csr"
    if not files.key.exists():
        write_new(files.key, key_pem(key), PRIVATE)
    write_over(path, asked.public_bytes(serialization.Encoding.PEM))
    return path


def grant(
    folder: Path, asked: Path, days: float = LEAF_DAYS, now: datetime | None = None
) -> Path:
    """The certificate that a request asks for, beside the authority; without a key.

    Of the request only its key, the partner's name and its hosts are taken.
    """
    said = load_request(asked)
    partner = common_name(said)
    _check_name("partner", partner)
    files = pair(folder, partner)
    _check_free(files)
    ca, signer = _authority(folder, now)
    key = said.public_key()
    if not isinstance(key, ec.EllipticCurvePublicKey):
        raise SecurityError(
            str(asked),
            f"{type(key).__name__} is no key of an elliptic curve.",
            "Let bondline cert request make one.",
        )
    own = x509.UniformResourceIdentifier(f"{_project(ca)}/{partner}")
    names = x509.SubjectAlternativeName([own, *hosts_of(said)])
    subject = named(_project(ca).removeprefix("spiffe://"), partner)
    made = signed(ca, signer, subject, names, key, _dates(ca, days, now))
    write_new(files.certificate, pem_of(made))
    return files.certificate


def renew(
    certificate: Path,
    days: float = LEAF_DAYS,
    new_key: bool = False,
    now: datetime | None = None,
) -> Pair:
    """The same partner, the same names, later dates; the file is replaced at once.

    With the same key, which need not be here, one file changes, so that a server that
    reads both always finds a pair. A new key is written first; if the machine dies
    between the two, `show` says that they do not belong together, and renewing again
    mends it.
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
    key = new_private_key() if new_key else None
    public = key.public_key() if key else old.public_key()
    assert isinstance(public, ec.EllipticCurvePublicKey), "we gave it"
    names = old.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    made = signed(ca, signer, old.subject, names, public, _dates(ca, days, now))
    if key:
        write_over(files.key, key_pem(key), PRIVATE)
    write_over(files.certificate, pem_of(made))
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


def _write(
    files: Pair, made: x509.Certificate, key: ec.EllipticCurvePrivateKey
) -> None:
    write_new(files.key, key_pem(key), PRIVATE)
    write_new(files.certificate, pem_of(made))


def _own_key(files: Pair) -> ec.EllipticCurvePrivateKey:
    """A new key; or one without a certificate, from a command that was cut short."""
    return load_key(files.key) if files.key.exists() else new_private_key()


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
