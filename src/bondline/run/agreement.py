"""Agreement: may this model, here and now, go on with that run?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bondline.core import Model
from bondline.errors import OtherSettings, UsageError, VersionMismatch, did_you_mean
from bondline.run.fingerprint import fingerprint, threads, versions
from bondline.run.plan import Plan
from bondline.run.store import Run


def check_model(
    run: Run, facts: Mapping[str, Any], model: Model, expect: Plan | None
) -> None:
    """Refuse to go on with another model, grid or settings than the run's own."""
    if model.name != facts["model"]:
        raise UsageError(
            run.id,
            f"the run was made with the model {facts['model']!r}, not {model.name!r}.",
            f"Resume it with {facts['model']!r}, or make a new run.",
        )
    if expect is None:
        return
    if expect.model_digest != facts["digest"]:
        raise VersionMismatch(
            run.id,
            f"the model has changed: its digest is {expect.model_digest[:12]}…, the "
            f"run was made with {facts['digest'][:12]}….",
            "Resume with the model.ssp kept in the run, or make a new run.",
        )
    _check_settings(run, facts, expect)


def _check_settings(run: Run, facts: Mapping[str, Any], expect: Plan) -> None:
    there = {"start": facts["start"], "step": facts["step"], **facts["settings"]}
    here = {"start": expect.start, "step": expect.step, **expect.settings}
    for name in dict.fromkeys([*there, *here]):
        if name not in there:
            raise OtherSettings(
                run.id,
                f"the run has no setting {name!r}; a resumed run keeps its settings.",
                f"{did_you_mean(name, there)} Or make a new run.",
            )
        if here.get(name) != there[name]:
            raise OtherSettings(
                run.id,
                f"{_apart(name, here.get(name), there[name])}; a resumed run keeps "
                "its settings.",
                "Leave the setting away, or make a new run.",
            )


def _apart(name: str, here: Any, there: Any) -> str:
    """The innermost setting that differs, in words: tables are not for reading."""
    if isinstance(here, Mapping) and isinstance(there, Mapping):
        for key in dict.fromkeys([*there, *here]):
            if here.get(key) != there.get(key):
                return _apart(f"{name}.{key}", here.get(key), there.get(key))
    if isinstance(here, Mapping) or isinstance(there, Mapping):
        has, lacks = ("the model", "run") if there is None else ("the run", "model")
        return f"{has} has settings of {name}, which the {lacks} does not have"
    return f"the setting {name} is {here!r}, the run was made with {there!r}"


def differences(facts: Mapping[str, Any]) -> str:
    """In words, where this installation differs from the one that made the run."""
    here = {**versions(), **fingerprint()}
    there = {**facts["versions"], **facts["fingerprint"]}
    return ", ".join(
        f"{name} is {here.get(name, 'missing')}, was {there.get(name, 'missing')}"
        for name in dict.fromkeys([*there, *here])
        if here.get(name) != there.get(name)
    )


def other_threads(facts: Mapping[str, Any]) -> str:
    """In words, how the threads of BLAS differ; large matrices may feel it."""
    here, there = threads(), facts["threads"]
    if here == there:
        return ""
    return (
        f"BLAS may use {here} threads here, {there} where the run was made: large "
        "matrices may give other bits"
    )


def other_machine(run: Run, differences: str) -> VersionMismatch:
    """The error that says why bit equality cannot be promised here."""
    return VersionMismatch(
        run.id,
        f"this installation may compute other bits: {differences}.",
        "Resume where the run was made, or give up bit equality with --force.",
    )
