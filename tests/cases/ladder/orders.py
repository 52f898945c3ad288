"""Orders: errors fall with the step and with the size of elements as theory says."""

from __future__ import annotations

from collections.abc import Iterator

from tests.cases.ladder.manufactured import rates
from tests.cases.ladder.rung import Rung
from tests.cases.two_masses.exact import order
from tests.cases.two_masses.test_two_masses import IMPLICIT, TIGHT, ends, errors
from tests.gluing.driven import coupled

COUNTS = (16, 32, 64, 128, 256)
SOLIDS = {"C3D4": (4, 1), "C3D8": (4, 1), "C3D10": (2, 2)}  # cells, order p


def rungs(fine: bool) -> Iterator[Rung]:
    for name, (coupling, first, second, theory) in IMPLICIT.items():
        if fine or "both Newmark" in name:

            def make(coupling=coupling, parts=(first, second)):
                return coupled(coupling(), *ends(*parts), solver=TIGHT)

            found = order(errors(make, COUNTS[: 5 if theory < 5 else 4]))
            yield _rung(f"{name}, two masses", theory, found, "2")
    for kind, (n, p) in SOLIDS.items():
        if fine or kind == "C3D8":
            for norm, theory, rate in zip(
                ("L2", "H1"), (p + 1, p), rates(kind, n), strict=True
            ):
                yield _rung(f"{kind}, manufactured field in {norm}", theory, rate)


def _rung(name: str, theory: float, found: float, cut: str = "") -> Rung:
    """Orders of gluing have two sides; those of elements may be better than theory."""
    gate = (-0.1, 0.1) if cut else (-0.25, 0.5)
    wide = (1.0 + gate[0] / theory, 1.0 + gate[1] / theory)
    return Rung("order", name, theory, float(found), wide, None, 0.0, cut, 0, "theory")
