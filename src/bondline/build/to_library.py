"""From a file or a model to a draft for the library."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from bondline.build.build import Elsewhere
from bondline.build.catalogue import catalogue
from bondline.build.component import components
from bondline.build.from_file import files as known_files
from bondline.build.from_file import make as make_from_file
from bondline.build.given import Given
from bondline.build.matrix_files import ENDINGS
from bondline.build.prepare import open_model, require
from bondline.build.single import Single, single
from bondline.core import Model, Parameter, Port, SignalPort
from bondline.core.plain import abilities, plain_port, plain_ports
from bondline.description import ComponentSpec, Place, accept, load, refuse
from bondline.description.leaf_files import named_files
from bondline.description.overrides import Setting
from bondline.description.shelf import Shelf
from bondline.description.sources import MAIN, Folder
from bondline.description.spec import DECK_TYPE, FileSpec
from bondline.description.stored import own_files, uses
from bondline.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from bondline.library import Draft


class Drafted(NamedTuple):
    """A draft, and the model it is of, to be tried by the conformance kit."""

    draft: Draft
    single: Single


def drafted(
    target: str, name: str = "", elsewhere: Callable[[], Elsewhere] = dict
) -> Drafted:
    """What the library will say of a target.

    A model file is an integrated model; the file of a part, or `MODEL:part` that is
    made from one, a leaf (a reduced one, if it has matrices); a part that `elsewhere`
    knows is a remote one.
    """
    path = Path(target)
    called = name or _called(path)
    if path.is_file() and _ending(path) in known_files():
        return _leaf(path, called)
    if ":" in target and not path.exists():
        part = target.rpartition(":")[2]
        return _part(target, name or _called(Path(part.replace(".", "-"))), elsewhere)
    require(path)
    return _integrated(path, called, elsewhere)


def _called(path: Path) -> str:
    stem = path.resolve().name.partition(".")[0].lower()
    return re.sub(r"[^a-z0-9_-]+", "-", stem).strip("-_")[:64]


def _ending(path: Path) -> str:
    return FileSpec(path.name, "", b"").ending


def _leaf(path: Path, name: str) -> Drafted:
    shelf, where = Shelf(Folder(path.parent, path.name)), Place(str(path))
    file = shelf.bring(path.name, path.name, where)
    beside = named_files(file, shelf) if file else ()
    if file is None or shelf.problems:
        raise refuse(shelf.problems)
    return _of_files(
        ComponentSpec(name, DECK_TYPE, path.name, (), (), where, file, beside=beside)
    )


def _of_files(part: ComponentSpec) -> Drafted:
    """A part that is made from files, named from where its own one is."""
    from bondline.library import Draft

    assert part.file is not None, "only what could be read is drafted"
    main = PurePosixPath(part.file.name)
    found = known_files()[part.file.ending].examine(part)
    if any(p.fatal for p in found.problems):
        raise refuse(found.problems)
    make = partial(make_from_file, part, {})
    model = make()
    known = found.passport.parameters.values() if found.passport else ()
    every = (part.file, *(file for _, file in part.beside))
    draft = Draft(
        name=part.name,
        kind="reduced" if part.file.ending in ENDINGS else "leaf",
        main=main.name,
        files={
            str(PurePosixPath(f.name).relative_to(main.parent)): f.data for f in every
        },
        parameters=_parameters(known),
        **_facts(model),
    )
    return Drafted(draft, Single(model, make))


def _integrated(path: Path, name: str, elsewhere: Callable[[], Elsewhere]) -> Drafted:
    from bondline.library import Draft

    def make() -> Model:
        return open_model(path, Given(), elsewhere()).model

    opened = open_model(path, Given(), elsewhere())
    draft = Draft(
        name=name,
        kind="integrated",
        main=MAIN,
        files=own_files(opened.files),
        uses=uses(opened.files),
        parameters=_parameters(opened.parameters),
        **_facts(opened.model),
    )
    return Drafted(draft, Single(opened.model, make))


def _part(target: str, name: str, elsewhere: Callable[[], Elsewhere]) -> Drafted:
    """A part of a model: made from files, or at a partner's."""
    from bondline.library import Draft

    model, _, inside = target.rpartition(":")
    known, path = catalogue(), Path(model)
    require(path)
    parts = dict(components(accept(load(path, known.library), known).system))
    part, places = parts.get(inside), elsewhere()
    if part is not None and part.file is not None:
        return _of_files(replace(part, name=name))
    if inside in places:
        found = single(target, {}, lambda: places)
        remote = {"part": inside, "model": found.leaf.name}
        facts = _facts(found.leaf)
        return Drafted(Draft(name, "remote", remote=remote, **facts), found)
    raise UsageError(
        target,
        "there is no such part made from a file, or at a partner's.",
        "Give the whole model; or --placement FILE with the address of the part. "
        f"{did_you_mean(inside, parts)}",
    )


def _facts(model: Model) -> dict[str, Any]:
    """Ports with dofs, units and frames; what it declares, not verified yet."""
    ports = {
        name: {**told, **_in_order(model.ports[name])}
        for name, told in plain_ports(model).items()
    }
    can = {n: {"declared": yes} for n, yes in abilities(model).items()}
    return {"ports": ports, "capabilities": can}


def _in_order(port: Port | SignalPort) -> dict[str, Any]:
    """Dofs and their units as lists: a passport sorts what has names."""
    if not isinstance(port, Port):
        return {}
    dofs = plain_port(port)["dofs"]
    return {"dofs": list(dofs), "units": list(dofs.values()), "frame": port.frame}


def _parameters(known: Iterable[Parameter | Setting]) -> tuple[Mapping[str, Any], ...]:
    """Each as plain data, with its words where it is one of some."""
    keys = ("name", "value", "unit", "meaning")
    return tuple(
        {key: getattr(p, key) for key in keys}
        | ({"choices": list(p.choices)} if p.choices else {})
        for p in known
    )
