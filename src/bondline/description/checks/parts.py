"""Is every component something that can be made?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bondline.core import Passport, Port
from bondline.description.catalogue import Catalogue
from bondline.description.checks.signals import offers
from bondline.description.place import Problem
from bondline.description.spec import (
    DECK_TYPE,
    FMU_TYPE,
    LEAF_TYPE,
    REMOTE,
    SYSTEM_TYPE,
    ComponentSpec,
    SystemSpec,
)
from bondline.errors import did_you_mean


def check_parts(system: SystemSpec, catalogue: Catalogue) -> Iterator[Problem]:
    """Types, kinds and declared ports of the components of one system."""
    for element in system.elements:
        if isinstance(element, ComponentSpec):
            yield from _component(element, catalogue)


def _component(part: ComponentSpec, catalogue: Catalogue) -> Iterator[Problem]:
    if part.type == SYSTEM_TYPE:
        return  # could not be included, and that is told where it was tried
    if part.type in (DECK_TYPE, FMU_TYPE):
        yield from _deck(part, catalogue)
    elif part.type != LEAF_TYPE:
        yield _foreign(part)
    elif part.kind == REMOTE:
        yield from ()  # its owner knows its ports; they are checked when it is placed
    elif part.kind is None:
        yield Problem(
            "BND024",
            part.where,
            f"{part.name} has the source {part.source[:200]!r}.",
            f'Name a kind of leaf, source="leaf:KIND". '
            f"Known: {', '.join(sorted(catalogue.kinds)) or 'none'}.",
        )
    elif part.kind not in catalogue.kinds:
        yield Problem(
            "BND023",
            part.where,
            f"{part.name} is of the kind {part.kind[:200]!r}, which is not installed.",
            did_you_mean(part.kind, catalogue.kinds),
        )
    else:
        yield from _ports(part, catalogue.kinds[part.kind])


def _deck(part: ComponentSpec, catalogue: Catalogue) -> Iterator[Problem]:
    if part.file is None:
        return  # could not be read, and that is told where it was tried
    form = catalogue.files.get(part.file.ending)
    if form is None:
        known = ", ".join(f".{ending}" for ending in sorted(catalogue.files))
        yield Problem(
            "BND070",
            part.where,
            f"{part.name} is made from {part.source[:200]!r}, and nothing here reads "
            "such files.",
            f"Name a file that ends with one of: {known or 'none'}.",
        )
        return
    found = form.examine(part)
    yield from found.problems
    if found.passport or part.fe:
        moved = [
            c.name
            for c in part.connectors
            if found.passport and offers(found.passport, c.name, comes_out=True)
        ]
        yield from _outputs(part, found.published, moved)


def _outputs(
    part: ComponentSpec, own: Sequence[str], moved: Sequence[str]
) -> Iterator[Problem]:
    published = [*own, *(p.name for p in part.fe.publish)] if part.fe else [*own]
    where = "<g:publish name=... set=... component=.../> to its annotation"
    where = "<signal name=... of=.../> to its file" if own else where
    for connector in part.connectors:
        if connector.kind == "output" and connector.name not in (*published, *moved):
            yield Problem(
                "BND072",
                connector.where,
                f"{part.name} shows {connector.name!r}, and does not publish it.",
                f"Add {where}. {did_you_mean(connector.name, published)}",
            )


def _foreign(part: ComponentSpec) -> Problem:
    return Problem(
        "BND022",
        part.where,
        f"{part.name} is of the type {part.type[:200]!r}, which this version cannot "
        "run.",
        f'Use a leaf: type="{LEAF_TYPE}" source="leaf:KIND", a deck: '
        f'type="{DECK_TYPE}", or an FMU: no type, source="resources/x.fmu".',
    )


def _ports(part: ComponentSpec, passport: Passport) -> Iterator[Problem]:
    ports = [n for n, p in passport.ports.items() if isinstance(p, Port)]
    for connector in part.connectors:
        if connector.mechanical and connector.name not in ports:
            yield Problem(
                "BND025",
                connector.where,
                f"{part.name} ({passport.kind}) has no port {connector.name!r}.",
                did_you_mean(connector.name, ports),
            )
