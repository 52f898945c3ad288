"""Systems, components, connectors, connections."""

from __future__ import annotations

from dataclasses import replace

from bondline.description.annotation import read_gluing
from bondline.description.annotation_fe import read_fe
from bondline.description.annotation_fmu import read_fmu_annotation
from bondline.description.bindings import read_bindings, transformation
from bondline.description.leaf_files import named_files
from bondline.description.place import Problem
from bondline.description.schema import SSC, SSD
from bondline.description.shelf import Shelf
from bondline.description.spec import (
    DECK_TYPE,
    FMU_TYPE,
    LEAF_TYPE,
    REMOTE,
    SYSTEM_TYPE,
    ComponentSpec,
    ConnectionSpec,
    ConnectorSpec,
    Element,
    SystemSpec,
)
from bondline.description.stored import SCHEME
from bondline.description.untrusted import Node

_MAX_FILES_DEEP = 16
_PRICE = 250  # pieces an included file counts: a thousand of them at most


def read_system(node: Node, shelf: Shelf, files: tuple[str, ...]) -> SystemSpec:
    """A system and all it holds; `files` are those open around it, innermost last."""
    group = node.one(SSD, "Elements")
    nodes = group.all(SSD, "Component", "System") if group else ()
    return SystemSpec(
        name=node.get("name"),
        elements=tuple(_element(n, shelf, files) for n in nodes),
        connectors=_connectors(node),
        bindings=read_bindings(node, shelf, files[-1]),
        connections=_connections(node, shelf),
        gluing=read_gluing(node, shelf),
        where=node.where,
    )


def _element(node: Node, shelf: Shelf, files: tuple[str, ...]) -> Element:
    if node.name == "System":
        return read_system(node, shelf, files)
    kind = node.get("type", FMU_TYPE)
    inner = _included(node, shelf, files) if kind == SYSTEM_TYPE else None
    if inner is not None:
        return inner
    source, filed = node.get("source"), kind in (DECK_TYPE, FMU_TYPE)
    file = shelf.bring(source, files[-1], node.where, kind) if filed else None
    if kind == LEAF_TYPE and source.startswith(SCHEME):
        shelf.borrow(source, kind, node.where)
        source = f"leaf:{REMOTE}"  # whatever is wrong with it has been told
    return ComponentSpec(
        name=node.get("name"),
        type=kind,
        source=source,
        connectors=_connectors(node),
        bindings=read_bindings(node, shelf, files[-1]),
        where=node.where,
        file=file,
        fe=read_fe(node, shelf),
        beside=named_files(file, shelf) if file else (),
        fmu=read_fmu_annotation(node, shelf),
    )


def _included(node: Node, shelf: Shelf, files: tuple[str, ...]) -> SystemSpec | None:
    """The system of another .ssd, under the component's name and with its bindings."""
    name = shelf.find(node.get("source"), files[-1], node.where, SYSTEM_TYPE)
    if name is None:
        return None
    if name in files or len(files) > _MAX_FILES_DEEP:
        shelf.report(_circular(node, files))
        return None
    root = shelf.take(name, node.where, (SSD, "SystemStructureDescription"))
    system = root.one(SSD, "System") if root else None
    if system is None or not shelf.spend(_PRICE, node.where):
        return None
    inner = read_system(system, shelf, (*files, name))
    outer = read_bindings(node, shelf, files[-1])
    return replace(inner, name=node.get("name"), bindings=inner.bindings + outer)


def _circular(node: Node, files: tuple[str, ...]) -> Problem:
    return Problem(
        "BND029",
        node.where,
        f"{node.get('source')!r} is included inside itself, or more than "
        f"{_MAX_FILES_DEEP} files deep: {' > '.join(files)}.",
        "Include each .ssd from outside itself.",
    )


def _connectors(node: Node) -> tuple[ConnectorSpec, ...]:
    group = node.one(SSD, "Connectors")
    return tuple(
        ConnectorSpec(c.get("name"), c.get("kind"), c.where, _unit(c))
        for c in (group.all(SSD, "Connector") if group else ())
    )


def _unit(connector: Node) -> str | None:
    typed = (c.attributes.get("unit") for c in connector.children if c.space == SSC)
    return next((unit for unit in typed if unit), None)


def _connections(node: Node, shelf: Shelf) -> tuple[ConnectionSpec, ...]:
    group, ignored = node.one(SSD, "Connections"), _dictionaries(node, shelf)
    found = (
        ConnectionSpec(
            (c.attributes.get("startElement"), c.get("startConnector")),
            (c.attributes.get("endElement"), c.get("endConnector")),
            c.where,
            **transformation(c, shelf),
        )
        for c in (group.all(SSD, "Connection") if group else ())
    )
    return tuple(c for c in found if not {end[0] for end in c.ends} & ignored)


def _dictionaries(node: Node, shelf: Shelf) -> set[str]:
    """Elements that stand for signal dictionaries, which are ignored with a note."""
    group = node.one(SSD, "Elements")
    used = list(group.all(SSD, "SignalDictionaryReference")) if group else []
    told = [*used, *node.all(SSD, "SignalDictionaries")]
    if told:
        shelf.report(_ignored(told[0]))
    return {reference.get("name") for reference in used}


def _ignored(node: Node) -> Problem:
    return Problem(
        "BND120",
        node.where,
        "signal dictionaries are not read; what is connected to them is left open.",
        "Connect the components to each other, or live without these signals.",
        "warning",
    )
