"""M, C and K of all elements of a mesh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from bondline.errors import SettingError, did_you_mean
from bondline.leaves.fe.elements import ELEMENTS, SECTIONS
from bondline.leaves.fe.elements.checks import Misshapen
from bondline.leaves.fe.elements.element import Array, Damped, Element
from bondline.leaves.fe.mesh import Block, Mesh
from bondline.leaves.fe.sections import Bushing
from bondline.leaves.fe.stacks import Pattern, Sparse

AT_ONCE = 1 << 21  # entries of element matrices that are held at once


class Matrices(NamedTuple):
    """M, C and K over 6 × node + component; rows of dofs that no element has are empty.

    Symmetric to the last bit.
    """

    M: Sparse
    C: Sparse
    K: Sparse


def kind(name: str) -> Element:
    """The kind of element with this name."""
    found = ELEMENTS.get(name)
    if found is None:
        raise SettingError(
            f"elements of kind {name}",
            "there is no such kind.",
            did_you_mean(name, ELEMENTS),
        )
    return found


def assemble(
    mesh: Mesh,
    lumped: bool = False,
    rayleigh: tuple[float, float] = (0.0, 0.0),
    at_once: int = AT_ONCE,
) -> Matrices:
    """The matrices of a mesh, C = Σ (α Mₑ + β Kₑ + dashpots) + Rayleigh's over all.

    No more than `at_once` entries of element matrices are held at a time.
    """
    alpha, beta = rayleigh
    size = 6 * len(mesh.points)
    each = [group.sums() for group in _groups(mesh, lumped, at_once)]
    none = csr_array((size, size))
    M, C, K = (_sum(none, [one[i] for one in each]) for i in range(3))
    if alpha:
        C = C + alpha * M
    if beta:
        C = C + beta * K
    return Matrices(M, C, K)


def _sum(none: Sparse, matrices: Sequence[Sparse]) -> Sparse:
    """In their order; those that are empty cost nothing."""
    full = [A for A in matrices if A.nnz] or [none]
    return sum(full[1:], start=full[0])


def _groups(mesh: Mesh, lumped: bool, at_once: int) -> Iterator[_Group]:
    """Blocks with the same dofs a node go together."""
    by_dofs: dict[tuple[int, ...], list[Block]] = {}
    for block in mesh.blocks:
        if len(block.nodes):
            _check_section(block)
            _check_nodes(block)
            by_dofs.setdefault(kind(block.kind).dofs, []).append(block)
    for blocks in by_dofs.values():
        yield _Group(mesh, tuple(blocks), lumped, at_once)


@dataclass(frozen=True, eq=False)
class _Group:
    mesh: Mesh
    blocks: tuple[Block, ...]
    lumped: bool
    at_once: int

    @cached_property
    def pattern(self) -> Pattern:
        dofs = kind(self.blocks[0].kind).dofs
        nodes = [block.nodes for block in self.blocks]
        return Pattern(len(self.mesh.points), dofs, nodes)

    def sums(self) -> Matrices:
        lossy = any(_lossy(block) for block in self.blocks)
        M, K = self.pattern.zeros(), self.pattern.zeros()
        C = self.pattern.zeros() if lossy else M[:0]
        for i, block in enumerate(self.blocks):
            for first in range(0, len(block.nodes), self._chunk(block)):
                try:
                    self._add(i, first, (M, C, K))
                except Misshapen as bad:
                    raise bad.numbered(block.ids[first + bad.row]) from None
        size = 6 * len(self.mesh.points)
        none = csr_array((size, size))
        matrix = self.pattern.matrix
        return Matrices(matrix(M), matrix(C) if lossy else none, matrix(K))

    def _add(self, i: int, first: int, totals: tuple[Array, Array, Array]) -> None:
        (M, C, K), block = totals, self.blocks[i]
        element = kind(block.kind)
        chosen = slice(first, first + self._chunk(block))
        x = self.mesh.points[block.nodes[chosen]]
        stiff = element.stiffness(x, block.section)
        heavy = element.mass(x, block.section, self.lumped)
        stacks = [(K, stiff), (M, heavy)]
        if _lossy(block):
            stacks.append((C, _damping(block, x, heavy, stiff)))
        self.pattern.add(i, first, stacks)

    def _chunk(self, block: Block) -> int:
        width = int(block.nodes.shape[1]) * len(kind(block.kind).dofs)
        return max(1, self.at_once // width**2)


def _material(block: Block) -> tuple[float, float]:
    """α and β of a block's material, if it has one."""
    material = getattr(block.section, "material", None)
    return (0.0, 0.0) if material is None else (material.alpha, material.beta)


def _lossy(block: Block) -> bool:
    return any(_material(block)) or isinstance(kind(block.kind), Damped)


def _damping(block: Block, x: Array, heavy: Array, stiff: Array) -> Array:
    (alpha, beta), element = _material(block), kind(block.kind)
    damping = alpha * heavy + beta * stiff
    if isinstance(element, Damped):
        damping = damping + element.damping(x, block.section)
    return np.asarray(damping, dtype=np.float64)


def _check_section(block: Block) -> None:
    kind(block.kind)
    wanted = SECTIONS[block.kind]
    if not isinstance(block.section, wanted):
        raise SettingError(
            f"element {block.ids[0]}, {block.kind}",
            f"its section is a {type(block.section).__name__}.",
            f"Elements of this kind take a {wanted.__name__}.",
        )


def _check_nodes(block: Block) -> None:
    """As many nodes as the kind has; springs may stand on the ground with one."""
    element, n = kind(block.kind), block.nodes.shape[1]
    if n != element.nodes and not (n == 1 and isinstance(block.section, Bushing)):
        raise SettingError(
            f"element {block.ids[0]}, {block.kind}",
            f"it names {n} nodes.",
            f"Give {element.nodes} nodes an element.",
        )
