"""What an integrated model shows of its parts and joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bondline.core import (
    Advance,
    Assembly,
    Breaking,
    Causality,
    Deformed,
    Matrix,
    Model,
    Motion,
    Observation,
    Port,
    PortRef,
    Reaction,
    SignalPort,
    Skin,
    Skinned,
    Window,
)
from bondline.errors import WiringError, did_you_mean
from bondline.gluing.state import GluedState


def values(assembly: Assembly, state: GluedState) -> Mapping[str, Observation]:
    """What the parts publish, by `part.name`."""
    return {
        f"{n}.{key}": value
        for n, s in assembly.observing.items()
        for key, value in s.observe(state.parts[n]).items()
    }


def renamed(
    model: str, values: Mapping[str, Observation], outputs: Mapping[str, PortRef]
) -> Mapping[str, Observation]:
    """The values, some of them under a name of the model's own.

    `WiringError` for one that no part publishes.
    """
    if not outputs:
        return values
    own = {str(source): name for name, source in outputs.items()}
    for source, name in own.items():
        if source not in values:
            raise WiringError(
                f"{model}: output {name}",
                f"no part publishes {source}.",
                did_you_mean(source, values),
            )
    return {own.get(name, name): value for name, value in values.items()}


def reactions(
    assembly: Assembly, sharp: bool, state: GluedState
) -> Mapping[str, Reaction]:
    """Joint forces over the last window: `joint.A`, and `part.joint.B` inside."""
    at = assembly.offsets
    found = {
        f"joint.{c.name}": Reaction(
            assembly.components[k], state.forces[:, at[k] : at[k + 1]], sharp
        )
        for k, c in enumerate(assembly.connections)
    }
    for name, s in assembly.reacting.items():
        for key, inner in s.reactions(state.parts[name]).items():
            found[f"{name}.{key}"] = inner
    return found


def shapes(assembly: Assembly, state: GluedState) -> Mapping[str, Matrix]:
    """What there is to draw of each part."""
    return {
        f"{n}.{key}" if key else n: points
        for n, s in assembly.showing.items()
        for key, points in s.shapes(state.parts[n]).items()
    }


def skins(parts: Mapping[str, Model]) -> Mapping[str, Skin]:
    """The surfaces that parts show, by `part` or `part.inner`."""
    return {
        f"{n}.{key}" if key else n: skin
        for n, s in parts.items()
        if isinstance(s, Skinned)
        for key, skin in s.skins().items()
    }


def deformed(
    parts: Mapping[str, Model], state: GluedState, t: float | None, share: float
) -> Mapping[str, Deformed]:
    """Where the surfaces of the parts are."""
    return {
        f"{n}.{key}" if key else n: moved
        for n, s in parts.items()
        if isinstance(s, Skinned)
        for key, moved in s.deformed(state.parts[n], t, share).items()
    }


def all_show(parts: Mapping[str, Model], done: Mapping[str, Advance[Any]]) -> bool:
    """Whether every part has answered, at all of its ports."""
    return all(
        n in done and port in done[n].outputs
        for n, part in parts.items()
        for port, it in part.ports.items()
        if isinstance(it, Port)
    )


def motions(
    ports: Mapping[str, Port | SignalPort],
    exports: Mapping[str, PortRef],
    state: GluedState,
) -> Mapping[str, Motion]:
    """How the exported ports move that answer with motion."""
    return {
        n: state.motions[exports[n]]
        for n, port in ports.items()
        if isinstance(port, Port) and port.causality is Causality.FORCE_IN
    }


def breaks(parts: Sequence[Breaking], window: Window) -> Sequence[float]:
    """All kinks, each once; none that could not be told from an end of the window."""
    slack = 1e-9 * window.h
    every = sorted({t for p in parts for t in p.breaks(window)})
    inside = [t for t in every if window.t0 + slack < t < window.t1 - slack]
    return [t for k, t in enumerate(inside) if not k or t - inside[k - 1] > slack]
