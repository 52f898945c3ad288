"""The kinds of leaves that model files may name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
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


@dataclass(frozen=True, slots=True)
class Stock:
    """The kinds that can be made, and why the others cannot."""

    kinds: Mapping[str, Kind]
    broken: Mapping[str, SettingError]


def kinds() -> Mapping[str, Kind]:
    """All kinds by name: ours, then those of installed packages."""
    return _stock().kinds


def broken() -> Mapping[str, SettingError]:
    """Names that installed packages offer and that cannot be loaded, with the reason.

    None of them matters before a model names it.
    """
    return _stock().broken


@cache
def _stock() -> Stock:
    return stock(entry_points(group=GROUP))


def stock(entries: Iterable[EntryPoint]) -> Stock:
    """Our kinds and those of the entry points; ours go first."""
    found, lost = dict(_own()), dict[str, SettingError]()
    for entry in entries:
        if entry.name not in found:
            try:
                found[entry.name] = installed(entry)
            except SettingError as error:
                lost[entry.name] = error
    return Stock(found, {n: e for n, e in lost.items() if n not in found})


def _own() -> Mapping[str, Kind]:
    from bondline.leaves import Crank, FlexibleBar, FreeBar, PinnedBar, body, chain
    from bondline.leaves.body import DECLARED as OF_BODY
    from bondline.leaves.body import PORTS as FRAMES
    from bondline.leaves.chain import DECLARED, PORTS
    from bondline.leaves.ground import DECLARED as OF_GROUND
    from bondline.leaves.ground import Ground, ground

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
        Capabilities(linear=True, one_step=True, superposes=True),  # with one step
    )
    crank = Passport(
        "crank",
        "a driven rigid crank and the rigid coupler hinged to it",
        Crank.declared,
        Crank.ports,
        Crank.capabilities,
    )
    flexible = Passport(
        "flexible-bar",
        "a hinged bar that stretches and bends in a floating frame",
        FlexibleBar.declared,
        FlexibleBar.ports,
        FlexibleBar.capabilities,
    )
    solid = Passport(
        "rigid-body",
        "a rigid body in space with two frames on it",
        OF_BODY,
        FRAMES,
        Capabilities(),
    )
    rest = Passport(
        "ground",
        "a frame that stays where it is",
        OF_GROUND,
        Ground.ports,
        Ground.capabilities,
    )
    return {
        "pinned-bar": Kind(pinned, PinnedBar),
        "free-bar": Kind(free, FreeBar),
        "chain": Kind(row, chain),
        **_led(row),
        "crank": Kind(crank, Crank),
        "flexible-bar": Kind(flexible, FlexibleBar),
        "rigid-body": Kind(solid, body),
        "ground": Kind(rest, ground),
        **_sprung(),
    }


def _sprung() -> Mapping[str, Kind]:
    """A mass on a spring, and rows of hardening springs."""
    from bondline.leaves.large_mass.options import DECLARED, led_chain
    from bondline.leaves.oscillator import Oscillator
    from bondline.leaves.spring_chain import SpringChain

    mass = Passport(
        "oscillator",
        "a mass on a spring and a damper, driven by a sine",
        Oscillator.declared,
        Oscillator.ports,
        Oscillator.capabilities,
    )
    row = Passport(
        "spring-chain",
        "a row of masses and hardening springs",
        SpringChain.declared,
        SpringChain.ports,
        SpringChain.capabilities,
    )
    led = led_chain("led")
    large = Passport(
        "spring-chain-led",
        f"{row.meaning} on large masses: both ends take motion",
        {**SpringChain.declared, **DECLARED},
        led.ports,
        led.capabilities,
    )
    return {
        "oscillator": Kind(mass, Oscillator),
        "spring-chain": Kind(row, SpringChain),
        "spring-chain-led": Kind(large, led_chain),
    }


def _led(row: Passport) -> Mapping[str, Kind]:
    """Chains whose ends take motion."""
    from bondline.leaves.chain import LED, chain, ports

    return {
        kind: Kind(
            replace(
                row,
                kind=kind,
                meaning=f"{row.meaning}; takes motion at its {' and '.join(ends)} end",
                ports=ports(led=ends),
            ),
            partial(chain, led=ends),
        )
        for kind, ends in LED.items()
    }


def installed(entry: EntryPoint) -> Kind:
    """A kind from an entry point, which must point at a `Kind`.

    `SettingError` says what is wrong with it, and in which package.
    """
    place = f"entry point {GROUP}: {entry.name}"
    package = entry.dist.name if entry.dist else ""
    origin = f"{entry.value} of the package {package}" if package else entry.value
    try:
        kind = entry.load()
    except (Exception, SystemExit) as error:  # code of others: anything may happen
        raise SettingError(
            place,
            f"{origin} cannot be loaded ({type(error).__name__}: {error}).",
            f"Repair it or remove it: pip uninstall {package or 'its package'}.",
        ) from error
    if not isinstance(kind, Kind):
        raise SettingError(
            place,
            f"{origin} is a {type(kind).__name__}.",
            "It must be a bondline.build.Kind: a passport and a way to make one.",
        )
    return kind
