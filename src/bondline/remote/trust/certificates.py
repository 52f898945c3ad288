"""Certificates as they are read: what they say, and what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from bondline.errors import BondlineError, SecurityError
from bondline.remote.trust.files import read_private, unreadable

SOON = (30, 7, 1)  # days before the end at which to warn


@dataclass(frozen=True, slots=True)
class Facts:
    """What a certificate says."""

    subject: str
    identity: str  # the URI that policies name; "" if there is none
    hosts: tuple[str, ...]
    issuer: str
    start: datetime
    end: datetime
    fingerprint: str  # SHA-256 of the certificate, hex
    authority: bool

    def days_left(self, now: datetime) -> float:
        """Until it runs out; negative if it did."""
        return (self.end - now).total_seconds() / 86400.0


def facts(certificate: Path) -> Facts:
    """What the certificate in a file says."""
    return facts_of(load_certificate(certificate))


def facts_of(made: x509.Certificate) -> Facts:
    """What a certificate says."""
    uris, hosts = _names(made)
    return Facts(
        made.subject.rfc4514_string(),
        uris[0] if uris else "",
        hosts,
        made.issuer.rfc4514_string(),
        made.not_valid_before_utc,
        made.not_valid_after_utc,
        made.fingerprint(hashes.SHA256()).hex(),
        _is_authority(made),
    )


def why_refused(
    certificate: Path, key: Path | None, ca: Path | None, now: datetime | None = None
) -> str | None:
    """What makes the other side refuse this certificate, in one sentence; or None.

    TLS itself says "socket closed". This looks at the files: can they be read, is the
    key private and does it belong, is the certificate in its time, and is it from this
    authority.
    """
    at = now or datetime.now(UTC)
    try:
        made = load_certificate(certificate)
        own = None if key is None else load_key(key)
        above = None if ca is None else load_certificate(ca)
    except BondlineError as error:
        return f"{error.place}: {error.finding}"
    return (
        _out_of_time(certificate, made, at)
        or (_wrong_key(certificate, key, made, own) if own and key else None)
        or (_wrong_ca(certificate, ca, made, above, at) if above and ca else None)
    )


def warning(certificate: Path, now: datetime | None = None) -> str | None:
    """A word in time: 30, 7 and 1 days before a certificate runs out."""
    said = facts(certificate)
    left = said.days_left(now or datetime.now(UTC))
    if not 0.0 < left <= SOON[0]:
        return None
    day = "day" if 1 <= left < 2 else "days"
    shown = f"{int(left)} {day}" if left >= 1 else f"{24 * left:.0f} hours"
    return (
        f"{certificate.name} runs out in {shown}, on {said.end:%Y-%m-%d}: "
        "bondline cert renew."
    )


def load_certificate(path: Path) -> x509.Certificate:
    """The first certificate in a PEM file."""
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError as error:
        raise SecurityError(
            str(path),
            "there is no certificate in this file.",
            "Give a PEM file that starts with -----BEGIN CERTIFICATE-----.",
        ) from error


def load_request(path: Path) -> x509.CertificateSigningRequest:
    """A request for a certificate, signed with the key it asks for."""
    try:
        said = x509.load_pem_x509_csr(path.read_bytes())
        sound = said.is_signature_valid
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError:
        sound = False
    if not sound:
        raise SecurityError(
            str(path),
            "there is no request in this file, or it was changed on its way.",
            "Let the partner send what bondline cert request wrote, once more.",
        )
    return said


def fingerprint(said: x509.CertificateSigningRequest) -> str:
    """SHA-256 of a request, hex: what two people compare on the telephone."""
    return sha256(said.public_bytes(serialization.Encoding.DER)).hexdigest()


def load_key(path: Path) -> ec.EllipticCurvePrivateKey:
    """A private key that nobody else can read."""
    data = read_private(path)
    try:
        key = serialization.load_pem_private_key(data, None)
    except (ValueError, TypeError) as error:
        raise SecurityError(
            str(path),
            "there is no private key in this file, or it wants a password.",
            "Give a PEM file without a password that starts with "
            "-----BEGIN PRIVATE KEY-----.",
        ) from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise SecurityError(
            str(path),
            f"{type(key).__name__} is no key of an elliptic curve.",
            "Let bondline cert issue make a pair.",
        )
    return key


def _names(made: x509.Certificate) -> tuple[list[str], tuple[str, ...]]:
    try:
        kind = x509.SubjectAlternativeName
        names = made.extensions.get_extension_for_class(kind).value
    except x509.ExtensionNotFound:
        return [], ()
    dns = names.get_values_for_type(x509.DNSName)
    ips = map(str, names.get_values_for_type(x509.IPAddress))
    return names.get_values_for_type(x509.UniformResourceIdentifier), (*dns, *ips)


def _is_authority(made: x509.Certificate) -> bool:
    try:
        kind = x509.BasicConstraints
        return bool(made.extensions.get_extension_for_class(kind).value.ca)
    except x509.ExtensionNotFound:
        return False


def why_no_authority(path: Path) -> str | None:
    """Why nobody can be known by the certificates in that file; None: they can.

    A server that believed one that signs nothing would send everybody away.
    """
    found = x509.load_pem_x509_certificates(path.read_bytes())
    if any(map(_is_authority, found)):
        return None
    return f"{path.name} ({_who(found[0])}) is no authority: it signs nobody."


def _out_of_time(path: Path, made: x509.Certificate, now: datetime) -> str | None:
    start, end = made.not_valid_before_utc, made.not_valid_after_utc
    if now > end:
        return (
            f"{path.name} ({_who(made)}) ran out on {end:%Y-%m-%d %H:%M} UTC; "
            "renew it with bondline cert renew."
        )
    if now < start:
        return (
            f"{path.name} ({_who(made)}) is not valid before {start:%Y-%m-%d %H:%M} "
            f"UTC, and it is {now:%Y-%m-%d %H:%M} here; check the clock."
        )
    return None


def _wrong_key(
    path: Path, key: Path, made: x509.Certificate, own: ec.EllipticCurvePrivateKey
) -> str | None:
    if made.public_key() == own.public_key():
        return None
    return f"{key.name} is not the key of {path.name} ({_who(made)}); give its own."


def _wrong_ca(
    path: Path, ca: Path, made: x509.Certificate, above: x509.Certificate, now: datetime
) -> str | None:
    if not _is_authority(above):
        return f"{ca.name} ({_who(above)}) is no authority; give ca.pem."
    try:
        made.verify_directly_issued_by(above)
    except (ValueError, TypeError, InvalidSignature):
        return (
            f"{path.name} ({_who(made)}) was given by "
            f"{made.issuer.rfc4514_string()}, and not by this {ca.name} "
            f"({_who(above)}, {above.fingerprint(hashes.SHA256()).hex()[:16]}); "
            "both sides need the authority of one project."
        )
    return None if made == above else _out_of_time(ca, above, now)


def _who(made: x509.Certificate) -> str:
    return made.subject.rfc4514_string()
