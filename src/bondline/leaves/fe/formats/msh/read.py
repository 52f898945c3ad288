"""Reading a mesh of gmsh; the caller says what its groups are made of."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bondline.errors import DeckError, did_you_mean
from bondline.leaves.fe.formats.deck import Deck
from bondline.leaves.fe.formats.draft import Draft, Sets, Written
from bondline.leaves.fe.formats.faces import FACES, NODES, SOLIDS
from bondline.leaves.fe.formats.msh.parse import Cell, Parsed, parse
from bondline.leaves.fe.formats.text import text_of, uniform
from bondline.leaves.fe.sections import (
    BeamSection,
    PointMass,
    Section,
    ShellSection,
    SolidSection,
    TrussSection,
)

MADE: Mapping[tuple[int, type[object]], str] = {  # type of gmsh and section: our kind
    (1, TrussSection): "T3D2",
    (1, BeamSection): "B31",
    (2, ShellSection): "S3",
    (3, ShellSection): "S4",
    (4, SolidSection): "C3D4",
    (5, SolidSection): "C3D8",
    (11, SolidSection): "C3D10",
    (15, PointMass): "MASS",
}
TET10 = (0, 1, 2, 3, 4, 5, 6, 7, 9, 8)  # gmsh has the last two the other way round


def read_msh(path: Path | str, sections: Mapping[str, Section]) -> Deck:
    """The mesh of a gmsh file (text, version 2.2 or 4.1) as a model without loads.

    Every physical group is a node set; groups with a section are elements, and
    element sets, too; groups of faces of solids are face sets. A group without a name
    goes by its tag.
    """
    return _made(text_of(Path(path)), Path(path).name, sections)


def parse_msh(
    text: str, sections: Mapping[str, Section], *, name: str = "mesh.msh"
) -> Deck:
    """The mesh of a gmsh file that is given as its text; see `read_msh`."""
    return _made(uniform(text), name, sections)


def _made(text: str, file: str, sections: Mapping[str, Section]) -> Deck:
    parsed = parse(text, file)
    draft = Draft(Path(file).stem, file)
    draft.nodes.update(parsed.nodes)
    groups = _groups(parsed)
    for name, section in sections.items():
        if name not in groups:
            raise DeckError(
                file,
                f"there is no physical group {name!r}.",
                did_you_mean(name, groups),
            )
        _elements(draft, parsed, (name, section), groups[name])
    if not draft.elements:
        raise DeckError(
            file, "no group has a section.", f"Give one to: {', '.join(groups)}."
        )
    sets = Sets(
        {name: _nodes(parsed, cells) for name, cells in groups.items()},
        {name: groups[name] for name in sections},
        _faces(draft, parsed, groups, sections),
    )
    return Deck(draft.model(sets), notes=tuple(draft.notes))


def _groups(parsed: Parsed) -> dict[str, list[int]]:
    """The elements of each physical group, by its name."""
    found: dict[str, list[int]] = {}
    for number, cell in parsed.cells.items():
        for key in cell.groups:
            found.setdefault(parsed.names.get(key, str(key[1])), []).append(number)
    return found


def _nodes(parsed: Parsed, cells: list[int]) -> list[int]:
    return list(dict.fromkeys(n for c in cells for n in parsed.cells[c].nodes))


def _elements(
    draft: Draft, parsed: Parsed, made: tuple[str, Section], cells: list[int]
) -> None:
    name, section = made
    for number in cells:
        cell = parsed.cells[number]
        kind = MADE.get((cell.kind, type(section)))
        if kind is None or len(cell.nodes) != NODES[kind]:
            raise DeckError(
                cell.place,
                f"element {number} of {name!r} has gmsh's type {cell.kind} and "
                f"{len(cell.nodes)} nodes; it cannot have a {type(section).__name__}.",
                "Mesh lines, triangles, quadrangles, tetrahedra of 4 or 10 nodes or "
                "hexahedra of 8, and give each the section of its kind.",
            )
        order = TET10 if kind == "C3D10" else range(len(cell.nodes))
        nodes = tuple(cell.nodes[i] for i in order)
        draft.elements[number] = Written(kind, nodes, kind)
    draft.assign(cells, section, f"{draft.place}, group {name!r}")


def _faces(
    draft: Draft,
    parsed: Parsed,
    groups: Mapping[str, list[int]],
    sections: Mapping[str, Section],
) -> dict[str, list[tuple[int, int]]]:
    """Groups of which every element is a face of a solid."""
    flat = {
        name: [parsed.cells[c] for c in cells]
        for name, cells in groups.items()
        if name not in sections and all(d == 2 for d in _dimensions(parsed, cells))
    }
    if not flat:
        return {}
    known = _solid_faces(draft)
    found = {
        name: [known.get(_corners(c)) for c in cells] for name, cells in flat.items()
    }
    return {
        name: [face for face in faces if face is not None]
        for name, faces in found.items()
        if None not in faces
    }


def _dimensions(parsed: Parsed, cells: list[int]) -> list[int]:
    return [dimension for c in cells for dimension, _ in parsed.cells[c].groups]


def _corners(cell: Cell) -> frozenset[int]:
    return frozenset(cell.nodes[: 3 if cell.kind in (2, 9) else 4])


def _solid_faces(draft: Draft) -> dict[frozenset[int], tuple[int, int]]:
    """Element and number of each face by its corners."""
    found: dict[frozenset[int], tuple[int, int]] = {}
    for number, (kind, nodes, _) in draft.elements.items():
        if kind in SOLIDS:
            for i, face in enumerate(FACES[kind], start=1):
                corners = face[:4] if kind == "C3D8" else face[:3]
                found[frozenset(nodes[j] for j in corners)] = number, i
    return found
