"""Certificates and keys of one end of a connection."""

from __future__ import annotations

import ipaddress
import ssl
import stat
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import grpc
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from bondline.errors import SettingError

T = TypeVar("T")
_RENEWAL = 0.2  # s between the new key and the new certificate, at most


@dataclass(frozen=True)
class Credentials:
    """Where the own certificate and key are, and the authority to believe."""

    cert: Path
    key: Path
    ca: Path

    def for_server(self) -> grpc.ServerCredentials:
        """Clients must show a certificate; renewed files are taken up at once."""
        first, read = self.files(), self._changed()

        def fresh() -> grpc.ServerCertificateConfiguration | None:
            files = read()
            return None if files is None else _configuration(files)

        return grpc.dynamic_ssl_server_credentials(
            _configuration(first),
            fresh,  # type: ignore[arg-type] # None is allowed: nothing new
            require_client_authentication=True,
        )

    def for_channel(self) -> grpc.ChannelCredentials:
        """A client with a certificate of its own."""
        try:
            key, cert, ca = self.files()
        except SettingError:  # they may be renewed just now
            time.sleep(_RENEWAL)
            key, cert, ca = self.files()
        return grpc.ssl_channel_credentials(ca, key, cert)

    def for_socket(self) -> ssl.SSLContext:
        """The same for a socket of our own, which speaks HTTP/2."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # as gRPC: ca is enough
        context.set_alpn_protocols(["h2"])
        try:
            self._load(context)
        except SettingError:  # they may be renewed just now
            time.sleep(_RENEWAL)
            self._load(context)
        return context

    def _load(self, context: ssl.SSLContext) -> None:
        self.files()
        try:
            context.load_verify_locations(self.ca)
            context.load_cert_chain(self.cert, self.key)
        except OSError as error:  # OpenSSL's own, too: gRPC takes weaker keys
            raise SettingError(
                str(self.cert),
                f"OpenSSL does not take it with {self.key} and {self.ca} ({error}).",
                "Have it made anew (bondline cert renew), with a key of 2048 bits or "
                "more, if it is an RSA key.",
            ) from error

    def files(self) -> tuple[bytes, bytes, bytes]:
        """Key, certificate and authority; a key that others may read is refused.

        So is what is no certificate or not its key: gRPC would abort, or not say why.
        """
        mode = _taken(self.key, lambda p: p.stat().st_mode)
        if stat.S_IMODE(mode) & 0o077:
            raise SettingError(
                str(self.key),
                "others on this machine may read the key.",
                f"chmod 600 {self.key}",
            )
        key, cert, ca = (_taken(p, Path.read_bytes) for p in self._all)
        own, _ = _certificate(self.cert, cert), _certificate(self.ca, ca)
        self._check_key(key, own)
        return key, cert, ca

    def _check_key(self, data: bytes, own: x509.Certificate) -> None:
        try:
            public = load_pem_private_key(data, None).public_key()
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise SettingError(
                str(self.key),
                f"there is no private key in it ({len(data)} bytes), or it wants a "
                "password.",
                "Give the key as a PEM file without a password; bondline cert request "
                "makes one.",
            ) from None
        if public != own.public_key():
            raise SettingError(
                str(self.key),
                f"it is not the key of {self.cert} ({own.subject.rfc4514_string()}).",
                "Give the certificate and the key that were made together; bondline "
                "cert show tells whose a certificate is.",
            )

    @property
    def _all(self) -> tuple[Path, Path, Path]:
        return self.key, self.cert, self.ca

    def _changed(self) -> Callable[[], tuple[bytes, bytes, bytes] | None]:
        known = [_stamp(p) for p in self._all]

        def read() -> tuple[bytes, bytes, bytes] | None:
            nonlocal known
            now = [_stamp(p) for p in self._all]
            if now == known or None in now:
                return None
            try:
                files = self.files()
            except SettingError:
                return None  # half written, or of no use: the old ones go on
            known = now
            return files

        return read


def loopback(address: str) -> bool:
    """Whether `host:port` is on this machine."""
    place = address.rpartition(":")[0].strip("[]")
    try:
        return ipaddress.ip_address(place).is_loopback
    except ValueError:
        return place == "localhost"


def _certificate(path: Path, data: bytes) -> x509.Certificate:
    """The first one in a PEM file."""
    try:
        return x509.load_pem_x509_certificates(data)[0]
    except ValueError:
        raise SettingError(
            str(path),
            f"there is no certificate in it ({len(data)} bytes), or it is damaged.",
            "Give a PEM file that begins with -----BEGIN CERTIFICATE-----; bondline "
            "cert makes them (cert ca, cert request, cert issue).",
        ) from None


def _configuration(
    files: tuple[bytes, bytes, bytes],
) -> grpc.ServerCertificateConfiguration:
    key, cert, ca = files
    return grpc.ssl_server_certificate_configuration([(key, cert)], ca)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        seen = path.stat()
    except OSError:
        return None
    return seen.st_mtime_ns, seen.st_size


def _taken(path: Path, how: Callable[[Path], T]) -> T:
    try:
        return how(path)
    except OSError as error:
        raise SettingError(
            str(path),
            f"it cannot be read ({error.strerror}).",
            "Give the certificate, its key and the authority as PEM files.",
        ) from error
