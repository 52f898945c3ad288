"""A plate of which one half is reduced: Craig and Bampton's leaf for the full one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import pi

import numpy as np

from bondline.core import FRAME_DOFS, Rejected, ref
from bondline.gluing import IntegratedModel, glue
from bondline.gluing.frequency import modes
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.reduction import reduced_leaf
from bondline.leaves.fe.static import static
from tests.cases.ladder.climb import frequencies
from tests.cases.ladder.cutting import Cut, bisected
from tests.cases.ladder.fv_plates import cantilever
from tests.cases.ladder.rung import Rung
from tests.cases.ladder.shapes import Z, cells

CASE, SOURCE = "Craig-Bampton", "the full leaf"
BAND = 10.0  # Hz


def half_reduced(cut: Cut) -> IntegratedModel:
    """The free half keeps its modes in the band, the clamped one is full."""
    leaves = dict(cut.leaves)
    leaves["p1"] = reduced_leaf(cut.parts[1], cut.plugs(1), band=BAND)
    return glue("half reduced", leaves.values(), dict(cut.joints))


def rungs(fine: bool) -> Iterator[Rung]:
    n = cells(fine, 8, 16)
    model = cantilever(n)
    corner = model.mesh.node_sets["corners"][1:2]
    model = replace(model, loads=(NodalForce(corner, Z, 100.0),))
    cut = Cut(model, bisected(model.mesh, 2))
    made, dofs = half_reduced(cut), model.assembled.system.K.shape[0]
    static_error = _at_rest(made, cut)
    full = frequencies(model, 6)
    found = np.array([m.omega for m in modes(made, 2 * pi * full[-1] * 1.01)])
    for k, f in enumerate(full[:5]):
        yield Rung(
            CASE, f"S4 {n} × {n}, half reduced to {BAND:g} Hz, mode {k + 1}",
            float(f), float(found[k] / (2 * pi)), (1.0 - 1e-6, 1.001), static_error,
            1e-7, "2", dofs, SOURCE,
        )  # fmt: skip


def _at_rest(made: IntegratedModel, cut: Cut) -> float:
    """How far the nodes between the halves are from where they rest in the whole."""
    found = made.equilibrium(made.start(0.0).state, 1.0, {}, {})
    assert not isinstance(found, Rejected), found
    whole = static(cut.model).u
    (nodes,) = cut.shared.values()
    port = found.state.motions[ref("p1.j0_1")].x.reshape(len(nodes), -1)
    shown = cut.leaves["p1"].ports["j0_1"].dofs
    columns = [FRAME_DOFS.index(d) for d in shown]
    right = whole[nodes][:, columns]
    scale = np.maximum(np.abs(right).max(axis=0), np.abs(right).max() / 10.0)
    return float((np.abs(port - right).max(axis=0) / scale).max())
