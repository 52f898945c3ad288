"""`bondline init`: a model of one's own, from an example."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from bondline.cli.called import called
from bondline.cli.files import short, writing
from bondline.cli.options import Json
from bondline.cli.voice import bold, voice
from bondline.errors import UsageError

_FIRST = {"fmu_pair": "make_fmus.py", "mixed_solvers": "make_controller.py"}
_CODE = ("mixed_solvers",)  # which the operator has to allow
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".*", "runs")


def init(
    ctx: typer.Context,
    name: Annotated[Path, typer.Argument(metavar="NAME", help="Folder to make.")],
    template: Annotated[
        str, typer.Option(help="double-pendulum, truck-frame, ...; leaf for your own.")
    ] = "double-pendulum",
    force: Annotated[
        bool, typer.Option("--force", help="Write into a folder that exists.")
    ] = False,
    json: Json = False,
) -> None:
    """Copy an example to start from."""
    from bondline.build import template as find

    mine = voice(ctx)
    source = find(template)
    if name.exists() and not force:
        raise UsageError(
            str(name), "it exists already.", "Take another name, or give --force."
        )
    with writing(name):
        shutil.copytree(source, name, ignore=_LEFT_OUT, dirs_exist_ok=True)
    files = sorted(str(p.relative_to(name)) for p in name.rglob("*") if p.is_file())
    document = {"path": str(name.resolve()), "template": source.name, "files": files}

    def show() -> None:
        mine.say(f"made {short(name)}/ from {source.name}: {', '.join(files)}")
        mine.say(f"{bold('next')}  {_next(name, source.name)}")

    mine.answer(document, show)


def _path(folder: Path) -> str:
    """As pip takes it for a folder, and not for the name of a package."""
    told = short(folder)
    return told if Path(told).is_absolute() else f"./{told}"


def _next(folder: Path, template: str) -> str:
    """A package is installed and tested, a model is run."""
    if (folder / "pyproject.toml").is_file():
        pip, pytest = called("pip"), called("pytest")
        return f"{pip} install -e '{_path(folder)}[dev]' && {pytest} {short(folder)}"
    made = f"{called('python')} {short(folder)}/{_FIRST.get(template)} && "
    first = made if template in _FIRST else ""
    code = " --allow-code" if template in _CODE else ""
    return f"{first}{called()}{code} run {short(folder)}"
