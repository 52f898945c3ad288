"""Which variables of an FMU make up which port.

The owner's annotation says so, or terminals of our kind do, or the names do: `A.F.x`
or `A_F_x` is the force along x at port A, with r, v, a for its motion; M, phi, omega,
alpha are the same of rotations, q the quaternion (w, x, y, z) of a frame.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bondline.core import Causality, Port
from bondline.core.port import FRAME_DOFS
from bondline.description.fmu.text import FmuText
from bondline.description.fmu.variables import Variable
from bondline.description.place import Place, Problem
from bondline.description.spec import InterfaceSpec
from bondline.errors import did_you_mean

TERMINAL_KIND = "io.github.bondline.mech.interface3d"
DOFS = ("x", "y", "z", "rx", "ry", "rz")
LEVELS = ("force", "position", "velocity", "acceleration")
_MEMBERS = {
    **{("F", 0): "force", ("r", 0): "position"},
    **{("v", 0): "velocity", ("a", 0): "acceleration"},
    **{("M", 1): "force", ("phi", 1): "position"},
    **{("omega", 1): "velocity", ("alpha", 1): "acceleration"},
}
_LETTERS = "F|M|r|v|a|phi|omega|alpha|q"
_MEMBER = re.compile(rf"({_LETTERS})[._]([wxyz])")
_NAMED = re.compile(rf"(.+?)[._]({_LETTERS})[._]([wxyz])")


def member(letter: str, axis: str) -> tuple[str, str] | None:
    """Level and dof that a member such as F.x stands for.

    >>> member("omega", "z"), member("q", "w"), member("F", "w")
    (('velocity', 'rz'), ('turn', 'w'), None)
    """
    if letter == "q":
        return "turn", axis
    if axis == "w":
        return None
    turning = (letter, 1) in _MEMBERS
    return _MEMBERS[letter, int(turning)], f"r{axis}" if turning else axis


@dataclass(frozen=True, slots=True)
class PortText:
    """A port, and the variables of its levels; `turn` is the quaternion of a frame."""

    port: Port
    force: tuple[Variable, ...]
    position: tuple[Variable, ...]
    velocity: tuple[Variable, ...]
    acceleration: tuple[Variable, ...] = ()
    turn: tuple[Variable, ...] = ()

    @property
    def variables(self) -> Iterator[Variable]:
        """All of them."""
        for level in (*LEVELS, "turn"):
            yield from getattr(self, level)


def ports_of(
    text: FmuText, asked: Iterable[InterfaceSpec] = ()
) -> tuple[dict[str, PortText], list[Problem]]:
    """Ports by name, and what is wrong: the annotation's, or terminals', or names'."""
    wanted = {spec.name: (_asked(spec), spec.where) for spec in asked}
    if not wanted:
        ours = [t for t in text.terminals if t.kind == TERMINAL_KIND]
        wanted = {t.name: (_listed(t.members), text.where) for t in ours}
    if not wanted:
        wanted = {n: (w, text.where) for n, w in _by_name(text).items()}
    ports: dict[str, PortText] = {}
    problems: list[Problem] = []
    for name, (names, where) in wanted.items():
        made = _port(name, names, text, where)
        if isinstance(made, Problem):
            problems.append(made)
        else:
            ports[name] = made
    return ports, problems


Names = Mapping[tuple[str, str], str]  # level and dof: the name of a variable


def _asked(spec: InterfaceSpec) -> Names:
    found: dict[tuple[str, str], str] = {}
    for level in (*LEVELS, "turn"):
        dofs = ("w", "x", "y", "z") if level == "turn" else spec.dofs
        for dof, name in zip(dofs, getattr(spec, level), strict=False):
            found[level, dof] = name
    return found


def _listed(members: Iterable[tuple[str, str]]) -> Names:
    found: dict[tuple[str, str], str] = {}
    for label, name in members:
        match = _MEMBER.fullmatch(label)
        key = member(match[1], match[2]) if match else None
        if key is not None:
            found[key] = name
    return found


def _by_name(text: FmuText) -> dict[str, Names]:
    """What has a force and a motion is a port; other variables are signals."""
    found: dict[str, dict[tuple[str, str], str]] = {}
    for variable in text.of("input", "output"):
        match = _NAMED.fullmatch(variable.name)
        key = member(match[2], match[3]) if match else None
        if match and key is not None and variable.number:
            found.setdefault(match[1], {})[key] = variable.name
    return {
        port: names
        for port, names in found.items()
        if {"force", "position"} <= {level for level, _ in names}
    }


def _port(name: str, names: Names, text: FmuText, where: Place) -> PortText | Problem:
    turned = any(level == "turn" for level, _ in names)
    levels = {level: [d for d in DOFS if (level, d) in names] for level in LEVELS}
    dofs = tuple(levels["force"])
    if turned:
        levels["position"] += ["rx", "ry", "rz"]  # the quaternion says them
    finding = _lacking(levels, dofs, turned)
    if finding:
        return _unfit(name, finding, where)
    found: dict[str, tuple[Variable, ...]] = {}
    for level in (*LEVELS, "turn"):
        own = ("w", "x", "y", "z") if level == "turn" else dofs
        each = [names[level, d] for d in own if (level, d) in names]
        lost = [n for n in each if n not in text.variables]
        if lost:
            hint = did_you_mean(lost[0], text.variables)
            return _unfit(name, f"there is no variable {lost[0]!r}. {hint}", where)
        found[level] = tuple(text.variables[n] for n in each)
    return _directed(name, dofs, found, where)


def _lacking(
    levels: Mapping[str, list[str]], dofs: tuple[str, ...], turned: bool
) -> str:
    if not dofs:
        return "it has no force (F or M)"
    if turned and dofs != FRAME_DOFS:
        return f"a frame needs forces and moments in space, and it has {' '.join(dofs)}"
    for level in ("position", "velocity"):
        lacking = [d for d in dofs if d not in levels[level]]
        if lacking:
            return f"it has a force along {lacking[0]} and no {level}"
    some = levels["acceleration"]
    if some and set(some) < set(dofs):
        return f"it has accelerations along {' '.join(some)} only"
    return ""


def _directed(
    name: str,
    dofs: tuple[str, ...],
    found: Mapping[str, tuple[Variable, ...]],
    where: Place,
) -> PortText | Problem:
    """Forces go one way and motions the other."""
    motion = [v for level in (*LEVELS[1:], "turn") for v in found[level]]
    for v in (*found["force"], *motion):
        if not v.number:
            return _unfit(name, f"{v.name} is no real number", where)
        if v.factor != 1.0:
            finding = f"port {name}: {v.name} is in {v.unit}, which is not SI."
            remedy = "Let the ports of the FMU be in N, N.m, m, rad and s."
            return Problem("BND107", where, finding, remedy)
    ways = ({v.causality for v in found["force"]}, {v.causality for v in motion})
    frame = bool(found["turn"])
    if ways == ({"input"}, {"output"}):
        causality = Causality.FORCE_IN
    elif ways == ({"output"}, {"input"}) and not frame:
        causality = Causality.MOTION_IN
    else:
        more = "; a frame takes forces" if frame else ""
        told = " and ".join("/".join(sorted(w)) for w in ways)
        return _unfit(name, f"forces and motions are {told}{more}", where)
    return PortText(Port(name, dofs, causality=causality, frame=frame), **found)


def _unfit(name: str, finding: str, where: Place) -> Problem:
    return Problem(
        "BND106",
        where,
        f"port {name}: {finding}.",
        "A port has forces as inputs and position and velocity as outputs of the same "
        "dofs, or the other way round; say which variables are meant in an annotation "
        "io.github.bondline.fmu.",
    )
