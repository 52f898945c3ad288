"""Shapes and materials that elements refuse, in words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bondline.errors import SettingError, UsageError
from bondline.leaves.fe.elements.element import Array
from bondline.leaves.fe.sections import Material


class Verdict(NamedTuple):
    """What is wrong with an element, and what to try."""

    finding: str
    remedy: str


class Misshapen(UsageError):
    """An element that cannot be; `row` is its place among those that were given."""

    def __init__(self, names: tuple[str, str], verdict: Verdict, row: int) -> None:
        self.names, self.verdict, self.row = names, verdict, row
        super().__init__(" ".join(names), *verdict)

    def numbered(self, number: int) -> Misshapen:
        """The same with the owner's number of the element."""
        kind, where = self.names
        return Misshapen((f"{kind} element {number}", where), self.verdict, self.row)


def refuse(kind: str, x: Array, bad: NDArray[np.bool_], verdict: Verdict) -> None:
    """Raise `Misshapen` if an element is bad; names the first by where its middle is.

    Elements do not know their numbers: assembly adds them.
    """
    rows = np.flatnonzero(bad)
    if len(rows):
        middle = ", ".join(f"{c:.6g}" for c in x[rows[0]].mean(axis=0))
        more = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
        raise Misshapen((kind, f"at ({middle}){more}"), verdict, int(rows[0]))


def upright(kind: str, x: Array, det: Array) -> None:
    """Refuse solids (elements × points) that are inside out or folded somewhere."""
    refuse(kind, x, ~np.all(det > 0.0, axis=1), _FOLDED)


_FOLDED = Verdict(
    "the volume is not positive everywhere: it is inside out or folded.",
    "Number the nodes as the kind wants them, or mend the mesh there.",
)


def lame(material: Material) -> tuple[float, float]:
    """Lamé's λ and μ."""
    E, nu = material.E, material.nu
    if not (E > 0.0 and -1.0 < nu < 0.5):
        raise SettingError(
            f"material {material.name}",
            f"E = {E:g} and nu = {nu:g} do not make a stable solid.",
            "E must be positive, nu between -1 and 0.5 (0.4999 for rubber).",
        )
    return E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), material.G
