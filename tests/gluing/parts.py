"""Small parts for tests, each with one peculiarity."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bondline.core import Advance, Capabilities, Motion, Port, Rejected, ref
from bondline.gluing import TT, IntegratedModel, Newton, Tie, scheme
from bondline.leaves import FunctionLeaf


def mass(name, m=1.0, k=0.0, x0=0.0, v0=0.0, hard=0.0, **more):
    """A mass on a spring k x + hard x³, port `end`."""

    def rate(t, y, f):
        return [y[1], (f["end"][0] - k * y[0] - hard * y[0] ** 3) / m]

    def motion(t, y, dy):
        return {"end": ([y[0]], [y[1]], [dy[1]])}

    return FunctionLeaf(
        name, [x0, v0], {"end": ("x",)}, rate, motion, publish=("x", "v"), **more
    )


@dataclass(frozen=True)
class Odd:
    """Answers whatever `answer(window, force)` says."""

    name: str
    answer: object
    port: Port = Port("end", ("x",))  # noqa: RUF009
    capabilities: Capabilities = Capabilities()  # noqa: RUF009
    parameters: dict = field(default_factory=dict)

    @property
    def ports(self):
        return {self.port.name: self.port}

    def start(self, t0):
        zero = np.zeros(self.port.size)
        return Advance(None, {self.port.name: Motion(zero, zero, zero)})

    def advance(self, state, window, inputs):
        found = self.answer(window, inputs[self.port.name].end)
        if isinstance(found, Rejected):
            return found
        return Advance(None, {self.port.name: Motion(*np.atleast_2d(found).T)})


def tie(*ends, name="j", dofs=("x",)):
    return Tie(name, tuple(ref(e) for e in ends), dofs)


def glue(*parts, ties=None, solver=None, name="constant/e", **more):
    named = {p.name: p for p in parts}
    ends = [f"{p.name}.{next(iter(p.ports))}" for p in parts]
    joints = [tie(*ends)] if ties is None else ties
    return IntegratedModel(
        "pair", named, joints, TT(scheme(name)), solver or Newton(), **more
    )
