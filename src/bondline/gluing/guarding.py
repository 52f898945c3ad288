"""The guard of stiff schemes: windows that give garbage are refused beforehand.

A high-order scheme on a window that does not resolve a mode of a part goes wrong
without a word: the gap stays closed, the motion is garbage. G(h)/G(h/2) tells.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bondline.core import (
    Assembly,
    Blocked,
    Coupling,
    Distant,
    Guarding,
    Rejected,
    Situation,
    Window,
    remark,
)
from bondline.errors import SettingError
from bondline.gluing.couplings.driven_windows import check_driven
from bondline.gluing.couplings.feedback import CHOICES, growing, note, refuse
from bondline.gluing.couplings.resolution import Resolution, check_start
from bondline.gluing.couplings.xt import XT
from bondline.gluing.glueing import Glueing
from bondline.gluing.rates.guard import guard_rates
from bondline.gluing.rates.two_rates import TwoRates
from bondline.gluing.rehearsal import LIGHT, refuse_light
from bondline.gluing.state import GluedState

REFUSED = 2.0  # ωh = π: from there on errors grow
_HALVINGS = 12  # how far to look for a window that would do
_SHARES = (0.9, 0.75, 0.5, 0.25)  # of a window that could not be tried


def guard(
    glueing: Glueing, state: GluedState, window: Window, paced: bool
) -> tuple[str, ...]:
    """What there is to note about windows like this one.

    `SettingError` where the least ratio is below 2, or where parts that are told their
    motion would let errors grow. Where windows are `paced` the error control shortens
    them, and a note is all. Parts that cannot repeat a window are not asked: they
    would be spent.
    """
    name, assembly, coupling = glueing.name, glueing.assembly, glueing.coupling
    if not all(p.capabilities.repeatable for p in assembly.parts.values()):
        return ()
    if isinstance(coupling, TwoRates):
        return guard_rates(name, coupling, assembly, state, window)
    told = _told(name, coupling, assembly, state, window, paced)
    if told:
        return told
    if isinstance(coupling, XT):
        return _one_pass(glueing, coupling, state, window)
    found = resolved(coupling, assembly, state, window)
    if found is None or found.resolved:
        return ()
    if found.ratio < REFUSED and not paced:
        raise _refusal(name, coupling, assembly, state, window, found)
    return (_note(coupling, assembly, found, paced),)


def _told(
    name: str,
    coupling: Coupling[Any],
    assembly: Assembly,
    state: GluedState,
    window: Window,
    paced: bool,
) -> tuple[str, ...]:
    """Whether errors grow in parts that take several steps along a told motion."""
    situation = Situation(state.parts, state.motions, {})
    grows = check_driven(name, coupling, assembly, situation, window, state.history)
    if grows is None:
        return ()
    if not paced:
        raise grows
    return (f"{grows.finding} The error control must shorten the windows.",)


def _one_pass(
    glueing: Glueing, coupling: XT, state: GluedState, window: Window
) -> tuple[str, ...]:
    """Which scheme is chosen, with the number; one that is unstable is refused."""
    scheme, name, assembly = coupling.scheme, glueing.name, glueing.assembly
    if not (scheme.open or scheme.extrapolate):
        return ()
    situation = Situation(state.parts, state.motions, {})
    found = coupling.feedback(assembly, situation, window, state.history)
    if isinstance(found, Rejected):
        return _untried(name, coupling, assembly, state, window, found)
    if scheme.open and (found.ratio > LIGHT or found.falls):
        refuse_light(glueing, state, window, found)
    if scheme.open:
        return (remark(note(found)),)
    refuse(name, scheme, found, window.h)
    return tuple(map(remark, growing(scheme, found)))


def _untried(
    name: str,
    coupling: XT,
    assembly: Assembly,
    state: GluedState,
    window: Window,
    why: Rejected,
) -> tuple[str, ...]:
    """The same for a window that a part rejects: what shorter ones tell.

    The followers are felt more over longer windows: what is refused there is refused.
    """
    situation = Situation(state.parts, state.motions, {})
    fact = (
        f"X-T coupling: a window of {window.h:.3g} s could not be tried "
        f"({why.model}: {why.reason})"
    )
    if coupling.scheme.open:
        return (f"{fact}, so {CHOICES[-1]} was chosen; shorten the step.",)
    for share in _SHARES:
        shorter = Window(window.t0, window.at(share))
        found = coupling.feedback(assembly, situation, shorter, state.history)
        if not isinstance(found, Rejected):
            refuse(name, coupling.scheme, found, window.h)
            felt = f"over {shorter.h:.3g} s followers have {found.ratio:.3g} times"
            more = f"{fact}; {felt} the leaders' inertia. Shorten the step."
            return (more, *map(remark, growing(coupling.scheme, found)))
    return (f"{fact}, nor could shorter ones. Shorten the step.",)


def blockless(parts: Mapping[str, Any]) -> tuple[str, ...]:
    """Which parts a block costs a round trip for each of its windows."""
    slow = (n for n, p in parts.items() if isinstance(p, Distant))
    return tuple(
        f"partner {n} has no blocks: it is asked window by window, twice or more."
        for n in slow
        if not isinstance(parts[n], Blocked)
    )


def inner_notes(
    parts: Mapping[str, Any], state: GluedState, window: Window
) -> tuple[str, ...]:
    """What the parts note, by their names."""
    able = {n: p for n, p in parts.items() if isinstance(p, Guarding)}
    return tuple(
        f"{n}: {note}"
        for n, p in able.items()
        for note in p.guard(state.parts[n], window)
    )


def resolved(
    coupling: Coupling[Any], assembly: Assembly, state: GluedState, window: Window
) -> Resolution | None:
    """The worst ratio; None where the scheme does not ask, or nobody can tell."""
    situation = Situation(state.parts, state.motions, {})
    found = check_start(coupling, assembly, situation, window, state.history)
    return None if isinstance(found, Rejected) else found


def long_enough(
    coupling: Coupling[Any], assembly: Assembly, state: GluedState, window: Window
) -> float | None:
    """The longest of h/2, h/4, … that resolves every part; None if none does."""
    for k in range(1, _HALVINGS + 1):
        shorter = Window(window.t0, window.t0 + window.h / 2**k)
        found = resolved(coupling, assembly, state, shorter)
        if found is not None and found.resolved:
            return shorter.h
    return None


def _refusal(
    name: str,
    coupling: Coupling[Any],
    assembly: Assembly,
    state: GluedState,
    window: Window,
    found: Resolution,
) -> SettingError:
    scheme = coupling.settings()["scheme"]
    h = long_enough(coupling, assembly, state, window)
    shorter = "a much shorter step" if h is None else f"--step {h:.3g} or less"
    safe = (
        "one Newmark step a window in that part, too (steps=1), or several in all"
        if "mixed" in scheme
        else "the scheme constant/e, which is stable whatever the window"
    )
    return SettingError(
        f"{name}: scheme {scheme}, windows of {window.h:.3g} s",
        f"{where(assembly, found.where)} has a mode too quick for this window: "
        f"G(h)/G(h/2) = {found.ratio:.2f}, where 4 is ideal and below {REFUSED:g} "
        "errors grow while the gap stays closed.",
        f"Use {shorter}, or {safe}.",
    )


def _note(
    coupling: Coupling[Any], assembly: Assembly, found: Resolution, paced: bool
) -> str:
    scheme = coupling.settings()["scheme"]
    fact = (
        f"{where(assembly, found.where)} is hardly resolved by windows of "
        f"{found.h:.3g} s: G(h)/G(h/2) = {found.ratio:.2f}, and {scheme} wants at "
        f"least {found.wanted:g}"
    )
    if paced:
        return f"{fact}; the error control must shorten the windows."
    return f"{fact}. Shorten the step, or use constant/e."


def where(assembly: Assembly, part: str) -> str:
    """A part with the joint forces that act on it: `part lower (A.Fx, A.Fy)`."""
    joints = dict.fromkeys(k for _, k, _ in assembly.places.get(part, ()))
    names = [
        f"{assembly.connections[k].name}.{f}"
        for k in joints
        for f in assembly.connections[k].components
    ]
    if not names:
        return f"the {part}"
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    return f"part {part} ({', '.join(names[:6])}{more})"
