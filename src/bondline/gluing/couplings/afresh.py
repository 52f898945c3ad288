"""Parts that cannot repeat a window, probed from fresh starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Assembly,
    Capabilities,
    Model,
    Motion,
    Parameter,
    Port,
    PortRef,
    Rejected,
    Signal,
    SignalPort,
    Situation,
    Window,
)
from bondline.errors import LeafInconsistent
from bondline.gluing.foresee import displacement

_SAME = 1e-12  # relative, or in m and m/s: what is left is round-off
_REMEDY = (
    "Make `start` begin anew, whatever was done before, with a state of its own; wrap "
    "the part in Checkpointed if it can save and restore; or let one side of the joint "
    "take motion (X-T), which needs no probes."
)


@dataclass(frozen=True)
class Afresh:
    """A part that cannot repeat, made repeatable for probes: each is a fresh start.

    It rejects a probe whose start is not where the first one was: then probes move the
    one machine there is, and the run with it.
    """

    part: Model

    @property
    def name(self) -> str:
        """Of the part."""
        return self.part.name

    @property
    def ports(self) -> Mapping[str, Port | SignalPort]:
        """Of the part."""
        return self.part.ports

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """Of the part."""
        return self.part.parameters

    @property
    def capabilities(self) -> Capabilities:
        """Those of the part, but repeatable, and one window at a time."""
        return replace(self.part.capabilities, repeatable=True, superposes=False)

    def start(self, t0: float) -> Advance[Any]:
        """As the part starts."""
        return self.part.start(t0)

    def advance(
        self, state: Any, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Any] | Rejected:
        """From a fresh start at t₀: `state` is not touched."""
        begun = self.begin(window.t0)
        if isinstance(begun, Rejected):
            return begun
        return self.part.advance(begun.state, window, inputs)

    def begin(self, t0: float) -> Advance[Any] | Rejected:
        """A fresh start, if it is like those before."""
        begun = self.part.start(t0)
        first = self._first.setdefault(t0, begun)
        for port in begun.outputs:
            was, now = first.outputs.get(port), begun.outputs[port]
            if isinstance(was, Motion) and isinstance(now, Motion):
                said = _differs(was, now)
                if said:
                    return refused(
                        self.name, f"a second start shows port {port} at {said}"
                    )
        return begun

    @cached_property
    def _first(self) -> dict[float, Advance[Any]]:
        return {}


def afresh(assembly: Assembly) -> Assembly:
    """The same assembly, to be probed without spending a state."""
    parts = {
        n: p if p.capabilities.repeatable else Afresh(p)
        for n, p in assembly.parts.items()
    }
    return Assembly(parts, assembly.connections, assembly.crew)


def undisturbed(probed: Assembly, situation: Situation, t0: float) -> Rejected | None:
    """Nothing, if the probes have left the run where it was; else why not.

    A code that is one machine is left at its start, where a run begins.
    """
    for n, p in probed.parts.items():
        if not isinstance(p, Afresh):
            continue
        begun = p.begin(t0)
        if isinstance(begun, Rejected):
            return begun
        if begun.state is not situation.states[n]:
            continue
        for port, now in begun.outputs.items():
            run = situation.motions.get(PortRef(n, port))
            said = isinstance(now, Motion) and run is not None and _differs(run, now)
            if said:
                return refused(
                    n,
                    "a start takes back the run, for there is one state only: it shows "
                    f"port {port} at {said}",
                )
    return None


def refused(part: str, finding: str) -> Rejected:
    """The probe is refused, and with it the run."""
    told = (
        f"it cannot repeat a window, and cannot be probed from fresh starts: {finding}."
    )
    error = LeafInconsistent(f"part {part}, T-T coupling in one pass", told, _REMEDY)
    return Rejected(part, told, error=error)


def _differs(was: Motion, now: Motion) -> str:
    """`x instead of y` with the dof that is furthest off; empty where none is."""
    moved = displacement(was, now)
    if _far(moved, was.x):
        return f"{_told(now.x)} m instead of {_told(was.x)} m"
    if _far(now.v - was.v, was.v):
        return f"{_told(now.v)} m/s instead of {_told(was.v)} m/s"
    return ""


def _far(change: Any, size: Any) -> bool:
    scale = 1.0 + float(np.abs(size).max(initial=0.0))
    return not float(np.abs(change).max(initial=0.0)) <= _SAME * scale


def _told(x: Any) -> str:
    shown = ", ".join(f"{value:.6g}" for value in x[:3])
    return f"({shown})" if len(x) > 1 else shown
