"""What `leaf serve` serves, and by whose rules."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bondline.cli.downstream import Downstream
from bondline.errors import UsageError

if TYPE_CHECKING:
    from bondline.core import Model
    from bondline.remote.owner.gate import Gate
    from bondline.remote.owner.published import Published
    from bondline.remote.owner.served import Served
    from bondline.remote.privacy.policy import Policy


def rules_of(policy: Path | None, everything: bool) -> Policy | Published:
    """What the owner allows; without a word nothing is."""
    from bondline.remote.owner.published import EVERYTHING
    from bondline.remote.privacy.policy_file import load_policy

    if policy is not None:
        return load_policy(policy)
    if not everything:
        raise UsageError(
            "bondline leaf serve",
            "nobody is allowed anything.",
            "Give --policy FILE (bondline policy new writes one), or --allow-all for "
            "everybody with a certificate.",
        )
    return EVERYTHING


@contextmanager
def gate_of(rules: Policy | Published) -> Iterator[Gate]:
    """Who says yes or no to each call; its log and budgets are closed at the end."""
    from bondline.remote.owner.host import Open
    from bondline.remote.privacy.policy import Policy
    from bondline.remote.privacy.policy_gate import PolicyGate

    if not isinstance(rules, Policy):
        yield Open()
        return
    with closing(PolicyGate.of(rules)) as gate:
        yield gate


def audit_of(rules: Policy | Published) -> Path | None:
    """The owner's log, if there is one."""
    from bondline.remote.privacy.policy import Policy

    return rules.audit if isinstance(rules, Policy) else None


def _published(rules: Policy | Published, name: str) -> Published:
    """What may be seen besides ports."""
    from bondline.remote.owner.published import Published

    if isinstance(rules, Published):
        return rules
    terms = rules.terms(name)
    shown = terms.publish
    return Published(
        terms.seen,
        "reactions" in shown,
        "outline" in shown,
        "notes" in shown,
        "parameters" in shown,
        "surfaces" in shown,
        "energy" in shown,
        "counts" in shown,
        "inner" in shown,
    )


def served(
    text: str,
    given: dict[str, str],
    below: Downstream,
    how: tuple[Policy | Published, float],
) -> Served:
    """A model of the command line; `how` has the rules and what a window may take."""
    from bondline.build.served import check_pinned, served_model
    from bondline.build.single import single
    from bondline.remote.owner.served import Served
    from bondline.remote.privacy.policy import Policy

    (rules, max_step), (name, mark, target) = how, text.partition("=")
    target = target if mark else text
    found = single(target, given, below.connected)
    called = name if mark else found.leaf.name
    policy = rules if isinstance(rules, Policy) else Policy()
    check_pinned(called, _file(target), policy)

    def make() -> Model:
        whole = found.leaf if found.make is None else found.make()
        return served_model(whole, policy, called)

    digest = _digest(target, given, policy.terms(called).band)
    return Served(called, make, digest, _published(rules, called), max_step)


def _file(target: str) -> Path | None:
    """The file or folder that a model is made of, if it is."""
    path = Path(target.rpartition(":")[0] if ":" in target else target)
    return path if path.exists() else None


def _digest(target: str, given: dict[str, str], band: float | None) -> str:
    """Changes with the files of a model, with what was set, and with the band."""
    from bondline.build import catalogue
    from bondline.description import digest

    path = _file(target)
    files = digest(path, catalogue().library) if path is not None else ""
    words = [target.rpartition(":")[2], files, *map(str, given.items())]
    every = "\n".join(words if band is None else [*words, f"{band!r} Hz"])
    return hashlib.sha256(every.encode()).hexdigest()
