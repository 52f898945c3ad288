"""Handshakes that failed, found in what gRPC writes to standard error.

Python's gRPC tells a server nothing of them; its core writes a line, without the
address. Told to trace handshakes it says why again, soon after, and with the address,
and much else that nobody wants to see:

    I1117 18:58:58.411952   21524 ssl_transport_security.cc:2563] Handshake failed with
        error SSL_ERROR_SSL: error:100000c0:SSL routines:OPENSSL_internal:REASON: words
    I1117 18:58:58.411976   21524 handshaker.cc:155] CallNextHandshakerLocked: error=
        UNKNOWN: Ssl handshake failed ...:OPENSSL_internal:REASON: words: OK
     shutdown=false index=2, args={..., endpoint_peer_address=ipv4:127.0.0.1:41128, ...}

A test with real certificates holds us to the spelling.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import NamedTuple
from urllib.parse import unquote

_HEAD = re.compile(rb"([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ ([\w.]+):\d+\] (.*)")
_WHY = rb".*?OPENSSL_internal:(\w+): ?([^:]*)"
_FAILED = re.compile(rb"Handshake failed with error " + _WHY)
_ENDED = re.compile(rb"CallNextHandshakerLocked: error=(?!OK )" + _WHY)
_PEER = re.compile(rb"endpoint_peer_address=(?:ipv[46]:)?([^\s,}]{1,100})")
_OURS = b"grpc.internal.server_credentials="  # of connections that others began
_REST = (b"=== Source Location Trace", b"src/core/", b" shutdown=")
_LETTERS = re.compile(rb"[IWEF]\d{0,4}")
_LATE = 0.3  # s after which an address will not come any more
_LONGEST = 65536  # bytes of a line that may still be one of gRPC's
_LEVELS = {"ERROR": "IW", "NONE": "IWEF"}  # what these hide
_TRACER = "handshaker"

_NO_TLS = "it speaks no TLS"
_OTHER = "its certificate is of another authority"
_WORDS = {
    "PEER_DID_NOT_RETURN_A_CERTIFICATE": "it showed no certificate",
    "WRONG_VERSION_NUMBER": _NO_TLS,
    "HTTP_REQUEST": _NO_TLS,
    "HTTPS_PROXY_REQUEST": _NO_TLS,
    "UNSUPPORTED_PROTOCOL": "it speaks no TLS 1.2 or newer",
    "NO_SHARED_CIPHER": "there is no cipher that both know",
}
_VERIFIED = {
    b"certificate has expired": "its certificate has expired",
    b"certificate is not yet valid": "its certificate is not valid yet",
    b"certificate signature failure": _OTHER,
    b"unable to get local issuer certificate": _OTHER,
    b"unable to get issuer certificate": _OTHER,
    b"unable to verify the first certificate": _OTHER,
    b"self signed certificate": _OTHER,
    b"self signed certificate in certificate chain": _OTHER,
}


class Failed(NamedTuple):
    """A handshake that failed: with whom, if that was told, and why."""

    peer: str  # host:port, or ""
    reason: str


@contextmanager
def traced() -> Iterator[str]:
    """gRPC, which must be imported in here for the first time, tells of handshakes.

    Gives the levels of its lines that the operator wants hidden (`IW`): where all
    but errors are, gRPC must say more than that.
    """
    if "grpc" in sys.modules:
        warnings.warn(
            "gRPC was imported too early to tell of failed handshakes: they will not "
            "be written down.",
            RuntimeWarning,
            stacklevel=3,
        )
    level = os.environ.get("GRPC_VERBOSITY", "").upper()
    hidden = _LEVELS.get(level, "")
    before = {name: os.environ.get(name) for name in ("GRPC_TRACE", "GRPC_VERBOSITY")}
    os.environ["GRPC_TRACE"] = ",".join(filter(None, (before["GRPC_TRACE"], _TRACER)))
    if hidden:
        os.environ["GRPC_VERBOSITY"] = "INFO"
    try:
        yield hidden
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


@dataclass
class Hearing:
    """Takes bytes as they come, gives back those that are not only for us."""

    hidden: str = ""  # levels of gRPC's lines that nobody wants to see
    clock: Callable[[], float] = monotonic
    failed: list[Failed] = field(default_factory=list)  # not yet taken
    _begun: bytes = b""  # a line
    _last: bytes = b""  # line, if it was only for us
    _ended: str = ""  # why a handshake did whose address comes next
    _reasons: list[tuple[float, str]] = field(default_factory=list)  # and since when

    @property
    def due(self) -> float | None:
        """Seconds until an address that may still come is late; None: none may."""
        if not self._reasons:
            return None
        return max(0.0, self._reasons[0][0] + _LATE - self.clock())

    def hear(self, raw: bytes) -> bytes:
        """What goes on to where it was meant to go."""
        *lines, begun = (self._begun + raw).split(b"\n")
        out = b"".join(map(self._passed, lines))
        if _may_begin(begun, bool(self._last)):
            self._begun = begun
            return out
        self._begun = b""  # prompts have no end: what is not gRPC's does not wait
        return out + begun

    def settle(self, over: bool = False) -> None:
        """Addresses that are late will not come any more."""
        while self._reasons and (over or not self.due):
            self.failed.append(Failed("", self._reasons.pop(0)[1]))

    def end(self) -> bytes:
        """The line that never ended."""
        rest, self._begun = self._begun, b""
        out = self._passed(rest).removesuffix(b"\n") if rest else b""
        self.settle(over=True)
        return out

    def taken(self) -> list[Failed]:
        """Those that failed since the last time."""
        found, self.failed = self.failed, []
        return found

    def _passed(self, line: bytes) -> bytes:
        """What others see of a line."""
        head = _HEAD.search(line)
        if head is None and not self._goes_on(line):
            self._last = b""
            return line + b"\n"
        self._last = line
        if head is None:
            self._told_where(line)
            return b""
        if self._ours(head):
            return line[: head.start()]  # somebody else's, who did not end it
        self._last = b""
        return line[: head.start()] if self._unwanted(head) else line + b"\n"

    def _goes_on(self, line: bytes) -> bool:
        """Whether it belongs to what was only for us."""
        after = not line.strip() and self._last.startswith(_REST[1])
        return bool(self._last) and (after or line.startswith(_REST))

    def _ours(self, head: re.Match[bytes]) -> bool:
        """Whether a line is there only because we asked; look at it."""
        _, file, words = head.groups()
        if _trace(file, words):
            ended = _ENDED.match(words)
            self._ended = _reason(ended) if ended else ""
            self._told_where(words)
            return True
        failed = _FAILED.match(words) if file.startswith(b"ssl_transport") else None
        if failed is not None:
            self._reasons.append((self.clock(), _reason(failed)))
        return False

    def _unwanted(self, head: re.Match[bytes]) -> bool:
        return head[1].decode("ascii") in self.hidden

    def _told_where(self, words: bytes) -> None:
        """Where the handshake was whose arguments these are, if it failed."""
        if not self._ended or b"args={" not in words:
            return
        why, self._ended = self._ended, ""
        for k, (_, known) in enumerate(self._reasons):
            if known == why:
                del self._reasons[k]
                peer = _PEER.search(words)
                if _OURS in words:  # else we are the one who was refused
                    self.failed.append(Failed(_place(peer[1]) if peer else "", why))
                return


def _reason(found: re.Match[bytes]) -> str:
    return reason(found[1].decode("ascii", "replace"), found[2])


def reason(name: str, words: bytes) -> str:
    """What BoringSSL calls a failure, in our words."""
    if name in ("CERTIFICATE_VERIFY_FAILED", "BAD_SIGNATURE"):
        return _VERIFIED.get(words.strip(), "its certificate does not hold")
    if "_ALERT_" in name:
        alert = name.partition("_ALERT_")[2].lower().replace("_", " ")
        return f"it broke off ({alert[:60]})"
    return _WORDS.get(name, f"the handshake failed ({name[:60]})")


def _trace(file: bytes, words: bytes) -> bool:
    """Whether a line is there only because we asked for it."""
    if file == b"channel_trace.h":
        return words.startswith(b"handshake manager")
    if file == b"trace.cc":
        return words.strip() == b"gRPC Tracers: " + _TRACER.encode()
    return file == b"handshaker.cc"


def _place(raw: bytes) -> str:
    """host:port; gRPC writes the brackets of IPv6 as %5B and %5D."""
    return unquote(raw.decode("ascii", "replace"))


def _may_begin(begun: bytes, going_on: bool) -> bool:
    """Whether a line of gRPC's, or a further one, may begin so."""
    if going_on and any(r.startswith(begun) or begun.startswith(r) for r in _REST):
        return len(begun) < _LONGEST
    return len(begun) < _LONGEST and _LETTERS.fullmatch(begun[:5]) is not None
