"""All cases of the ladder, in the order of its page."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from tests.cases.ladder import (
    cantilever,
    cook,
    craig_bampton,
    curved_beam,
    fv_beams,
    fv_plates,
    fv_wedges,
    gun_turret,
    hemisphere,
    identities,
    le1,
    le2,
    le5,
    le6,
    le10,
    n_four_bar,
    orders,
    parallelogram,
    patches,
    pendulums,
    pinched_cylinder,
    plates,
    raasch,
    roof,
    rotating_bar,
    slider_crank,
    spin_up,
    squeezer,
    straight_beam,
    thick_cylinder,
    topologies,
    twisted_beam,
)

CHAPTERS: Mapping[str, tuple[ModuleType, ...]] = {
    "Identities": (identities, patches),
    "Gluing": (topologies, cantilever),
    "Orders": (orders,),
    "Beams, MacNeal and Harder": (straight_beam, curved_beam, twisted_beam),
    "Membranes and plates": (cook, plates),
    "Curved shells": (roof, pinched_cylinder, hemisphere, raasch),
    "Solids": (thick_cylinder,),
    "NAFEMS, statics": (le1, le2, le5, le6, le10),
    "NAFEMS, vibration": (fv_beams, fv_plates, fv_wedges),
    "Reduction": (craig_bampton,),
    "Rigid multibody": (pendulums, parallelogram, n_four_bar, squeezer),
    "Flexible multibody": (slider_crank, rotating_bar, spin_up, gun_turret),
}
CASES = [case for chapter in CHAPTERS.values() for case in chapter]


def short(case: ModuleType) -> str:
    """The name of a case's module."""
    return case.__name__.rpartition(".")[2]
