"""What must hold for every model: turned models turn, ties that repeat do no harm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bondline.core import Matrix, Rejected, Window, uniform
from bondline.gluing import IntegratedModel, glue
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.static import static
from tests.cases.ladder.climb import apart
from tests.cases.ladder.cutting import Cut, bisected, leaf_states
from tests.cases.ladder.raasch import model as hook
from tests.cases.ladder.rung import Rung
from tests.cases.ladder.shapes import ALL, forces
from tests.cases.ladder.twisted_beam import model as strip
from tests.fe.small import rotation

CASE, SOURCE = "identity", "by definition"


def turned(model: FeModel, R: Matrix) -> FeModel:
    """Points and forces turned; supports hold all six, or this would not do."""
    assert all(s.components == ALL for s in model.supports)
    mesh = replace(model.mesh, points=model.mesh.points @ R.T)
    loads = []
    for load in model.loads:
        push = np.outer(np.ones(len(load.nodes)), load.value * R[:, load.component])
        loads.extend(forces(load.nodes, (0, 1, 2), push))
    return replace(model, mesh=mesh, loads=tuple(loads))


def turning() -> Rung:
    """The answer of a turned model, turned back, is the answer."""
    model, R = strip("S4", (12, 2), 0.32, 2), rotation(3)
    u, v = static(model).u, static(turned(model, R)).u
    back = np.hstack([v[:, :3] @ R, v[:, 3:] @ R])
    return _rung("the answer turns with the model", apart(back, u, 12.0), 1e-9, model)


def repeated() -> Iterator[Rung]:
    """Nodes tied twice, by two ports that share them: at rest, and in time."""
    model = hook((12, 2))
    cut = Cut(model, bisected(model.mesh, 2))
    (nodes,) = cut.shared.values()
    leaves = []
    for part, rows in zip(cut.parts, cut.rows, strict=True):
        own = np.searchsorted(rows, nodes)
        plugs = {"all": Plug(own), "again": Plug(own[:2], (0, 1, 2))}
        leaves.append(fe_leaf(part, plugs))
    joints = {port: (f"p0.{port}", f"p1.{port}") for port in ("all", "again")}
    made = glue("twice", leaves, joints)
    found = made.equilibrium(made.start(0.0).state, 1.0, {}, {})
    assert not isinstance(found, Rejected), found
    u = cut.together(leaf_states(found.state.parts))
    error = apart(u, static(model).u, 100.0)
    yield _rung("ties that repeat each other, at rest", error, 1e-10, model, "2")
    u, v = (_after(cut, m) for m in (made, cut.flat()))
    error = apart(u, v, 100.0)
    yield _rung("ties that repeat each other, in time", error, 1e-10, model, "2")


def _after(cut: Cut, made: IntegratedModel) -> Matrix:
    """Displacements after ten windows."""
    step = made.start(0.0)
    for k in range(10):
        step = made.advance(step.state, uniform(0.0, 0.1, k), {})
        assert not isinstance(step, Rejected), step
    return cut.together(leaf_states(step.state.parts))


def balance() -> Rung:
    """Joint forces on all ends of every joint sum to zero, and so does their power."""
    model = strip("S4", (12, 2), 0.32, 2)
    cut = Cut(model, bisected(model.mesh, 4))
    made = cut.flat()
    step = made.advance(made.start(0.0).state, Window(0.0, 1e-4), {})
    assert not isinstance(step, Rejected), step
    quick = max(float(np.abs(m.v).max()) for m in step.state.motions.values())
    worst = 0.0
    for connection in made.connections:
        ends = [step.state.motions[end] for end in connection.ends]
        rate = connection.gap(ends)[1] / quick
        each = (sum(connection.jacobian(ends)), rate)
        worst = max(worst, *(float(np.abs(x).max()) for x in each))
    return _rung("forces and powers at joints sum to zero", worst, 1e-12, model, "4")


def again() -> Rung:
    """`advance` twice from one state gives the same bits."""
    model = strip("S4", (12, 2), 0.32, 2)
    made = Cut(model, bisected(model.mesh, 4)).flat()
    state = made.start(0.0).state
    one, two = (made.advance(state, Window(0.0, 1e-4), {}) for _ in range(2))
    same = made.dump(one.state) == made.dump(two.state)
    return _rung("advance twice gives the same bits", float(not same), 0.0, model, "4")


def _rung(name: str, value: float, most: float, model: FeModel, cut: str = "") -> Rung:
    dofs = model.assembled.system.K.shape[0]
    return Rung(CASE, name, 0.0, value, (0.0, most), None, 0.0, cut, dofs, SOURCE)


def rungs(fine: bool) -> Iterator[Rung]:
    yield turning()
    yield from repeated()
    yield balance()
    yield again()
