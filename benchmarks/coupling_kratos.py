"""The FETI coupling of Kratos CoSimulation on the cases of these benchmarks.

Kratos runs in a process of its own: `python coupling_kratos.py` in a folder with a
`case.json`, which leaves a `result.json` there. It sees two blocks of bilinear elements
side by side, and is asked for nothing but what its documented settings offer.

Its price, as its source says and its log confirms: in every step it solves each domain
once, then condenses the system *matrices* of both domains to the interface with one
more solve for each interface dof and domain (each with a factorisation of its own):
in every step, or only in the first one where `is_linear` is set.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from coupling_kratos_files import Block, Drive, coupling, write_domain, write_mesh
from coupling_plate import Plate

NEEDED = (
    "KratosMultiphysics",
    "KratosCoSimulationApplication",
    "KratosLinearSolversApplication",
    "KratosMappingApplication",
    "KratosStructuralMechanicsApplication",
)
# One thread; and malloc gives zeros: its iterative solvers start from memory that
# nobody has set, which now and then holds what is no number.
_ALONE = {"OMP_NUM_THREADS": "1", "MALLOC_PERTURB_": "255"}
_EACH_SOLVE = "memory footprint"  # what its AMG solver says whenever it is set up


@dataclass(frozen=True)
class Feti:
    """What a run gave: displacements of the interface, steps × dofs, and counts."""

    u: np.ndarray[Any, Any]
    steps: int  # solves of one domain, one a step
    units: int  # solves of one domain for the condensed matrix, by its log; or −1


def missing() -> str:
    """The first package that is not installed, or nothing."""
    for name in NEEDED:
        try:
            version(name)
        except PackageNotFoundError:
            return name
    return ""


def feti(
    blocks: tuple[Block, Block],
    drive: Drive,
    clamped: bool,
    linear: bool,
    count: bool = False,
) -> Feti:
    """Run Kratos; `count` its solves by the log of an iterative solver."""
    (a, b), settings = blocks, {"drive": asdict(drive)}
    case = {
        **settings,
        "blocks": [[*block.plate, block.spring] for block in (a, b)],
        "clamped": clamped,
        "linear": linear,
        "solver": {"solver_type": "amgcl", "verbosity": 2, "coarse_enough": 5000}
        if count
        else {},
    }
    with TemporaryDirectory() as folder:
        Path(folder, "case.json").write_text(json.dumps(case))
        command = [sys.executable, str(Path(__file__).resolve())]
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            env={**environ, **_ALONE},
        )
        if done.returncode:
            raise RuntimeError(done.stdout[-1000:] + done.stderr[-2000:])
        result = json.loads(Path(folder, "result.json").read_text())
    units = _units(done.stdout) if count else -1
    return Feti(np.array(result["u"]), result["solves"], units)


def _units(log: str) -> int:
    """Solves of one domain; the last one in the log is of the condensed system."""
    each = [line for line in log.splitlines() if _EACH_SOLVE in line]
    return sum(line != each[-1] for line in each) // 2


def _run(case: dict[str, Any]) -> dict[str, Any]:
    """What happens in the process of its own."""
    import KratosMultiphysics
    from KratosMultiphysics.CoSimulationApplication.co_simulation_analysis import (
        CoSimulationAnalysis,
    )

    drive = Drive(**case["drive"])
    edges = {"a": ["clamp" if case["clamped"] else "wall", "interface"]}
    edges["b"] = ["interface", "load"]
    x0 = 0.0
    for (name, roles), (*plate, spring) in zip(
        edges.items(), case["blocks"], strict=True
    ):
        write_mesh(name, Plate(*plate), spring, x0, roles)
        write_domain(name, Plate(*plate), drive, roles)
        x0 += Plate(*plate).lx
    end = drive.h * (drive.steps - 0.5)
    simulation = CoSimulationAnalysis(
        KratosMultiphysics.Parameters(json.dumps(coupling(case, end)))
    )
    simulation.Initialize()
    coupled = simulation._GetSolver()
    solves = _counted(coupled.solver_wrappers["a"])
    where = coupled.solver_wrappers["a"].model.GetModelPart("Structure.interface")
    seen = []
    for _ in range(drive.steps):
        simulation.time = coupled.AdvanceInTime(simulation.time)
        for stage in (
            simulation.InitializeSolutionStep,
            coupled.Predict,
            coupled.SolveSolutionStep,
            simulation.FinalizeSolutionStep,
        ):
            stage()
        moved = [
            n.GetSolutionStepValue(KratosMultiphysics.DISPLACEMENT) for n in where.Nodes
        ]
        seen.append([u for node in moved for u in (node[0], node[1])])
    simulation.Finalize()
    return {"u": seen, "solves": len(solves)}


def _counted(domain: Any) -> list[int]:
    """A list that grows by one entry whenever the domain is solved."""
    solves, solve = [], domain.SolveSolutionStep

    def counted() -> Any:
        solves.append(1)
        return solve()

    domain.SolveSolutionStep = counted
    return solves


if __name__ == "__main__":
    told = json.loads(Path("case.json").read_text())
    Path("result.json").write_text(json.dumps(_run(told)))
