"""The catalogue of everything that this installation can build."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial
from typing import Any, get_args

from bondline.build.from_file import files
from bondline.build.from_library import find
from bondline.build.kinds import kinds
from bondline.description import Catalogue, JointForm, SolverForm
from bondline.description.forms import NUMBER, WHOLE, WORD, Form

METHODS = {
    "auto": "as the ports allow",
    "T-T": "forces are guessed, motions are compared",
    "X-X": "motions are guessed, forces are compared",
    "X-T": "sides that take force lead, sides that take motion follow",
}
_ATTRIBUTES = {"windows": "reuse"}  # of a solver; a gluing has windows of its own


@cache
def catalogue() -> Catalogue:
    """Kinds, schemes, solvers and choices by name."""
    return Catalogue(
        kinds={name: kind.passport for name, kind in kinds().items()},
        schemes=_schemes(),
        refused_schemes=_refused(),
        methods=METHODS,
        solvers=_solvers(),
        joints=_joints(),
        estimates=_estimates(),
        starts=_starts(),
        exchanges=_exchanges(),
        files=files(),
        library=find,
    )


def _schemes() -> Mapping[str, Mapping[str, str]]:
    from bondline.gluing.couplings.motion_schemes import (
        FORCE_SCHEMES,
        MOTION_SCHEMES,
        SHORT,
    )
    from bondline.gluing.couplings.schemes import SCHEMES

    short = {word: f"short for {name}" for word, name in SHORT.items()}
    return {
        "T-T": {name: scheme.meaning for name, scheme in SCHEMES.items()},
        "X-X": {name: scheme.meaning for name, scheme in MOTION_SCHEMES.items()},
        "X-T": {n: scheme.meaning for n, scheme in FORCE_SCHEMES.items()} | short,
    }


def _refused() -> Mapping[str, Mapping[str, str]]:
    from bondline.gluing.couplings.motion_schemes import REFUSED_FORCE, REFUSED_MOTION
    from bondline.gluing.couplings.schemes import REFUSED

    return {"T-T": REFUSED, "X-X": REFUSED_MOTION, "X-T": REFUSED_FORCE}


def _starts() -> tuple[str, ...]:
    from bondline.gluing.starting import STARTS

    return STARTS


def _exchanges() -> tuple[str, ...]:
    from bondline.gluing.signals import EXCHANGES

    return EXCHANGES


def _estimates() -> tuple[str, ...]:
    from bondline.gluing.pacing import ESTIMATES

    return ESTIMATES


def _joints() -> Mapping[str, JointForm]:
    from bondline.gluing.joints.kinds import JOINT_KINDS, make_joint

    return {
        name: JointForm(kind.meaning, kind.settings, partial(make_joint, name))
        for name, kind in JOINT_KINDS.items()
    }


def _solvers() -> Mapping[str, SolverForm]:
    from bondline.gluing.solvers.choose import (
        REFRESH,
        SOLVERS,
        UPDATE,
        choose_solver,
        solver_defaults,
    )
    from bondline.gluing.solvers.one_pass import OnePass, Refresh

    words = {"refresh": REFRESH, "update": UPDATE}
    found = {
        name: _solver(
            meaning, solver_defaults(name), words, partial(choose_solver, name)
        )
        for name, meaning in SOLVERS.items()
    }
    found["one-pass"] = _solver(
        "one sweep a window, for parts that cannot repeat one",
        {"refresh": OnePass.refresh},
        {"refresh": get_args(Refresh)},
        OnePass,
    )
    return found


def _solver(
    meaning: str,
    defaults: Mapping[str, Any],
    words: Mapping[str, tuple[str, ...]],
    make: Any,
) -> SolverForm:
    keys = {_ATTRIBUTES.get(key, _camel(key)): key for key in defaults}
    return SolverForm(
        meaning,
        {attribute: _form(defaults[key]) for attribute, key in keys.items()},
        keys,
        {key: known for key, known in words.items() if key in defaults},
        make,
    )


def _camel(key: str) -> str:
    """As attributes are written: forceTolerance."""
    return re.sub(r"_(\w)", lambda found: found[1].upper(), key)


def _form(default: object) -> Form:
    if isinstance(default, str):
        return WORD
    return WHOLE if isinstance(default, int) else NUMBER
