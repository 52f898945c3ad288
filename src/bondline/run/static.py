"""Load steps: a glued model at rest under a growing share of its loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from bondline.core import (
    Advance,
    Capabilities,
    Deformed,
    Matrix,
    Model,
    Observation,
    Parameter,
    Port,
    Reaction,
    Rejected,
    Signal,
    SignalPort,
    Skin,
    Vector,
    Window,
)
from bondline.errors import BondlineError, LeafFailed
from bondline.gluing import GluedState, IntegratedModel
from bondline.gluing.statics import GluedStatics, Statics
from bondline.wire import pack, unpack


@dataclass(frozen=True, slots=True, eq=False)
class Rest(GluedState):
    """A glued model at rest, and the joint forces at the rest before it, by name.

    They are kept beside the state, not in it: an assembly at a partner's comes to rest
    from what it was told and nothing else, and so does one that is here.
    """

    before: Mapping[str, Vector] = field(default_factory=dict)  # none at the start


@dataclass(frozen=True)
class Ramp:
    """A model whose time is the load factor: simulate it from 0 to 1.

    It is run, stored and drawn like any model. `method` is one of
    `bondline.gluing.statics.METHODS`; nested models choose for themselves.
    """

    model: IntegratedModel
    method: str = "auto"
    springs: float | None = None

    def __post_init__(self) -> None:
        _ = self._statics.statics.seen  # refused here

    @cached_property
    def _statics(self) -> GluedStatics:
        m = self.model
        found = Statics(m.name, m.assembly, m.exports, self.method, self.springs)
        return GluedStatics(found)

    @property
    def name(self) -> str:
        """That of the model."""
        return self.model.name

    @property
    def parts(self) -> Mapping[str, Model]:
        """Those of the model."""
        return self.model.parts

    @property
    def ports(self) -> Mapping[str, Port | SignalPort]:
        """None: nothing acts from outside."""
        return {}

    @property
    def parameters(self) -> Mapping[str, Parameter]:
        """Those of the model."""
        return self.model.parameters

    @property
    def capabilities(self) -> Capabilities:
        """Those of the model."""
        return self.model.capabilities

    def settings(self) -> dict[str, Any]:
        """What decides the bits."""
        return {"method": self.method, "springs": self.springs}

    def start(self, t0: float) -> Advance[GluedState]:
        """At rest under the share `t0` of the loads."""
        state = self.model.start(0.0).state
        done = self._step(state, t0, t0)
        if isinstance(done, Rejected):
            assert done.error is not None
            raise done.error
        return done

    def advance(
        self, state: GluedState, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[GluedState] | Rejected:
        """At rest under the share t₁ of the loads, coming from t₀."""
        done = self._step(state, window.t0, window.t1)
        if isinstance(done, Rejected):
            return done
        return replace(done, state=_rest(done.state, self._forces(state)))

    def _step(
        self, state: GluedState, start: float, end: float
    ) -> Advance[GluedState] | Rejected:
        found = self._statics.step(state, (start, end))
        if isinstance(found, Rejected):
            error = found.error or _failed(self.name, end, found)
            return Rejected(found.model, found.reason, error=error)
        done = self._statics.report(state, found)
        return Advance(done.state, {}, None, done.stats, done.notes)

    def chosen(self, state: GluedState) -> tuple[str, str]:
        """The method that is used, and why."""
        return self._statics.chosen(state)

    def observe(self, state: GluedState) -> Mapping[str, Observation]:
        """What the parts publish."""
        return self.model.observe(state)

    def reactions(self, state: GluedState) -> Mapping[str, Reaction]:
        """Joint forces over the last load step; their end is the present load.

        Lines from the last rest to this one, at every level; constant at the start.
        """
        before = state.before if isinstance(state, Rest) else {}
        return {
            name: Reaction(r.components, _line(before.get(name), _force(r)), True)
            for name, r in self.model.reactions(state).items()
        }

    def _forces(self, state: GluedState) -> dict[str, Vector]:
        """In every joint that is shown, also of assemblies at partners'."""
        return {n: _force(r) for n, r in self.model.reactions(state).items()}

    def shapes(self, state: GluedState) -> Mapping[str, Matrix]:
        """What there is to draw."""
        return self.model.shapes(state)

    def skins(self) -> Mapping[str, Skin]:
        """The surfaces that the parts show."""
        return self.model.skins()

    def deformed(
        self, state: GluedState, t: float | None, share: float = 1.0
    ) -> Mapping[str, Deformed]:
        """Where they are at rest; `t` is the share of the loads."""
        return self.model.deformed(state, None, share if t is None else t)

    def dump(self, state: GluedState) -> bytes:
        """As the model does, and the forces before."""
        before = state.before if isinstance(state, Rest) else {}
        return pack({"rest": self.model.dump(state), "before": dict(before)})

    def load(self, data: bytes) -> GluedState:
        """What `dump` put away."""
        tree: Any = unpack(data)
        return _rest(self.model.load(tree["rest"]), tree["before"])


def _rest(state: GluedState, before: Mapping[str, Vector]) -> Rest:
    known = {f.name: getattr(state, f.name) for f in fields(GluedState)}
    return Rest(**known, before=before)


def _force(r: Reaction) -> Vector:
    """At the end of the load step."""
    force: Vector = r.coefficients.sum(axis=0)
    return force


def _line(before: Vector | None, now: Vector) -> Matrix:
    """Rows of a signal that goes from one to the other."""
    return np.stack([now] if before is None else [before, now - before])


def _failed(name: str, factor: float, no: Rejected) -> BondlineError:
    return LeafFailed(
        f"{name}, part {no.model}, static equilibrium at load factor {factor:.6g}",
        no.reason if no.reason.endswith(".") else f"{no.reason}.",
        "Take more load steps (--load-steps), or support the part.",
    )
