"""What `leaf serve` serves, and by whose rules."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bondline.cli.downstream import Downstream
from bondline.cli.partners import require_parts
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
        values=terms.seen,
        reactions="reactions" in shown,
        shapes="outline" in shown,
        notes="notes" in shown,
        parameters="parameters" in shown,
        surfaces="surfaces" in shown,
        energy="energy" in shown,
        counts="counts" in shown,
        inner="inner" in shown,
    )


def all_served(
    texts: Sequence[str],
    given: dict[str, str],
    below: Downstream,
    how: tuple[Policy | Published, float],
) -> list[Served]:
    """The models of a command line; a part that is placed is in one of them."""
    from bondline.build.single import model_of

    files = [model_of(_named(text)[1]) for text in texts]
    require_parts([file for file in files if file is not None], below.places)
    return [served(text, given, below, how) for text in texts]


def served(
    text: str,
    given: dict[str, str],
    below: Downstream,
    how: tuple[Policy | Published, float],
) -> Served:
    """A model of the command line; `how` has the rules and what a window may take."""
    from bondline.build import parts_of
    from bondline.build.single import model_of, single
    from bondline.build.under_policy import check_pinned, served_model
    from bondline.remote.owner.served import Served
    from bondline.remote.privacy.policy import Policy

    (rules, max_step), (name, target) = how, _named(text)
    file = model_of(target)
    parts = parts_of(file) if file is not None and below.places else ()

    def fresh() -> Model:
        return below.made(lambda there: single(target, given, there).leaf, parts)

    first = fresh()
    called = first.name if name is None else name
    policy = rules if isinstance(rules, Policy) else Policy()
    check_pinned(called, file, policy)
    digest = _digest(target, given, policy.terms(called).band)
    made = Served(
        called,
        lambda: served_model(fresh(), policy, called),
        digest,
        _published(rules, called),
        max_step,
    )
    made.bring_back(served_model(first, policy, called))  # for whoever is first
    return made


def _named(text: str) -> tuple[str | None, str]:
    """NAME=TARGET, or the target alone, which is called what its model is."""
    name, mark, target = text.partition("=")
    return (name, target) if mark else (None, text)


def _digest(target: str, given: dict[str, str], band: float | None) -> str:
    """Changes with the files of a model, with what was set, and with the band."""
    from bondline.build import catalogue
    from bondline.build.single import model_of
    from bondline.description import digest

    path = model_of(target)
    files = digest(path, catalogue().library) if path is not None else ""
    words = [target.rpartition(":")[2], files, *map(str, given.items())]
    every = "\n".join(words if band is None else [*words, f"{band!r} Hz"])
    return hashlib.sha256(every.encode()).hexdigest()
