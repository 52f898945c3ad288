"""Units of an exported model: FMI's names for ours, and what they are in base units."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element, SubElement

from bondline.description.units import factors

_DERIVED: Mapping[str, Mapping[str, int]] = {
    "N": {"kg": 1, "m": 1, "s": -2},
    "Pa": {"kg": 1, "m": -1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2},
    "W": {"kg": 1, "m": 2, "s": -3},
    "Hz": {"s": -1},
}
_BASE = ("kg", "m", "s", "A", "K", "mol", "cd", "rad")


def named(unit: str) -> str:
    """As FMI writes it; empty for what has no unit.

    >>> named("m/s**2"), named("N*m"), named("W/(m*K)"), named("1")
    ('m/s2', 'N.m', 'W/(m.K)', '')
    """
    powers = factors(unit) or {}
    over, under = (
        [f"{n}{abs(p) if abs(p) > 1 else ''}" for n, p in powers.items() if p * way > 0]
        for way in (1, -1)
    )
    if not under:
        return ".".join(over)
    below = ".".join(under)
    return f"{'.'.join(over) or '1'}/{f'({below})' if len(under) > 1 else below}"


def base(unit: str) -> dict[str, str] | None:
    """Powers of the base units, or None if a name in it is none of the SI.

    >>> base("N.m"), base("t")
    ({'kg': '1', 'm': '2', 's': '-2'}, None)
    """
    found = dict.fromkeys(_BASE, 0)
    for name, power in (factors(unit) or {}).items():
        own = _DERIVED.get(name, {name: 1} if name in _BASE else None)
        if own is None:
            return None
        for each, times in own.items():
            found[each] += power * times
    return {name: str(power) for name, power in found.items() if power}


def put_units(root: Element, units: Mapping[str, str]) -> None:
    """Give the variables of a modelDescription their units, and define these."""
    told = {name: named(unit) for name, unit in units.items()}
    group = Element("UnitDefinitions")
    for unit in sorted({unit for unit in told.values() if unit}):
        entry, powers = SubElement(group, "Unit", name=unit), base(unit)
        if powers is not None:
            SubElement(entry, "BaseUnit", powers)
    variables = root.find("ModelVariables")
    for variable in [] if variables is None else list(variables):
        unit = told.get(variable.get("name", ""), "")
        typed = variable.find("Real")  # FMI 3 has none
        if unit:
            (variable if typed is None else typed).set("unit", unit)
    if len(group):
        solver = [child.tag for child in root].index("CoSimulation")
        root.insert(solver + 1, group)
