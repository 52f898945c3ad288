"""Handshakes that failed, found in what gRPC writes to standard error.

Python's gRPC tells a server nothing of them; its core writes a line, without the
address. Told to trace handshakes it says why again, with the address, and much else
that nobody wants to see:

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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import unquote

from bondline.remote.trust.reasons import reason

_HEAD = re.compile(rb"([IWEF])\d{4} \d\d:\d\d:\d\d\.\d{6} +\d+ ([\w.]+):\d+\] (.*)")
_ENDED = re.compile(
    rb"CallNextHandshakerLocked: error=(?!OK ).*?OPENSSL_internal:(\w+): ?([^:]*)"
)
_PEER = re.compile(rb"endpoint_peer_address=(?:ipv[46]:)?([^\s,}]{1,100})")
_OURS = b"grpc.internal.server_credentials="  # of connections that others began
_REST = (b"=== Source Location Trace", b"src/core/", b" shutdown=")
_LETTERS = re.compile(rb"[IWEF]\d{0,4}")
_LONGEST = 65536  # bytes of a line that may still be one of gRPC's
_LEVELS = {"ERROR": "IW", "NONE": "IWEF"}  # what these hide
_TRACER = "handshaker"


class Failed(NamedTuple):
    """A handshake that failed: with whom, if that was told, and why."""

    peer: str  # host:port, or ""
    reason: str

    @property
    def host(self) -> str:
        """Of the peer."""
        return self.peer.rpartition(":")[0]


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
    failed: list[Failed] = field(default_factory=list)  # not yet taken
    _begun: bytes = b""  # a line
    _last: bytes = b""  # line, if it was only for us
    _ended: str = ""  # why a handshake did whose address comes next

    def hear(self, raw: bytes) -> bytes:
        """What goes on to where it was meant to go."""
        *lines, begun = (self._begun + raw).split(b"\n")
        out = b"".join(map(self._passed, lines))
        if _may_begin(begun, bool(self._last)):
            self._begun = begun
            return out
        self._begun = b""  # prompts have no end: what is not gRPC's does not wait
        return out + begun

    def end(self) -> bytes:
        """The line that never ended."""
        rest, self._begun = self._begun, b""
        return self._passed(rest).removesuffix(b"\n") if rest else b""

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
        if not _trace(file, words):
            return False
        ended = _ENDED.match(words)
        self._ended = reason(ended[1].decode("ascii"), ended[2]) if ended else ""
        self._told_where(words)
        return True

    def _unwanted(self, head: re.Match[bytes]) -> bool:
        return head[1].decode("ascii") in self.hidden

    def _told_where(self, words: bytes) -> None:
        """Where the handshake was whose arguments these are, if it failed."""
        if not self._ended or b"args={" not in words:
            return
        why, self._ended = self._ended, ""
        peer = _PEER.search(words)
        if _OURS in words:  # else we are the one who was refused
            self.failed.append(Failed(_place(peer[1]) if peer else "", why))


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
