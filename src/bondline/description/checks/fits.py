"""Do the ports of a joint go with its kind, its settings and the coupling?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bondline.core import Causality, Port, PortRef
from bondline.description.catalogue import Catalogue, JointForm
from bondline.description.place import Problem
from bondline.description.ports import asked_for, ports_of
from bondline.description.settings import joint_settings
from bondline.description.spec import JointSpec, SideSpec, SystemSpec
from bondline.errors import SettingError, WiringError, did_you_mean

_TAKES = {Causality.FORCE_IN: "force", Causality.MOTION_IN: "motion"}
_ANSWERS = {Causality.FORCE_IN: "motion", Causality.MOTION_IN: "force"}
_NEEDS = {"T-T": Causality.FORCE_IN, "X-X": Causality.MOTION_IN}


def check_fit(
    joint: JointSpec, system: SystemSpec, catalogue: Catalogue
) -> Iterator[Problem]:
    """One joint, as far as the passports of its parts tell."""
    known = ports_of(joint, system, catalogue)
    yield from _causality(joint, known, system.gluing.method if system.gluing else "")
    kind = catalogue.joints.get(joint.kind)
    if kind is None:
        return
    settings, problems = joint_settings(joint, kind)
    missing = list(_dofs(joint, known, settings.get("dofs", ())))
    yield from (*problems, *missing)
    whole = len(known) == len(joint.sides) > 1
    if whole and not problems and not missing:
        yield from _made(joint, kind, [port for _, port in known], settings)


def _causality(
    joint: JointSpec, known: list[tuple[SideSpec, Port]], method: str
) -> Iterator[Problem]:
    needed = _NEEDS.get(method)
    for side, port in known:
        if needed is not None and port.causality is not needed:
            yield Problem(
                "BND019",
                side.where,
                f"{side} takes {_TAKES[port.causality]} and answers with "
                f"{_ANSWERS[port.causality]}.",
                f"{method} gluing needs ports that take {_TAKES[needed]} on every "
                'side; method="auto" takes the ports as they are.',
            )
    asked = asked_for([port for _, port in known])
    if (
        method == "X-T"
        and len(known) == len(joint.sides)
        and asked not in ("X-T", None)
    ):
        takes = _TAKES[known[0][1].causality]
        yield Problem(
            "BND019",
            joint.where,
            f"all sides of joint {joint.name} take {takes}.",
            "X-T gluing needs sides that take force and sides that take motion at "
            f'every joint; here method="{asked}" fits, or "auto".',
        )


def _dofs(
    joint: JointSpec, known: list[tuple[SideSpec, Port]], dofs: tuple[str, ...]
) -> Iterator[Problem]:
    for side, port in known:
        lacking = [d for d in dofs if d not in port.dofs]
        if lacking:
            yield Problem(
                "BND048",
                joint.where,
                f'joint {joint.name} asks for dofs="{" ".join(dofs)}", and {side} has '
                f"{len(port.dofs)} ({' '.join(port.dofs)}).",
                did_you_mean(lacking[0], port.dofs),
            )


def _made(
    joint: JointSpec, kind: JointForm, ports: list[Port], settings: dict[str, Any]
) -> Iterator[Problem]:
    """Try it: only the joint itself knows what it can hold."""
    ends = tuple(PortRef(side.element, side.connector) for side in joint.sides)
    code = "BND051"
    try:
        made = kind.make(joint.name, ends, ports, **settings)
        code = "BND012"
        if joint.kind != "mesh-tie":  # surfaces come with the parts themselves
            made.suits(f"joint {joint.name}", ports)
    except (WiringError, SettingError) as error:
        yield Problem(
            code, joint.where, f"{error.place}: {error.finding}", error.remedy
        )
