"""Does the scheme suit the parts?"""

from __future__ import annotations

from collections.abc import Mapping

from bondline.core import Assembly, Causality, Model, Port
from bondline.errors import SettingError
from bondline.gluing.couplings.schemes import SCHEMES, Scheme


def default_scheme(parts: Mapping[str, Model]) -> Scheme:
    """`newmark/a,v,u` between parts that take one step a window, else `constant/e`."""
    one_step = parts and all(s.capabilities.one_step for s in parts.values())
    return SCHEMES["newmark/a,v,u" if one_step else "constant/e"]


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
    for n in sorted(glued):
        can, place = assembly.parts[n].capabilities, f"{name}: scheme {scheme.name}"
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
        if scheme.one_step and not can.one_step:
            raise SettingError(
                place,
                f"it is for parts that take one Newmark step a window, and {n} follows "
                "the force inside the window.",
                "Use constant/e, and give the Newmark parts several steps a window.",
            )
        if can.one_step and not scheme.one_step:
            raise SettingError(
                place,
                f"{n} takes one Newmark step a window and sees the force only at its "
                "end: matching positions then rings, and never settles.",
                "Use newmark/a,v,u if every part is like that, or give it several "
                "steps a window.",
            )
