"""Whether the numbers of sections, loads and damping can be: before any is used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bondline.core import FRAME_DOFS
from bondline.errors import SettingError
from bondline.leaves.fe.mesh import Block, Mesh
from bondline.leaves.fe.sections import Material
from bondline.leaves.fe.stacks import Sparse

Rule = tuple[str, Callable[[NDArray[np.float64]], NDArray[np.bool_]]]

FINITE: Rule = ("a finite number", np.isfinite)
NOT_NEGATIVE: Rule = (
    "a finite number, not negative",
    lambda a: np.isfinite(a) & (a >= 0.0),
)
POSITIVE: Rule = ("a finite positive number", lambda a: np.isfinite(a) & (a > 0.0))
SHEARED: Rule = (
    "a positive number; infinite for a beam that does not shear",
    lambda a: a > 0.0,
)

# signs of E, nu and thickness are judged by elements, which know more about them
_MATERIAL = {
    "E": FINITE,
    "nu": FINITE,
    "rho": NOT_NEGATIVE,
    "alpha": NOT_NEGATIVE,
    "beta": NOT_NEGATIVE,
}
_SECTION = {
    "thickness": FINITE,
    "offset": FINITE,
    "area": POSITIVE,
    "I11": NOT_NEGATIVE,
    "I22": NOT_NEGATIVE,
    "J": NOT_NEGATIVE,
    "direction": FINITE,
    "shear1": SHEARED,
    "shear2": SHEARED,
    "mass": FINITE,
    "inertia": FINITE,
    "stiffness": FINITE,
    "damping": FINITE,
    "axes": FINITE,
}


def check_number(place: str, value: ArrayLike, rule: Rule = FINITE) -> None:
    """Refuse a number, or one among several, that the rule does not allow."""
    wanted, allowed = rule
    each = np.asarray(value, dtype=np.float64)
    fine = allowed(each)
    if not fine.all():
        raise SettingError(
            place,
            f"{each[~fine].ravel()[0]:g} is not {wanted}.",
            f"Give {wanted}, in SI units.",
        )


def check_sections(name: str, mesh: Mesh) -> None:
    """Refuse sections and materials with numbers that cannot be."""
    for block in mesh.blocks:
        if len(block.nodes):
            for place, value, rule in _numbers(block):
                check_number(f"{name}: {place}", value, rule)


def check_rayleigh(name: str, rayleigh: Sequence[float]) -> None:
    """Refuse damping α M + β K of the whole model that would drive it."""
    for letter, value in zip("αβ", rayleigh, strict=True):
        check_number(f"{name}: rayleigh {letter}", value, NOT_NEGATIVE)


def check_matrices(name: str, mesh: Mesh, matrices: Mapping[str, Sparse]) -> None:
    """Refuse assembled matrices with an entry that overflowed or is no number."""
    for word, A in matrices.items():
        wrong = np.flatnonzero(~np.isfinite(A.data))
        if wrong.size:
            slot = int(np.searchsorted(A.indptr, wrong[0], side="right")) - 1
            raise SettingError(
                f"{name}: node {mesh.ids[slot // 6]}, {FRAME_DOFS[slot % 6]}",
                f"the {word} assembled there is {A.data[wrong[0]]:g}.",
                "Look at sections, materials and positions around it, and their "
                "units: numbers beyond 1e308 overflow.",
            )


def _numbers(block: Block) -> Iterator[tuple[str, Any, Rule]]:
    section = block.section
    material = getattr(section, "material", None)
    if isinstance(material, Material):
        for word, rule in _MATERIAL.items():
            yield f"material {material.name}, {word}", getattr(material, word), rule
    says = f"section of {block.kind} element {block.ids[0]}"
    for word, rule in _SECTION.items():
        if hasattr(section, word):
            yield f"{says}, {word}", getattr(section, word), rule
