"""Names of models, people and projects, and references such as `rail@3`."""

from __future__ import annotations

import re
from typing import NamedTuple

from bondline.description.stored import NAME
from bondline.errors import UsageError

PERSON = re.compile(r"[a-z0-9][a-z0-9_.@-]{0,63}")
_VERSION = re.compile(r"[1-9][0-9]{0,8}")
_ODD = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
MAX_TEXT = 2000


class Reference(NamedTuple):
    """A model, and which of its versions; None: the latest.

    >>> str(Reference("rail", 3)), str(Reference("rail"))
    ('rail@3', 'rail')
    """

    name: str
    version: int | None = None

    def __str__(self) -> str:
        return self.name if self.version is None else f"{self.name}@{self.version}"


def reference(text: str) -> Reference:
    """Read `rail@3`, or `rail`.

    >>> reference("rail@3")
    Reference(name='rail', version=3)
    """
    name, at, number = text.partition("@")
    if at and not _VERSION.fullmatch(number):
        raise UsageError(
            shown(text),
            f"{shown(number)} is no version.",
            "Versions are 1, 2, 3 ...: write rail@3.",
        )
    return Reference(named(name), int(number) if at else None)


def named(text: str) -> str:
    """The name of a model or a project, if it is one."""
    if not NAME.fullmatch(text):
        raise UsageError(
            f"name {shown(text)}",
            "this cannot be the name of a model or a project.",
            "Use a-z, 0-9, - and _, at most 64 of them, a letter or digit first.",
        )
    return text


def person(text: str) -> str:
    """The name of a person or a company, if it is one."""
    if not PERSON.fullmatch(text):
        raise UsageError(
            f"name {shown(text)}",
            "this cannot be the name of an owner.",
            "Use a-z, 0-9, . @ - and _, at most 64 of them; BONDLINE_USER says who "
            "you are.",
        )
    return text


def plain_text(what: str, text: str) -> str:
    """Text that every database keeps as it is."""
    if _ODD.search(text) or len(text) > MAX_TEXT:
        raise UsageError(
            what,
            f"{shown(text)} has control characters, or more than {MAX_TEXT}.",
            "Write one line of plain text.",
        )
    return text


def shown(text: str) -> str:
    """Somebody's text as it may be printed: short, quoted, nothing hidden."""
    quoted = ascii(text)
    return quoted if len(quoted) <= 80 else f"{quoted[:76]}...'"
