"""What an element kind can do: all elements of a block at once, never one by one."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]


class Element(Protocol):
    """One kind of element.

    `x` are the nodes' positions, elements × nodes × 3. Matrices are elements × m × m
    with m = nodes × dofs, node by node, in global axes. `dofs` are those a node has,
    out of 0 … 5 for x y z rx ry rz. `nodes` is how many an element has.

    Obligations, each tested: matrices are symmetric; rigid motion gives no force;
    the mass of a rigid translation is the element's mass in every direction; turning
    the nodes turns the matrices; renumbering the nodes cyclically permutes them.
    """

    @property
    def dofs(self) -> tuple[int, ...]: ...

    @property
    def nodes(self) -> int: ...

    def stiffness(self, x: Array, section: Any) -> Array: ...

    def mass(self, x: Array, section: Any, lumped: bool) -> Array: ...


@runtime_checkable
class Damped(Protocol):
    """Elements with viscous forces of their own."""

    def damping(self, x: Array, section: Any) -> Array: ...


class Recovered(NamedTuple):
    """Stress and strain at the nodes of every element: layers × elements × nodes × 6.

    Components are xx yy zz xy yz zx in global axes (tensor shear strains). Shells
    have the layers bottom, middle and top; solids and bars have one.
    """

    layers: tuple[str, ...]
    stress: Array
    strain: Array


@runtime_checkable
class Stressed(Protocol):
    """Elements that know stress and strain from `u`, elements × m."""

    def recover(self, x: Array, section: Any, u: Array) -> Recovered: ...


@runtime_checkable
class Resultant(Protocol):
    """Elements that know section forces from `u`: elements × ends × 6.

    Components are N V1 V2 T M1 M2 in the element's axes.
    """

    def resultants(self, x: Array, section: Any, u: Array) -> Array: ...


@runtime_checkable
class Faced(Protocol):
    """Elements with faces that pressure acts on, listed as nodes of the element."""

    @property
    def faces(self) -> tuple[tuple[int, ...], ...]: ...
