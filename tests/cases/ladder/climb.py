"""From a model to a rung: solved whole, glued, and through a deck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, pi

import numpy as np

from bondline.core import Matrix
from bondline.gluing.frequency import modes
from bondline.leaves.fe.formats import Analysis, inp_text, parse_inp
from bondline.leaves.fe.formats.inp.pen import Dialect
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.sections import BeamSection
from bondline.leaves.fe.static import static
from bondline.numerics.modal import lowest_modes
from tests.cases.ladder.cutting import Cut, bisected
from tests.cases.ladder.rung import Rung


@dataclass(frozen=True, eq=False)
class Wanted:
    """What a case should show, and how it is cut.

    `parts` is how many; 22 are two groups of two, one level inside the other.
    """

    case: str
    name: str
    reference: float | Sequence[float]
    gate: tuple[float, float]
    source: str
    parts: int = 2
    gluing_gate: float = 1e-8
    deck: bool = True
    excuse: str = ""

    @property
    def pieces(self) -> int:
        return 4 if self.parts == 22 else self.parts

    @property
    def cut(self) -> str:
        words = {0: "", 22: "2 × 2"}
        return words.get(self.parts, str(self.parts))


def rest(
    wanted: Wanted,
    model: FeModel,
    read: Callable[[FeModel, Matrix], float],
    labels: Indices | None = None,
) -> Rung:
    """Statics; `read` takes the value out of displacements, nodes × 6.

    The model is cut as `labels` say, or bisected.
    """
    u, size = static(model).u, float(np.ptp(model.mesh.points, axis=0).max())
    glued = None
    if wanted.parts:
        if labels is None:
            labels = bisected(model.mesh, wanted.pieces)
        cut = Cut(model, labels)
        found = cut.at_rest(nested=wanted.parts == 22)
        glued = inf if found is None else apart(found, u, size)
    deck = None
    if wanted.deck:
        deck = apart(static(written(model)).u, u, size)
    assert isinstance(wanted.reference, int | float)
    value = float(read(model, u))
    return _rung(wanted, model, (float(wanted.reference), value), glued, deck)


def apart(u: Matrix, v: Matrix, size: float) -> float:
    """The largest difference of displacements and of rotations, each by the largest.

    In a model of that size rotations are counted that move it as far as it moves.
    """
    far = np.abs(v[:, :3]).max()
    turned = max(np.abs(v[:, 3:]).max(), far / size)
    moved = np.abs(u - v).max(axis=0)
    return float(max(moved[:3].max() / far, moved[3:].max() / turned))


def vibration(wanted: Wanted, model: FeModel, rigid: int = 0) -> Rung:
    """Frequencies in Hz; the rung has the one that is furthest from its reference."""
    assert not isinstance(wanted.reference, int | float)
    reference = np.array(wanted.reference, dtype=np.float64)
    count = rigid + len(reference)
    found = frequencies(model, count)
    glued = deck = None
    if wanted.parts:
        cut = Cut(model, bisected(model.mesh, wanted.pieces))
        whole = cut.nested() if wanted.parts == 22 else cut.flat()
        band = 2.0 * pi * found[-1] * (1.0 + 1e-6)
        omega = np.array([mode.omega for mode in modes(whole, band)])
        assert len(omega) >= count, f"{len(omega)} modes of {count}"
        glued = _apart(omega[:count] / (2.0 * pi), found)
    if wanted.deck:
        again = written(model, Analysis("frequency", modes=count))
        deck = _apart(frequencies(again, count), found)
    assert (found[:rigid] < 1e-3 * reference[0]).all(), f"{found[:rigid]} Hz"
    worst = int(np.argmax(np.abs(found[rigid:] / reference - 1.0)))
    pair = float(reference[worst]), float(found[rigid + worst])
    return _rung(wanted, model, pair, glued, deck, f", mode {rigid + worst + 1}")


def written(model: FeModel, analysis: Analysis | None = None) -> FeModel:
    """The model through a deck, that of Abaqus where CalculiX has no such beam."""
    slender = any(isinstance(b.section, BeamSection) for b in model.mesh.blocks)
    dialect: Dialect = "abaqus" if slender else "calculix"
    return parse_inp(inp_text(model, analysis, dialect=dialect)).model


def frequencies(model: FeModel, count: int) -> Matrix:
    """The lowest ones, in Hz."""
    system = model.assembled.system
    return lowest_modes(system.K, system.M, count).frequencies


def _apart(f: Matrix, g: Matrix) -> float:
    """Relative to each frequency; rigid motion has none, and is left out."""
    moving = g > 1e-3 * g[-1]
    return float(np.abs(f[moving] / g[moving] - 1.0).max())


def _rung(
    wanted: Wanted,
    model: FeModel,
    pair: tuple[float, float],
    glued: float | None,
    deck: float | None,
    which: str = "",
) -> Rung:
    return Rung(
        wanted.case,
        wanted.name + which,
        *pair,
        wanted.gate,
        glued,
        wanted.gluing_gate,
        wanted.cut,
        model.assembled.system.K.shape[0],
        wanted.source,
        deck,
        wanted.excuse,
    )
