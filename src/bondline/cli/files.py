"""Files that commands read and write, with errors that name them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from bondline.errors import StorageError

if TYPE_CHECKING:
    from bondline.run import Results, Run


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Turn what the system says about a file into an error that teaches."""
    try:
        yield path
    except OSError as error:
        raise StorageError(
            str(error.filename or path),
            f"the file cannot be written ({error.strerror}).",
            "Check the folder, your rights and the room on the disk.",
        ) from error


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())


def human_size(size: float) -> str:
    """Bytes as people read them.

    >>> human_size(1_130_000), human_size(512)
    ('1.1 MB', '512 B')
    """
    for unit in ("B", "kB", "MB"):
        if size < 1000:
            return f"{size:.3g} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


def short(path: Path) -> str:
    """The path from here, if it is below here."""
    here = Path.cwd()
    full = path.resolve()
    return str(full.relative_to(here)) if full.is_relative_to(here) else str(full)


def as_reference(path: Path, like: Results) -> Results:
    """A CSV table as something to draw beside a run, in the run's units."""
    from bondline.report.reference import reference
    from bondline.run import read_csv

    table = read_csv(path)
    units = {name: like.units[name] for name in table.columns if name in like.units}
    return reference({"t": table.t, **table.columns}, units, path.stem)


def handle(run: Run) -> str:
    """What to type to name a run from here: its id, or its path; for a shell."""
    at_home = run.path.resolve().parent == Path("runs").resolve()
    flag_like = run.id.startswith("-")
    return quote(run.id if at_home and not flag_like else short(run.path))
