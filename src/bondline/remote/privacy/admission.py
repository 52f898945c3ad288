"""What is admitted: rules of a grant, repetitions, budgets, the excitation monitor.

Each call of a run passes here, so what can be known beforehand is: the grant of a
session is looked up once in a policy, and again when the owner sets another one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from bondline.remote.owner.gate import Call, Denied
from bondline.remote.owner.trail import Moved, Trail
from bondline.remote.privacy.budgets import Budgets
from bondline.remote.privacy.monitor import Alarm, at_once, gone_on, guessed
from bondline.remote.privacy.policy import Grant, Policy, Watched
from bondline.remote.privacy.rollbacks import Rollbacks
from bondline.remote.privacy.rules import ABOUT_TIME, USED_UP, allowed, unnamed

Refusal: TypeAlias = tuple[Call, Denied]
_Once: TypeAlias = Sequence[tuple[Call, Sequence[Moved]]]  # that are rarely repeated

_MOVING = frozenset(  # with the inputs that count
    {"advance", "realise", "accept", "respond_block", "try_block", "settle_block"}
)
_SESSIONS = 4096  # that are remembered
_NAMES = {
    "windows": "windows",
    "probes": "probes",
    "sessions": "sessions",
    "cpu_seconds": "CPU seconds",
}


class _Terms(NamedTuple):
    """What a policy grants to a session: all of it, or all of the next one."""

    policy: Policy
    grant: Grant
    limits: Mapping[str, float]


@dataclass
class _Session:
    """What one session did so far, and under what terms it goes on."""

    terms: _Terms
    rollbacks: Rollbacks = field(default_factory=Rollbacks)
    alarmed: bool = False


class _Work(threading.local):
    """The call that a thread is at, if its CPU time is counted, and since when."""

    since: tuple[Call, float] | None = None


class Admission:
    """Says no, or counts; `alarmed` hears of alarms, and what is done about them."""

    def __init__(
        self, budgets: Budgets | None, alarmed: Callable[[Call, Alarm, str], None]
    ) -> None:
        self._budgets, self._alarmed = budgets, alarmed
        self._sessions: dict[tuple[str, str, str], _Session] = {}
        self._visits: dict[tuple[str, str, str], _Session] = {}  # in any words
        self._lock = threading.Lock()
        self._work = _Work()

    def refused(self, policy: Policy, calls: Sequence[Call]) -> Refusal | None:
        """The first call that is refused, and why; or else all are counted."""
        if self._work.since is not None:
            self.settle()
        first = calls[0]
        known = self._sessions if first.session else self._visits
        session = known.get((first.identity, first.model, first.session))
        if session is None or session.terms.policy is not policy:
            found = self._meet(policy, first)
            if isinstance(found, Denied):
                return first, found
            session = found
        terms = session.terms  # once: others may set the next ones
        return self._ruled(terms, calls) or self._counted(session, terms, calls)

    def settle(self) -> None:
        """Count the CPU time of the call before, if it is a budget."""
        since, self._work.since = self._work.since, None
        if since is not None and self._budgets is not None:
            call, start = since
            spent = time.thread_time() - start
            self._budgets.spend(call.identity, call.model, "cpu_seconds", spent)

    def forget(self, identity: str, model: str, session: str) -> None:
        """A session is over."""
        with self._lock:
            self._sessions.pop((identity, model, session), None)

    def _meet(self, policy: Policy, call: Call) -> _Session | Denied:
        """A session that is new, or goes on under another policy."""
        grant = policy.grant(call.identity, call.model)
        if grant is None:
            return unnamed(policy, call)
        terms = _Terms(policy, grant, grant.budget.limits())
        with self._lock:
            key = (call.identity, call.model, call.session)
            known = self._sessions if call.session else self._visits
            session = known.get(key)
            if session is None:
                session = known[key] = _Session(terms)
                if len(known) > _SESSIONS:
                    del known[next(iter(known))]
            session.terms = terms
            return session

    def _ruled(self, terms: _Terms, calls: Sequence[Call]) -> Refusal | None:
        """What the grant says, whatever was done before; and whether it is stopped."""
        budgets = self._budgets
        for call in calls:
            denied = allowed(terms.policy, terms.grant, call)
            if denied is not None:
                return call, denied
            if budgets is None or call.method == "close":
                continue
            if budgets.used(call.identity, call.model, "stopped") > 0.0:
                return call, _stopped_today(call)
        return None

    def _counted(
        self, session: _Session, terms: _Terms, calls: Sequence[Call]
    ) -> Refusal | None:
        """What is refused is not counted; but the monitor remembers it."""
        most, refused = terms.grant.rollbacks, None
        once: _Once = ()
        if most is not None:
            once = [(call, _repeatable(call)) for call in calls]
            refused = _again(session.rollbacks, most, once)
        if refused is None and terms.limits and self._budgets is not None:
            refused = self._pay(self._budgets, terms.limits, calls)
        if refused is not None:
            return refused
        if terms.grant.monitor.action != "off":
            refused = self._watch(session, terms.grant.monitor, calls)
            if refused is not None:
                self._give_back(terms.limits, calls)
                return refused
        for call, windows in once:
            session.rollbacks.count(call.method, windows)
        if "cpu_seconds" in terms.limits:
            self._work.since = (calls[0], time.thread_time())
        return None

    def _pay(
        self, budgets: Budgets, limits: Mapping[str, float], calls: Sequence[Call]
    ) -> Refusal | None:
        """All at once; of what is short, the call that costs most is refused."""
        who, model, lacking = calls[0].identity, calls[0].model, None
        timed = "cpu_seconds" in limits
        if timed and budgets.used(who, model, "cpu_seconds") >= limits["cpu_seconds"]:
            lacking = "cpu_seconds"
        elif wanted := _wanted(calls):
            lacking = budgets.take(who, model, wanted, limits)
        if lacking is None:
            return None
        return max(calls, key=_price), _used_up(lacking, limits, model)

    def _give_back(self, limits: Mapping[str, float], calls: Sequence[Call]) -> None:
        """What was taken: of kinds without a budget nothing was."""
        if self._budgets is not None:
            taken = {k: n for k, n in _wanted(calls).items() if k in limits}
            self._budgets.give_back(calls[0].identity, calls[0].model, taken)

    def _watch(
        self, session: _Session, watched: Watched, calls: Sequence[Call]
    ) -> Refusal | None:
        for call in calls:
            if call.method not in _MOVING or not (moved := call.moved):
                continue
            alarm = _seen(call, moved, watched.band)
            with self._lock:
                first = not session.alarmed
                session.alarmed |= alarm is not None
            if alarm is None or not (first or watched.action == "stop"):
                continue
            self._alarmed(call, alarm, watched.action)
            if watched.action == "stop":
                return call, self._stop(call, alarm, watched.band)
        return None

    def _stop(self, call: Call, alarm: Alarm, band: float) -> Denied:
        if self._budgets is not None:
            self._budgets.spend(call.identity, call.model, "stopped", 1.0)
        return Denied(
            USED_UP,
            f"port {alarm.port} of {call.model} is moved outside the agreed band; "
            "the owner's monitor stopped it.",
            "monitor",
            f"{alarm.outside:.0%} of what moved it until t = {alarm.t:g} s was outside "
            f"{band:g} Hz.",
        )


def _stopped_today(call: Call) -> Denied:
    return Denied(
        USED_UP,
        f"the excitation monitor stopped {call.model} for today: until "
        "00:00 UTC, unless its owner lifts it.",
        "monitor",
    )


def _again(rollbacks: Rollbacks, most: int, once: _Once) -> Refusal | None:
    for call, windows in once:
        if not rollbacks.allow(call.method, windows, most):
            return call, Denied(
                USED_UP,
                f"the window at {windows[0].t0:g} s was asked for too often; "
                f"{most} repetitions are granted for {call.model}.",
                "rollbacks",
            )
    return None


def _repeatable(call: Call) -> Sequence[Moved]:
    """The windows that may be asked for only so often."""
    if call.method not in ABOUT_TIME:
        return ()
    return call.moved[:1] if call.method == "impulse" else call.moved  # as they rest


def _wanted(calls: Sequence[Call]) -> dict[str, float]:
    """What all of them take of the budgets."""
    wanted: dict[str, float] = {}
    for call in calls:
        if call.windows > 0:
            wanted["windows"] = wanted.get("windows", 0.0) + call.windows
        if call.probes > 0:
            wanted["probes"] = wanted.get("probes", 0.0) + call.probes
        if call.method == "open":
            wanted["sessions"] = wanted.get("sessions", 0.0) + 1.0
    return wanted


def _price(call: Call) -> int:
    return call.windows + call.probes


def _seen(call: Call, moved: Sequence[Moved], band: float) -> Alarm | None:
    if call.method == "respond_block":  # the forces of joints are still to come
        return guessed(moved, band)
    trail = call.trail or Trail()
    alarm = gone_on(trail, band)
    if alarm is not None or len(moved) == 1:
        return alarm
    return at_once(trail, moved, band)


def _used_up(kind: str, limits: Mapping[str, float], model: str) -> Denied:
    return Denied(
        USED_UP,
        f"today's {limits[kind]:g} {_NAMES[kind]} of {model} are used up; the budget "
        "renews at 00:00 UTC.",
        f"{kind}_per_day",
    )
