"""The short way to an integrated model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from bondline.core import (
    Connection,
    Coupling,
    InterfaceSolver,
    Model,
    Port,
    PortRef,
    ref,
)
from bondline.errors import WiringError, did_you_mean
from bondline.gluing.integrated import IntegratedModel
from bondline.gluing.joints.kinds import make_joint
from bondline.gluing.signals import Wire
from bondline.gluing.solvers.choose import choose_solver
from bondline.gluing.strategy import Strategy, Wish, posed, strategy


@dataclass(frozen=True)
class Joined:
    """A joint that has no name yet: its kind, its ends, its settings."""

    kind: str
    ends: tuple[str, ...]
    settings: Mapping[str, Any]


Join: TypeAlias = tuple[str, ...] | Joined | Connection


def joint(kind: str, *ends: str, **settings: Any) -> Joined:
    """A joint of that kind between ports, for `glue`; see `JOINT_KINDS`.

    >>> joint("revolute", "ground.a", "arm.a", axis=(0, 1, 0)).kind
    'revolute'
    """
    return Joined(kind, ends, settings)


def glue(  # noqa: PLR0913 - one argument a choice
    name: str,
    parts: Iterable[Model],
    joints: Mapping[str, Join],
    scheme: str | None = None,
    solver: str | InterfaceSolver[Any] | None = None,
    exports: Mapping[str, str] | None = None,
    coupling: str | Coupling[Any] = "auto",
    wires: Iterable[tuple[str, str]] = (),
    signals: str = "hold",
) -> IntegratedModel:
    """Parts joined at the named ports, with the coupling and scheme that suit them.

    Ports alone are tied: in the plane, a revolute joint. Other kinds are made with
    `joint`, or are connections of your own, with the name they have here. `solver` is
    a word of `SOLVERS` or a solver, `coupling` a word of `COUPLINGS` or a coupling;
    `why` of the model says what chose it. `wires` carry signals, ("plant.x",
    "controller.u"): held over a window and one window late, or "iterated".

    >>> from bondline.leaves import FreeBar, PinnedBar, body, ground
    >>> model = glue(
    ...     "pendulum", [PinnedBar("upper"), FreeBar("lower")],
    ...     {"A": ("upper.A", "lower.A")},
    ... )
    >>> model.coupling.scheme.name
    'constant/e'
    >>> arm = body("arm", x=0.5, ax=-0.5, gz=-9.81)
    >>> hinge = joint("revolute", "rock.a", "arm.a", axis=(0, 1, 0))
    >>> glue("swing", [ground("rock"), arm], {"hinge": hinge}, solver="anderson").why
    'T-T: every port takes force; constant/e suits all parts.'
    """
    every = list(parts)
    by_name = {part.name: part for part in every}
    if not isinstance(joints, Mapping):
        raise WiringError(
            f"{name}: joints",
            f"they are a {type(joints).__name__}, and have no names.",
            'Give them by name: {"A": ("upper.A", "lower.A")}.',
        )
    ends = {n: tuple(map(str, _ends(j))) for n, j in joints.items()}
    carried = [Wire(_signal(a, by_name), _signal(b, by_name)) for a, b in wires]
    used = {f"{end.part}." for wire in carried for end in wire.ends}
    _check_names(name, [part.name for part in every], ends, exports or {}, used)
    made = [_made(name, n, j, by_name) for n, j in joints.items()]
    chosen = _chosen(by_name, made, coupling, Wish(scheme=scheme, solver=solver))
    return IntegratedModel(
        name,
        by_name,
        made,
        chosen.coupling,
        chosen.solver,
        {port: ref(target) for port, target in (exports or {}).items()},
        why=chosen.why,
        wires=tuple(carried),
        signals=signals,
    )


def _signal(text: str, parts: Mapping[str, Model]) -> PortRef:
    """`part.signal`; the name of a signal may have dots, that of a part has none."""
    part, _, name = text.partition(".")
    if part not in parts or not name:
        raise WiringError(
            f"signal {text}", "no part has this signal.", did_you_mean(part, parts)
        )
    return PortRef(part, name)


def _ends(joint: Join) -> Sequence[object]:
    return joint if isinstance(joint, tuple) else joint.ends


def _chosen(
    parts: Mapping[str, Model],
    joints: Sequence[Connection],
    coupling: str | Coupling[Any],
    wish: Wish,
) -> Strategy:
    if isinstance(coupling, str):
        return strategy(parts, joints, Wish(coupling, wish.scheme, wish.solver))
    if wish.scheme is not None:
        raise WiringError(
            "glue: scheme",
            "the coupling was made already, and has one.",
            "Give the scheme to the coupling, or name the coupling by a word.",
        )
    solver = wish.solver
    if solver is None or isinstance(solver, str):
        solver = choose_solver(solver or "newton")
    return Strategy(coupling, posed(coupling, solver), "")


def _check_names(
    model: str,
    parts: Sequence[str],
    joints: Mapping[str, tuple[str, ...]],
    exports: Mapping[str, str],
    wired: Iterable[str] = (),
) -> None:
    """Every part has a name of its own, and something that holds or drives it."""
    twice = [n for n in parts if parts.count(n) > 1]
    if twice:
        raise WiringError(
            f"{model}: part {twice[0]}",
            f"{parts.count(twice[0])} parts have this name.",
            "Give each part a name of its own.",
        )
    used = {end for ends in joints.values() for end in ends} | {*exports.values()}
    used |= {*wired}
    loose = [n for n in parts if not any(end.startswith(f"{n}.") for end in used)]
    if loose and len(parts) > 1:
        raise WiringError(
            f"{model}: part {loose[0]}",
            "no joint holds it and nothing exports it.",
            "Add a joint at one of its ports, or leave the part out.",
        )


def _made(model: str, name: str, join: Join, parts: Mapping[str, Model]) -> Connection:
    place = f"{model}: joint {name}"
    if isinstance(join, tuple):
        join = Joined("tie", join, {})
    if not isinstance(join, Joined):
        if join.name != name:
            raise WiringError(
                place,
                f"the connection has the name {join.name!r}.",
                f"Give it the name {name!r}, or list it under its own.",
            )
        return join
    known = {f"{n}.{p}": port for n, s in parts.items() for p, port in s.ports.items()}
    ports = [_port(place, end, known) for end in join.ends or ("",)]
    ends = tuple(ref(end) for end in join.ends)
    return make_joint(join.kind, name, ends, ports, **join.settings)


def _port(place: str, end: str, known: Mapping[str, object]) -> Port:
    port = known.get(end)
    if not isinstance(port, Port):
        raise WiringError(
            place,
            f"it refers to {end or 'nothing'}, which is no port.",
            did_you_mean(end, [n for n, p in known.items() if isinstance(p, Port)]),
        )
    return port
