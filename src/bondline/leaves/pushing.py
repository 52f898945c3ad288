"""What forces on the ports of a linear structure do at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bondline.core import Matrix
from bondline.leaves.terminals import Terminals
from bondline.numerics import Newmark


@dataclass(frozen=True, eq=False)
class Pushing:
    """L M⁻¹ Lᵀ over the ports that take force; those that take motion are held.

    `still` is Newmark's method with steps of no length: M alone.
    """

    still: Newmark
    ends: Terminals

    @cached_property
    def blocks(self) -> Mapping[tuple[str, str], Matrix]:
        """∂(acceleration at a port)/∂(force on a port), all by one solve."""
        picks, at = self.ends.picks, self.ends.pushed
        count = max((here.stop for here in at.values()), default=0)
        f = np.zeros((self.still.system.M.shape[0], count))
        for port, here in at.items():
            picks[port].add(f[:, here], np.eye(picks[port].size))
        a, _ = self.still.accelerate(f, np.zeros((len(self.still.held), count)))
        return {(o, p): picks[o].show(a[:, at[p]]) for o in at for p in at}
