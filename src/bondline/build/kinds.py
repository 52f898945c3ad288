"""The kinds of leaves that model files may name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points

from bondline.core import Capabilities, Model, Passport
from bondline.errors import SettingError

GROUP = "bondline.leaves"


@dataclass(frozen=True, slots=True)
class Kind:
    """What may be known of a kind of leaf, and how to make one.

    `make` is called with a name and the values of parameters in SI units.
    """

    passport: Passport
    make: Callable[..., Model]


@cache
def kinds() -> Mapping[str, Kind]:
    """All kinds by name: ours, then those of installed packages."""
    found = dict(_own())
    for entry in entry_points(group=GROUP):
        if entry.name not in found:
            found[entry.name] = installed(entry)
    return found


def _own() -> Mapping[str, Kind]:
    from bondline.leaves import FreeBar, PinnedBar, chain
    from bondline.leaves.chain import DECLARED, PORTS

    pinned = Passport(
        "pinned-bar",
        "a rigid bar pinned at its top and driven there",
        PinnedBar.declared,
        PinnedBar.ports,
        PinnedBar.capabilities,
    )
    free = Passport(
        "free-bar",
        "a rigid bar that nothing holds",
        FreeBar.declared,
        FreeBar.ports,
        FreeBar.capabilities,
    )
    row = Passport(
        "chain",
        "a row of masses, springs and dampers",
        DECLARED,
        PORTS,
        Capabilities(linear=True, one_step=True),  # with one step a window
    )
    return {
        "pinned-bar": Kind(pinned, PinnedBar),
        "free-bar": Kind(free, FreeBar),
        "chain": Kind(row, chain),
    }


def installed(entry: EntryPoint) -> Kind:
    """A kind from an entry point, which must point at a `Kind`."""
    kind = entry.load()
    if not isinstance(kind, Kind):
        raise SettingError(
            f"entry point {GROUP}: {entry.name}",
            f"{entry.value} is a {type(kind).__name__}.",
            "It must be a bondline.build.Kind: a passport and a way to make one.",
        )
    return kind
