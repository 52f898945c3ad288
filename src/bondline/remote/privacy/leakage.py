"""What a log tells about what left: counts, and what an attacker makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bondline.numerics.identify import (
    NOTHING,
    Agreed,
    Answer,
    agreeing,
    among,
    answers,
    arx,
    foreign,
    own,
    step_poles,
    strange,
)
from bondline.remote.privacy.dofs import at_dofs
from bondline.remote.privacy.methods import GROUPS

Record = Mapping[str, Any]
Floats = NDArray[np.float64]

_FORWARD = ("advance", "realise", "accept")
_ORDERS = (6, 8, 12, 16, 20, 24, 32, 40)
_CHANNELS = 3  # of inputs and of outputs, the loudest ones
_TELLING = 100  # windows from which on a record tells whose modes are in it
_LONGEST = 4000  # windows that the estimate looks at; more take long, and tell little


@dataclass
class Account:
    """All that left to one partner from one model.

    `numbers` are float64 that left, `calls` answered calls by method, `steps` the
    window lengths of windows and sensitivities, `longest` the most windows of one
    session, `impulses` the longest impulse response.
    """

    who: str
    model: str
    calls: dict[str, int] = field(default_factory=dict)
    numbers: int = 0
    windows: int = 0
    probes: int = 0
    denied: int = 0
    alarms: list[Record] = field(default_factory=list)
    steps: set[float] = field(default_factory=set)
    frequencies: int = 0
    impulses: int = 0
    per_session: dict[str, int] = field(default_factory=dict)
    by_method: dict[str, int] = field(default_factory=dict)  # numbers

    @property
    def longest(self) -> int:
        """Most windows that one session carried forward."""
        return max(self.per_session.values(), default=0)

    def at_most(self) -> dict[str, int]:
        """Modes that the counts would allow to find: two numbers for each unknown."""
        return {
            "from runs": self.longest // 4,
            "from impulse responses": self.impulses // 4,
            "from window lengths": len(self.steps) // 2,
            "from receptances": self.frequencies // 2,
        }


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an identification finds in the numbers of one session.

    `frequencies` are those of modes: several orders agree on them, and on how the model
    answers there, which is as a mode does. On those of `perhaps` several orders agree,
    too, but the record does not tell whether they are modes of this model: it is short,
    perhaps without a whole period of theirs, or does not begin at rest, or they are of
    loads; or so near to a mode that they may be that one, found twice. Of the windows
    of which numbers were kept, `windows` were looked at: the first of the longest
    stretch of equal ones.
    """

    session: str
    windows: int
    kept: int
    ports: tuple[str, ...]
    frequencies: tuple[float, ...]  # Hz
    perhaps: tuple[float, ...] = ()  # Hz

    @property
    def modes(self) -> int:
        """How many come out for sure."""
        return len(self.frequencies)


def accounts(records: Iterable[Record]) -> list[Account]:
    """One account for each partner and model, in the order in which they came."""
    found: dict[tuple[str, str], Account] = {}
    for record in records:
        if record["kind"] not in ("call", "denied", "alarm"):
            continue
        key = (str(record.get("who", "")), str(record.get("model", "")))
        _enter(found.setdefault(key, Account(*key)), record)
    return list(found.values())


def _enter(account: Account, record: Record) -> None:
    if record["kind"] == "denied":
        account.denied += int(record.get("times", 1))
        return
    if record["kind"] == "alarm":
        account.alarms.append(record)
        return
    method, session = str(record["method"]), str(record.get("session", ""))
    numbers, windows, probes = (
        int(record.get(key, 0)) for key in ("numbers", "windows", "probes")
    )
    _count(account.calls, method, 1)
    _count(account.by_method, method, numbers)
    _count(account.per_session, session, windows)
    account.numbers += numbers
    account.windows += windows
    account.probes += probes
    if record.get("step") and method not in GROUPS["session"]:
        account.steps.add(float(f"{float(record['step']):.9g}"))
    if method in ("receptance", "swinging"):
        account.frequencies += 1
    if method == "impulse":
        whole = int(record.get("block", 0)) or max(windows, probes)
        account.impulses = max(account.impulses, whole)


def _count(where: dict[str, int], key: str, more: int) -> None:
    where[key] = where.get(key, 0) + more


def estimates(records: Sequence[Record], who: str, model: str) -> list[Estimate]:
    """For each session whose numbers were kept, the modes that come out of it."""
    sessions: dict[str, dict[float, Record]] = {}
    moved: set[str] = set()  # sessions that began elsewhere than at rest
    for r in _windows(records):
        if r.get("method") in ("restore", "place", "kick", "equilibrium"):
            moved.add(str(r.get("session", "")))
        ours = (r.get("kind"), r.get("who"), r.get("model")) == ("call", who, model)
        told = r.get("out") and r.get("step") and r.get("t0") is not None
        if ours and told and r["method"] in _FORWARD:
            sessions.setdefault(str(r.get("session", "")), {})[float(r["t0"])] = r
    made = [_estimate(name, w, name not in moved) for name, w in sessions.items()]
    return [one for one in made if one is not None]


def _windows(records: Iterable[Record]) -> Iterator[Record]:
    """Records of single windows; the last word on a block becomes several."""
    for r in records:
        if r.get("method") != "settle_block" or not r.get("out"):
            yield r
            continue
        for k, (given, shown) in enumerate(zip(r["in"], r["out"], strict=True)):
            t0 = float(r["t0"]) + k * float(r["step"])
            yield {**r, "method": "advance", "t0": t0, "in": given, "out": shown}


def _estimate(
    session: str, windows: Mapping[float, Record], rest: bool
) -> Estimate | None:
    """The longest stretch of equal windows, by regression at several orders."""
    every = [windows[t] for t in sorted(windows)]
    rows = _stretch(every)[:_LONGEST]
    ports = tuple(sorted(rows[0]["out"]))
    pushed = [{p: np.sum(c, axis=0) for p, c in r["in"].items()} for r in rows]
    u, y = _table(pushed), _table([r["out"] for r in rows])
    if u is None or y is None:
        return None
    h = float(rows[0]["step"])
    each = [arx(_loudest(u), _loudest(y), h, order).calm(0.2) for order in _ORDERS]
    agreed = agreeing([one for one in each if one.frequencies.size], 2e-3, 3)
    record = at_dofs(rows, pushed, _CHANNELS)
    freely = _answers(record, h, rest=False)
    sure = _sure(record, h) if rest and rows[0] is every[0] else own(freely)
    others = foreign(freely) if _lasting(record[0]) else NOTHING
    listed = [*sure.every, *others.every]
    more = [f for f in agreed.tolist() if not among(f, listed)]
    # of slower ones no period is in a short record
    whole = (sure.clear * h * len(rows) >= 1.0) | (len(rows) >= _TELLING)
    perhaps = sorted([*sure.clear[~whole].tolist(), *sure.twins.tolist(), *more])
    clear = tuple(sure.clear[whole].tolist())
    return Estimate(session, len(rows), len(every), ports, clear, tuple(perhaps))


def _sure(record: tuple[Floats, Mapping[int, Floats]], h: float) -> Agreed:
    """Modes of who begins at rest; none are sure where loads inside move it, too."""
    found = _answers(record, h, rest=True)
    return NOTHING if strange(found).every.size else own(found)


def _answers(
    record: tuple[Floats, Mapping[int, Floats]], h: float, rest: bool
) -> list[Answer]:
    """Poles of all orders, from every level by itself and from all of them at once."""
    u, levels = record
    if not levels:
        return []
    every, found = np.hstack(list(levels.values())), list[Answer]()
    for order in _ORDERS:
        together = step_poles(u, every, order, rest)
        for level, y in levels.items():
            for z in (together, step_poles(u, y, order, rest)):
                told = answers(z, u, y, h, level, rest) if z.size else []
                calm = [a for a in told if abs(a.damping) < 0.2 and a.frequency > 0.0]
                found += [a._replace(order=order) for a in calm]
    return found


def _lasting(u: Floats) -> bool:
    """Whether forces go on: after a single push nothing tells what it did, from rest.

    Who rings freely shows its poles, but not how it answers to a force.
    """
    late = u[len(u) // 2 :]
    return len(u) >= _TELLING and bool((late**2).sum() > 1e-2 * (u**2).sum())


def _stretch(rows: list[Record]) -> list[Record]:
    """The longest run of windows that follow each other with one length."""
    first, best = 0, (0, 0)
    for k in range(len(rows)):
        if k and not _follows(rows[k - 1], rows[k]):
            first = k
        if k + 1 - first > best[1] - best[0]:
            best = (first, k + 1)
    return rows[slice(*best)]


def _follows(before: Record, row: Record) -> bool:
    h = float(before["step"])
    gap = float(row["t0"]) - float(before["t0"]) - h
    return abs(gap) < 1e-6 * h and abs(float(row["step"]) - h) < 1e-6 * h


def _table(rows: list[dict[str, Any]]) -> Floats | None:
    """Columns of all ports; a port that a window does not name has zeros there."""
    sizes: dict[str, int] = {}
    for row in rows:
        sizes |= {port: len(values) for port, values in row.items()}
    if not sizes:
        return None
    made = [
        np.concatenate([np.asarray(row.get(p, np.zeros(n))) for p, n in sizes.items()])
        for row in rows
    ]
    return np.asarray(made, dtype=np.float64)


def _loudest(x: Floats) -> Floats:
    order = np.argsort(-(x**2).sum(axis=0))[:_CHANNELS]
    return x[:, np.sort(order)]
