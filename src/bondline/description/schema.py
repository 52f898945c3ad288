"""The official SSP schemas and our own for annotations and leaves, in one pass.

A schema that imports them all makes the lax wildcards of SSD look inside: inline
parameter sets, mappings and annotations are validated where they stand.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bondline.description.place import Place, Problem
from bondline.description.untrusted import Document, Node
from bondline.errors import SettingError

if TYPE_CHECKING:
    from lxml import etree

SSD = "http://ssp-standard.org/SSP1/SystemStructureDescription"
SSC = "http://ssp-standard.org/SSP1/SystemStructureCommon"
SSV = "http://ssp-standard.org/SSP1/SystemStructureParameterValues"
SSM = "http://ssp-standard.org/SSP1/SystemStructureParameterMapping"
GLUING = "urn:bondline:gluing:1"
LEAF = "urn:bondline:leaf:1"
_XS = "http://www.w3.org/2001/XMLSchema"

_CODES = {GLUING: "BND011", LEAF: "BND073"}
_BOOKS = {
    GLUING: "gluing annotation",
    LEAF: "reference pages of mechanism and structure files",
}
_MOST = 100  # violations told one by one
_SMALL = 3000  # elements; above, libxml2 takes quadratic time to say where
_STEP = re.compile(r"(\*|[^\[\]]+?)(?:\[(\d+)\])?")
_NAMESPACE = re.compile(r"\{[^{}]*\}")


def violations(document: Document) -> list[Problem]:
    """Everything the schemas object to, at most a hundred entries."""
    from lxml import etree

    parser = plain_parser()
    try:
        tree = etree.fromstring(document.data, parser)
    except etree.XMLSyntaxError as error:
        return [_disagreement(document, error)]
    if document.elements > _SMALL:
        many = _flood(document)
        if many is not None:
            return [many]
    schema = _schema()
    if schema.validate(tree):
        return []
    return _told(document, schema)


def plain_parser(schema: etree.XMLSchema | None = None) -> etree.XMLParser:
    """A parser that resolves nothing and fetches nothing."""
    from lxml import etree

    return etree.XMLParser(
        schema=schema,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )


def _disagreement(document: Document, error: etree.XMLSyntaxError) -> Problem:
    line, column = error.position
    return Problem(
        "BND001",
        Place(document.file, max(line or 1, 1), max(column or 1, 1)),
        f"not well-formed XML: {error.msg}.",
        "Correct the markup here; an XML editor shows the same place.",
    )


def _flood(document: Document) -> Problem | None:
    """One problem for a large file with very many violations."""
    from lxml import etree

    try:
        etree.fromstring(document.data, plain_parser(_schema()))
    except etree.XMLSyntaxError as error:
        if len(_entries(error.error_log)) >= _MOST:
            return Problem(
                "BND010",
                document.root.where,
                f"more than {_MOST} violations of the schema, the first: "
                f"{_plain(str(error.msg))}",
                "Correct what made the file; so many have one cause.",
            )
    return None


def _told(document: Document, schema: etree.XMLSchema) -> list[Problem]:
    found: dict[tuple[Place, str], Problem] = {}
    for entry in _entries(schema.error_log)[: 2 * _MOST]:
        node = _at(document.root, entry.path)
        subject = re.search(r"attribute '[^']*'", entry.message)
        key = (node.where, subject.group() if subject else entry.message)
        found.setdefault(  # libxml2 tells a bad value twice, best first
            key,
            Problem(
                _CODES.get(node.space, "BND010"),
                node.where,
                _plain(entry.message),
                _remedy(entry.message, node.space),
            ),
        )
    return list(found.values())[:_MOST]


def _entries(log: Any) -> list[Any]:
    return list(log)  # iterable, though the type stubs do not say so


def _plain(message: str) -> str:
    return _NAMESPACE.sub("", message).strip()


def _remedy(message: str, space: str) -> str:
    if "Expected is" in message:
        order = "" if space == LEAF else "; SSP fixes their order"
        return f"Put the expected element here{order}."
    if "required but missing" in message:
        return "Add the attribute."
    if "not allowed" in message:
        return "Remove the attribute, or correct its spelling."
    book = _BOOKS.get(space, "SSP 2.0 schema")
    return f"See the {book} for what may stand here."


def _at(root: Node, path: str | None) -> Node:
    """The node that a libxml2 path like `/a:b/*[2]/a:c` means, as far as it goes."""
    node = root
    for step in (path or "").split("/")[2:]:
        found = _STEP.fullmatch(step)
        if found is None:
            break
        name, number = found[1], int(found[2] or 1)
        same = [c for c in node.children if name in ("*", _written(c))]
        if len(same) < number:
            break
        node = same[number - 1]
    return node


def _written(node: Node) -> str:
    return f"{node.prefix}:{node.name}" if node.prefix else node.name


@cache
def _schema() -> etree.XMLSchema:
    from lxml import etree

    ssp, own = official(), Path(__file__).parent
    sources = {
        SSC: ssp / "SystemStructureCommon.xsd",
        SSD: ssp / "SystemStructureDescription.xsd",
        SSV: ssp / "SystemStructureParameterValues.xsd",
        SSM: ssp / "SystemStructureParameterMapping.xsd",
        GLUING: own / "gluing.xsd",
        LEAF: own / "leaf.xsd",
    }
    imports = "".join(
        f'<xs:import namespace="{space}" schemaLocation="{path.as_uri()}"/>'
        for space, path in sources.items()
    )
    text = f'<xs:schema xmlns:xs="{_XS}">{imports}</xs:schema>'
    return etree.XMLSchema(etree.fromstring(text))


def official() -> Path:
    """Folder of the SSP 2.0 schemas: found, not imported, for importing is slow."""
    found = find_spec("pyssp_standard")
    if found is None or not found.submodule_search_locations:
        raise SettingError(
            "schemas of SSP 2.0",
            "the package pyssp-standard, which brings them, is not installed.",
            "Install it: pip install pyssp-standard",
        )
    return Path(found.submodule_search_locations[0]) / "resources" / "ssp2"
