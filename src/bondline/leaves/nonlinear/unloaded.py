"""What would stay of a deformation if all loads were taken away: the permanent set."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from bondline.core import Vector
from bondline.errors import LeafFailed
from bondline.leaves.nonlinear.corrector import Newton
from bondline.leaves.nonlinear.elements.block import Array, Elements
from bondline.leaves.nonlinear.model import Hold, NonlinearModel
from bondline.leaves.nonlinear.state import Parts
from bondline.leaves.nonlinear.statics import Statics

_SOFT = 1e-9  # of the stiffest dof: keeps what floats from making K singular
_NEAR = 1e-9  # of the size of the model
_HALVINGS = 8
_STEPS = (1, 8, 64)  # in which forces are taken away, until rest is found


@dataclass(frozen=True, eq=False)
class Bench:
    """What a model without loads lies on: more elements, without history, and holds."""

    blocks: tuple[Elements, ...] = ()
    holds: tuple[Hold, ...] = ()


@dataclass(frozen=True, eq=False)
class Unloaded:
    """A model on its bench: its plastic history stays, its loads are gone."""

    model: NonlinearModel
    bench: Bench
    tries: int = 30
    _last: dict[bytes, Array] = field(default_factory=dict)

    @cached_property
    def _there(self) -> NonlinearModel:
        m, b = self.model, self.bench
        return replace(
            m, blocks=m.blocks + b.blocks, holds=m.holds + b.holds, pushes=()
        )

    def shift(self, now: Parts, node: int, component: int, anchor: int) -> float:
        """How far a node is from where it was; `anchor` is brought back first."""
        # where it starts from counts, too, by round-off: a run that was taken up again
        # knows no other start than the state that it has
        key = b"%d " % anchor + now.u.tobytes() + now.history.tobytes()
        if key not in self._last:
            self._last.clear()  # a memory of one, for all that is shown of a state
            self._last[key] = self._settled(now, anchor)
        return float(self._last[key][node, component])

    def _settled(self, now: Parts, anchor: int) -> Array:
        """Displacements after unloading, which is an elastic way.

        Forces are nothing to measure by where there are none: displacements are.
        """
        start, du = self._carried(now, anchor), np.zeros(self._there.dofs.size)
        if not now.history.any():
            return np.zeros((len(self.model.points), 6))
        statics = Statics(self._there, Newton(), np.zeros_like(du))
        inner = statics.inner(start, du)
        stiff = float(self._there.pattern.diagonal(inner.stiffness).max())
        soft = replace(statics, springs=np.full_like(du, _SOFT * stiff))
        for steps in _STEPS:
            du, last = self._relieved(soft, start, inner.force, steps)
            if last < _NEAR * self.model.size:
                return self._there.dofs.spread(start.u + du)
        raise LeafFailed(
            f"{self.model.name}: permanent set",
            f"the unloaded part found no rest: its last correction moves it by "
            f"{last:.2g} m after {self.tries}.",
            'Give it a bench that holds it (bench="true"), or leave the signal out.',
        )

    def _relieved(
        self, statics: Statics, start: Parts, force: Vector, steps: int
    ) -> tuple[Vector, float]:
        """Forces taken away in so many steps, and the size of the last correction.

        What has just yielded may go on yielding or spring back: which of the two, its
        tangent says by round-off alone. In small steps it hardly matters.
        """
        du, last = np.zeros(self._there.dofs.size), 0.0
        for step in range(1, steps + 1):
            left = (1.0 - step / steps) * force
            for _ in range(self.tries):
                change = self._corrected(statics, start, du, left)
                du, last = du + change, float(np.abs(change).max(initial=0.0))
                if last < _NEAR * self.model.size:
                    break
            else:
                break  # no rest on the way, none at its end
        return du, last

    def _corrected(
        self, statics: Statics, start: Parts, du: Vector, left: Vector
    ) -> Vector:
        """One correction towards the forces that are left.

        Without the force of the springs: they only keep K from being singular. Half of
        the way, and half of it, while it leads farther away: the way back is stiffer
        than the tangent of what has just yielded says.
        """
        inner = statics.inner(start, du)
        change = statics.solve(inner, left - inner.force)
        before = self._size(inner.force - left)
        for _ in range(_HALVINGS):
            if self._size(statics.inner(start, du + change).force - left) <= before:
                break
            change = 0.5 * change
        return change

    def _carried(self, now: Parts, anchor: int) -> Parts:
        """The state, moved along so that the anchor is where it was."""
        wide = self.model.dofs.spread(now.u)
        wide[:, :3] -= wide[anchor, :3].copy()
        u = wide.ravel()[self._there.dofs.slots]
        still = np.zeros_like(u)
        return now._replace(u=u, v=still, a=still, p=still, f=still)

    def _size(self, force: Vector) -> float:
        f = force.copy()
        f[self._there.rotations] /= self.model.element_size
        return float(np.linalg.norm(f))
