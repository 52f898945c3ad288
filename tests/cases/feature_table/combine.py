"""One cell of the table: a problem, a coupling, a solver and a depth, judged."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from math import nan

import numpy as np

from bondline.core import Advance, PortRef, Rejected, uniform
from bondline.errors import BondlineError, CouplingDiverged
from bondline.gluing import SCHEMES, SOLVERS, IntegratedModel, make_joint
from bondline.gluing.couplings.motion_schemes import FORCE_SCHEMES, MOTION_SCHEMES
from bondline.gluing.strategy import Wish, strategy
from tests.cases.feature_table.problems import Problem
from tests.gluing.wrapped import Once

TREES = {
    2: {"flat": (0, 1), "two": ((0,), 1), "three": (((0,),), 1)},
    4: {"flat": (0, 1, 2, 3), "two": ((0, 1), (2, 3)), "three": (((0, 1), 2), 3)},
}
LEVELS = ("flat", "two", "three")
COUPLINGS = (
    *(("T-T", name) for name in SCHEMES),
    *(("X-X", name) for name in MOTION_SCHEMES),
    *(("X-T", name) for name, s in FORCE_SCHEMES.items() if not s.open),
    *(("one-pass", name) for name in SCHEMES),
)
ALL_SOLVERS = (*SOLVERS, "one-pass")
BOUNDS = {
    "constant/e": 5e-3,
    "linear-discontinuous/e,v": 2e-3,
    "quadratic-discontinuous/e,v,a": 2e-3,
    "linear/deadbeat": 5e-3,
}
TIGHT = {"tolerance": 1e-11}
PATIENT = {**TIGHT, "max_iterations": 40}
SETTINGS = {"newton": TIGHT, "broyden": TIGHT, "bfgs": TIGHT, "one-pass": {}}


@dataclass(frozen=True)
class Cell:
    """Where in the table."""

    problem: Problem
    coupling: str
    scheme: str
    solver: str
    level: str

    @property
    def once(self):
        """Whether the parts cannot repeat a window."""
        return self.coupling == "one-pass" or self.scheme.endswith("explicit")

    @property
    def h(self):
        """One pass needs windows that resolve the parts' own frequencies well."""
        return self.problem.h / 4 if self.once else self.problem.h

    @property
    def windows(self):
        """Nested ones are dear: fewer."""
        return self.problem.windows if self.level == "flat" else 3

    def __str__(self):
        where = self.problem.name, self.coupling, self.scheme, self.solver, self.level
        return " | ".join(where)


@dataclass(frozen=True)
class Outcome:
    """What came of it.

    `works`, `warned` (wrong, and said so), `refused`, `diverged`; or `wrong`, which
    nobody said: a failure.
    """

    verdict: str
    reason: str = ""  # first sentence of what was found
    error: float = nan  # of positions, relative to how far anything goes
    iterations: float = nan  # a window, outermost level
    solves: float = nan  # a leaf and window
    notes: tuple[str, ...] = ()


def build(cell):
    """The model of a cell, glued as a model file would ask for it."""
    p = cell.problem
    wanted = "T-T" if cell.coupling == "one-pass" else cell.coupling
    parts = p.parts(wanted)
    if cell.once:
        parts = tuple(map(Once, parts))
    wish = Wish(wanted, cell.scheme, cell.solver, SETTINGS.get(cell.solver, PATIENT))
    inner = wish if cell.once else replace(wish, solver="newton", settings=TIGHT)
    model, _ = _level(TREES[len(parts)][cell.level], p, parts, (wish, inner))
    return model


def _level(tree, p, parts, wishes):
    """A model of one level, and the numbers of all leaves in it.

    The solver on trial is that of the outermost level; inside there is Newton's.
    """
    wish, inner = wishes
    children, inside = {}, []
    owner = {}
    for branch in tree:
        if isinstance(branch, int):
            child, leaves = parts[branch], [branch]
        else:
            child, leaves = _level(branch, p, parts, (inner, inner))
        children[child.name] = child
        inside += leaves
        owner |= {k: (child, isinstance(branch, int)) for k in leaves}

    def end(k, port):
        child, leaf = owner[k]
        return PortRef(child.name, port if leaf else f"{parts[k].name}_{port}")

    joints, exports = [], {}
    for k, (link, (right, left)) in enumerate(zip(p.links, p.ends, strict=True)):
        here = [(i, port) for i, port in ((k, right), (k + 1, left)) if i in owner]
        if len(here) == 2 and owner[k] is not owner[k + 1] and not _same(owner, k):
            ends = tuple(end(i, port) for i, port in here)
            ports = [parts[i].ports[port] for i, port in here]
            name = f"j{k + 1}"
            joints.append(make_joint(link.kind, name, ends, ports, **link.settings))
        elif len(here) == 1:
            ((i, port),) = here
            exports[f"{parts[i].name}_{port}"] = end(i, port)
    way = strategy(children, joints, wish)
    name = "".join(parts[i].name for i in inside) + ("'" if len(inside) == 1 else "")
    made = IntegratedModel(
        name, children, joints, way.coupling, way.solver, exports, halvings=0
    )
    return made, inside


def _same(owner, k):
    return owner[k][0] is owner[k + 1][0]


def states(model, state):
    """States of all leaves by name."""
    found = {}
    for n, part in model.parts.items():
        own = state.parts[n]
        if isinstance(part, IntegratedModel):
            found |= states(part, own)
        else:
            found[n] = own.state if isinstance(part, Once) else own
    return found


def bound(cell):
    """The largest error that is a success; a part of how far anything goes.

    One-step parts are the whole Newmark model, to what the tolerance leaves. Other
    errors belong to the scheme, by its order; windows resolve the motion with ωh below
    0.6, those of one pass below 0.15. A bushing is of order 2 where a window has one
    unknown: bodies under constant/e are off by 2.7, 0.62 and 0.15 % at h, h/2, h/4.
    """
    second = cell.scheme in ("constant/e", "linear/deadbeat", "mixed/a,v,u")
    if cell.once or (cell.problem.joint == "bushing" and second):
        return 1e-7 if cell.problem.one_step and not cell.once else 0.05
    return 1e-7 if cell.problem.one_step else BOUNDS.get(cell.scheme, 0.01)


def attempt(cell):
    """Run a cell; anything but a taught refusal escapes."""
    try:
        model = build(cell)
    except BondlineError as error:
        return taught("refused", error)
    try:
        return run(cell, model)
    except BondlineError as error:
        return taught("refused", error)


def run(cell, model):
    p = cell.problem
    step = model.start(0.0)
    shown, counts, notes = [], [], dict.fromkeys(step.notes)
    for n in range(cell.windows):
        done = model.advance(step.state, uniform(0.0, cell.h, n), {})
        if isinstance(done, Rejected):
            return rejected(done)
        assert isinstance(done, Advance)
        step = done
        notes |= dict.fromkeys(step.notes)
        shown.append(p.shown(states(model, step.state)))
        counts.append((step.stats["iterations"], step.stats["solves"]))
    expected = p.expected(cell.h, cell.windows)
    error = float(np.abs(np.array(shown) - expected).max()) / p.scale
    iterations, solves = np.mean(counts, axis=0).tolist()
    good = error <= bound(cell)
    verdict = "works" if good else "warned" if notes else "wrong"
    leaves = len(states(model, step.state))
    return Outcome(verdict, "", error, iterations, solves / leaves, tuple(notes))


def taught(verdict, error):
    """A refusal must say where, what and what to do."""
    assert all((error.place, error.finding, error.remedy)), repr(error)
    first = error.finding.split(". ")[0].rstrip(".")
    return Outcome(verdict, first)


def rejected(done):
    """A window that failed: the error to raise, or why and which model."""
    if done.error is not None:
        known = isinstance(done.error, CouplingDiverged)
        return taught("diverged" if known else "refused", done.error)
    assert all((done.model, done.reason)), repr(done)
    return Outcome("diverged", f"{done.model}: {done.reason}".split(". ")[0])


def cells(problems):
    """The whole product, but for what is dear.

    On nested levels every scheme meets Newton's solver, and every solver meets
    constant/e, newmark/a,v,u and, on two levels, newmark/f.
    """
    found = []
    for p in problems:
        for coupling, scheme in COUPLINGS:
            every = product(LEVELS, ALL_SOLVERS)
            each = [Cell(p, coupling, scheme, s, level) for level, s in every]
            found += [c for c in each if _affordable(c)]
    return found


def _affordable(cell):
    if cell.level == "flat" or cell.solver in ("newton", "one-pass"):
        return True
    if cell.coupling == "T-T":
        return cell.scheme in ("constant/e", "newmark/a,v,u")
    return cell.scheme == "newmark/f" and cell.level == "two"


def covering(problems):
    """Every problem with every coupling, the solvers and levels taking turns.

    Bodies are nested with constant/e only; the first problem shows every solver on
    every level.
    """
    every = product(LEVELS, ALL_SOLVERS)
    found = [Cell(problems[0], "T-T", "newmark/a,v,u", s, lv) for lv, s in every]
    for i, p in enumerate(problems):
        for j, (coupling, scheme) in enumerate(COUPLINGS):
            k = i * len(COUPLINGS) + j
            once = coupling == "one-pass" or scheme.endswith("explicit")
            solver = ALL_SOLVERS[(k + k // 9) % len(ALL_SOLVERS)]
            solver = "one-pass" if once and k % 4 else solver
            cell = Cell(p, coupling, scheme, solver, LEVELS[(i + j) % 3])
            if not _affordable(cell):
                cell = replace(cell, solver="newton")
            if p.windows < 8 and scheme != "constant/e":
                cell = replace(cell, level="flat")
            found.append(cell)
    return found
