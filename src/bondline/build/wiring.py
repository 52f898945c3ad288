"""Signals between parts: from connections to wires, with the units of their ends."""

from __future__ import annotations

from collections.abc import Mapping
from math import isclose

from bondline.core import Model, PortRef
from bondline.description import ConnectionSpec, SystemSpec
from bondline.description.units import UnitTrouble, between
from bondline.errors import SettingError
from bondline.gluing.signals import Wire, unit_of

_NONE = "1"  # what nothing has said a unit of, and what has none


def wire(
    connection: ConnectionSpec, system: SystemSpec, parts: Mapping[str, Model]
) -> Wire:
    """The wire of a connection; `SettingError` where its units do not go together.

    As parameters: first the unit of the target, then the connection's transformation.
    """
    (a, start), (b, end) = connection.ends
    source, target = PortRef(a or "", start), PortRef(b or "", end)
    if connection.keep_number:
        return Wire(source, target, connection.factor, connection.offset)
    units = [_unit(ref, system, parts) for ref in (source, target)]
    if _NONE in units:
        return Wire(source, target, connection.factor, connection.offset)
    found = between(*units)
    if isinstance(found, UnitTrouble):
        raise SettingError(
            f"signal {source} → {target}",
            found.finding,
            f"{found.remedy} Or carry the number as it is: "
            'suppressUnitConversion="true".',
        )
    factor, offset = found
    own = connection.factor
    return Wire(source, target, own * factor, own * offset + connection.offset)


def _unit(end: PortRef, system: SystemSpec, parts: Mapping[str, Model]) -> str:
    """What the connector says, which may not differ from what the part says."""
    element = system.element(end.part)
    connectors = element.connectors if element else ()
    told = next((c.unit for c in connectors if c.name == end.port), None)
    own = unit_of(parts[end.part], end.port) if end.part in parts else _NONE
    if told is None or own == _NONE:
        return told or own
    if not _same(told, own):
        raise SettingError(
            f"connector {end}",
            f"its unit is {told!r}, and that of {end.part} itself {own!r}.",
            f"Give the connector the unit {own!r}, or none; what it is connected to "
            "may have another one.",
        )
    return own


def _same(told: str, own: str) -> bool:
    found = between(told, own)
    return not isinstance(found, UnitTrouble) and isclose(found[0], 1.0)
