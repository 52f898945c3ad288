"""A start at rest: own loads are carried while the ports stay where they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bondline.errors import SettingError
from bondline.leaves.nonlinear.corrector import Newton
from bondline.leaves.nonlinear.model import Hold
from bondline.leaves.nonlinear.sockets import Sockets
from bondline.leaves.nonlinear.state import Layout, Parts
from bondline.leaves.nonlinear.statics import Statics, Stuck


def settled(ends: Sockets, newton: Newton) -> Parts:
    """At rest under its loads of t = 0 and preloads, its ports held."""
    whole = ends.model
    ports = (Hold(s.nodes, ends.components[n]) for n, s in ends.given.items())
    held = replace(whole, holds=(*whole.holds, *ports), pushes=())
    rest = Layout(held.dofs.size, len(held.turning), held.numbers).rest()
    target = whole.dofs.spread(whole.load(0.0)).ravel()[held.dofs.slots]
    found = Statics(held, newton, np.zeros_like(target)).settle(rest, target)
    if isinstance(found, Stuck):
        raise SettingError(
            f"{whole.name}: settled start",
            f"at {100.0 * found.share:.3g} % of its loads: {found.reason}.",
            "Its ports are held; something else must carry it, or it starts unsettled.",
        )
    u = held.dofs.spread(found.parts.u).ravel()[whole.dofs.slots]
    still = np.zeros_like(u)
    return found.parts._replace(u=u, v=still, a=still, p=still, f=still)
