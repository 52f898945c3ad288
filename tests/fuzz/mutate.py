"""Seeded changes of bytes, of messages and of archives."""

from __future__ import annotations

import io
import math
import random
import re
import zipfile
from collections.abc import Callable, Sequence

from google.protobuf.message import Message

Dice = random.Random

_NUMBERS = (0, 1, -1, 2, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**63 - 1)
_FLOATS = (0.0, -0.0, 1.0, -1.0, 1e-320, 1e308, -1e308, math.inf, -math.inf, math.nan)
_TEXTS = ("", "x", "A" * 5000, "..", "\0", "\u202e", "a/b", "%s%n", "é" * 40)
_TOKENS = (
    *(b"", b"0", b"-1", b"NaN", b"INF", b"1e999", b"1e-320", b"x", b"..", b"\0"),
    *(b"&amp;", b"<", b">", b"]]>", b"<!--", b"\xff", b"1e9", b"99999999999"),
    *(b"((((((((", b"2**9**9", b"a b c", b" " * 40, b"upper", b"9" * 400),
)


def changed(raw: bytes, dice: Dice, words: Sequence[bytes] = _TOKENS) -> bytes:
    """Bytes with a few of them flipped, dropped, doubled, replaced or cut off."""
    data = bytearray(raw)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 8))):
        dice.choice(_WAYS)(data, dice, words)
    return bytes(data)


def _at(data: bytearray, dice: Dice) -> int:
    return dice.randrange(len(data) + 1)


def _flip(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    if data:
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def _drop(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    at = _at(data, dice)
    del data[at : at + dice.choice((1, 2, 8, 64))]


def _double(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    at, size = _at(data, dice), dice.choice((1, 4, 32, 200))
    data[at:at] = data[at : at + size] * dice.choice((1, 2, 16))


def _insert(data: bytearray, dice: Dice, words: Sequence[bytes]) -> None:
    at = _at(data, dice)
    data[at : at + dice.choice((0, 1, 4))] = dice.choice(words)


def _cut(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    del data[_at(data, dice) :]


def _noise(data: bytearray, dice: Dice, _: Sequence[bytes]) -> None:
    at = _at(data, dice)
    data[at : at + 8] = dice.randbytes(dice.randrange(9))


_WAYS = (_flip, _flip, _drop, _double, _insert, _insert, _cut, _noise)
_VALUE = re.compile(rb'="([^"]*)"')


def xml_changed(raw: bytes, dice: Dice) -> bytes:
    """XML with other values, or with lines moved, dropped and doubled, or bytes."""
    way = dice.randrange(3)
    if way == 0:
        return changed(raw, dice)
    if way == 1:
        return _values(raw, dice)
    lines = raw.split(b"\n")
    for _ in range(dice.choice((1, 1, 2, 4))):
        at, to = dice.randrange(len(lines)), dice.randrange(len(lines))
        match dice.randrange(3):
            case 0 if len(lines) > 1:
                del lines[at]
            case 1:
                lines.insert(to, lines[at])
            case _:
                lines[at], lines[to] = lines[to], lines[at]
    return b"\n".join(lines)


def _values(raw: bytes, dice: Dice) -> bytes:
    found = list(_VALUE.finditer(raw))
    for place in sorted(
        dice.sample(found, min(2, len(found))), key=lambda m: -m.start()
    ):
        word = dice.choice([*_TOKENS, dice.choice(found)[1], place[1] + place[1]])
        raw = raw[: place.start(1)] + word + raw[place.end(1) :]
    return raw


def message_changed(message: Message, dice: Dice) -> None:
    """One field somewhere below gets a value that nobody would send."""
    fields = list(message.DESCRIPTOR.fields)
    if not fields:
        return
    set_ = [f for f, _ in message.ListFields()]
    field = dice.choice(set_ if set_ and dice.random() < 0.7 else fields)
    if field.message_type is not None:
        if field.is_repeated:
            many = getattr(message, field.name)
            below = (
                dice.choice(many) if len(many) and dice.random() < 0.7 else many.add()
            )
            for _ in range(dice.choice((0, 0, 0, 3))):
                many.add().CopyFrom(below)
        else:
            below = getattr(message, field.name)
            below.SetInParent()
        message_changed(below, dice)
    elif field.is_repeated:
        _repeated(getattr(message, field.name), field, dice)
    else:
        _tried(lambda v: setattr(message, field.name, v), field, dice)


def _repeated(many: list, field: object, dice: Dice) -> None:
    if len(many) and dice.random() < 0.3:
        del many[dice.randrange(len(many)) :]
    elif len(many) and dice.random() < 0.6:
        at = dice.randrange(len(many))
        _tried(lambda v: many.__setitem__(at, v), field, dice)
    else:
        for _ in range(dice.choice((1, 2, 50))):
            _tried(many.append, field, dice)


def _tried(put: Callable[[object], None], field: object, dice: Dice) -> None:
    """Any value that the field takes."""
    values = [*_NUMBERS, *_FLOATS, *_TEXTS, True, False, b"\xff\0"]
    dice.shuffle(values)
    for value in values:
        try:
            put(value)
        except (TypeError, ValueError):
            continue
        return


def archive_changed(raw: bytes, dice: Dice) -> bytes:
    """A zip file with changed bytes, or one whose entries were changed and packed."""
    if dice.random() < 0.5:
        return changed(raw, dice)
    with zipfile.ZipFile(io.BytesIO(raw)) as old:
        entries = [(i.filename, old.read(i)) for i in old.infolist()]
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in entries:
            if dice.random() < 0.3:
                data = xml_changed(data, dice)
            if dice.random() < 0.1:
                name = dice.choice(
                    ("../x.ssv", "/x", "a\\b", name + "/", "é", "x" * 300)
                )
            info = zipfile.ZipInfo(name)
            if dice.random() < 0.1:
                info.external_attr = dice.randrange(2**32)
            info.compress_type = dice.choice((0, 8, 8, 8))
            new.writestr(info, data)
    raw = made.getvalue()
    return changed(raw, dice) if dice.random() < 0.3 else raw
