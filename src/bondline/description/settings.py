"""Settings of joints and solvers, from the texts of a file to what they mean."""

from __future__ import annotations

from typing import Any

from bondline.description.catalogue import Catalogue, JointForm, SolverForm
from bondline.description.forms import JOINT_FORMS
from bondline.description.place import Problem
from bondline.description.spec import GluingSpec, JointSpec
from bondline.errors import did_you_mean

DEFAULT_SOLVER = "newton"


def joint_settings(
    joint: JointSpec, kind: JointForm
) -> tuple[dict[str, Any], list[Problem]]:
    """The settings of a joint by name, and what is wrong with the others."""
    read: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, text in joint.settings.items():
        if key not in kind.settings:
            problems.append(_not_taken(joint, kind, key))
            continue
        form = JOINT_FORMS[key]
        value = form.read(text)
        if value is None:
            problems.append(
                Problem(
                    "BND051",
                    joint.where,
                    f'joint {joint.name} has {key}="{text[:60]}".',
                    f"Give {form.words}.",
                )
            )
        else:
            read[key] = value
    return read, problems


def _not_taken(joint: JointSpec, kind: JointForm, key: str) -> Problem:
    return Problem(
        "BND050",
        joint.where,
        f"joint {joint.name} is of the kind {joint.kind}, which takes no {key[:60]!r}.",
        did_you_mean(key, kind.settings),
    )


def solver_of(gluing: GluingSpec, catalogue: Catalogue) -> SolverForm | None:
    """The solver that is asked for, or the usual one; None if there is no such."""
    return catalogue.solvers.get(gluing.solver or DEFAULT_SOLVER)


def solver_settings(
    gluing: GluingSpec, catalogue: Catalogue
) -> tuple[dict[str, Any], list[Problem]]:
    """Those of the solver by its own names, and what is wrong with the others."""
    solver = solver_of(gluing, catalogue)
    if solver is None:
        return {}, [_no_solver(gluing, catalogue)]
    read: dict[str, Any] = {}
    problems: list[Problem] = []
    for key, text in gluing.solving.items():
        form = solver.settings.get(key)
        value = form.read(text) if form else None
        if form is None:
            problems.append(_not_known(gluing, solver, key, catalogue))
        elif value is None:
            finding, remedy = f"{key} is {text[:60]}.", f"Give {form.words}."
            problems.append(Problem("BND043", gluing.where, finding, remedy))
        else:
            read[solver.keys[key]] = value
    return read, problems


def _no_solver(gluing: GluingSpec, catalogue: Catalogue) -> Problem:
    name = gluing.solver or DEFAULT_SOLVER
    return Problem(
        "BND052",
        gluing.where,
        f"no solver {name[:60]!r}.",
        did_you_mean(name, catalogue.solvers),
    )


def _not_known(
    gluing: GluingSpec, solver: SolverForm, key: str, catalogue: Catalogue
) -> Problem:
    others = [name for name, s in catalogue.solvers.items() if key in s.settings]
    of = f"; it is one of {', '.join(others)}" if others else ""
    name = gluing.solver or DEFAULT_SOLVER
    return Problem(
        "BND053",
        gluing.where,
        f"the solver {name} has no setting {key[:60]!r}{of}.",
        f"Leave {key} out, or name the solver that has it."
        if others
        else did_you_mean(key, [*solver.settings, *_OF_ALL]),
    )


_OF_ALL = (
    *("method", "scheme", "solver", "epsilon", "step", "windows", "threads"),
    *("adaptive", "estimate", "start", "block", "waveform"),
)
