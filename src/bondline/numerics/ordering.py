"""Orders in which a symmetric sparse matrix is eliminated, found on its nodes.

Dofs of one node have the same neighbours. Merged, they make a graph that is several
times smaller, and orders found there are as good.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Sparse = csr_array[np.float64, tuple[int, int]]

Indices = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Merged:
    """The graph of groups of rows with one pattern; `group` says where a row is."""

    graph: Any  # csr_array without a diagonal
    group: Indices

    def rows(self, order: Indices) -> Indices:
        """The rows of the matrix, group after group in `order`."""
        return np.argsort(_inverse(order)[self.group], kind="stable")

    @cached_property
    def sizes(self) -> Indices:
        """How many rows each group has."""
        return np.bincount(self.group)


def merged(A: Sparse) -> Merged:
    """Rows with the same pattern as one; `A` has its diagonal, and no entry twice."""
    from scipy.sparse import csr_array

    # equal patterns have equal sums of random numbers; others do not, once in 10⁶ years
    tags = np.random.default_rng(0).integers(0, 2**62, size=A.shape[0])
    pattern = np.add.reduceat(tags[A.indices], A.indptr[:-1])
    _, first, found = np.unique(pattern, return_index=True, return_inverse=True)
    by_row = np.argsort(first)
    group = _inverse(by_row)[found]
    few: Any = A[first[by_row]].tocoo()
    across = group[few.col]
    off = across != few.row
    ones = np.ones(int(off.sum()))
    n = len(first)
    graph: Any = csr_array((ones, (few.row[off], across[off])), shape=(n, n))
    return Merged(graph, group)


def can_dissect() -> bool:
    """Whether METIS is installed."""
    return find_spec("pymetis") is not None


def dissected(A: Sparse) -> Indices:
    """Nested dissection by METIS: separators last, the fewest new entries."""
    import pymetis

    nodes = merged(A)
    graph = nodes.graph
    if not graph.nnz:
        return np.arange(A.shape[0])
    adjacency = pymetis.CSRAdjacency(graph.indptr, graph.indices)
    order, _ = pymetis.nested_dissection(adjacency=adjacency)
    return nodes.rows(np.asarray(order, dtype=np.intp))


def narrow(A: Sparse) -> tuple[Indices, int]:
    """An order with a narrow band, and how far from the diagonal that reaches.

    Of the order as it is and that of Cuthill and McKee, reversed, the better one:
    meshes that were numbered along their length are hard to beat. What hangs together
    comes together: a flat plate stretches and bends as if it were two.
    """
    from scipy.sparse.csgraph import connected_components, reverse_cuthill_mckee

    nodes = merged(A)
    _, piece = connected_components(nodes.graph, directed=False)
    kept = np.argsort(piece[nodes.group], kind="stable")
    order = reverse_cuthill_mckee(nodes.graph, symmetric_mode=True)
    turned = nodes.rows(np.asarray(order, dtype=np.intp))
    reach, other = reach_of(A, kept), reach_of(A, turned)
    return (kept, reach) if reach <= other else (turned, other)


def reach_of(A: Sparse, order: Indices) -> int:
    """How far entries are from the diagonal when the rows are taken in this order."""
    at = _inverse(order)
    across = at[A.indices] - np.repeat(at, np.diff(A.indptr))
    return int(across.max(initial=0))


def _inverse(order: Indices) -> Indices:
    at = np.empty_like(order)
    at[order] = np.arange(len(order))
    return at
