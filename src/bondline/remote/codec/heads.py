"""Heads of audit logs, as both sides tell them to each other."""

from __future__ import annotations

import re
from typing import Protocol

from bondline.remote.codec.malformed import Malformed

_HEAD = re.compile(r"[0-9a-f]{16}:[0-9a-f]{64}")
_NUMBER = re.compile(r"[0-9]{1,18}")


class Telling(Protocol):
    """A message that has room for a head: `Keep`, `Kept`, `Close`, `Done`."""

    log_number: str
    log_head: str


def tell(head: tuple[int, str], made: Telling) -> None:
    """Put the own head into a message; nothing where there is no log."""
    number, text = head
    if number >= 0:
        made.log_number, made.log_head = str(number), text


def told(got: Telling) -> tuple[int, str] | None:
    """The other side's head; it is written down, so only a head will do."""
    if not got.log_number and not got.log_head:
        return None
    if not (_NUMBER.fullmatch(got.log_number) and _HEAD.fullmatch(got.log_head)):
        raise Malformed("this is no head of a log")
    return int(got.log_number), got.log_head
