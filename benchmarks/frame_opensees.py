"""OpenSees on the models of `frame_case`, through openseespy."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import numpy as np
from frame_case import DT, FORCE, OMEGA, Shells
from frame_process import Code, answer

BEST = "ASDShellQ4"  # thick plate, membrane with drilling dofs
QUICK = "ShellMITC4"  # its oldest one; its membrane is too stiff
_TRIANGLES = {BEST: "ASDShellT3", QUICK: "ShellDKGT", "ShellDKGQ": "ShellDKGT"}
OPENSEES = Code(Path(__file__).resolve(), ("openseespy",), "opensees")


def frequencies(shells: Shells, kind: str, count: int) -> list[float]:
    ops = _build(shells, kind)
    squares = np.array(ops.eigen("-genBandArpack", count))
    return (np.sqrt(squares) / (2.0 * np.pi)).tolist()


def deflection(shells: Shells, kind: str) -> float:
    ops = _build(shells, kind)
    ops.timeSeries("Constant", 1)
    _load(ops, shells)
    _linear(ops)
    ops.integrator("LoadControl", 1.0)
    ops.analysis("Static")
    assert ops.analyze(1) == 0
    return ops.nodeDisp(shells.pushed + 1, 3)


def transient(shells: Shells, kind: str, steps: int) -> tuple[list[float], float]:
    """One factor for all steps; the first step, which makes it, is not counted."""
    ops = _build(shells, kind)
    ops.rayleigh(shells.alpha, 0.0, shells.beta, 0.0)
    ops.timeSeries("Trig", 1, 0.0, 1e9, 2.0 * np.pi / OMEGA)
    _load(ops, shells)
    _linear(ops)
    ops.integrator("Newmark", 0.5, 0.25)
    ops.analysis("Transient")
    z = [_step(ops, shells.pushed)]
    begin = perf_counter()
    z += [_step(ops, shells.pushed) for _ in range(steps - 1)]
    return z, (perf_counter() - begin) / (steps - 1)


def _step(ops, pushed: int) -> float:
    assert ops.analyze(1, DT) == 0
    return ops.nodeDisp(pushed + 1, 3)


def _build(shells: Shells, kind: str):
    import openseespy.opensees as ops

    ops.model("basic", "-ndm", 3, "-ndf", 6)
    for k, x in enumerate(shells.points.tolist(), 1):
        ops.node(k, *x)
    for k in np.flatnonzero(shells.fixed.any(axis=1)).tolist():
        ops.fix(k + 1, *shells.fixed[k].astype(int).tolist())
    stuff = (shells.E, shells.nu, shells.thickness, shells.rho)
    ops.section("ElasticMembranePlateSection", 1, *stuff)
    kinds = [kind] * len(shells.quads) + [_TRIANGLES[kind]] * len(shells.triangles)
    rows = [*(shells.quads + 1).tolist(), *(shells.triangles + 1).tolist()]
    for k, (name, nodes) in enumerate(zip(kinds, rows, strict=True), 1):
        ops.element(name, k, *nodes, 1)
    return ops


def _load(ops, shells: Shells) -> None:
    ops.pattern("Plain", 1, 1)
    ops.load(shells.pushed + 1, 0.0, 0.0, FORCE, 0.0, 0.0, 0.0)


def _linear(ops) -> None:
    ops.constraints("Plain")
    ops.numberer("RCM")
    ops.system("SparseSYM")  # of those that keep their factors, the quickest here
    ops.algorithm("Linear", "-factorOnce")


if __name__ == "__main__":
    answer({f.__name__: f for f in (frequencies, deflection, transient)})
