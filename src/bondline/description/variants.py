"""Variants: descriptions beside the usual one, in a folder or in an archive."""

from __future__ import annotations

from pathlib import Path

from bondline.description.archive import open_archive
from bondline.description.place import Problem, refuse
from bondline.description.sources import MAIN
from bondline.errors import UsageError, did_you_mean


def variants(path: str | Path) -> list[str]:
    """Names of all descriptions at the root of a model, the usual one first."""
    found = [name for name in _names(Path(path)) if name.lower().endswith(".ssd")]
    stems = sorted(name[:-4] for name in found if name != MAIN)
    return [MAIN[:-4], *stems] if MAIN in found else stems


def _names(path: Path) -> list[str]:
    if path.is_dir():
        return [p.name for p in path.iterdir() if p.is_file()]
    archive = open_archive(path)
    if isinstance(archive, Problem):
        raise refuse([archive])
    return [name for name in archive.contents if "/" not in name]


def variant(path: Path, name: str) -> Path:
    """The path that means this variant: `frame.ssp/Heavy.ssd`."""
    if not (path.is_dir() or (path.is_file() and path.suffix.lower() == ".ssp")):
        raise UsageError(
            f"--variant {name}",
            f"{path} has no variants.",
            "Give the folder or the archive that has them.",
        )
    known = variants(path)
    if name.removesuffix(".ssd") not in known:
        raise UsageError(
            f"--variant {name}",
            f"{path} has no such variant.",
            did_you_mean(name, known),
        )
    return path / f"{name.removesuffix('.ssd')}.ssd"
