"""Names in a policy that nothing has: a slip there hides, or grants, another thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bondline.errors import BondlineError, nearest
from bondline.remote.owner.served import Served
from bondline.remote.privacy.policy import Grant, Policy, Terms


def strangers(policy: Policy, models: Mapping[str, Served]) -> Iterator[str]:
    """A sentence for each model, port and observable that is not there."""
    named = [*policy.models, *(g.model for g in policy.grants if g.model != "*")]
    for name in dict.fromkeys(n for n in named if n not in models):
        yield f"the policy names model {name}, which is not served{_near(name, models)}"
    for grant in policy.grants:
        yield from _ports(grant, models)
    for name, terms in policy.models.items():
        if name in models and terms.observables:
            yield from _observables(terms, models[name])


def _observables(terms: Terms, model: Served) -> Iterator[str]:
    try:
        known = model.observables()
    except BondlineError as error:  # sessions are told; others may still do well
        yield f"whether {terms.name} has its observables is not known: {error}"
        return
    for one in terms.observables:
        if one != "*" and one not in known:
            lacking = f"observable {one}, which {terms.name} does not have"
            yield f"the policy names {lacking}{_near(one, known)}"


def _ports(grant: Grant, models: Mapping[str, Served]) -> Iterator[str]:
    met = [m for name, m in models.items() if grant.model in ("*", name)]
    known = {p.name for model in met for p in model.ports}
    for port in sorted(grant.ports - known - {"*"}) if met else ():
        whose = grant.model if grant.model != "*" else "no model here"
        lacking = "does not have" if grant.model != "*" else "has"
        yield (
            f"the grant to {grant.who} names port {port}, which {whose} "
            f"{lacking}{_near(port, known)}"
        )


def _near(word: str, known: Iterable[str]) -> str:
    found = nearest(word, known)
    return f"; did you mean {found}?" if found else "."
