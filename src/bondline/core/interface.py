"""The root-finding problem that a coupling poses and a solver answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from bondline.core.arrays import Matrix, Vector
from bondline.core.connection import There
from bondline.core.subsystem import Advance, Rejected

M = TypeVar("M")

Tree: TypeAlias = (
    "bool | int | float | str | bytes | Vector | list[Tree] | dict[str, Tree] | None"
)
"""Plain data that the codec can write and read back to the same bits."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """Every part advanced once, at one guess of the unknowns."""

    residual: Vector
    advances: Mapping[str, Advance[Any]]
    solves: int  # advances of leaves that it took
    there: There | None = None  # what the residual is made of, if it is that
    scheme: str = ""  # the one it was swept with, where windows choose theirs
    inside: Any = None  # the coupling's own, for its history
    spent: Mapping[str, float] = field(default_factory=dict)  # by parts, so far


@dataclass(frozen=True, slots=True)
class Slope:
    """∂residual/∂unknowns at one guess, and how many advances it cost."""

    matrix: Matrix
    solves: int


class InterfaceProblem(Protocol):
    """Find z with residual(z) = 0 on one window, wang2003 (1)-(2).

    For T-T coupling z holds the interface forces F, the residual the gap e.
    """

    @property
    def size(self) -> int: ...

    @property
    def h(self) -> float:
        """Length of the window."""
        ...

    @property
    def noise(self) -> float:
        """Size of a residual that is round-off and nothing else."""
        ...

    @property
    def floor(self) -> float:
        """Size of the unknowns below which they count as nothing."""
        ...

    @property
    def symmetric(self) -> bool:
        """Whether the slope is symmetric for conservative parts."""
        ...

    @property
    def affine(self) -> bool:
        """Whether the residual is affine in z, so that one correction is exact."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """Name of each unknown, for messages: `A.Fx`."""
        ...

    def sweep(self, z: Vector) -> Sweep | Rejected:
        """Advance every part under `z`."""
        ...

    def forecast(self, z: Vector) -> Vector:
        """The residual to expect under `z`, from what is known at t₀: no advance."""
        ...

    def slope(self, z: Vector, here: Sweep) -> Slope | Rejected:
        """Σ Bᵢ Gⁱ Cᵢ, wang2003 (12)-(14), probed around the sweep at `z`."""
        ...


@runtime_checkable
class Repeating(Protocol):
    """A problem that can tell how many of its conditions the others make up."""

    def repeated(self) -> int | None:
        """The number, from what the parts do at an instant; None if nobody knows."""
        ...


@runtime_checkable
class Stretching(Protocol):
    """A problem whose slope goes with a power of h where parts are rigid.

    A gluing matrix then serves windows of another length, until it is improved.
    """

    @property
    def stretch(self) -> int:
        """The power."""
        ...


@dataclass(frozen=True, slots=True)
class InterfaceSolution(Generic[M]):
    """The unknowns, the sweep that goes with them, and what was learned."""

    z: Vector
    sweep: Sweep
    memory: M
    history: tuple[float, ...]  # ‖residual‖ of every sweep, the first guess included
    converged: bool
    solves: int  # advances of leaves in all, sweeps and probes
    builds: int = 0  # gluing matrices built from probes
    condition: float | None = None  # of the last gluing matrix, rows and columns scaled
    warnings: tuple[str, ...] = ()  # what the user should know, one sentence each
    allowed: float | None = None  # the ‖residual‖ that counted as converged
    lag: tuple[float, float] | None = None  # of one pass, and the largest force, N


class InterfaceSolver(Protocol[M]):
    """A strategy for an `InterfaceProblem`; what it learns travels in `memory`."""

    @property
    def tolerance(self) -> float:
        """Norm of the residual at which to stop."""
        ...

    def start(self) -> M:
        """Memory before the first window."""
        ...

    def solve(
        self, problem: InterfaceProblem, guess: Vector, memory: M
    ) -> InterfaceSolution[M] | Rejected:
        """Iterate from `guess`; say in the solution whether it converged."""
        ...

    def settings(self) -> dict[str, Any]:
        """Everything that decides the bits, as plain data."""
        ...

    def dump(self, memory: M) -> Tree:
        """Memory as plain data."""
        ...

    def load(self, data: Tree) -> M:
        """Memory from plain data."""
        ...
