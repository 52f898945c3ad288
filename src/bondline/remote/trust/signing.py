"""How certificates are put together and signed."""

from __future__ import annotations

import ipaddress
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_SKEW = timedelta(minutes=5)  # clocks differ


def common_name(said: x509.CertificateSigningRequest) -> str:
    """The one name that a request is for; empty if there is none."""
    found = said.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    return str(found[0].value) if len(found) == 1 else ""


def hosts_of(said: x509.CertificateSigningRequest) -> list[x509.GeneralName]:
    """DNS names and addresses that a request names: never an identity."""
    try:
        names = said.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return []
    return [n for n in names.value if isinstance(n, x509.DNSName | x509.IPAddress)]


def begun(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    start: datetime,
    end: datetime,
) -> x509.CertificateBuilder:
    """What all certificates say."""
    own = x509.SubjectKeyIdentifier.from_public_key(key)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(start - _SKEW)
        .not_valid_after(end)
        .add_extension(own, critical=False)
    )


def signed(
    ca: x509.Certificate,
    signer: ec.EllipticCurvePrivateKey,
    subject: x509.Name,
    names: x509.SubjectAlternativeName,
    key: ec.EllipticCurvePublicKey,
    dates: tuple[datetime, datetime],
) -> x509.Certificate:
    """A partner's certificate."""
    spoken = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
    both = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
    above = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
    return (
        begun(subject, ca.subject, key, *dates)
        .add_extension(above, critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(spoken, critical=True)
        .add_extension(x509.ExtendedKeyUsage(both), critical=False)
        .add_extension(names, critical=False)
        .sign(signer, hashes.SHA256())
    )


def pem_of(made: x509.Certificate) -> bytes:
    """A certificate as a file has it."""
    return made.public_bytes(serialization.Encoding.PEM)


def key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    """A key as a file has it."""
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def new_private_key() -> ec.EllipticCurvePrivateKey:
    """A new key, of the curve that every TLS knows."""
    return ec.generate_private_key(ec.SECP256R1())


def named(project: str, who: str) -> x509.Name:
    """Project and partner as a subject."""
    return x509.Name(
        [
            x509.NameAttribute(NameOID.ORGANIZATION_NAME, project),
            x509.NameAttribute(NameOID.COMMON_NAME, who),
        ]
    )


def spoken_for(identity: str) -> x509.SubjectAlternativeName:
    """An identity as a name."""
    return x509.SubjectAlternativeName([x509.UniformResourceIdentifier(identity)])


def host(text: str) -> x509.GeneralName:
    """A DNS name, or an address."""
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)
