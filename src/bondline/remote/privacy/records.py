"""What is written down: calls that were answered, refusals, alarms."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from bondline.core import Signal
from bondline.remote.log.audit import AuditLog, Entry
from bondline.remote.log.spelling import form, spelled
from bondline.remote.owner.gate import Call, Denied, Shown, Told
from bondline.remote.privacy.flood import Flood
from bondline.remote.privacy.monitor import Alarm

_NAME = 100  # characters of a model that may not exist


class Records:
    """The owner's log, in the words of a gate; without a log nothing is written."""

    def __init__(self, audit: AuditLog | None) -> None:
        self._audit, self._flood = audit, Flood()
        self._lock = threading.Lock()  # of the flood

    def answered(self, told: Sequence[Told], keep: bool) -> None:
        """All calls of one request, in one write; with the very numbers, or without."""
        if self._audit is not None:
            self._audit.write_all(_entries(told, keep))

    def alarm(self, call: Call, alarm: Alarm, action: str) -> None:
        """The monitor saw something."""
        said = {"port": alarm.port, "outside": round(alarm.outside, 3), "t": alarm.t}
        self._write("alarm", call, action=action, **said)

    def denied(self, call: Call, denied: Denied) -> None:
        """The policy said no.

        Without a session anybody with a certificate may ask, in any words.
        """
        if call.session:
            self._deny(call, denied)
        else:
            self.turned_away(call._replace(model=call.model[:_NAME]), denied)

    def turned_away(self, call: Call, denied: Denied) -> None:
        """The server said no: write it down, or count it in a flood."""
        with self._lock:
            times = self._flood.times(call, denied)
        if times:
            self._deny(call, denied, times)

    def write_rest(self) -> None:
        """Write down what was only counted so far."""
        with self._lock:
            rest = list(self._flood.rest())
        for call, denied, times in rest:
            self._deny(call, denied, times)

    def _deny(self, call: Call, denied: Denied, times: int = 1) -> None:
        more: dict[str, Any] = {"why": denied.why} if denied.why else {}
        if times > 1:
            more["times"] = times
        said = {"code": denied.code, "reason": denied.reason, "rule": denied.rule}
        self._write("denied", call, **said, **more)

    def _write(self, kind: str, call: Call, **more: Any) -> None:
        if self._audit is not None:
            when = {"t0": call.t0, "step": call.step, "request": call.digest}
            self._audit.write(kind, **_words(_key(call)), **when, **more)


def _entries(told: Iterable[Told], keep: bool) -> list[Entry]:
    entries: list[Entry] = []
    request, digest = b"", '""'
    for call, numbers, shown in told:
        if call.request is not request:  # of one request all have the same
            request, digest = call.request, f'"{call.digest}"'
        values: dict[str, object] = {
            "numbers": numbers,
            "request": digest,
            "step": spelled(call.step),
            "t0": spelled(call.t0),
        }
        if keep:
            values |= {"in": spelled(_given(call)), "out": spelled(_listed(shown))}
        entries.append((_form(keep, _key(call)), values))
    return entries


_SAME = ("who", "model", "method", "session", "block", "windows", "probes")


def _key(call: Call) -> tuple[Any, ...]:
    """What many calls have in common: `_SAME`, and their ports."""
    return (
        call.identity,
        call.model,
        call.method,
        call.session,
        len(call.block),
        call.windows,
        call.probes,
        call.ports,
        tuple(call.inputs),
    )


def _words(key: tuple[Any, ...]) -> dict[str, Any]:
    *same, ports, inputs = key
    return {**dict(zip(_SAME, same, strict=True)), "ports": sorted({*ports, *inputs})}


@lru_cache(maxsize=1024)
def _form(keep: bool, key: tuple[Any, ...]) -> str:
    """A record of an answered call, but for its numbers."""
    kept = ("in", "out") if keep else ()
    words = {"kind": "call", **_words(key)}
    return form(words, "numbers", "request", "step", "t0", *kept)


def _given(call: Call) -> Any:
    return [_plain(m.inputs) for m in call.block] or _plain(call.inputs)


def _plain(inputs: Mapping[str, Signal]) -> dict[str, Any]:
    return {n: s.coefficients.tolist() for n, s in inputs.items()}


def _listed(shown: Shown) -> Any:
    if isinstance(shown, Mapping):
        return {n: v.tolist() for n, v in shown.items()}
    return [_listed(each) for each in shown]
