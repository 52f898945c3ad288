"""How an assembly starts: as told, with velocities that agree, or at rest."""

from __future__ import annotations

import numpy as np

from bondline.core import Rejected
from bondline.errors import LeafFailed, SettingError, did_you_mean
from bondline.gluing.closing import Starts, is_closed, require_closed
from bondline.gluing.placing import place_parts
from bondline.gluing.statics import Here, Statics
from bondline.gluing.striking import strike

STARTS = ("given", "projected", "static")


def check_start(name: str, word: str) -> None:
    """Raise `SettingError` for a word that names no start."""
    if word not in STARTS:
        raise SettingError(
            f"{name}: start_from",
            f"there is no start {word!r}.",
            did_you_mean(word, STARTS),
        )


def begin(statics: Statics, starts: Starts, t0: float, how: str) -> Starts:
    """Starts without a gap in position or velocity, or `StartGap` with it named.

    'given' moves whole parts where they can be moved. 'projected' then strikes the
    joints: velocities change by impulses, which is the smallest change measured by
    kinetic energy. 'static' puts every part where it rests under its static loads.
    """
    if how == "static":
        return _rested(statics, starts)
    name, assembly = statics.name, statics.assembly
    rigid = [c for c in assembly.connections if c.law is None]
    found: Starts = place_parts(assembly, starts)
    if how == "projected" and is_closed(rigid, found, 0):
        found = strike(name, assembly, found, t0)
    require_closed(name, rigid, found, _HINT)
    return found


_HINT = (
    "none of them can be moved there. Velocities can be made to agree by "
    "start_from 'projected', linear parts put to rest by 'static'."
)


def _rested(statics: Statics, starts: Starts) -> Starts:
    seen = statics.seen
    states = {n: a.state for n, a in starts.items()}
    here = Here(states, seen.positions(starts), np.zeros(statics.assembly.offsets[-1]))
    found = statics.rest(here, statics.acting(1.0, {}, {}))
    if isinstance(found, Rejected):
        raise found.error or LeafFailed(
            f"{statics.name}, part {found.model}, static start",
            found.reason,
            "Support the part, or use start_from 'given'.",
        )
    return found.advances
