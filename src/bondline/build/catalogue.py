"""The catalogue of everything that this installation can build."""

from __future__ import annotations

from functools import cache

from bondline.build.kinds import kinds
from bondline.description import Catalogue


@cache
def catalogue() -> Catalogue:
    """Kinds, schemes and choices by name."""
    from bondline.gluing import REFRESH, REFUSED, SCHEMES, UPDATE

    return Catalogue(
        kinds={name: kind.passport for name, kind in kinds().items()},
        schemes={name: scheme.meaning for name, scheme in SCHEMES.items()},
        refused_schemes=REFUSED,
        methods={"T-T": "forces are guessed, motions are compared"},
        refresh=REFRESH,
        update=UPDATE,
    )
