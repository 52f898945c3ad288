"""Why two sides do not trust each other: which certificate is wrong, and how.

gRPC says "Socket closed" whatever went wrong. So after a failure we look ourselves: at
our own files, and at what the server shows when it is asked without any trust.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from cryptography import x509
from cryptography.exceptions import InvalidSignature

from bondline.remote.trust.address import there
from bondline.remote.trust.tls import Credentials

_PATIENCE = 3.0  # s
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong with which certificate, and what to do."""

    finding: str
    remedy: str


def diagnose(
    secrets: Credentials, address: str, server_name: str = ""
) -> Trouble | None:
    """The first thing that is wrong, as far as it can be seen from here.

    It counts if a second look finds it as well: a line that breaks or flips a bit while
    we look also seems to distrust somebody, and only time will mend that.
    """
    found = next(_troubles(secrets, address, server_name), None)
    if found is None:
        return None
    again = next(_troubles(secrets, address, server_name), None)
    return found if found == again else None


def _troubles(secrets: Credentials, address: str, name: str) -> Iterator[Trouble]:
    now = datetime.now(UTC)
    own, authorities = _read(secrets.cert), _read(secrets.ca)
    if not own or not authorities:
        yield Trouble(
            f"{secrets.cert if not own else secrets.ca} is no certificate.",
            "Give PEM files.",
        )
        return
    mend = f"Have {secrets.cert} renewed (bondline cert renew), then go on."
    yield from _expired("your certificate", own[0], now, mend)
    yield from _unsigned("your certificate", own[0], authorities, secrets.ca)
    place = there(address)
    shown = _shown(place)
    if isinstance(shown, Trouble):
        yield shown
    if not isinstance(shown, x509.Certificate):
        return  # nobody there: then trust is not the trouble
    mend = "Ask its owner to have it renewed (bondline cert renew)."
    yield from _expired("the server's certificate", shown, now, mend)
    yield from _unsigned("the server's certificate", shown, authorities, secrets.ca)
    yield from _misnamed(shown, name or place[0])
    if not _accepted(place, secrets):
        yield Trouble(
            f"the server does not accept your certificate ({_who(own[0])}).",
            "Ask its owner whether --client-ca is the authority that signed it.",
        )
    yield from _nameless(own[0])


def unsafe(address: str) -> Trouble | None:
    """What is wrong with a plain connection: the server may want TLS."""
    if not isinstance(_shown(there(address)), x509.Certificate):
        return None
    return Trouble(
        "the server speaks TLS, and the placement says insecure = true.",
        "Take that away, and give cert, key and ca.",
    )


def _read(path: Path) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(path.read_bytes())
    except (OSError, ValueError):
        return []


def _expired(
    whose: str, seen: x509.Certificate, now: datetime, mend: str
) -> Iterator[Trouble]:
    begin, end = seen.not_valid_before_utc, seen.not_valid_after_utc
    if now > end:
        yield Trouble(
            f"{whose} ({_who(seen)}) expired on {end:%Y-%m-%d %H:%M} UTC.",
            mend,
        )
    if now < begin:
        yield Trouble(
            f"{whose} ({_who(seen)}) is not valid before {begin:%Y-%m-%d %H:%M} UTC.",
            "Check the clock of this machine, or wait.",
        )


def _unsigned(
    whose: str, seen: x509.Certificate, authorities: list[x509.Certificate], ca: Path
) -> Iterator[Trouble]:
    if not any(_signed(seen, authority) for authority in authorities):
        issuer = seen.issuer.rfc4514_string()
        yield Trouble(
            f"{whose} ({_who(seen)}) was signed by {issuer}, which is not in {ca}.",
            "Both sides must belong to the authority of the project: look at cert and "
            "ca in the placement file, under the part if it has its own there, else "
            "under [client].",
        )


def _signed(seen: x509.Certificate, authority: x509.Certificate) -> bool:
    try:
        seen.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature):
        return False
    return True


def _misnamed(seen: x509.Certificate, name: str) -> Iterator[Trouble]:
    names = _names(seen)
    if name not in names:
        yield Trouble(
            f"the server's certificate is for {', '.join(names) or 'nobody'}, "
            f"not for {name}.",
            "Give one of those names as server_name in the placement file.",
        )


def _nameless(own: x509.Certificate) -> Iterator[Trouble]:
    """A partner is named by exactly one SPIFFE id."""
    kind = x509.SubjectAlternativeName
    try:
        known = own.extensions.get_extension_for_class(kind).value
        uris = known.get_values_for_type(x509.UniformResourceIdentifier)
    except x509.ExtensionNotFound:
        uris = []
    if len(uris) != 1 or not uris[0].startswith("spiffe://"):
        found = f"it has {', '.join(uris)}" if uris else "it has no spiffe:// id"
        yield Trouble(
            f"your certificate ({_who(own)}) carries no partner name: {found}.",
            "Have one made with exactly one spiffe:// id: bondline cert issue.",
        )


def _names(seen: x509.Certificate) -> list[str]:
    try:
        known = seen.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return []
    dns = known.value.get_values_for_type(x509.DNSName)
    addresses = known.value.get_values_for_type(x509.IPAddress)
    return [*dns, *map(str, addresses)]


def _who(seen: x509.Certificate) -> str:
    return seen.subject.rfc4514_string()


def _told(
    context: ssl.SSLContext, there: tuple[str, int], ask: Callable[[ssl.SSLObject], T]
) -> T:
    """The answer after a handshake.

    Not by `wrap_socket`, which leaves a connection open that is reset at once.
    """
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    safe = context.wrap_bio(incoming, outgoing, server_hostname=there[0])
    with socket.create_connection(there, _PATIENCE) as raw:
        while True:
            try:
                safe.do_handshake()
                return ask(safe)
            except ssl.SSLWantReadError:
                raw.sendall(outgoing.read())
                if data := raw.recv(65536):
                    incoming.write(data)
                else:
                    incoming.write_eof()


def _shown(there: tuple[str, int]) -> x509.Certificate | Trouble | None:
    """What the server shows to anybody; nothing is believed."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        data = _told(context, there, lambda safe: safe.getpeercert(binary_form=True))
    except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
        return None  # cut, by whatever is between
    except ssl.SSLError:
        return Trouble(
            "the server does not speak TLS.",
            "It was started with --insecure-loopback, or is something else.",
        )
    except OSError:
        return None
    try:
        return None if data is None else x509.load_der_x509_certificate(data)
    except ValueError:
        return None  # changed on its way


def _accepted(there: tuple[str, int], secrets: Credentials) -> bool:
    """Whether the server goes on after it has seen our certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    try:
        context.load_cert_chain(secrets.cert, secrets.key)
        # HTTP/2 servers speak first
        return bool(_told(context, there, lambda safe: safe.read(1)))
    except (ConnectionRefusedError, TimeoutError):
        return True  # nobody is there any more, or nobody answers: no matter of trust
    except OSError:
        return False
