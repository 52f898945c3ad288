"""Half of Σ xᵀA x: energies of linear systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bondline.numerics.factor import Array, Operator, symmetric_product


@dataclass(frozen=True, eq=False)
class Quadratic:
    """½ Σ xᵢᵀAᵢ xᵢ for symmetric matrices of one size.

    Of sparse ones only half is read, and all of them in one product.
    """

    matrices: Sequence[Operator]

    def __call__(self, x: Array) -> float:
        """The value for the vectors xᵢ, one after the other in `x`."""
        if self._half is not None:
            return float(x @ (self._half @ x))
        each = zip(self.matrices, x.reshape(len(self.matrices), -1), strict=True)
        return 0.5 * float(sum(x_i @ symmetric_product(A, x_i) for A, x_i in each))

    @cached_property
    def _half(self) -> Any:
        """All above the diagonals and half of them; none where a matrix is dense."""
        if any(isinstance(A, np.ndarray) for A in self.matrices):
            return None
        from scipy.sparse import block_diag, diags_array, triu

        halves = [triu(A, 1) + diags_array(0.5 * A.diagonal()) for A in self.matrices]
        made: Any = block_diag(halves, format="csr")  # 64-bit indices: more to read
        kind = np.int32 if made.nnz < np.iinfo(np.int32).max else np.int64
        made.indices, made.indptr = made.indices.astype(kind), made.indptr.astype(kind)
        return made
