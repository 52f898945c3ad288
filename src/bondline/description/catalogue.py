"""What may be named in a model file; `build` supplies the real one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bondline.core import Passport


@dataclass(frozen=True)
class Catalogue:
    """Kinds of leaves, schemes and choices, by name; for schemes, a word on each."""

    kinds: Mapping[str, Passport]
    schemes: Mapping[str, str] = field(default_factory=dict)
    refused_schemes: Mapping[str, str] = field(default_factory=dict)
    methods: Mapping[str, str] = field(default_factory=dict)
    refresh: tuple[str, ...] = ()
    update: tuple[str, ...] = ()
    joints: tuple[str, ...] = ("tie", "revolute")
    later_joints: tuple[str, ...] = (
        *("rigid", "spherical", "cylindrical", "prismatic", "translational"),
        *("universal", "planar", "fixed", "weld", "mesh-tie"),
    )
