"""Values that a model file gives to parts at partners': they change nothing."""

from __future__ import annotations

from collections.abc import Iterator

from bondline.build.build import Elsewhere
from bondline.description import ModelSpec, Problem
from bondline.description.resolve import assignments


def ignored(spec: ModelSpec, elsewhere: Elsewhere) -> Iterator[Problem]:
    """One warning for each part that is given values, and never sees them."""
    away = [f"{name}." for name, model in elsewhere.items() if _at_a_partner(model)]
    known = {a.target: a.where for a in assignments(spec.system)} if away else {}
    for part in away:
        own = {n.removeprefix(part): w for n, w in known.items() if n.startswith(part)}
        if own:
            yield Problem(
                "BND081",
                min(own.values(), key=lambda where: where.line),
                f"{part[:-1]} is at a partner's, who does not see what is set here: "
                f"{', '.join(own)}.",
                "Agree on the values with its owner, who sets them with bondline leaf "
                "serve --set, and take them away here.",
                "warning",
            )


def _at_a_partner(model: object) -> bool:
    """Not here, and not in a process of ours, which reads the same file."""
    from bondline.remote.client.asking import Asking
    from bondline.remote.client.local import Pipe

    return isinstance(model, Asking) and not isinstance(model.link.line, Pipe)
