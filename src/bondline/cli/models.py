"""Models on the command line: from a path to something that can be run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bondline.cli import outline
from bondline.cli.given import Given, apply
from bondline.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from bondline.description import ModelSpec, Setting
    from bondline.gluing import IntegratedModel


@dataclass(frozen=True)
class Opened:
    """A model as it was asked for."""

    path: Path
    spec: ModelSpec
    model: IntegratedModel
    given: Given

    @property
    def parameters(self) -> list[Setting]:
        """Everything that can be set, as it is set."""
        from bondline.build import catalogue
        from bondline.description import settable

        return settable(self.spec, catalogue())

    @property
    def settings(self) -> dict[str, Any]:
        """What a run keeps besides the model and the grid."""
        told = outline.plain(self.model)
        numbers = {p.name: p.value for p in self.parameters}
        return {
            "method": told["kind"],
            "scheme": told["scheme"]["name"],
            **told["solver"],
            "parameters": numbers,
            "given": self.given.plain(),
        }


def open_model(path: Path, given: Given) -> Opened:
    """Read, check and build; problems of the files come as one error."""
    from bondline.build import build, catalogue
    from bondline.description import read

    require(path)
    kinds = catalogue()
    spec = apply(read(path, kinds), kinds, given)
    return Opened(path, spec, build(spec), given)


def require(path: Path) -> None:
    """A path that is not there deserves the names of those that are."""
    if path.exists():
        return
    here = path.parent if path.parent.is_dir() else Path()
    known = [p.name for p in here.iterdir() if _is_model(p)]
    remedy = (
        did_you_mean(path.name, known) if known else "Make one: bondline init NAME."
    )
    raise UsageError(str(path), "there is no such model.", remedy)


def _is_model(path: Path) -> bool:
    return path.suffix in (".ssd", ".ssp") or (path / "SystemStructure.ssd").is_file()
