"""One assembly of four solvers is the all-at-once model, to round-off."""

from __future__ import annotations

import shutil
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from bondline.core import Advance, Port, Signal, uniform
from bondline.gluing import glue
from bondline.leaves import Structure
from bondline.numerics import LinearSystem
from bondline.run import Keep, certify, simulate
from bondline.run.certificate import with_refined
from bondline.run.refine import refine

pytest.importorskip("KratosMultiphysics.StructuralMechanicsApplication")
pytest.importorskip("skfem")
if shutil.which("ccx") is None:
    pytest.skip("needs calculix-ccx", allow_module_level=True)

from tests.solvers import beam

H, STEPS = 1e-5, 60


def push(n):
    """Grows, and pulls, bends and twists the free end: another force on every dof."""
    return Signal.hold((n + 1) / STEPS * 1e3 * np.cos(np.arange(12.0)))


def tip(model, port):
    """Where the free end is, window by window."""
    step, rows = model.start(0.0), []
    for n in range(STEPS):
        step = model.advance(step.state, uniform(0.0, H, n), {port: push(n)})
        assert isinstance(step, Advance)
        rows.append(step.outputs[port].x)
    return np.array(rows)


@pytest.fixture(scope="module")
def parts():
    return {
        "ours": beam.by_bondline("ours", 0, held=("u0",)),
        "kratos": beam.by_kratos("kratos", 1),
        "ccx": beam.by_calculix("ccx", 2),
        "skfem": beam.by_skfem("skfem", 3),
    }


def assembly(parts):
    seams = {
        "a": ("ours.u1", "kratos.u0"),
        "b": ("kratos.u1", "ccx.u0"),
        "c": ("ccx.u1", "skfem.u0"),
    }
    return glue("beam", parts.values(), seams, exports={"tip": "skfem.u1"})


def all_at_once(parts):
    """The matrices of all four, summed over the nodes they share: no gluing."""
    members = [parts["ours"], beam.kratos_matrices("kratos", 1)]
    members += [parts["ccx"], parts["skfem"]]
    count, maps, last = 0, [], None
    for part in members:
        n = part.system.M.shape[0]
        rows = np.full(n, -1)
        if last is not None:
            rows[part.select["u0"]] = last
        new = np.flatnonzero(rows < 0)
        rows[new] = count + np.arange(len(new))
        count, last = count + len(new), rows[part.select["u1"]]
        maps.append(rows)
    total = np.zeros((3, count, count))
    for part, rows in zip(members, maps, strict=True):
        for matrix, own in zip(total, part.system, strict=True):
            matrix[np.ix_(rows, rows)] += csr_array(own).toarray()
    system = LinearSystem(*total)
    port = Port("tip", ("x", "y", "z"), 4)
    return Structure("beam", system, {"tip": last}, {"tip": port})


def test_four_solvers_in_one_beam_are_one_model(parts):
    found, wanted = tip(assembly(parts), "tip"), tip(all_at_once(parts), "tip")
    size = np.abs(wanted).max()
    assert size > 1e-6
    assert np.abs(found - wanted).max() < 1e-9 * size


def ramped(part, rise):
    """A part whose free end is pulled, bent and twisted, more and more."""
    rows = np.asarray(part.select["u1"])
    full = np.zeros(part.system.M.shape[0])
    full[rows] = 1e3 * np.cos(np.arange(12.0))

    def load(t):
        s = min(t / rise, 1.0)
        return full * s**3 * (10.0 - 15.0 * s + 6.0 * s**2)

    return replace(part, external=load, publish={"tip": int(rows[1])})


def test_the_run_of_four_solvers_has_a_certificate_without_a_warning(parts):
    grid, end = (0.0, 5e-5), 2e-3
    whole = assembly({**parts, "skfem": ramped(parts["skfem"], end)})
    keep = Keep()
    simulate(whole, end, grid[1], record=keep)
    refined = refine(whole, keep.results(), grid)
    told = with_refined(certify(keep.frames, leaves=4, method="T-T"), refined)
    assert told.warnings == ()
    assert not [check for check in told.checks(1e-10, "T-T") if check.good is False]
    orders = {o.signal: o.order for o in refined.orders}
    assert orders["skfem.tip"] == pytest.approx(2.0, abs=0.2)


def test_three_programs_assemble_the_same_brick():
    """Receptances of a free quarter, port by port."""
    one = beam.by_skfem("skfem", 1)
    for other in (beam.by_calculix("ccx", 1), beam.kratos_matrices("kratos", 1)):
        for omega in (2e3, 2e4):
            mine, theirs = (m.receptance(omega).blocks for m in (one, other))
            for ends, block in mine.items():
                assert_allclose(theirs[ends], block, atol=1e-9 * np.abs(block).max())
