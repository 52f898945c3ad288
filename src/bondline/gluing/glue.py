"""The short way to an integrated model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bondline.core import InterfaceSolver, Model, Port, ref
from bondline.errors import WiringError, did_you_mean
from bondline.gluing.couplings.fitness import default_scheme
from bondline.gluing.couplings.schemes import scheme as named
from bondline.gluing.couplings.tt import TT
from bondline.gluing.integrated import IntegratedModel
from bondline.gluing.joints.tie import Tie
from bondline.gluing.solvers.newton import Newton


def glue(
    name: str,
    parts: Iterable[Model],
    joints: Mapping[str, tuple[str, ...]],
    scheme: str | None = None,
    solver: InterfaceSolver[Any] | None = None,
    exports: Mapping[str, str] | None = None,
) -> IntegratedModel:
    """Parts tied at the named ports, with the scheme that suits them.

    >>> from bondline.leaves import FreeBar, PinnedBar
    >>> model = glue(
    ...     "pendulum", [PinnedBar("upper"), FreeBar("lower")],
    ...     {"A": ("upper.A", "lower.A")},
    ... )
    >>> model.coupling.scheme.name
    'constant/e'
    """
    every = list(parts)
    by_name = {part.name: part for part in every}
    _check_names(name, [part.name for part in every], joints, exports or {})
    return IntegratedModel(
        name,
        by_name,
        [_tie(name, joint, ends, by_name) for joint, ends in joints.items()],
        TT(named(scheme) if scheme else default_scheme(by_name)),
        solver or Newton(),
        {port: ref(target) for port, target in (exports or {}).items()},
    )


def _check_names(
    model: str,
    parts: Sequence[str],
    joints: Mapping[str, tuple[str, ...]],
    exports: Mapping[str, str],
) -> None:
    """Every part has a name of its own, and something that holds it."""
    twice = [n for n in parts if parts.count(n) > 1]
    if twice:
        raise WiringError(
            f"{model}: part {twice[0]}",
            f"{parts.count(twice[0])} parts have this name.",
            "Give each part a name of its own.",
        )
    used = {end for ends in joints.values() for end in ends} | {*exports.values()}
    loose = [n for n in parts if not any(end.startswith(f"{n}.") for end in used)]
    if loose and len(parts) > 1:
        raise WiringError(
            f"{model}: part {loose[0]}",
            "no joint holds it and nothing exports it.",
            "Add a joint at one of its ports, or leave the part out.",
        )


def _tie(
    model: str, joint: str, ends: tuple[str, ...], parts: Mapping[str, Model]
) -> Tie:
    known = {f"{n}.{p}": port for n, s in parts.items() for p, port in s.ports.items()}
    first = known.get(ends[0]) if ends else None
    if not isinstance(first, Port):
        raise WiringError(
            f"{model}: joint {joint}",
            f"it refers to {ends[0] if ends else 'nothing'}, which is no port.",
            did_you_mean(ends[0] if ends else "", known),
        )
    return Tie(joint, tuple(ref(end) for end in ends), first.dofs * first.nodes)
