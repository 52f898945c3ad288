"""Certificates for tests: an authority, and what it signs."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bondline.remote.trust.tls import Credentials


@dataclass(frozen=True)
class Authority:
    folder: Path
    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate

    @property
    def pem(self) -> Path:
        return self.folder / "ca.pem"

    def issue(
        self,
        name: str,
        days: float = 30.0,
        late: float = 0.0,
        ids: tuple[str, ...] | None = None,
        addresses: tuple[str, ...] = ("127.0.0.1",),
    ) -> Credentials:
        """For `name`, from `late` days ago on; the server's is good for loopback."""
        key = ec.generate_private_key(ec.SECP256R1())
        ids = (f"spiffe://test/{name}",) if ids is None else ids
        names = [
            *map(x509.UniformResourceIdentifier, ids),
            x509.DNSName("localhost"),
            *(x509.IPAddress(ipaddress.ip_address(a)) for a in addresses),
        ]
        made = (
            _builder(name, self.certificate.subject, key, days, late)
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(x509.BasicConstraints(False, None), critical=True)
            .sign(self.key, hashes.SHA256())
        )
        cert, secret = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
        _write_key(secret, key)
        return Credentials(cert, secret, self.pem)


def authority(folder: Path, name: str = "authority") -> Authority:
    folder.mkdir(parents=True, exist_ok=True)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    made = (
        _builder(name, subject, key, 365.0, 0.0)
        .add_extension(x509.BasicConstraints(True, None), critical=True)
        .sign(key, hashes.SHA256())
    )
    found = Authority(folder, key, made)
    found.pem.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return found


def _builder(
    name: str,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    days: float,
    late: float,
) -> x509.CertificateBuilder:
    begin = datetime.now(UTC) - timedelta(days=late, minutes=5)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(begin + timedelta(days=days))
    )


def _write_key(path: Path, key: ec.EllipticCurvePrivateKey) -> None:
    text = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.touch(mode=0o600)
    path.write_bytes(text)
