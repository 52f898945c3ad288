"""The one spelling of records in a log, and the hash that chains them.

A record is a JSON object with sorted keys and no spaces, `hash` at the end. Most of
them come again and again with other numbers; what they have in common is spelled once,
as a form with places that are still open.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

_spell = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=str).encode
OPEN = ("at", "n")  # in every form: the log itself knows when, and which number


def line_of(record: Mapping[str, Any]) -> str:
    """The one spelling of a record, without its hash."""
    return _spell(record)


def form(record: Mapping[str, Any], *places: str) -> str:
    """The same of a record that lacks some values: `%` fills them in, spelled.

    >>> form({"who": "me"}, "numbers") % {"at": '"noon"', "n": 7, "numbers": 3}
    '{"at":"noon","n":7,"numbers":3,"who":"me"}'
    """
    every = {key: _spell(value).replace("%", "%%") for key, value in record.items()}
    every |= {key: f"%({key})s" for key in (*places, *OPEN)}
    return "{" + ",".join(f"{_spell(key)}:{every[key]}" for key in sorted(every)) + "}"


def spelled(value: Any) -> str:
    """One value; the encoder is slow to begin with, and most are plain numbers."""
    kind = type(value)
    if kind is int or (kind is float and -math.inf < value < math.inf):
        return f"{value!r}"
    return _spell(value)


def chained(before: str, line: str) -> tuple[str, str]:
    """The hash of a record that follows the hash `before`; the line with it."""
    own = sha256(f"{before}\n{line}".encode()).hexdigest()
    return own, f'{line[:-1]},"hash":"{own}"}}'
