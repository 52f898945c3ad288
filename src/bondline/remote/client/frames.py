"""As much of HTTP/2 as a conversation of gRPC needs (RFC 9113): frames and headers."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hpack import Decoder, Encoder, HPACKError

DATA, HEADERS, RESET, SETTINGS, PUSH, PING, GOAWAY, UPDATE, MORE = 0, 1, *range(3, 10)
"""Kinds of frames; `MORE` is what the standard calls CONTINUATION."""

END, ACK, WHOLE, PADDED, WEIGHED = 0x1, 0x1, 0x4, 0x8, 0x20
"""Flags: the stream ends, an answer, headers are complete, padding, a priority."""

HELLO = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
WINDOW, FRAME = 65_535, 16_384  # bytes, until the other end says more
LARGEST = 2**24 - 1  # bytes of a frame, whatever it says
WIDEST = 2**31 - 1  # bytes of a window
NO_PUSH, ROOM, LONGEST = 2, 4, 5  # settings: pushes, bytes of a window, of a frame
_MOST_HEADERS = 65_536  # bytes

_HEAD = struct.Struct(">HBBBI")
_SETTING = struct.Struct(">HI")


class Broken(Exception):
    """What came is no HTTP/2, or not what gRPC makes of it."""


class Frame(NamedTuple):
    """What one end says at a time."""

    kind: int
    flags: int
    stream: int
    payload: bytes

    def inner(self) -> bytes:
        """The payload without padding and priority."""
        payload = self.payload
        if self.kind == MORE:
            return payload
        if self.flags & PADDED:
            if not payload or payload[0] >= len(payload):
                raise Broken("a frame is shorter than its padding")
            payload = payload[1 : len(payload) - payload[0]]
        return payload[5:] if self.kind == HEADERS and self.flags & WEIGHED else payload

    def number(self) -> int:
        """Of 31 bits: a window, the last stream that is served; or a reason."""
        if len(self.payload) < 4:
            raise Broken("a number is cut short")
        return int.from_bytes(self.payload[:4], "big") & WIDEST

    def settings(self) -> Iterator[tuple[int, int]]:
        """What one end wants of the other."""
        if len(self.payload) % _SETTING.size:
            raise Broken("settings are cut short")
        return _SETTING.iter_unpack(self.payload)


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """One frame as it goes out."""
    size = len(payload)
    return _HEAD.pack(size >> 8, size & 0xFF, kind, flags, stream) + payload


def settings(*each: tuple[int, int]) -> bytes:
    """What one end wants of the other."""
    return frame(SETTINGS, 0, 0, b"".join(_SETTING.pack(*one) for one in each))


def update(stream: int, more: int) -> bytes:
    """The other end may send so many bytes more."""
    return frame(UPDATE, 0, stream, more.to_bytes(4, "big"))


def headers(stream: int, each: Sequence[tuple[str, str]]) -> bytes:
    """Of a request whose messages follow; the first of a connection."""
    return frame(HEADERS, WHOLE, stream, Encoder().encode(each))


class Inbox:
    """Bytes as they come, and the frames that are complete."""

    def __init__(self) -> None:
        self._raw = bytearray()

    def take(self, raw: bytes) -> None:
        """More of them."""
        self._raw += raw

    def next(self) -> Frame | None:
        """The next frame; None until all of it has come."""
        raw = self._raw
        if len(raw) < _HEAD.size:
            return None
        high, low, kind, flags, stream = _HEAD.unpack_from(raw)
        size = high << 8 | low
        if size > FRAME:
            raise Broken("a frame is longer than it may be")
        end = _HEAD.size + size
        if len(raw) < end:
            return None
        payload = bytes(raw[_HEAD.size : end])
        del raw[:end]
        return Frame(kind, flags, stream & WIDEST, payload)


class Headers:
    """Headers as they come, in one frame or several, of any stream.

    Who does not read them all cannot read the next ones: they share one table.
    """

    def __init__(self) -> None:
        self.unfinished = 0  # the stream whose headers go on; no other frame may come
        self._decoder = Decoder(max_header_list_size=_MOST_HEADERS)
        self._begun: list[bytes] = []
        self._end = False

    def take(self, got: Frame) -> tuple[dict[str, str], bool] | None:
        """Names and values, and whether the stream ends with them; None: more come."""
        if not (self.unfinished if got.kind == MORE else got.stream):
            raise Broken("headers come out of turn")
        if got.kind == HEADERS:
            self._end = bool(got.flags & END)
        self._begun.append(got.inner())
        if len(self._begun) * 64 + sum(map(len, self._begun)) > _MOST_HEADERS:
            raise Broken("headers are longer than they may be")
        self.unfinished = 0 if got.flags & WHOLE else got.stream
        if self.unfinished:
            return None
        whole = b"".join(self._begun)
        self._begun.clear()
        return self._read(whole), self._end

    def _read(self, raw: bytes) -> dict[str, str]:
        try:
            each = self._decoder.decode(raw, raw=True)
        except (HPACKError, ValueError, IndexError) as error:
            raise Broken(f"headers cannot be read: {type(error).__name__}") from None
        return {n.decode("latin-1"): v.decode("latin-1") for n, v in each}
