"""A heavy arm of two links and a flexible whip on its tip: one leaf each, or one leaf.

The arm swings under gravity at about 3 rad/s; the whip vibrates at 100 times that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bondline.core import Advance, Model, Rejected, uniform
from bondline.gluing import IntegratedModel, Newton, TwoRates, glue, joint
from bondline.leaves.mbd import (
    Body,
    Frame,
    Integration,
    Joint,
    Mechanism,
    Outlet,
    Seen,
    Sheet,
    multibody_leaf,
)
from bondline.leaves.mbd.modal import Beam, Shapes, beam_modes

GRAVITY = (0.0, 0.0, -9.81)
Y = Frame.along((0, 1, 0))
ANGLES = {"a": Seen("a.angle"), "b": Seen("b.angle")}
BENDS = {"a1": Seen("whip.a1"), "a2": Seen("whip.a2")}
SIGNALS = ("arm.a", "arm.b", "whip.a1", "whip.a2")
SHARES = (1.0, 1.0, 0.01, 0.01)  # rad; modal coordinates in m √kg, small ones
SCHEME = "linear-discontinuous/e,v"


def _link(name: str) -> Body:
    places = {
        "root": Y,
        "tip": Frame.along((0, 1, 0), (1, 0, 0)),
        "end": Frame((1, 0, 0)),
    }
    return Body(name, 200.0, (1.0, 200 / 12, 200 / 12), (0.5, 0, 0), places)


def _arm() -> tuple[list[Body], list[Joint]]:
    swings = [
        Joint("a", "revolute", Y, "one.root", start=(0.3,)),
        Joint("b", "revolute", "one.tip", "two.root", start=(0.4,)),
    ]
    return [_link("one"), _link("two")], swings


def _whip() -> Body:
    beam = Beam(length=1.0, mass=20.0, EIy=8e4, EIz=4e4, radii=(0.05, 0.05))
    return Body(
        "whip", modes=beam_modes(beam, [Shapes("bend-z", 2)], nodes={"end": 1.0})
    )


def whole(tolerance: float = 1e-13) -> Model:
    """All in one leaf: the reference."""
    bodies, swings = _arm()
    grip = Joint("grip", "fixed", "two.end", "whip")
    made = Mechanism("whole", [*bodies, _whip()], [*swings, grip], gravity=GRAVITY)
    how = Integration(method="dop853", tolerance=tolerance)
    return multibody_leaf("whole", Sheet(made, {}, {**ANGLES, **BENDS}, how))


def parts(slow: float, fast: float) -> list[Model]:
    """The arm with steps of `slow` seconds, the whip with steps of `fast`."""
    bodies, swings = _arm()
    arm = Mechanism("arm", bodies, swings, gravity=GRAVITY)
    free = Joint("f", "free", "ground", "whip")
    whip = Mechanism("whip", [_whip()], [free], gravity=GRAVITY)
    ways = [Integration(method="rk4", step=h) for h in (slow, fast)]
    return [
        multibody_leaf("arm", Sheet(arm, {"tip": Outlet("two.end")}, ANGLES, ways[0])),
        multibody_leaf("whip", Sheet(whip, {"root": Outlet("whip")}, BENDS, ways[1])),
    ]


def two_rates(H: float, ratio: int, **how: Any) -> IntegratedModel:
    """Windows of H for the arm, of H / ratio for the whip."""
    coupling = TwoRates("whip", windows=ratio, **how)
    each = parts(H / 8, H / ratio / 2)
    return _glued(each, coupling=coupling, solver=Newton(tolerance=1e-11))


def one_rate(h: float) -> IntegratedModel:
    """Windows of h for both."""
    return _glued(parts(h / 2, h / 2), scheme=SCHEME, solver=Newton(tolerance=1e-11))


def _glued(each: list[Model], **how: Any) -> IntegratedModel:
    grip = {"grip": joint("fixed", "arm.tip", "whip.root")}
    return glue("both", each, grip, **how)


@dataclass(frozen=True)
class Row:
    """A run: its largest error, and how often each leaf was advanced."""

    error: float  # rad, or 0.01 m √kg
    slow: int
    fast: int


def run(model: Model, H: float, until: float) -> Iterator[Advance[Any]]:
    """Window by window."""
    now = model.start(0.0)
    for n in range(round(until / H)):
        done = model.advance(now.state, uniform(0.0, H, n), {})
        if isinstance(done, Rejected):
            raise RuntimeError(done.reason)
        now = done
        yield now


def reference(every: float, until: float) -> np.ndarray:
    """The signals of the whole, a row for each multiple of `every`."""
    model = whole()
    names = [s.rpartition(".")[2] for s in SIGNALS]
    return np.array([_seen(model, a, names) for a in run(model, every, until)])


def _seen(model: Model, done: Advance[Any], names: Any) -> list[float]:
    seen = model.observe(done.state)  # type: ignore[attr-defined]
    return [seen[n].value for n in names]


def measure(model: Model, H: float, exact: np.ndarray, until: float) -> Row:
    """Against the reference, at its times."""
    skip, rows, price = round(until / H) // len(exact), [], np.zeros(2)
    for n, done in enumerate(run(model, H, until), start=1):
        price += _advances(done)
        if n % skip == 0:
            rows.append(_seen(model, done, SIGNALS))
    apart = np.abs(np.array(rows) - exact).max(axis=0) / SHARES
    return Row(float(apart.max()), int(price[0]), int(price[1]))


def _advances(done: Advance[Any]) -> tuple[float, float]:
    """Of the arm and of the whip, from the counts of a window.

    At one rate both are advanced together. At two rates the whip's are counted in
    its short windows; a window that was iterated has cost several sweeps.
    """
    stats = done.stats
    if "whip.solves" not in stats:
        return stats["solves"] / 2, stats["solves"] / 2
    slow = stats["sweeps"]
    return slow, stats["solves"] - slow
