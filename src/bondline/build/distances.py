"""Parts that are tied and do not lie where they are tied."""

from __future__ import annotations

from collections.abc import Iterator

from bondline.build.catalogue import catalogue
from bondline.description import ModelSpec, Problem, SystemSpec
from bondline.description.ports import ports_of
from bondline.gluing.joints.apart import apart


def distances(spec: ModelSpec) -> list[Problem]:
    """A warning for every tie of ports whose points are apart."""
    return list(_of_system(spec.system))


def _of_system(system: SystemSpec) -> Iterator[Problem]:
    for element in system.elements:
        if isinstance(element, SystemSpec):
            yield from _of_system(element)
    for joint in system.gluing.joints if system.gluing else ():
        found = ports_of(joint, system, catalogue())
        if joint.kind != "tie" or len(found) < 2:
            continue
        names, ports = [str(side) for side, _ in found], [port for _, port in found]
        for finding, remedy in apart(names, ports):
            told = f"joint {joint.name}: {finding}"
            yield Problem("BND055", joint.where, told, remedy, "warning")
