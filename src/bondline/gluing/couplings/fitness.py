"""Does the scheme suit the parts?"""

from __future__ import annotations

from collections.abc import Mapping

from bondline.core import Assembly, Capabilities, Causality, Model, Port
from bondline.errors import SettingError
from bondline.gluing.couplings.schemes import SCHEMES, Scheme

_RINGS = {  # what goes wrong with a part that sees the force at t₁ only
    "constant/e": "the force rings ever louder",
    "linear/deadbeat": "without damping, errors grow by 1e-4 in every window from "
    "ωh = 0.4 on",
    "linear-discontinuous/e,v": "it cannot tell the two unknowns of a window apart",
    "quadratic-discontinuous/e,v,a": "it cannot tell the three unknowns of a window "
    "apart",
}


def default_scheme(parts: Mapping[str, Model]) -> Scheme:
    """`newmark/a,v,u` between parts that take one step a window, else `constant/e`.

    Where both kinds meet, `mixed/a,v,u`.
    """
    each = [s.capabilities for s in parts.values()]
    if each and all(can.one_step for can in each):
        return SCHEMES["newmark/a,v,u"]
    mixed = any(can.one_step or can.mixed for can in each)
    return SCHEMES["mixed/a,v,u" if mixed else "constant/e"]


def check_scheme(name: str, scheme: Scheme, assembly: Assembly) -> None:
    """Raise `SettingError` where a part and the scheme cannot go together."""
    for end in (end for c in assembly.connections for end in c.ends):
        port = assembly.parts[end.part].ports[end.port]
        if isinstance(port, Port) and port.causality is not Causality.FORCE_IN:
            raise SettingError(
                f"{name}: T-T coupling",
                f"{end} takes motion and answers with force.",
                "T-T coupling needs ports that take force on every side.",
            )
    glued = {end.part for c in assembly.connections for end in c.ends}
    place = f"{name}: scheme {scheme.name}"
    for n in sorted(glued):
        can = assembly.parts[n].capabilities
        _check_abilities(place, scheme, n, can)
        _check_kind(place, scheme, n, can)


def _check_abilities(place: str, scheme: Scheme, n: str, can: Capabilities) -> None:
    if not can.repeatable:
        raise SettingError(
            place,
            f"it advances each window several times, and {n} cannot repeat one.",
            "Wrap it in Checkpointed if it can save and restore its state.",
        )
    if scheme.acceleration and not can.acceleration:
        raise SettingError(
            place,
            f"it compares accelerations, and {n} does not give any.",
            "Use constant/e or linear-discontinuous/e,v.",
        )


def _check_kind(place: str, scheme: Scheme, n: str, can: Capabilities) -> None:
    """Parts that take one step a window, and parts that follow the force inside it."""
    if scheme.one_step and not (can.one_step or scheme.mixed):
        raise SettingError(
            place,
            f"it is for parts that take one Newmark step a window, and {n} follows "
            "the force inside the window.",
            "Use mixed/a,v,u, which is for both kinds together.",
        )
    if can.coarse and scheme.mixed:
        raise SettingError(
            place,
            f"{n} takes two or three Newmark steps a window, too few beside parts that "
            "take one: errors of the joint force grow by up to 1.33 a window.",
            "Give it one step, or four and more.",
        )
    if (can.one_step or can.mixed) and not scheme.one_step:
        inside = "holds parts that take" if can.mixed else "takes"
        raise SettingError(
            place,
            f"{n} {inside} one Newmark step a window and sees the force only at its "
            f"end: {_RINGS.get(scheme.name, 'matching positions then rings')}.",
            "Use newmark/a,v,u if every part is like that, or mixed/a,v,u.",
        )
