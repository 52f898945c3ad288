"""The outline of a built model: parts, ports, joints, as plain data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bondline.core import Model


def plain(model: Model) -> dict[str, Any]:
    """Everything a model says about itself, as plain data."""
    from bondline.core.plain import abilities, plain_ports

    return {
        "name": model.name,
        "kind": kind(model),
        **({"partner": partner(model)} if partner(model) else {}),
        "ports": plain_ports(model),
        "joints": [_joint(c) for c in getattr(model, "connections", ())],
        "parts": [plain(part) for part in parts(model).values()],
        "capabilities": abilities(model),
        **_coupling(model),
    }


def parts(model: Model) -> dict[str, Any]:
    """The parts of an integrated model; a leaf has none."""
    return dict(getattr(model, "parts", {}))


def leaves(model: Model, prefix: str = "") -> Iterator[tuple[str, Model]]:
    """Every leaf with its full name."""
    for name, part in parts(model).items():
        full = f"{prefix}{name}"
        if parts(part):
            yield from leaves(part, f"{full}.")
        else:
            yield full, part


def joints(model: Model) -> Iterator[Any]:
    """Every connection, of inner models too."""
    yield from getattr(model, "connections", ())
    for part in parts(model).values():
        yield from joints(part)


def kind(model: Model) -> str:
    """What a model is, in a word or two."""
    coupling = getattr(model, "coupling", None)
    return type(model).__name__ if coupling is None else coupling.settings()["method"]


def partner(model: Model) -> str:
    """Where a model is that is not in this process; "" if it is."""
    link = getattr(model, "link", None)
    return "" if link is None else str(link.partner.place)


def told(model: Model) -> str:
    """Its kind, or at whose place it is: there, nobody knows what it is."""
    where = partner(model)
    return f"at {where}" if where else kind(model)


def brief(components: Sequence[str]) -> list[str]:
    """The forces of a joint; those of many nodes are not told one by one.

    >>> brief(["Fx", "Fy"]), brief(["0.Fx", "0.Mx", "1.Fx", "1.Mx"])
    (['Fx', 'Fy'], ['2', 'x', 'Fx', 'Mx'])
    """
    found = [re.fullmatch(r"((?:.*\.)?)\d+\.(\w+)", word) for word in components]
    kinds = list(dict.fromkeys(m[1] + m[2] for m in found if m))
    if not kinds or len(kinds) == len(components):
        return list(components)
    return [str(len(components) // len(kinds)), "x", *kinds]


def _joint(c: Any) -> dict[str, Any]:
    return {
        "name": c.name,
        "kind": getattr(c, "kind", _dashed(type(c).__name__)),
        "ends": [str(end) for end in c.ends],
        "components": list(c.components),
    }


def _dashed(name: str) -> str:
    """`mesh-tie` of `MeshTie`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def _coupling(model: Any) -> dict[str, Any]:
    if not parts(model):
        return {}
    coupling = model.coupling.settings()
    scheme = getattr(model.coupling, "inner", model.coupling).scheme
    threads = getattr(model.crew, "count", 1)
    return {
        "coupling": {"name": coupling["method"], "why": model.why},
        "scheme": {"name": scheme.name, "why": scheme.meaning},
        "solver": {**model.solver.settings(), "epsilon": coupling["epsilon"]},
        "windows": model.windows,
        "threads": threads,
    }
