"""Refused requests in a log: who asked what, and which rule said no."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Record = Mapping[str, Any]


class Denial(NamedTuple):
    """Requests of one kind that were refused for one reason."""

    who: str
    model: str
    method: str  # "connect": before there was any request
    ports: tuple[str, ...]
    step: float  # s; 0 if it is about no window
    rule: str  # a key of the policy, certificate, limits ...; "" in older logs
    reason: str  # as the partner heard it
    why: str  # what the partner was not told
    code: str
    times: int
    first: str  # when
    last: str


def denials(records: Iterable[Record]) -> list[Denial]:
    """All of them, in the order in which they came first."""
    found: dict[tuple[Any, ...], Denial] = {}
    for record in records:
        if record["kind"] == "denied":
            one = _denial(record)
            key = one[: Denial._fields.index("times")]
            before = found.get(key)
            if before is not None:
                times = before.times + one.times
                one = one._replace(times=times, first=before.first)
            found[key] = one
    return list(found.values())


def _denial(record: Record) -> Denial:
    def word(key: str) -> str:
        return str(record.get(key, ""))

    return Denial(
        word("who"),
        word("model"),
        word("method"),
        tuple(record.get("ports", ())),
        float(f"{float(record.get('step') or 0.0):.9g}"),
        word("rule"),
        word("reason"),
        word("why"),
        word("code"),
        int(record.get("times", 1)),
        word("at"),
        word("at"),
    )
