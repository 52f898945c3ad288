"""What a leaf of a mechanism is told: what it shows, how it is integrated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bondline.core import FRAME_DOFS, Causality, Parameter
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.mbd.integration import Integration
from bondline.leaves.mbd.layout import Layout
from bondline.leaves.mbd.model import GROUND, Mechanism

# What may be seen of a marker, and what of a coordinate.
OF_MARKER = {
    **{d: ("pose", i, "m") for i, d in enumerate("xyz")},
    **{f"q{d}": ("pose", 3 + i, "1") for i, d in enumerate("wxyz")},
    **{f"v{d}": ("twist", i, "m/s") for i, d in enumerate("xyz")},
    **{f"w{d}": ("twist", 3 + i, "rad/s") for i, d in enumerate("xyz")},
}
OF_COORDINATE = ("position", "speed")


@dataclass(frozen=True, slots=True)
class Outlet:
    """A marker as a port: whether it takes force or motion.

    It is a frame, or with `dofs` a point that shows some of x, y and z: a mechanism in
    the plane says `("x", "y")`, and what meets it needs no forces across the plane.
    """

    at: str
    takes: Causality = Causality.FORCE_IN
    dofs: tuple[str, ...] = FRAME_DOFS

    def __post_init__(self) -> None:
        if self.frame:
            return
        some = [d for d in FRAME_DOFS[:3] if d in self.dofs]
        if self.takes is not Causality.FORCE_IN or not some or [*self.dofs] != some:
            raise SettingError(
                f"port at {self.at}",
                f"its dofs are {' '.join(self.dofs) or 'none'}.",
                "A point that takes force has some of x y z, in this order; leave dofs "
                "out for a frame.",
            )

    @property
    def frame(self) -> bool:
        """Whether it shows how it is turned, and takes moments."""
        return self.dofs == FRAME_DOFS

    @property
    def rows(self) -> tuple[int, ...]:
        """Its dofs among those of a frame."""
        return tuple(FRAME_DOFS.index(d) for d in self.dofs)


@dataclass(frozen=True, slots=True)
class Seen:
    """A published number: a component of a marker, or of a coordinate."""

    of: str
    component: str = ""


@dataclass(frozen=True, eq=False)
class Sheet:
    """A mechanism, its ports, what it publishes, how it is integrated."""

    mechanism: Mechanism
    ports: Mapping[str, Outlet] = field(default_factory=dict)
    signals: Mapping[str, Seen] = field(default_factory=dict)
    integration: Integration = field(default_factory=Integration)
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # to be drawn

    def __post_init__(self) -> None:
        for what, given, kind in (
            ("port", self.ports, Outlet),
            ("signal", self.signals, Seen),
        ):
            for name, value in given.items():
                if not isinstance(value, kind):
                    raise SettingError(
                        f"{self.mechanism.name}: {what} {name}",
                        f"it is {value!r}.",
                        f"Give {kind.__name__}({str(value)!r}).",
                    )
        for name, outlet in self.ports.items():
            self.mechanism.spot(f"port {name}", outlet.at)


def check_seen(mechanism: Mechanism, order: Layout, name: str, seen: Seen) -> None:
    """Refuse a signal of what is not there."""
    place = f"signal {name}"
    if seen.of in order.positions or seen.of in order.speeds:
        known: tuple[str, ...] = tuple(
            word
            for word, names in zip(
                OF_COORDINATE, (order.positions, order.speeds), strict=True
            )
            if seen.of in names
        )
        if seen.component and seen.component not in known:
            raise SettingError(
                place,
                f"{seen.of} has no {seen.component!r}.",
                did_you_mean(seen.component, known),
            )
        return
    if seen.of.partition(".")[0] not in [GROUND, *(b.name for b in mechanism.bodies)]:
        known = (*order.positions, *order.speeds, *(b.name for b in mechanism.bodies))
        raise SettingError(
            place, f"there is no {seen.of!r}.", did_you_mean(seen.of, {*known})
        )
    mechanism.spot(place, seen.of)
    if seen.component not in OF_MARKER:
        raise SettingError(
            place,
            f"a marker has no component {seen.component!r}.",
            did_you_mean(seen.component, OF_MARKER),
        )
