"""Supports and links resolved: all dofs in terms of independent ones, u = T q + G g.

g are histories over time. Chains of links are followed to their ends; what cannot be
resolved is refused with the nodes named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from bondline.errors import SettingError
from bondline.leaves.fe.constraints import Rows
from bondline.leaves.fe.dofs import Dofs
from bondline.leaves.fe.mesh import Indices
from bondline.leaves.fe.stacks import Sparse
from bondline.leaves.histories import History

Entries: TypeAlias = "tuple[Indices, Indices, NDArray[np.float64]]"


@dataclass(frozen=True, eq=False)
class Elimination:
    """u = T q + W w over the dofs of a model, where w = values × g are supported.

    `free` are the dofs that are q, `held` those that supports hold or lead; both
    ascend. Columns of `values` go with `histories`.
    """

    dofs: Dofs
    free: Indices
    held: Indices
    T: Sparse
    W: Sparse
    values: Sparse
    histories: tuple[History, ...]

    @cached_property
    def G(self) -> Sparse:
        """How all dofs follow the histories."""
        made: Sparse = (self.W @ self.values).tocsr()
        made.eliminate_zeros()
        return made

    @cached_property
    def touched(self) -> Indices:
        """The dofs that follow those held."""
        return np.flatnonzero(np.diff(self.W.indptr))


def eliminate(
    name: str,
    present: NDArray[np.bool_],
    ids: Indices,
    rows: Sequence[Rows],
    loaded: NDArray[np.bool_] | None = None,
) -> Elimination:
    """Resolve what the rows say, for elements with the dofs `present` (nodes × 6).

    Dofs that are `loaded`, or that only links know, are added to these.
    """
    links = [r for r in rows if r.sources.size]
    needed = _grown(present if loaded is None else present | loaded, links)
    bare = np.asarray(~present.any(axis=1))
    dofs = Dofs.where(_carried(needed, bare, links), ids)
    told = _told(name, dofs, rows)
    slaves, held = np.sort(told.slaves), np.sort(told.held)
    free = np.delete(np.arange(dofs.size), np.concatenate([slaves, held]))
    D = csr_array((told.links[2], told.links[:2]), shape=(dofs.size, dofs.size))
    _check_loops(name, dofs, D)
    inner = D[slaves][:, slaves]
    T = _followed(D, inner, slaves, free)
    W = _followed(D, inner, slaves, held)
    at, column, value = told.motions
    size = (len(held), len(told.histories))
    values = csr_array((value, (np.searchsorted(held, at), column)), shape=size)
    return Elimination(dofs, free, held, T, W, values, told.histories)


def _grown(present: NDArray[np.bool_], links: Sequence[Rows]) -> NDArray[np.bool_]:
    """The dofs there are, with those that links need."""
    flat = present.flatten()
    count = -1
    while count != (count := int(np.count_nonzero(flat))):
        for r in links:
            if r.forced:
                flat[r.slots] = True
            used = np.abs(r.matrix[flat[r.slots]]).max(axis=0, initial=0.0) > 0.0
            flat[r.sources[used]] = True
    return flat.reshape(-1, 6)


def _carried(
    present: NDArray[np.bool_], bare: NDArray[np.bool_], links: Sequence[Rows]
) -> NDArray[np.bool_]:
    """With the dofs of slaves that no element knows: they move along, at no cost."""
    flat = present.flatten()
    count = -1
    while count != (count := int(np.count_nonzero(flat))):
        for r in links:
            known = flat[r.sources]
            needs = (r.matrix[:, ~known] != 0.0).any(axis=1)
            flat[r.slots[~needs & bare[r.slots // 6]]] = True
    return flat.reshape(-1, 6)


class _Told(NamedTuple):
    """Dofs that follow links, and those that supports hold, each once."""

    slaves: Indices
    held: Indices
    links: Entries
    motions: Entries
    histories: tuple[History, ...]


def _told(name: str, dofs: Dofs, rows: Sequence[Rows]) -> _Told:
    slots = np.concatenate([_nothing(), *(r.slots for r in rows)])
    owner = np.repeat(np.arange(len(rows)), [len(r.slots) for r in rows])
    line = np.concatenate([_nothing(), *(np.arange(len(r.slots)) for r in rows)])
    known = dofs.index.ravel()[slots] >= 0
    slots, owner, line = slots[known], owner[known], line[known]
    _check_conflicts(name, dofs, rows, slots, owner)
    _, first = np.unique(slots, return_index=True)
    chosen = np.sort(first)
    slots, owner, line = slots[chosen], owner[chosen], line[chosen]
    number = dofs.index.ravel()[slots]
    linked = np.array([not r.held for r in rows], dtype=bool)[owner]
    ends = np.searchsorted(owner, np.arange(len(rows) + 1))
    mine = [slice(a, b) for a, b in pairwise(ends.tolist())]
    each = [(r, number[s], line[s]) for r, s in zip(rows, mine, strict=True)]
    histories = {r.history: 0 for r, at, _ in each if r.history and at.size}
    column = {history: i for i, history in enumerate(histories)}
    links = [_linked(dofs, r, at, own) for r, at, own in each if not r.held]
    motions = [
        (at, np.full_like(at, column[r.history]), np.full(len(at), r.value))
        for r, at, _ in each
        if r.history in column
    ]
    return _Told(
        number[linked],
        number[~linked],
        _joined(links),
        _joined(motions),
        tuple(h for h in column if h is not None),
    )


def _linked(dofs: Dofs, r: Rows, at: Indices, line: Indices) -> Entries:
    matrix = r.matrix[line]
    a, b = np.nonzero(matrix)
    return at[a], dofs.index.ravel()[r.sources[b]], matrix[a, b]


def _nothing() -> Indices:
    return np.zeros(0, dtype=np.intp)


def _joined(parts: Sequence[Entries]) -> Entries:
    rows = np.concatenate([_nothing(), *(p[0] for p in parts)])
    columns = np.concatenate([_nothing(), *(p[1] for p in parts)])
    return rows, columns, np.concatenate([np.zeros(0), *(p[2] for p in parts)])


def _check_conflicts(
    name: str, dofs: Dofs, rows: Sequence[Rows], slots: Indices, owner: Indices
) -> None:
    """No dof follows two things, unless both are supports that say the same."""
    order = np.argsort(slots, kind="stable")
    first = np.searchsorted(slots[order], slots[order])  # of all that name the dof
    pairs = np.column_stack([owner[order[first]], owner[order]])
    again = first != np.arange(len(order))
    each, where = np.unique(pairs[again], axis=0, return_index=True)
    for (i, j), at in zip(each.tolist(), where.tolist(), strict=True):
        if not _agree(rows[i], rows[j]):
            slot = int(slots[order[np.flatnonzero(again)[at]]])
            raise SettingError(
                f"{name}: {dofs.named(slot)}",
                f"it follows {_said(rows[i])} and {_said(rows[j])}.",
                "Let every dof follow one thing: support the master of a rigid "
                "link instead of its slave, or take the dof out of one of them.",
            )


def _agree(one: Rows, other: Rows) -> bool:
    same = (one.value, one.history) == (other.value, other.history)
    return one.held and other.held and same


def _said(r: Rows) -> str:
    return f"{r.says} (value {r.value:g})" if r.held else r.says


def _check_loops(name: str, dofs: Dofs, D: Sparse) -> None:
    count, label = connected_components(D, directed=True, connection="strong")
    itself = D.diagonal() != 0.0
    if count == D.shape[0] and not itself.any():
        return
    found = itself | (np.bincount(label)[label] > 1)
    ring = np.flatnonzero(found & (label == label[np.flatnonzero(found)[0]]))
    raise SettingError(
        f"{name}: links",
        f"these dofs follow each other in a ring: {dofs.listed(dofs.slots[ring])}.",
        "Let links form a tree: every slave has one master, and no master follows "
        "its own slaves.",
    )


def _followed(D: Sparse, inner: Sparse, slaves: Indices, chosen: Indices) -> Sparse:
    """How all dofs follow the `chosen` ones: 1, and (1 − inner)⁻¹ D for the slaves.

    Links of links make a series; without rings it ends.
    """
    total = term = D[slaves][:, chosen]
    while inner.nnz and term.nnz:
        term = inner @ term
        term.eliminate_zeros()
        total = total + term
    shape = (D.shape[0], len(chosen))
    counts = np.zeros(D.shape[0], dtype=np.intp)
    counts[slaves] = np.diff(total.indptr)
    starts = np.concatenate([[0], np.cumsum(counts)])
    follow = csr_array((total.data, total.indices, starts), shape=shape)
    one = (np.ones(len(chosen)), (chosen, np.arange(len(chosen))))
    made: Sparse = (csr_array(one, shape=shape) + follow).tocsr()
    return made
