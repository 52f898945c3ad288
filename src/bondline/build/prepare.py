"""Prepare: from a path to a model that can be run, and to the plan of its run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bondline.build.broken import demand
from bondline.build.build import Elsewhere, build, build_part
from bondline.build.catalogue import catalogue
from bondline.build.deck_doubts import doubtful
from bondline.build.from_file import files
from bondline.build.given import Given, apply
from bondline.build.ignored import ignored
from bondline.build.misplaced import part_names
from bondline.core import Model
from bondline.description import (
    ModelSpec,
    Problem,
    Setting,
    accept,
    contents_of,
    digest_of,
    examine,
    load,
    pack,
    settable,
)
from bondline.description.load import Loaded, in_archive
from bondline.description.stored import uses
from bondline.errors import UsageError, did_you_mean
from bondline.gluing import IntegratedModel
from bondline.run import Plan


@dataclass(frozen=True)
class Opened:
    """A model as it was asked for, with the files it was read from."""

    path: Path
    spec: ModelSpec
    model: IntegratedModel
    given: Given
    files: Mapping[str, bytes]

    @property
    def parameters(self) -> list[Setting]:
        """Everything that can be set, as it is set."""
        return settable(self.spec, catalogue())

    @property
    def digest(self) -> str:
        """Names the model that was read."""
        return digest_of(self.files)

    @property
    def settings(self) -> dict[str, Any]:
        """What a run keeps besides the model and the grid."""
        return {
            **self.model.settings(),
            "parameters": {
                p.name: p.shown if p.choices else p.value for p in self.parameters
            },
            "given": self.given.plain(),
            **self._library(),
        }

    def _library(self) -> dict[str, Any]:
        """The versions that were taken from a library, with their digests."""
        found = uses(self.files)
        return {"library": found} if found else {}


def open_model(
    path: Path | str, given: Given | None = None, elsewhere: Elsewhere | None = None
) -> Opened:
    """Read once, check and build; problems of the files come as one error.

    Parts named in `elsewhere` are at partners', and taken from there.
    """
    path, asked, there = Path(path), given or Given(), elsewhere or {}
    loaded, spec = _read(path, asked, there)
    model = build(spec, there)
    return Opened(path, spec, model, asked, contents_of(loaded, path))


def open_part(
    path: Path, part: str, given: Given, elsewhere: Elsewhere
) -> Model | None:
    """The same of one part only; None if the file does not describe it."""
    return build_part(_read(path, given, elsewhere)[1], part, elsewhere)


def _read(path: Path, given: Given, elsewhere: Elsewhere) -> tuple[Loaded, ModelSpec]:
    require(path)
    kinds = catalogue()
    loaded = load(path, kinds.library)
    if loaded.spec is not None:
        demand(loaded.spec)
    spec = apply(accept(loaded, kinds), kinds, given)
    _all_known(path, spec, elsewhere)
    return loaded, spec


def _all_known(path: Path, spec: ModelSpec, elsewhere: Elsewhere) -> None:
    """Refuse to place what the model does not have."""
    known = list(part_names(spec.system))
    for name in elsewhere:
        if name not in known:
            raise UsageError(
                f"{path}: part {name}",
                "it is placed, but the model has no such part.",
                did_you_mean(name, known),
            )


def plan_of(
    opened: Opened, until: float | None = None, step: float | None = None
) -> Plan:
    """The grid and everything else that decides the bits."""
    end = opened.spec.stop if until is None else until
    h = opened.spec.step if step is None else step
    if end is None or h is None:
        what, flag = ("end", "--until 3s") if end is None else ("step", "--step 10ms")
        raise UsageError(
            str(opened.path), f"the model gives no {what}.", f"Give {flag}."
        )
    return Plan(
        until=end,
        step=h,
        start=opened.spec.start,
        settings=opened.settings,
        package=pack(opened.files),
        digest=opened.digest,
    )


def doubted(opened: Opened, plan: Plan, elsewhere: Elsewhere | None = None) -> Plan:
    """The plan, with what `bondline check` warns of for this step as its notes."""
    _, problems = examine(opened.path, catalogue())
    problems = [*problems, *doubtful(opened.spec, plan.step)]
    notes = [_note(p) for p in problems if not p.fatal]
    return replace(plan, notes=(*notes, *unheard(opened, elsewhere or {})))


def unheard(opened: Opened, elsewhere: Elsewhere) -> tuple[str, ...]:
    """Of values that parts at partners' never see: a sentence for each part."""
    return tuple(_note(p) for p in ignored(opened.spec, elsewhere))


def _note(p: Problem) -> str:
    return f"{p.code}: {p.finding} {p.remedy}"


def require(path: Path) -> None:
    """A path that is not there deserves the names of those that are."""
    if path.is_file() and path.suffix.lower().lstrip(".") in files():
        raise UsageError(
            str(path),
            "it is the file of a part, no model.",
            "Name it as the source of a component in a model file; bondline picture "
            "shows it as it is.",
        )
    if path.exists() or in_archive(path):
        return
    here = path.parent if path.parent.is_dir() else Path()
    known = [p.name for p in here.iterdir() if _is_model(p)]
    remedy = (
        did_you_mean(path.name, known) if known else "Make one: bondline init NAME."
    )
    raise UsageError(str(path), "there is no such model.", remedy)


def _is_model(path: Path) -> bool:
    return path.suffix in (".ssd", ".ssp") or (path / "SystemStructure.ssd").is_file()
