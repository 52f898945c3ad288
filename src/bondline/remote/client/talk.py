"""What both ends of one conversation say, in HTTP/2; no socket, no waiting.

gRPC over HTTP/2: a request and a reply are a byte (compressed or not), four of length
and the message, in as many DATA frames as it takes; headers begin a stream and end it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from urllib.parse import unquote

import grpc

from bondline.remote.client import frames
from bondline.remote.client.frames import Broken, Frame, frame
from bondline.remote.client.stream import Ended
from bondline.remote.limits import MESSAGE

_STREAM = 1  # the only one
_HEAD = 5  # bytes before a message
_PING = 8  # bytes
_HALF = 2**30  # bytes that came, after which windows are opened again
_REPLY = 16 * MESSAGE  # bytes
_RANGES = {
    frames.ROOM: (0, frames.WIDEST),
    frames.LONGEST: (frames.FRAME, frames.LARGEST),
}
_CODES = {str(code.value[0]): code for code in grpc.StatusCode}
_SAID = 100  # characters
_MISTAKES = (  # of HTTP/2, as its standard calls them
    "NO_ERROR",
    "PROTOCOL_ERROR",
    "INTERNAL_ERROR",
    "FLOW_CONTROL_ERROR",
    "SETTINGS_TIMEOUT",
    "STREAM_CLOSED",
    "FRAME_SIZE_ERROR",
    "REFUSED_STREAM",
    "CANCEL",
    "COMPRESSION_ERROR",
    "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY",
    "HTTP_1_1_REQUIRED",
)
_RESETS = {  # why a stream was reset; anything else is somebody's mistake
    0x7: grpc.StatusCode.UNAVAILABLE,
    0x8: grpc.StatusCode.CANCELLED,
    0xB: grpc.StatusCode.RESOURCE_EXHAUSTED,
}


class Talk:
    """One stream on one connection, from the client's end.

    What comes is given to `take`, what is to leave is asked of `leaving`. Once it is
    `over`, nothing more is said.
    """

    def __init__(self, scheme: str, place: str, method: str) -> None:
        self.over: Ended | None = None
        self._said = ""  # by the other end, when it went
        self.replies = deque[bytes]()
        self._inbox, self._headers = frames.Inbox(), frames.Headers()
        self._out = [_greeting(scheme, place, method)]  # leaves whatever the windows
        self._asked = b""  # leaves as windows open
        self._open = 0  # requests without a reply
        self._room = {0: frames.WINDOW, _STREAM: frames.WINDOW}  # bytes that may leave
        self._granted = frames.WINDOW  # what a stream may send at first
        self._longest = frames.FRAME
        self._answered = False  # with headers, which come before replies
        self._message = bytearray()  # as much of a reply as has come
        self._came = 0  # bytes, since windows were opened
        self._hear: dict[int, Callable[[Frame], None]] = {
            frames.DATA: self._data,
            frames.HEADERS: self._headed,
            frames.MORE: self._headed,
            frames.RESET: self._reset,
            frames.SETTINGS: self._set,
            frames.PUSH: self._pushed,
            frames.PING: self._pinged,
            frames.GOAWAY: self._left,
            frames.UPDATE: self._widened,
        }

    @property
    def held(self) -> bool:
        """Whether windows keep a part of what is asked from leaving."""
        return bool(self._asked)

    def ask(self, raw: bytes) -> None:
        """A request, to leave as soon as it may."""
        if len(raw) > MESSAGE:
            self._too_long("Sent", len(raw), MESSAGE)
        else:
            self._open += 1
            self._asked += b"\0" + len(raw).to_bytes(4, "big") + raw

    def leaving(self) -> bytes:
        """What is to be sent now."""
        room = min(self._room.values())
        if self._asked and room > 0:
            some, self._asked = self._asked[:room], self._asked[room:]
            for stream in self._room:
                self._room[stream] -= len(some)
            for at in range(0, len(some), self._longest):
                piece = some[at : at + self._longest]
                self._out.append(frame(frames.DATA, 0, _STREAM, piece))
        raw = b"".join(self._out)
        self._out.clear()
        return raw

    def take(self, raw: bytes) -> None:
        """What the network brought."""
        self._inbox.take(raw)
        try:
            while self.over is None and (got := self._inbox.next()) is not None:
                begun = self._headers.unfinished
                if begun and (got.kind, got.stream) != (frames.MORE, begun):
                    raise Broken("headers come out of turn")
                hear = self._hear.get(got.kind)
                if hear is not None:  # what is unknown is to be ignored
                    hear(got)
        except Broken as error:
            self.end(grpc.StatusCode.INTERNAL, f"this is no gRPC: {error}")

    def end(self, code: grpc.StatusCode, text: str) -> None:
        """It is over; the first reason stays."""
        if self.over is None:
            self.over = Ended(code, text, self._said)

    def _too_long(self, whose: str, size: int, most: int) -> None:
        text = f"{whose} message larger than max ({size} vs. {most})"
        self.end(grpc.StatusCode.RESOURCE_EXHAUSTED, text)

    def _data(self, got: Frame) -> None:
        """A piece of a reply."""
        self._came += len(got.payload)
        if self._came > _HALF:
            self._out += [frames.update(stream, self._came) for stream in self._room]
            self._came = 0
        if got.stream == _STREAM:
            if not self._answered:
                raise Broken("a reply comes before its headers")
            self._message += got.inner()
            while self._whole():
                pass
            if got.flags & frames.END:
                raise Broken("a stream ends without a status")

    def _whole(self) -> bool:
        """Whether a reply is complete; then it is taken out."""
        message = self._message
        if len(message) < _HEAD:
            return False
        if message[0]:
            raise Broken("a message is compressed")
        size = int.from_bytes(message[1:_HEAD], "big")
        if size > _REPLY:
            self._too_long("Received", size, _REPLY)
            return False
        if len(message) < _HEAD + size:
            return False
        if not self._open:
            raise Broken("there are more replies than requests")
        self._open -= 1
        self.replies.append(bytes(message[_HEAD : _HEAD + size]))
        del message[: _HEAD + size]
        return True

    def _headed(self, got: Frame) -> None:
        """How the stream begins, or how it ended."""
        found = self._headers.take(got)
        if found is None or got.stream != _STREAM:
            return
        each, last = found
        status = each.get(":status", "200")
        if status[:1] == "1" and not last:
            return  # a word in between: how it is answered comes later
        self._answered = True
        if status != "200":
            text = f"it is answered with HTTP status {status}"
            self.end(grpc.StatusCode.UNAVAILABLE, text)
        elif last:
            code = _CODES.get(each.get("grpc-status", ""), grpc.StatusCode.UNKNOWN)
            self.end(code, unquote(each.get("grpc-message", "")))

    def _reset(self, got: Frame) -> None:
        why = got.number()
        if got.stream == _STREAM:
            code = _RESETS.get(why, grpc.StatusCode.INTERNAL)
            self.end(code, f"the stream was reset ({why})")

    def _set(self, got: Frame) -> None:
        """What the other end wants of us."""
        if got.stream or (got.flags & frames.ACK and got.payload):
            raise Broken("settings are not in their place")
        if got.flags & frames.ACK:
            return
        for name, value in got.settings():
            least, most = _RANGES.get(name, (0, value))
            if not least <= value <= most:
                raise Broken("a setting is out of its range")
            if name == frames.ROOM:
                self._widen(_STREAM, value - self._granted)
                self._granted = value
            elif name == frames.LONGEST:
                self._longest = value
        self._out.append(frame(frames.SETTINGS, frames.ACK, 0))

    def _pushed(self, got: Frame) -> None:
        raise Broken("a push that nobody wants")

    def _pinged(self, got: Frame) -> None:
        if got.stream or len(got.payload) != _PING:
            raise Broken("a ping is not as it should be")
        if not got.flags & frames.ACK:
            self._out.append(frame(frames.PING, frames.ACK, 0, got.payload))

    def _left(self, got: Frame) -> None:
        """The other end goes; what has begun may come to its end."""
        last = got.number()
        self._said = _reason(got.payload[4:])
        if last < _STREAM:
            text = "the server goes away (goaway)"
            self.end(grpc.StatusCode.UNAVAILABLE, text)

    def _widened(self, got: Frame) -> None:
        more = got.number()
        if not more:
            raise Broken("a window is widened by nothing")
        if got.stream in self._room:
            self._widen(got.stream, more)

    def _widen(self, stream: int, more: int) -> None:
        self._room[stream] += more
        if self._room[stream] > frames.WIDEST:
            raise Broken("a window is wider than it may be")


def _reason(raw: bytes) -> str:
    """Why the other end goes: a number, and what it likes to add."""
    code = int.from_bytes(raw[:4], "big")
    name = _MISTAKES[code] if code < len(_MISTAKES) else f"error {code}"
    more = "".join(filter(str.isprintable, raw[4:].decode("utf-8", "replace")))
    return f"{name} {more}".strip()[:_SAID] if code or more else ""


def _greeting(scheme: str, place: str, method: str) -> bytes:
    """What a connection begins with; our windows never hold the other end up."""
    request = [
        (":method", "POST"),
        (":scheme", scheme),
        (":path", method),
        (":authority", place),
        ("te", "trailers"),
        ("content-type", "application/grpc"),
        ("user-agent", "bondline"),
    ]
    return b"".join(
        (
            frames.HELLO,
            frames.settings((frames.NO_PUSH, 0), (frames.ROOM, frames.WIDEST)),
            frames.update(0, frames.WIDEST - frames.WINDOW),
            frames.headers(_STREAM, request),
        )
    )
