"""Values of a TOML document, checked one by one; complaints are collected."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bondline.errors import SecurityError, did_you_mean
from bondline.remote.toml_lines import Lined, Path

TIMES = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}
RATES = {"Hz": 1.0, "kHz": 1e3}
_QUANTITY = re.compile(r"\s*((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([^\s\d]+)\s*")


class Values:
    """Reads values out of a document, and remembers what was wrong with them."""

    def __init__(self, text: Lined) -> None:
        self.text = text
        self.problems: list[SecurityError] = []

    def table(self, at: Path, own: Mapping[str, Any], key: str) -> Mapping[str, Any]:
        """A table; an empty one where there is none."""
        found = own.get(key, {})
        if isinstance(found, Mapping):
            return found
        self.wrong((*at, key), f"{key} is a table.", f"Write [{key}] and its keys.")
        return {}

    def word(self, at: Path, own: Mapping[str, Any], key: str) -> str:
        """A text."""
        found = own.get(key, "")
        if isinstance(found, str):
            return found
        self.wrong((*at, key), f"{found!r} is no text.", f'Write {key} = "...".')
        return ""

    def words(self, at: Path, own: Mapping[str, Any], key: str) -> tuple[str, ...]:
        """A list of texts; one text is a list of one."""
        found = own.get(key, [])
        each = [found] if isinstance(found, str) else found
        if isinstance(each, list) and all(isinstance(one, str) for one in each):
            return tuple(each)
        self.wrong(
            (*at, key), f"{found!r} is no list of texts.", f'Write {key} = ["a", "b"].'
        )
        return ()

    def some(
        self, at: Path, own: Mapping[str, Any], key: str, known: tuple[str, ...]
    ) -> frozenset[str]:
        """A list of known words."""
        found = self.words(at, own, key)
        for word in found:
            if word not in known:
                self.wrong(
                    (*at, key),
                    f"nothing is called {word!r} here.",
                    did_you_mean(word, known),
                )
        return frozenset(found)

    def choice(
        self, at: Path, own: Mapping[str, Any], key: str, known: tuple[str, ...]
    ) -> str:
        """One of the known words; the first where the key is missing."""
        found = self.word(at, {key: known[0], **own}, key)
        if found not in known:
            self.wrong(
                (*at, key), f"{key} cannot be {found!r}.", did_you_mean(found, known)
            )
        return found

    def count(self, at: Path, own: Mapping[str, Any], key: str) -> int | None:
        """A whole number that is not negative."""
        found = own.get(key)
        if found is None or (type(found) is int and found >= 0):
            return found
        self.wrong(
            (*at, key), f"{found!r} is no count.", f"Write {key} = 1000; 0 is none."
        )
        return None

    def quantity(
        self,
        at: Path,
        own: Mapping[str, Any],
        key: str,
        units: Mapping[str, float],
        example: str,
    ) -> float | None:
        """A number with its unit, by its key."""
        found = own.get(key)
        if found is None:
            return None
        return self.measure((*at, key), found, units, example)

    def measure(
        self, at: Path, found: Any, units: Mapping[str, float], example: str
    ) -> float | None:
        """A number with its unit: here nobody shall guess what 60 means."""
        read = _QUANTITY.fullmatch(found) if isinstance(found, str) else None
        if read is None or read[2] not in units or float(read[1]) <= 0.0:
            self.wrong(
                at,
                f"{found!r} is not a positive number with one of the units "
                f"{', '.join(units)}.",
                f'Write "{example}".',
            )
            return None
        return float(read[1]) * units[read[2]]

    def known(self, at: Path, own: Mapping[str, Any], keys: tuple[str, ...]) -> None:
        """Complain of keys that mean nothing."""
        for key in own:
            if key not in keys:
                self.wrong(
                    (*at, key), f"nothing is called {key!r}.", did_you_mean(key, keys)
                )

    def wrong(self, at: Path, finding: str, remedy: str) -> None:
        """Complain."""
        self.problems.append(SecurityError(self.text.place(at), finding, remedy))
