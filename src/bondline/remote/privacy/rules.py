"""What a grant says to one call, before anything is counted or computed."""

from __future__ import annotations

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
BLOCKS = frozenset(m for m, group in METHODS.items() if group == "block")


def allowed(policy: Policy, call: Call) -> Grant | Denied:
    """The grant under which a call may go on; its own words come back in a refusal.

    Whether a model exists is not told to those who may not use it, nor what it is
    called: who asks for the only one here gives no name.
    """
    grant = policy.grant(call.identity, call.model)
    if grant is None or call.method not in METHODS:
        who = call.identity or "a caller without a certificate"
        rule, why = _unnamed(policy, call)
        return _no(f"{who} may not {call.method} this model", rule, why)
    if call.method not in grant.methods:
        return _no(
            f"{call.method} is not granted for {call.model}: methods has neither it "
            f'nor its group "{METHODS[call.method]}"',
            "methods",
        )
    return _ports(grant, call) or _steps(grant, call) or _blocks(grant, call) or grant


def _unnamed(policy: Policy, call: Call) -> tuple[str, str]:
    """What no grant names, and a sentence on it for the owner."""
    if policy.grant(call.identity, call.model) is not None:
        return "methods", f"there is no method {call.method}."
    theirs = sorted({g.model for g in policy.grants if g.who == call.identity})
    if not theirs:
        return "who", "no grant names this partner."
    return "model", f"the grants to this partner are for {', '.join(theirs)} only."


def _ports(grant: Grant, call: Call) -> Denied | None:
    if "*" in grant.ports:
        return None
    asked = {*call.ports, *call.inputs}.union(*(m.inputs for m in call.block))
    wrong = sorted(asked - grant.ports)
    if not wrong:
        return None
    return _no(f"port {wrong[0]} of {call.model} is not granted", "ports")


def _steps(grant: Grant, call: Call) -> Denied | None:
    lengths = [call.step, *(m.step for m in call.block)]
    wrong = next((h for h in lengths if not grant.steps.allow(h)), None)
    if call.method not in TIMED | BLOCKS or wrong is None:
        return None
    return _no(
        f"windows of {wrong:g} s are not granted for {call.model}; "
        f"granted: {grant.steps}",
        "steps",
    )


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
