"""The surfaces of parts in a vibration that only their ports are known of."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bondline.core import Deformed, Model, PortRef, Vector, Vibrating
from bondline.gluing.frequency.interface import Interface
from bondline.gluing.frequency.modes import Mode
from bondline.gluing.frequency.whole import whole

_STILL = 1e-3  # of the first frequency above: where a rigid motion is looked at


def mode_shape(model: Model, mode: Mode, above: float) -> Mapping[str, Deformed]:
    """All surfaces of a model in one of its modes, by part.

    Every part finds its own from the motion of its ports. `above` is a frequency
    (rad/s) without a mode between 0 and it, for rigid-body modes.
    """
    return shown(whole(model), mode.omega or _STILL * above, mode.shape)


def within(
    interface: Interface, omega: float, ports: Mapping[str, Vector]
) -> Mapping[str, Deformed]:
    """All surfaces of an assembly whose exported ports swing.

    The forces that swing them are those of (3), then all inner ports follow.
    """
    glued = interface.at(omega, damped=False).glued.real
    at = [interface.places[interface.exports[p]] for p in ports]
    if not at:
        return {}
    rows = np.concatenate([np.arange(s.start, s.stop) for s in at])
    seen = np.concatenate(list(ports.values()))
    f = np.linalg.lstsq(glued[np.ix_(rows, rows)], seen, rcond=1e-13)[0]
    u = glued[:, rows] @ f
    return shown(interface, omega, {r: u[s] for r, s in interface.places.items()})


def shown(
    interface: Interface, omega: float, ports: Mapping[PortRef, Vector]
) -> Mapping[str, Deformed]:
    """All surfaces, from the amplitudes at the ports of all parts."""
    found: dict[str, Deformed] = {}
    for name, part in interface.parts.items():
        if isinstance(part, Vibrating):
            own = {r.port: x for r, x in ports.items() if r.part == name}
            for key, moved in part.swinging(omega, own).items():
                found[f"{name}.{key}" if key else name] = moved
    return found
