"""The owner's gate: policy, budgets, monitor and audit log behind one `admit`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bondline.core import Signal, Vector
from bondline.remote.log.audit import AuditLog
from bondline.remote.owner.gate import Call, Denied, Moved
from bondline.remote.privacy.budgets import Budgets
from bondline.remote.privacy.flood import Flood
from bondline.remote.privacy.monitor import Alarm, Monitor
from bondline.remote.privacy.policy import Grant, Policy
from bondline.remote.privacy.rollbacks import Rollbacks
from bondline.remote.privacy.rules import BLOCKS, TIMED, USED_UP, allowed

_MOVING = frozenset(  # with the inputs that count
    {"advance", "realise", "accept", "respond_block", "try_block", "settle_block"}
)
NOBODY = "UNAUTHENTICATED"  # a name of gRPC
_SESSIONS = 4096  # that are remembered
_NAME = 100  # characters of a model that may not exist
_NAMES = {
    "windows": "windows",
    "probes": "probes",
    "sessions": "sessions",
    "cpu_seconds": "CPU seconds",
}


@dataclass
class _Session:
    rollbacks: Rollbacks = field(default_factory=Rollbacks)
    monitor: Monitor | None = None
    alarmed: bool = False


class PolicyGate:
    """A `Gate` that asks a policy, and writes down what happens.

    CPU time is that of the thread between `admit` and `served`; both must be called
    in it. A call that is never served is settled by the next one of that thread.
    """

    def __init__(
        self,
        policy: Policy,
        budgets: Budgets | None = None,
        audit: AuditLog | None = None,
    ) -> None:
        self.policy, self.budgets, self.audit = policy, budgets, audit
        self._sessions: dict[tuple[str, str, str], _Session] = {}
        self._lock = threading.Lock()
        self._thread = threading.local()
        self._flood = Flood()

    @classmethod
    def of(cls, policy: Policy) -> PolicyGate:
        """With the files that the policy names."""
        return cls(
            policy,
            Budgets(policy.budgets) if policy.budgets else None,
            AuditLog(policy.audit, "owner") if policy.audit else None,
        )

    def admit(self, call: Call) -> Denied | None:
        """None: go on. A refusal is written down; nothing was computed or counted."""
        return self.admit_all((call,))

    def admit_all(self, calls: Sequence[Call]) -> Denied | None:
        """The same of all calls of one request: what is refused is not counted.

        But the monitor remembers what it stopped, and all that came before it.
        """
        self._settle()
        refused = self._refused(calls)
        if refused is not None:
            self._say_no(*refused)
            return refused[1]
        return None

    @property
    def keeps(self) -> bool:
        """Whether the policy says so."""
        return self.policy.keep == "numbers"

    def sent(self, call: Call, outputs: Mapping[str, Vector]) -> None:
        """What the ports showed."""
        self._thread.outputs = {n: v.tolist() for n, v in outputs.items()}

    def sent_each(self, call: Call, outputs: Sequence[Mapping[str, Vector]]) -> None:
        """The same of a block."""
        each = [{n: v.tolist() for n, v in shown.items()} for shown in outputs]
        self._thread.outputs = each

    def served(self, call: Call, numbers: int) -> None:
        """The call was answered: count it, and write it down."""
        if self._settle():
            self._thread.since = (call, time.thread_time())  # encoding is work, too
        kept: dict[str, Any] = {}
        if self.keeps:
            each = [_plain(m.inputs) for m in call.block]
            given = each or _plain(call.inputs)
            kept = {"in": given, "out": getattr(self._thread, "outputs", {})}
            self._thread.outputs = {}
        self._write("call", call, numbers=numbers, **kept)
        if call.method == "close":
            with self._lock:
                self._sessions.pop((call.identity, call.model, call.session), None)

    def shown(self, call: Call, names: Iterable[str]) -> frozenset[str]:
        """The observables that the owner chose for this model."""
        every, seen = frozenset(names), self.policy.terms(call.model).seen
        return every if seen is True else every & (seen or frozenset())

    def visible(self, call: Call, ports: Iterable[str]) -> frozenset[str]:
        """Those of the ports that the grant names; without a grant none."""
        grant = self.policy.grant(call.identity, call.model)
        return grant.seen(ports) if grant is not None else frozenset()

    def knows(self, identity: str) -> bool:
        """Whether any grant names this partner."""
        return any(g.who == identity for g in self.policy.grants)

    def head(self) -> tuple[int, str]:
        """The head of the owner's log; (-1, "") without one."""
        if self.audit is None:
            return -1, ""
        head = self.audit.head()
        self.audit.seal()  # after it: what is told is on the disk, whoever else writes
        return head

    def heard(self, call: Call, number: int, head: str) -> None:
        """Keep the other side's head."""
        if self.audit is not None:
            self.audit.heard(call.identity, number, head)

    def turned_away(self, identity: str, reason: str) -> None:
        """The transport refused a partner: write it down, or count it in a flood."""
        call = Call(identity, "", "connect")
        self.refused(call, Denied(NOBODY, reason, "certificate"))

    def refused(self, call: Call, denied: Denied) -> None:
        """The server refused a request: write it down, or count it in a flood."""
        with self._lock:
            times = self._flood.times(call, denied)
        if times:
            self._deny(call, denied, times)

    def close(self) -> None:
        """Give budgets back, seal the log."""
        self._settle()
        with self._lock:
            rest = list(self._flood.rest())
        for call, denied, times in rest:
            self._deny(call, denied, times)
        if self.budgets is not None:
            self.budgets.close()
        if self.audit is not None:
            self.audit.close()

    def _refused(self, calls: Sequence[Call]) -> tuple[Call, Denied] | None:
        """The first call that is refused, and why; or else all are counted."""
        ruled = [(call, self._ruled(call)) for call in calls]
        grants = [grant for _, grant in ruled if isinstance(grant, Grant)]
        if len(grants) < len(ruled):
            return next((c, no) for c, no in ruled if isinstance(no, Denied))
        grant, session = grants[0], self._session(calls[0])
        refused = _first(calls, lambda call: _again(grant, call, session.rollbacks))
        refused = refused or self._pay(grant, calls)
        if refused is not None:
            return refused
        refused = _first(calls, lambda call: self._watch(grant, call, session))
        if refused is not None:
            self._give_back(calls)
            return refused
        for call in calls if grant.rollbacks is not None else ():
            session.rollbacks.count(call.method, _repeatable(call))
        if grant.budget.cpu_seconds is not None:
            self._thread.since = (calls[0], time.thread_time())
        return None

    def _ruled(self, call: Call) -> Grant | Denied:
        grant = allowed(self.policy, call)
        if isinstance(grant, Denied) or not self._stopped(call):
            return grant
        return Denied(
            USED_UP,
            f"the excitation monitor stopped {call.model} for today: until "
            "00:00 UTC, unless its owner lifts it.",
            "monitor",
        )

    def _session(self, call: Call) -> _Session:
        with self._lock:
            key = (call.identity, call.model, call.session)
            session = self._sessions.setdefault(key, _Session())
            if len(self._sessions) > _SESSIONS:
                del self._sessions[next(iter(self._sessions))]
            return session

    def _pay(self, grant: Grant, calls: Sequence[Call]) -> tuple[Call, Denied] | None:
        """All at once; of what is short, the call that costs most is refused."""
        limits = grant.budget.limits()
        if not limits or self.budgets is None:
            return None
        dearest = max(calls, key=_price)
        who, model = dearest.identity, dearest.model
        if "cpu_seconds" in limits:
            used = self.budgets.used(who, model, "cpu_seconds")
            if used >= limits["cpu_seconds"]:
                return dearest, _used_up("cpu_seconds", limits, model)
        asked = _wanted(calls)
        lacking = self.budgets.take(who, model, asked, limits) if asked else None
        return (dearest, _used_up(lacking, limits, model)) if lacking else None

    def _give_back(self, calls: Sequence[Call]) -> None:
        if self.budgets is not None:
            self.budgets.give_back(calls[0].identity, calls[0].model, _wanted(calls))

    def _watch(self, grant: Grant, call: Call, session: _Session) -> Denied | None:
        watched = grant.monitor
        if watched.action == "off" or call.method not in _MOVING or not call.moved:
            return None
        with self._lock:
            session.monitor = session.monitor or Monitor(watched.band)
            alarm = _seen(session.monitor, call)
            first, session.alarmed = not session.alarmed, session.alarmed or bool(alarm)
        if alarm is None or not (first or watched.action == "stop"):
            return None
        return self._alarm(call, alarm, watched.action, watched.band)

    def _alarm(
        self, call: Call, alarm: Alarm, action: str, band: float
    ) -> Denied | None:
        said = {"port": alarm.port, "outside": round(alarm.outside, 3), "t": alarm.t}
        self._write("alarm", call, action=action, **said)
        if action != "stop":
            return None
        if self.budgets is not None:
            self.budgets.spend(call.identity, call.model, "stopped", 1.0)
        return Denied(
            USED_UP,
            f"port {alarm.port} of {call.model} is moved outside the agreed band; "
            "the owner's monitor stopped it.",
            "monitor",
            f"{alarm.outside:.0%} of what moved it until t = {alarm.t:g} s was outside "
            f"{band:g} Hz.",
        )

    def _stopped(self, call: Call) -> bool:
        if self.budgets is None or call.method == "close":
            return False
        return self.budgets.used(call.identity, call.model, "stopped") > 0.0

    def _settle(self) -> bool:
        """Count the CPU time of the call before, if that is counted."""
        since = getattr(self._thread, "since", None)
        if since is None:
            return False
        self._thread.since = None
        call, start = since
        if self.budgets is not None:
            took = time.thread_time() - start
            self.budgets.spend(call.identity, call.model, "cpu_seconds", took)
        return True

    def _say_no(self, call: Call, denied: Denied) -> None:
        """Without a session anybody with a certificate may ask, in any words."""
        if call.session:
            self._deny(call, denied)
        else:
            self.refused(call._replace(model=call.model[:_NAME]), denied)

    def _deny(self, call: Call, denied: Denied, times: int = 1) -> None:
        more: dict[str, Any] = {"why": denied.why} if denied.why else {}
        if times > 1:
            more["times"] = times
        said = {"code": denied.code, "reason": denied.reason, "rule": denied.rule}
        self._write("denied", call, **said, **more)

    def _write(self, kind: str, call: Call, **more: Any) -> None:
        if self.audit is None:
            return
        said: dict[str, Any] = {
            "who": call.identity,
            "model": call.model,
            "method": call.method,
            "session": call.session,
            "ports": sorted({*call.ports, *call.inputs}),
            "block": len(call.block),
            "t0": call.t0,
            "step": call.step,
            "windows": call.windows,
            "probes": call.probes,
            "request": call.digest,
        }
        self.audit.write(kind, **said, **more)


def _first(
    calls: Sequence[Call], ask: Callable[[Call], Denied | None]
) -> tuple[Call, Denied] | None:
    return next(((call, no) for call in calls if (no := ask(call))), None)


def _again(grant: Grant, call: Call, rollbacks: Rollbacks) -> Denied | None:
    once = _repeatable(call)
    if grant.rollbacks is None or rollbacks.allow(call.method, once, grant.rollbacks):
        return None
    return Denied(
        USED_UP,
        f"the window at {once[0].t0:g} s was asked for too often; "
        f"{grant.rollbacks} repetitions are granted for {call.model}.",
        "rollbacks",
    )


def _repeatable(call: Call) -> Sequence[Moved]:
    """The windows that may be asked for only so often."""
    if call.method not in TIMED | BLOCKS:
        return ()
    return call.moved[:1] if call.method == "impulse" else call.moved  # as they rest


def _wanted(calls: Sequence[Call]) -> dict[str, float]:
    """What all of them take of the budgets."""
    wanted = {
        "windows": sum(call.windows for call in calls),
        "probes": sum(call.probes for call in calls),
        "sessions": sum(call.method == "open" for call in calls),
    }
    return {kind: float(n) for kind, n in wanted.items() if n > 0}


def _price(call: Call) -> int:
    return call.windows + call.probes


def _seen(monitor: Monitor, call: Call) -> Alarm | None:
    windows = [_ends(each) for each in call.moved]
    if call.method == "respond_block":  # the forces of joints are still to come
        return monitor.guessed(windows)
    return monitor.see_all(windows)


def _plain(inputs: Mapping[str, Signal]) -> dict[str, Any]:
    return {n: s.coefficients.tolist() for n, s in inputs.items()}


def _ends(moved: Moved) -> tuple[float, float, dict[str, Vector]]:
    return moved.t0, moved.step, {n: s.end for n, s in moved.inputs.items()}


def _used_up(kind: str, limits: Mapping[str, float], model: str) -> Denied:
    return Denied(
        USED_UP,
        f"today's {limits[kind]:g} {_NAMES[kind]} of {model} are used up; the budget "
        "renews at 00:00 UTC.",
        f"{kind}_per_day",
    )
