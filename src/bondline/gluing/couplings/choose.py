"""Which coupling goes with which parts, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from bondline.core import Assembly, Connection, Coupling, Model
from bondline.errors import SettingError, did_you_mean
from bondline.gluing.couplings.driven_fitness import (
    glued,
    silent_leaders,
    takes_motion,
)
from bondline.gluing.couplings.fitness import default_scheme
from bondline.gluing.couplings.motion_schemes import (
    FORCE_SCHEMES,
    MOTION_SCHEMES,
    force_scheme,
    motion_scheme,
)
from bondline.gluing.couplings.one_pass import OnePassTT, check_accelerations
from bondline.gluing.couplings.probing import Probe
from bondline.gluing.couplings.schemes import SCHEMES, scheme
from bondline.gluing.couplings.tt import TT
from bondline.gluing.couplings.xt import XT
from bondline.gluing.couplings.xx import XX

Wanted: TypeAlias = Literal["auto", "T-T", "X-X", "X-T"]
SolverKind: TypeAlias = Literal["newton", "one-pass"]
COUPLINGS: tuple[str, ...] = get_args(Wanted)


class Choice(NamedTuple):
    """A coupling, the kind of interface solver it goes with, and the reason."""

    coupling: Coupling[Any]
    solver: SolverKind
    why: str


def choose_coupling(
    parts: Mapping[str, Model],
    connections: Sequence[Connection],
    wanted: str = "auto",
    scheme: str | None = None,
    probe: Probe | None = None,
) -> Choice:
    """The coupling that the ports allow, with the scheme that the parts allow.

    What ports take in decides: forces on all sides T-T, motion on all sides X-X, both
    at every joint X-T. `SettingError` where `wanted` is something else, or where
    joints differ.
    """
    if wanted not in COUPLINGS:
        raise SettingError(
            "coupling", f"no coupling {wanted!r}.", did_you_mean(wanted, COUPLINGS)
        )
    assembly = Assembly(dict(parts), tuple(connections))
    possible = _possible(assembly)
    if wanted not in ("auto", possible):
        raise SettingError(
            "coupling",
            f"{wanted} is not possible: {_ports(assembly, possible)}.",
            f"Use {possible}, or auto.",
        )
    once = [n for n in glued(assembly) if not parts[n].capabilities.repeatable]
    choose = {"T-T": _tt, "X-X": _xx, "X-T": _xt}[possible]
    coupling, why = choose(assembly, once, scheme, probe or Probe())
    solver: SolverKind = "one-pass" if once else "newton"
    return Choice(coupling, solver, f"{possible}: {_ports(assembly, possible)}; {why}.")


def _possible(assembly: Assembly) -> str:
    kinds: dict[str, str] = {}
    for c in assembly.connections:
        motion = [takes_motion(assembly, end) for end in c.ends]
        kinds[c.name] = "X-X" if all(motion) else "X-T" if any(motion) else "T-T"
    found = list(dict.fromkeys(kinds.values()))
    if len(found) > 1:
        first, other = (next(n for n, k in kinds.items() if k == f) for f in found[:2])
        raise SettingError(
            "coupling",
            f"joint {first} needs {found[0]} coupling, joint {other} {found[1]}.",
            f"One model has one coupling: put joint {other} and its parts into a "
            "nested model, and export the ports of the other joints.",
        )
    return found[0] if found else "T-T"


def _ports(assembly: Assembly, kind: str) -> str:
    if kind == "X-T":
        ends = [end for c in assembly.connections for end in c.ends]
        led = dict.fromkeys(str(e) for e in ends if takes_motion(assembly, e))
        return f"{', '.join(led)} take motion, the ports they meet take force"
    return f"every port takes {'force' if kind == 'T-T' else 'motion'}"


def _tt(
    assembly: Assembly, once: Sequence[str], name: str | None, probe: Probe
) -> tuple[Coupling[Any], str]:
    if not once:
        chosen = scheme(name) if name else default_scheme(assembly.parts)
        return TT(chosen, probe), f"{chosen.name} suits all parts"
    check_accelerations("coupling", assembly)
    one_step = all(assembly.parts[n].capabilities.one_step for n in glued(assembly))
    # on bodies in space the line gets worse as windows shrink; the parabola does not
    suited = "newmark/a,v,u" if one_step else "quadratic-discontinuous/e,v,a"
    chosen = scheme(name) if name else SCHEMES[suited]
    return OnePassTT(TT(chosen, probe)), _one_pass(once, chosen.name)


def _xx(
    assembly: Assembly, once: Sequence[str], name: str | None, probe: Probe
) -> tuple[Coupling[Any], str]:
    if once:
        raise SettingError(
            "coupling",
            f"X-X coupling advances each window several times, and {once[0]} cannot "
            "repeat one.",
            "Wrap it in Checkpointed if it can save and restore its state, or let one "
            "side take forces (X-T).",
        )
    chosen = motion_scheme(name) if name else MOTION_SCHEMES["newmark/f"]
    return XX(chosen, probe), f"{chosen.name} suits interfaces with inertia"


def _xt(
    assembly: Assembly, once: Sequence[str], name: str | None, probe: Probe
) -> tuple[Coupling[Any], str]:
    iterated = "linear/f" if silent_leaders(assembly) else "newmark/f"
    large = any(assembly.parts[n].capabilities.weighs for n in glued(assembly))
    if large and iterated == "newmark/f":
        iterated = "auto"  # large masses: one pass is worth having
    suited = FORCE_SCHEMES["linear/explicit" if once else iterated]
    chosen = force_scheme(name) if name else suited
    if chosen.open and once:
        raise SettingError(
            "scheme auto",
            f"it tries the first window, and {once[0]} cannot repeat one.",
            "Use linear/explicit, or hold/explicit.",
        )
    why = _one_pass(once, chosen.name) if once else f"{chosen.name} suits all parts"
    return XT(chosen, probe), why


def _one_pass(once: Sequence[str], scheme: str) -> str:
    return f"{', '.join(once)} cannot repeat a window, so {scheme} goes in one pass"
