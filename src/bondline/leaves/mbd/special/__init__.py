"""Kernels for one mechanism: its equations written out as C, `docs/adr/0037`.

The equations are those of the general kernel, kim2000 (1)-(18), run once on numbers
that remember how they came about.
"""

from bondline.leaves.mbd.special.kernel import Special, special
from bondline.leaves.mbd.special.unsuited import Unsuited

__all__ = ["Special", "Unsuited", "special"]
