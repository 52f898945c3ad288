"""Load: XML becomes plain data with places, and nothing else happens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bondline.description.archive import open_archive
from bondline.description.bindings import read_number
from bondline.description.place import Place, Problem
from bondline.description.schema import SSD
from bondline.description.shelf import Shelf
from bondline.description.sources import Folder, Source
from bondline.description.spec import ModelSpec
from bondline.description.stored import Lookup, nowhere
from bondline.description.structure import read_system


@dataclass(frozen=True, slots=True)
class Loaded:
    """What the files say and what is wrong with them as files.

    `spec` is None when there is no structure to speak of. `contents` are the bytes of
    every file that was read, by their names inside the model.
    """

    spec: ModelSpec | None
    problems: tuple[Problem, ...]
    contents: Mapping[str, bytes] = field(default_factory=dict)
    main: str = ""


def load(path: str | Path, library: Lookup = nowhere) -> Loaded:
    """Read a folder, an .ssd file or an .ssp archive; never raises for its content.

    `frame.ssp/Heavy.ssd` is another description in the archive than the usual one.
    `library` is asked for the models that `source="library:rail@3"` names.
    """
    source = _source(Path(path))
    if isinstance(source, Problem):
        return Loaded(None, (source,))
    shelf = Shelf(source, library)
    spec = _model(shelf)
    return Loaded(spec, tuple(shelf.problems), shelf.contents, source.main)


def in_archive(path: Path) -> bool:
    """Whether the path means a description in an archive: `frame.ssp/Heavy.ssd`."""
    return path.parent.suffix.lower() == ".ssp" and path.parent.is_file()


def _source(path: Path) -> Source | Problem:
    try:
        if path.is_dir():
            return Folder(path)
        if path.is_file() and path.suffix.lower() == ".ssp":
            return open_archive(path)
        if in_archive(path):
            return open_archive(path.parent, path.name)
        return Folder(
            path.resolve().parent if path.is_symlink() else path.parent, path.name
        )
    except (OSError, ValueError, RuntimeError) as error:
        return Problem(
            "BND005",
            Place(str(path)),
            f"cannot read the model: {error}.",
            "Give a folder with SystemStructure.ssd, an .ssd file or an .ssp archive.",
        )


def _model(shelf: Shelf) -> ModelSpec | None:
    main = shelf.source.main
    root = shelf.take(
        main, Place(shelf.source.shown(main)), (SSD, "SystemStructureDescription")
    )
    system = root.one(SSD, "System") if root else None
    if root is None or system is None:
        return None
    experiment = root.one(SSD, "DefaultExperiment")
    return ModelSpec(
        name=root.get("name"),
        system=read_system(system, shelf, (main,)),
        where=root.where,
        start=_time(experiment.get("startTime") if experiment else "") or 0.0,
        stop=_time(experiment.get("stopTime") if experiment else ""),
        files=tuple(sorted(shelf.contents)),
    )


def _time(text: str) -> float | None:
    return read_number(text) if text else None
