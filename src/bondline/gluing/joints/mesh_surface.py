"""Are the surfaces of two ports fit to be tied? Asked once, when a tie is made."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from bondline.core import Port, PortRef
from bondline.errors import WiringError
from bondline.numerics.facets import Array, FacetMesh, facet_mesh

KINDS = {2: "lines of 2 nodes", 3: "faces of 3 or 4 nodes", 4: "faces of 3 or 4 nodes"}


def surface_mesh(place: str, end: PortRef, port: Port, facets: bool) -> FacetMesh:
    """Points and facets of a port, or `WiringError` saying what they lack.

    With `facets` false a cloud of points will do.
    """
    surface = port.surface
    if surface is None:
        raise WiringError(
            place,
            f"{end} has no surface.",
            "Give its port a Surface with the points and facets of its nodes.",
        )
    points = np.asarray(surface.points, dtype=np.float64)
    _check_points(place, end, port, points)
    if facets and not surface.facets:
        raise WiringError(
            place,
            f"the surface of {end} has no facets.",
            "List them (2 nodes a line, 3 or 4 nodes a face), or make it the first end "
            "of a tie with method='projection', where points are enough.",
        )
    _check_facets(place, end, surface.facets, len(points))
    mesh = facet_mesh(points, surface.facets)
    _check_shapes(place, end, mesh)
    return mesh


def _check_points(place: str, end: PortRef, port: Port, points: Array) -> None:
    if points.shape != (port.nodes, 3):
        raise WiringError(
            place,
            f"{end} has {port.nodes} nodes, and its surface an array of points of "
            f"shape {points.shape}.",
            "Give one row x y z a node; in the plane, z = 0.",
        )
    if not np.isfinite(points).all():
        node = int(np.argmin(np.isfinite(points).all(axis=1)))
        raise WiringError(
            place,
            f"node {node} of {end} is at {points[node].tolist()}.",
            "Give finite coordinates.",
        )


def _check_facets(
    place: str, end: PortRef, facets: Sequence[Sequence[int]], nodes: int
) -> None:
    kinds = {KINDS.get(len(f), f"facets of {len(f)} nodes") for f in facets}
    if len(kinds) > 1 or not kinds <= set(KINDS.values()):
        raise WiringError(
            place,
            f"the facets of {end} are {' and '.join(sorted(kinds))}.",
            "Use lines of 2 nodes in the plane, or faces of 3 or 4 nodes in space, not "
            "both; leave out the mid-side nodes of quadratic facets.",
        )
    wrong = {n for n in chain.from_iterable(facets) if not 0 <= n < nodes}
    if wrong:
        raise WiringError(
            place,
            f"facets of {end} name the nodes {numbered(sorted(wrong))}, but the port "
            f"has {nodes}.",
            f"Count the nodes of the port from 0 to {nodes - 1}.",
        )


def _check_shapes(place: str, end: PortRef, mesh: FacetMesh) -> None:
    """Every facet has a size, and no quadrilateral is folded or a triangle."""
    flat = mesh.measures <= 1e-12 * mesh.radii ** (1 if mesh.lines else 2)
    if not mesh.lines:
        flat |= mesh.evenness <= 1e-3
    if flat.any():
        k = int(np.argmax(flat))
        nodes = mesh.corners[k, : mesh.counts[k]].tolist()
        raise WiringError(
            place,
            f"facet {k} of {end} (nodes {numbered(nodes)}) has no size, or is folded.",
            "List the nodes of a facet in order around it, each once; split it into "
            "triangles if it is not convex.",
        )


def numbered(nodes: Sequence[int]) -> str:
    """The first few numbers, and how many there are.

    >>> numbered([3, 5, 8, 9, 12, 14, 17])
    '3, 5, 8, 9, 12, ... (7 in all)'
    """
    first = ", ".join(str(n) for n in nodes[:5])
    return first if len(nodes) <= 5 else f"{first}, ... ({len(nodes)} in all)"
