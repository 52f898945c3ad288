"""HTTP/2 from the client's end: what is sent, and what may come; without a socket."""

from __future__ import annotations

import random
import struct
from itertools import pairwise

import grpc
import pytest
from hpack import Encoder

from bondline.remote.client import frames
from bondline.remote.client.frames import Broken, Frame, Inbox, frame, settings
from bondline.remote.client.talk import Talk
from bondline.remote.limits import MESSAGE

BEGIN = [(":status", "200"), ("content-type", "application/grpc")]
MOST = 16 * MESSAGE


def spoken(asked: int = 1) -> Talk:
    """One that has greeted, and asked so many times for nothing."""
    talk = Talk("https", "there:1", "/a.B/C")
    for _ in range(asked):
        talk.ask(b"")
    assert talk.leaving().startswith(frames.HELLO)
    return talk


def answered(asked: int = 1) -> Talk:
    """The same, and replies may come."""
    talk = spoken(asked)
    talk.take(headed(BEGIN))
    return talk


def said(raw: bytes) -> list[Frame]:
    """Whole frames, of any length."""
    found = []
    while raw:
        size, stream = int.from_bytes(raw[:3], "big"), int.from_bytes(raw[5:9], "big")
        found.append(Frame(raw[3], raw[4], stream, raw[9 : 9 + size]))
        raw = raw[9 + size :]
    return found


def message(raw: bytes) -> bytes:
    return b"\0" + len(raw).to_bytes(4, "big") + raw


def data(raw: bytes, flags: int = 0, stream: int = 1) -> bytes:
    return frame(frames.DATA, flags, stream, raw)


def headed(each: list[tuple[str, str]], flags: int = frames.WHOLE, stream=1) -> bytes:
    return frame(frames.HEADERS, flags, stream, Encoder().encode(each))


def ended(talk: Talk) -> tuple[grpc.StatusCode, str]:
    assert talk.over is not None
    return talk.over.code, talk.over.text


def sizes(raw: bytes) -> list[int]:
    return [len(f.payload) for f in said(raw) if f.kind == frames.DATA]


def test_it_greets_as_a_client_of_grpc_does():
    hello = Talk("http", "there:1", "/a.B/C").leaving()
    each = said(hello[len(frames.HELLO) :])
    kinds = [f.kind for f in each]
    assert kinds == [frames.SETTINGS, frames.UPDATE, frames.HEADERS]
    assert dict(each[0].settings()) == {frames.NO_PUSH: 0, frames.ROOM: 2**31 - 1}
    assert frames.WINDOW + each[1].number() == 2**31 - 1
    found = frames.Headers().take(each[2])
    assert found is not None
    names, last = found
    assert not last
    assert names[":path"] == "/a.B/C"
    assert names[":authority"] == "there:1"
    assert names["te"] == "trailers"


@pytest.mark.parametrize("piece", [1, 2, 7, 10_000])
def test_replies_may_come_in_any_pieces(piece: int):
    talk = spoken()
    whole = b"x" * 40_000
    raw = headed(BEGIN) + b"".join(
        data(part) for part in cut(message(whole), random.Random(1))
    )
    for at in range(0, len(raw), piece):
        talk.take(raw[at : at + piece])
    assert [*talk.replies] == [whole]
    assert talk.over is None


def cut(raw: bytes, chance: random.Random) -> list[bytes]:
    places = sorted(chance.sample(range(len(raw)), 9))
    return [raw[a:b] for a, b in pairwise([0, *places, len(raw)])]


def test_padding_and_priorities_are_left_out():
    talk = spoken()
    head = Encoder().encode(BEGIN)
    flags = frames.WHOLE | frames.PADDED | frames.WEIGHED
    padded = b"\x02" + b"\0" * 5 + head + b"\0\0"
    talk.take(frame(frames.HEADERS, flags, 1, padded))
    talk.take(data(b"\x03" + message(b"hello") + b"\0\0\0", frames.PADDED))
    assert [*talk.replies] == [b"hello"]


def test_nothing_leaves_that_the_windows_do_not_let():
    talk = spoken(asked=0)
    talk.ask(b"a" * 200_000)
    first = talk.leaving()
    assert sum(sizes(first)) == frames.WINDOW
    assert max(sizes(first)) == frames.FRAME
    assert talk.leaving() == b""
    talk.take(frames.update(1, 1000))  # of the stream alone: the connection is full
    assert talk.leaving() == b""
    talk.take(frames.update(0, 500))
    assert sizes(talk.leaving()) == [500]
    talk.take(frames.update(0, 10**6))
    assert sizes(talk.leaving()) == [500]
    talk.take(settings((frames.ROOM, 10**6), (frames.LONGEST, 100_000)))
    rest = 200_005 - frames.WINDOW - 1000
    assert sizes(talk.leaving()) == [100_000, rest - 100_000]


def test_a_smaller_window_counts_what_was_sent_already():
    talk = spoken(asked=0)
    talk.ask(b"a" * 995)
    assert sizes(talk.leaving()) == [1000]
    talk.take(settings((frames.ROOM, 1500)))
    talk.ask(b"b" * 995)
    assert sizes(talk.leaving()) == [500]
    talk.take(settings((frames.ROOM, 100)))  # it may even be owed
    assert sizes(talk.leaving()) == []
    talk.take(frames.update(1, 1400 + 200))
    assert sizes(talk.leaving()) == [200]


def test_settings_and_pings_are_answered_and_answers_are_not():
    talk = spoken()
    talk.take(settings() + frame(frames.PING, 0, 0, b"12345678"))
    talk.take(frame(frames.SETTINGS, frames.ACK, 0))
    talk.take(frame(frames.PING, frames.ACK, 0, b"87654321"))
    assert said(talk.leaving()) == [
        Frame(frames.SETTINGS, frames.ACK, 0, b""),
        Frame(frames.PING, frames.ACK, 0, b"12345678"),
    ]
    assert talk.over is None


def test_windows_open_again_before_they_are_full():
    talk = answered()
    talk._came = 2**30  # as if so much had come
    talk.take(data(message(b"a")))
    opened = said(talk.leaving())
    assert [(f.kind, f.stream, f.number()) for f in opened] == [
        (frames.UPDATE, 0, 2**30 + 6),
        (frames.UPDATE, 1, 2**30 + 6),
    ]


@pytest.mark.parametrize(
    ("raw", "code", "text"),
    [
        (headed([("grpc-status", "0")], 5), grpc.StatusCode.OK, ""),
        (
            headed([("grpc-status", "7"), ("grpc-message", "no%20way%3A a")], 5),
            grpc.StatusCode.PERMISSION_DENIED,
            "no way: a",
        ),
        (headed([("grpc-status", "99")], 5), grpc.StatusCode.UNKNOWN, ""),
        (
            headed([(":status", "502")]),
            grpc.StatusCode.UNAVAILABLE,
            "it is answered with HTTP status 502",
        ),
        (
            frame(frames.RESET, 0, 1, struct.pack(">I", 8)),
            grpc.StatusCode.CANCELLED,
            "the stream was reset (8)",
        ),
        (
            frame(frames.RESET, 0, 1, struct.pack(">I", 2)),
            grpc.StatusCode.INTERNAL,
            "the stream was reset (2)",
        ),
        (
            frame(frames.GOAWAY, 0, 0, struct.pack(">II", 0, 11)),
            grpc.StatusCode.UNAVAILABLE,
            "the server goes away (goaway)",
        ),
    ],
)
def test_the_end_is_told_with_its_reason(raw: bytes, code, text: str):
    talk = spoken()
    talk.take(raw)
    assert ended(talk) == (code, text)


@pytest.mark.parametrize(
    ("code", "more", "said"),
    [
        (11, b"too_many_pings", "ENHANCE_YOUR_CALM too_many_pings"),
        (0, b"", ""),
        (0, b"bye", "NO_ERROR bye"),
        (99, b"\x1b[2J\xff\n", "error 99 [2J\ufffd"),
        (13, b"x" * 1000, "HTTP_1_1_REQUIRED " + 82 * "x"),
    ],
)
def test_what_the_other_end_says_as_it_goes_is_kept(code, more, said):
    talk = answered()
    why = struct.pack(">II", 2**31 - 1, code) + more
    talk.take(frame(frames.GOAWAY, 0, 0, why) + data(message(b"a")))
    assert [*talk.replies] == [b"a"], "what has begun may come to its end"
    talk.end(grpc.StatusCode.UNAVAILABLE, "the connection was closed")
    assert talk.over is not None
    assert talk.over.said == said


def test_the_first_reason_stays():
    talk = spoken()
    talk.end(grpc.StatusCode.CANCELLED, "enough")
    talk.take(headed([("grpc-status", "0")], 5))
    assert ended(talk) == (grpc.StatusCode.CANCELLED, "enough")


def test_headers_may_come_in_several_frames_and_of_other_streams():
    talk = spoken()
    head = Encoder().encode([("grpc-status", "5"), ("grpc-message", "gone")])
    talk.take(headed([(":status", "404")], stream=3))
    talk.take(frame(frames.HEADERS, frames.END, 1, head[:3]))
    talk.take(frame(frames.MORE, 0, 1, head[3:9]))
    assert talk.over is None
    talk.take(frame(frames.MORE, frames.WHOLE, 1, head[9:]))
    assert ended(talk) == (grpc.StatusCode.NOT_FOUND, "gone")


@pytest.mark.parametrize(
    "raw",
    [
        frame(77, 3, 9, b"something new"),
        frame(frames.RESET, 0, 3, b"\0\0\0\x08"),
        frame(frames.GOAWAY, 0, 0, struct.pack(">II", 2**31 - 1, 0)),
        frame(frames.UPDATE, 0, 5, b"\0\0\0\x08"),
        data(message(b"for somebody else"), stream=5),
        settings((77, 77)),
    ],
)
def test_what_is_none_of_its_business_is_passed_over(raw: bytes):
    talk = answered()
    talk.take(raw + data(message(b"a")))
    assert talk.over is None
    assert [*talk.replies] == [b"a"]


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "longer than it may be"),
        (data(b"\1" + message(b"a")[1:]), "compressed"),
        (data(message(b"a") + message(b"b")), "more replies"),
        (data(message(b"a"), frames.END), "without a status"),
        (data(b"\x09abc", frames.PADDED), "padding"),
        (frame(frames.PUSH, 0, 1, b"\0\0\0\x02"), "push"),
        (frame(frames.UPDATE, 0, 0, b"\0"), "cut short"),
        (frame(frames.SETTINGS, 0, 0, b"\0\4\0"), "cut short"),
        (frame(frames.MORE, 4, 1, b""), "out of turn"),
        (2 * frame(frames.HEADERS, 0, 1, b""), "out of turn"),
        (frame(frames.HEADERS, 4, 1, b"\xff\xff\xff\xff\xff"), "cannot be read"),
        (headed(BEGIN, stream=0), "out of turn"),
        (frame(frames.HEADERS, 0, 1) + data(b""), "out of turn"),
        (frame(frames.HEADERS, 0, 1) + frame(77, 0, 1), "out of turn"),
        (frame(frames.HEADERS, 0, 1) + headed(BEGIN, stream=3), "out of turn"),
        (frame(frames.HEADERS, 0, 1) + frame(frames.MORE, 4, 3), "out of turn"),
        (frame(frames.PING, 0, 0, b"1234567"), "ping"),
        (frame(frames.PING, frames.ACK, 0, b"123456789"), "ping"),
        (frame(frames.PING, 0, 1, b"12345678"), "ping"),
        (frame(frames.SETTINGS, 0, 1), "in their place"),
        (frame(frames.SETTINGS, frames.ACK, 0, bytes(6)), "in their place"),
        (settings((frames.LONGEST, frames.FRAME - 1)), "out of its range"),
        (settings((frames.LONGEST, 2**24)), "out of its range"),
        (settings((frames.ROOM, 2**31)), "out of its range"),
        (frames.update(1, 99) + settings((frames.ROOM, 2**31 - 1)), "wider than"),
        (frames.update(1, 2**31 - 1), "wider than it may be"),
        (frames.update(0, 2**31 - 1), "wider than it may be"),
        (frames.update(1, 0), "by nothing"),
    ],
)
def test_what_is_no_grpc_ends_it(raw: bytes, why: str):
    talk = answered()
    talk.take(raw)
    code, text = ended(talk)
    assert (code, why in text) == (grpc.StatusCode.INTERNAL, True), text


def test_a_reply_comes_after_its_headers():
    talk = spoken()
    talk.take(data(message(b"a")))
    assert "before its headers" in ended(talk)[1]
    assert not talk.replies


def test_words_before_the_answer_are_passed_over():
    talk = spoken()
    talk.take(headed([(":status", "103")]) + headed([(":status", "100")]))
    assert talk.over is None
    talk.take(headed(BEGIN) + data(message(b"a")))
    assert [*talk.replies] == [b"a"]


def test_words_before_the_answer_are_none():
    talk = spoken()
    talk.take(headed([(":status", "103")]) + data(message(b"a")))
    assert "before its headers" in ended(talk)[1]


@pytest.mark.parametrize("longest", [frames.FRAME, 2**24 - 1])
def test_frames_are_as_long_as_the_other_end_takes_them(longest: int):
    talk = spoken(asked=0)
    talk.take(settings((frames.LONGEST, longest), (frames.ROOM, 2**31 - 1)))
    talk.take(frames.update(0, 2**30))
    talk.ask(bytes(MESSAGE - 5))
    assert max(sizes(talk.leaving())) == min(longest, MESSAGE)


def test_a_reply_that_nobody_asked_for_is_none():
    talk = answered(asked=0)
    talk.take(data(message(b"a")))
    assert "more replies" in ended(talk)[1]


def test_padding_counts_in_windows():
    talk = answered()
    talk._came = 2**30 - 100
    talk.take(data(b"\x60" + message(b"a") + bytes(0x60), frames.PADDED))
    assert [f.kind for f in said(talk.leaving())] == [frames.UPDATE, frames.UPDATE]


def test_headers_without_end_take_no_memory():
    talk = spoken()
    talk.take(frame(frames.HEADERS, 0, 1, b""))
    for _ in range(2000):
        talk.take(frame(frames.MORE, 0, 1, b"\0" * 100))
    assert "longer than they may be" in ended(talk)[1]


def test_headers_that_unpack_to_much_are_refused():
    bomb = Encoder().encode([("a", "b" * 4000)]) + b"\xbe" * 5000  # it, again and again
    talk = spoken()
    talk.take(frame(frames.HEADERS, frames.WHOLE, 1, bomb))
    assert "cannot be read" in ended(talk)[1]


@pytest.mark.parametrize(
    ("talked", "text"),
    [
        (lambda talk: talk.ask(b"a" * (MESSAGE + 1)), "Sent message larger than max"),
        (
            lambda talk: talk.take(data(b"\0" + (MOST + 1).to_bytes(4, "big"))),
            "Received message larger than max",
        ),
    ],
)
def test_messages_have_a_limit(talked, text: str):
    talk = answered()
    talked(talk)
    code, found = ended(talk)
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert text in found


def test_a_frame_is_no_longer_than_we_allow():
    inbox = Inbox()
    inbox.take((frames.FRAME + 1).to_bytes(3, "big") + bytes(6))
    with pytest.raises(Broken):
        inbox.next()
