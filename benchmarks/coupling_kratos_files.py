"""What Kratos reads: meshes, domains, and the settings of its FETI coupling."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from coupling_plate import Plate


@dataclass(frozen=True)
class Block:
    """A plate on springs to the ground, `spring` N/m at each node and direction."""

    plate: Plate
    spring: float = 0.0


@dataclass(frozen=True)
class Drive:
    """A load sin(omega t) on each node of the right edge of the second block."""

    load: tuple[float, float]
    omega: float
    h: float
    steps: int


def _section(kind: str, rows: list[str]) -> list[str]:
    return [f"Begin {kind}", *rows, f"End {kind.split()[0]}"] if rows else []


def _group(name: str, members: dict[str, list[int]]) -> list[str]:
    inner = [_section(f"SubModelPart{k}", [*map(str, v)]) for k, v in members.items()]
    return _section(f"SubModelPart {name}", [*chain.from_iterable(inner)])


def write_mesh(
    name: str, plate: Plate, spring: float, x0: float, roles: list[str]
) -> None:
    """Write a mesh file; `roles` of the left and the right edge name their groups."""
    nx, ny = plate.nx, plate.ny
    id_of = np.arange(1, (nx + 1) * (ny + 1) + 1).reshape(nx + 1, ny + 1)
    corners = [id_of[:-1, :-1], id_of[1:, :-1], id_of[1:, 1:], id_of[:-1, 1:]]
    quads = np.stack(corners, axis=-1).reshape(-1, 4)
    x, y = np.linspace(0, plate.lx, nx + 1), np.linspace(0, plate.ly, ny + 1)
    nodes = [f"{n} {x0 + x[i]} {y[j]} 0.0" for (i, j), n in np.ndenumerate(id_of)]
    solids = [f"{k} 0 {' '.join(map(str, q))}" for k, q in enumerate(quads, 1)]
    held = range(len(quads) + 1, len(quads) + 1 + id_of.size) if spring else range(0)
    feet = [f"{k} 0 {n}" for k, n in zip(held, id_of.ravel(), strict=False)]
    stiff = [f"{k} [3] ({spring},{spring},{spring})" for k in held]
    edges = dict(zip(roles, id_of[[0, -1]].tolist(), strict=True))
    seam = edges["interface"]
    lines = [f"{k} 0 {p} {q}" for k, (p, q) in enumerate(pairwise(seam), 1)]
    loaded = edges.get("load", [])
    pushes = {len(lines) + k: n for k, n in enumerate(loaded, 1)}
    groups = {
        "body": {"Nodes": id_of.ravel().tolist()},
        "interface": {"Nodes": seam, "Conditions": [*range(1, len(lines) + 1)]},
        "clamp": {"Nodes": edges.get("clamp", [])},
        "load": {"Nodes": loaded, "Conditions": [*pushes]},
    }
    text = [
        *_section("Properties 0", [" "]),
        *_section("Nodes", nodes),
        *_section("Elements SmallDisplacementElement2D4N", solids),
        *_section("Elements NodalConcentratedElement2D1N", feet),
        *_section("ElementalData NODAL_DISPLACEMENT_STIFFNESS", stiff),
        *_section("Conditions LineLoadCondition2D2N", lines),
        *_section(
            "Conditions PointLoadCondition2D1N",
            [f"{k} 0 {n}" for k, n in pushes.items()],
        ),
    ]
    for group, members in groups.items():
        if members["Nodes"]:
            text += _group(group, members)
    Path(f"{name}.mdpa").write_text("\n".join(text) + "\n")


def _process(module: str, where: str, **values: Any) -> dict[str, Any]:
    given = {"model_part_name": f"Structure.{where}", "interval": [0.0, "End"]}
    return {
        "python_module": module,
        "kratos_module": "KratosMultiphysics",
        "Parameters": {**given, **values},
    }


def write_domain(name: str, plate: Plate, drive: Drive, roles: list[str]) -> None:
    """Write the settings of one domain."""
    stuff = {
        "DENSITY": plate.rho,
        "YOUNG_MODULUS": plate.E,
        "POISSON_RATIO": plate.nu,
        "THICKNESS": 1.0,
    }
    law = {"constitutive_law": {"name": "LinearElasticPlaneStress2DLaw"}}
    material = {
        "model_part_name": "Structure",
        "properties_id": 0,
        "Material": {**law, "Variables": stuff, "Tables": {}},
    }
    Path(f"{name}_materials.json").write_text(json.dumps({"properties": [material]}))
    size = float(np.hypot(*drive.load))
    clamp = _process(
        "assign_vector_variable_process",
        "clamp",
        variable_name="DISPLACEMENT",
        constrained=[True] * 3,
        value=[0.0] * 3,
    )
    push = _process(
        "assign_vector_by_direction_to_condition_process",
        "load",
        variable_name="POINT_LOAD",
        modulus=f"{size!r}*sin({drive.omega!r}*t)",
        direction=[*np.divide(drive.load, size).tolist(), 0.0],
    )
    settings = {
        "problem_data": {
            "problem_name": name,
            "parallel_type": "OpenMP",
            "echo_level": 0,
            "start_time": 0.0,
            "end_time": drive.h * drive.steps,
        },
        "solver_settings": {
            "solver_type": "Dynamic",
            "model_part_name": "Structure",
            "domain_size": 2,
            "analysis_type": "linear",
            "time_integration_method": "implicit",
            "scheme_type": "newmark",
            "move_mesh_flag": False,
            "compute_reactions": False,
            "model_import_settings": {"input_type": "mdpa", "input_filename": name},
            "material_import_settings": {
                "materials_filename": f"{name}_materials.json"
            },
            "time_stepping": {"time_step": drive.h},
        },
        "processes": {
            "constraints_process_list": [clamp] if "clamp" in roles else [],
            "loads_process_list": [push] if "load" in roles else [],
        },
    }
    Path(f"{name}.json").write_text(json.dumps(settings))


def coupling(case: dict[str, Any], end: float) -> dict[str, Any]:
    """The settings of the coupling."""
    names = ("a", "b")
    wrapper = "solver_wrappers.kratos.structural_mechanics_wrapper"
    mapper = {
        "mapper_type": "coupling_geometry",
        "dual_mortar": False,
        "consistency_scaling": True,
        "precompute_mapping_matrix": True,
        "modeler_name": "MappingGeometriesModeler",
        "modeler_parameters": {
            "origin_model_part_name": "origin",
            "destination_model_part_name": "destination",
            "is_interface_sub_model_parts_specified": True,
            "origin_interface_sub_model_part_name": "Structure.interface",
            "destination_interface_sub_model_part_name": "Structure.interface",
        },
    }
    newmark = {"newmark_beta": 0.25, "newmark_gamma": 0.5}
    sides = ("origin", "destination")
    return {
        "problem_data": {
            "start_time": 0.0,
            "end_time": end,
            "echo_level": 0,
            "parallel_type": "OpenMP",
        },
        "solver_settings": {
            "type": "coupled_solvers.feti_dynamic_coupled_solver",
            **{f"{side}_{k}": v for side in sides for k, v in newmark.items()},
            "equilibrium_variable": "VELOCITY",
            "is_linear": case["linear"],
            "linear_solver_settings": case["solver"],
            "data_transfer_operators": {
                "mapper": {"type": "kratos_mapping", "mapper_settings": mapper}
            },
            "coupling_sequence": [
                {"name": n, "input_data_list": [], "output_data_list": []}
                for n in names
            ],
            "solvers": {
                n: {"type": wrapper, "solver_wrapper_settings": {"input_file": n}}
                for n in names
            },
        },
    }
