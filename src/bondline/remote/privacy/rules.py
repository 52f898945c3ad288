"""What a grant says to one call, before anything is counted or computed."""

from __future__ import annotations

import math

from bondline.remote.owner.gate import Call, Denied
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy

DENIED, USED_UP = "PERMISSION_DENIED", "RESOURCE_EXHAUSTED"  # names of gRPC
TIMED = frozenset(
    {
        *("advance", "respond", "realise", "linearise", "weighing", "advance_each"),
        *("predict", "correct", "accept"),
    }
)
_ROUNDED = 1e-6  # of a length, at most
BLOCKS = frozenset(m for m, group in METHODS.items() if group == "block")


ABOUT_TIME = TIMED | BLOCKS


def allowed(policy: Policy, grant: Grant, call: Call) -> Denied | None:
    """What a grant says to a call that it speaks of; None: it may go on.

    Its own words come back in a refusal.
    """
    method = call.method
    if method not in METHODS:
        return unnamed(policy, call)
    if method not in grant.methods:
        return _no(
            f"{method} is not granted for {call.model}: methods has neither it "
            f'nor its group "{METHODS[method]}"',
            "methods",
        )
    if "*" not in grant.ports and (no := _ports(grant, call)):
        return no
    if method in ABOUT_TIME and (call.block or not grant.steps.allow(call.step)):
        no = _steps(grant, call)
        if no is not None:
            return no
    if call.windows <= grant.blocks >= 1 and not call.block and method not in BLOCKS:
        return None
    return _blocks(grant, call)


def unnamed(policy: Policy, call: Call) -> Denied:
    """No to what no grant names, with a sentence on it for the owner.

    Whether a model exists is not told to those who may not use it, nor what it is
    called: who asks for the only one here gives no name.
    """
    who = call.identity or "a caller without a certificate"
    rule, why = _lacking(policy, call)
    return _no(f"{who} may not {call.method} this model", rule, why)


def _lacking(policy: Policy, call: Call) -> tuple[str, str]:
    if policy.grant(call.identity, call.model) is not None:
        return "methods", f"there is no method {call.method}."
    theirs = sorted({g.model for g in policy.grants if g.who == call.identity})
    if not theirs:
        return "who", "no grant names this partner."
    return "model", f"the grants to this partner are for {', '.join(theirs)} only."


def _ports(grant: Grant, call: Call) -> Denied | None:
    asked = {*call.ports, *call.inputs}
    if call.block:
        asked = asked.union(*(m.inputs for m in call.block))
    if asked <= grant.ports:
        return None
    return _no(
        f"port {min(asked - grant.ports)} of {call.model} is not granted", "ports"
    )


def _steps(grant: Grant, call: Call) -> Denied | None:
    windows = [(call.t0 or 0.0, call.step), *((m.t0, m.step) for m in call.block)]
    wrong = next((h for t0, h in windows if not _granted(grant, t0, h)), None)
    if wrong is None:
        return None
    return _no(
        f"windows of {wrong:g} s are not granted for {call.model}; "
        f"granted: {grant.steps}",
        "steps",
    )


def _granted(grant: Grant, t0: float, h: float) -> bool:
    """Instants far from zero are rounded by more; nobody gets another length by it."""
    return grant.steps.allow(h, min(4.0 * math.ulp(abs(t0) + h), _ROUNDED * h))


def _blocks(grant: Grant, call: Call) -> Denied | None:
    least = 2 if call.method in BLOCKS else 1
    many = max(call.windows, len(call.block), least)
    if many <= grant.blocks:
        return None
    return _no(
        f"{many} windows in one call are not granted for {call.model}; "
        f"granted: {grant.blocks}",
        "blocks",
    )


def _no(reason: str, rule: str, why: str = "") -> Denied:
    return Denied(DENIED, f"{reason}.", rule, why)
