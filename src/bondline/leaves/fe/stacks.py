"""Element matrices of many elements added up, node pair by node pair.

Pairs of nodes share one block of numbers, so that sorting is over node pairs and not
over single entries. The sums run in the order of the elements: same inputs, same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from scipy.sparse import bsr_array, csr_array

from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.mesh import Indices

Sparse: TypeAlias = "csr_array[np.float64, tuple[int, int]]"


class _Upper(NamedTuple):
    """Pairs of nodes of each element of a block, the lower number first.

    `i` and `j` are their places in the element, `key` tells pairs of nodes apart.
    """

    i: Indices
    j: Indices
    key: Indices


class _Mirror(NamedTuple):
    """How the blocks of pairs with the lower node first become a whole matrix."""

    order: Indices
    columns: Indices
    starts: Indices


@dataclass(frozen=True, eq=False)
class Pattern:
    """The node pairs that elements with the same dofs a node connect.

    `blocks` are the nodes of the elements, one array a block of the mesh. A pair is
    added up once, with the lower node first, and mirrored at the end: sums are
    symmetric to the last bit.
    """

    nodes: int
    dofs: tuple[int, ...]
    blocks: Sequence[Indices]

    @cached_property
    def _uppers(self) -> list[_Upper]:
        return [self._upper(block) for block in self.blocks]

    def _upper(self, block: Indices) -> _Upper:
        p, q = np.triu_indices(block.shape[1])
        a, b = block[:, p], block[:, q]
        swap = a > b
        i, j = np.where(swap, q, p), np.where(swap, p, q)
        return _Upper(i, j, np.minimum(a, b) * self.nodes + np.maximum(a, b))

    @cached_property
    def _pairs(self) -> Indices:
        """Keys of all pairs, sorted."""
        keys = [upper.key.ravel() for upper in self._uppers]
        return np.unique(np.concatenate([np.zeros(0, np.intp), *keys]))

    def zeros(self) -> Array:
        """A block of zeros for every pair."""
        width = len(self.dofs)
        return np.zeros((len(self._pairs), width * width))

    def add(
        self, block: int, first: int, stacks: Sequence[tuple[Array, Array]]
    ) -> None:
        """Add matrices of elements `first`, … of a block to totals, in place.

        `stacks` are pairs of a total and the matrices to add to it.
        """
        count = len(stacks[0][1])
        chosen = slice(first, first + count)
        i, j, key = (part[chosen] for part in self._uppers[block])
        place = np.searchsorted(self._pairs, key.ravel())
        order = np.argsort(place, kind="stable")
        starts = np.flatnonzero(np.diff(place[order], prepend=-1))
        ends = np.append(starts, len(order))
        shape = (len(starts), len(order))
        gather = csr_array((np.ones(len(order)), order, ends), shape=shape)
        folded = (i != j) & (key // self.nodes == key % self.nodes)
        width, n, each = len(self.dofs), self.blocks[block].shape[1], np.arange(count)
        for total, matrices in stacks:
            wide = matrices.reshape(count, n, width, n, width)
            parts = wide[each[:, None], i, :, j, :]
            if folded.any():  # an element names a node twice: both orders count
                parts[folded] *= 2.0
            rows = parts.reshape(-1, width * width)
            total[place[order[starts]]] += gather @ rows

    @cached_property
    def _mirror(self) -> _Mirror:
        rows, columns = np.divmod(self._pairs, self.nodes)
        off = rows != columns
        every = np.concatenate([self._pairs, (columns * self.nodes + rows)[off]])
        order = np.argsort(every)
        rows, columns = np.divmod(every[order], self.nodes)
        starts = np.searchsorted(rows, np.arange(self.nodes + 1))
        return _Mirror(order, columns, starts)

    def matrix(self, total: Array) -> Sparse:
        """The sums as a matrix over 6 × node + component."""
        (order, columns, starts), width = self._mirror, len(self.dofs)
        rows, others = np.divmod(self._pairs, self.nodes)
        upper = total.reshape(-1, width, width)
        same = rows == others
        upper[same] = 0.5 * (upper[same] + upper[same].transpose(0, 2, 1))
        data = np.concatenate([upper, upper[~same].transpose(0, 2, 1)])[order]
        size = self.nodes * width
        narrow = bsr_array((data, columns, starts), shape=(size, size)).tocsr()
        narrow.eliminate_zeros()
        return self._widened(narrow)

    def _widened(self, narrow: Sparse) -> Sparse:
        """From `dofs` a node to six."""
        size, width = 6 * self.nodes, len(self.dofs)
        if width == 6:
            return narrow
        own = np.array(self.dofs)
        nodes, k = np.divmod(narrow.indices, width)
        counts = np.zeros((self.nodes, 6), dtype=np.intp)
        counts[:, own] = np.diff(narrow.indptr).reshape(-1, width)
        starts = np.concatenate([[0], np.cumsum(counts)])
        made = csr_array((narrow.data, 6 * nodes + own[k], starts), shape=(size, size))
        made.has_sorted_indices = narrow.has_sorted_indices
        return made
