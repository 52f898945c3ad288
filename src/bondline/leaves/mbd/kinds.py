"""The kinds of joints and their coordinates."""

from __future__ import annotations

from dataclasses import dataclass

from bondline.errors import SettingError, did_you_mean


@dataclass(frozen=True, slots=True)
class Kind:
    """How an outboard frame moves in an inboard frame.

    Axes are those of the inboard joint frame; spins (wx, wy, wz) those of the outboard
    one. Where there is no quaternion the rates of the positions are the speeds.
    """

    name: str
    code: int  # as in c/tree.h
    positions: tuple[str, ...]
    speeds: tuple[str, ...]

    @property
    def start(self) -> tuple[float, ...]:
        """Positions at which both frames are one."""
        return tuple(1.0 if name == "qw" else 0.0 for name in self.positions)


_Q, _W = ("qw", "qx", "qy", "qz"), ("wx", "wy", "wz")

KINDS = {
    kind.name: kind
    for kind in (
        Kind("fixed", 0, (), ()),
        Kind("revolute", 1, ("angle",), ("angle",)),
        Kind("prismatic", 2, ("z",), ("z",)),
        Kind("cylindrical", 3, ("z", "angle"), ("z", "angle")),
        Kind("universal", 4, ("x", "y"), ("x", "y")),  # about x, then about the new y
        Kind("planar", 5, ("x", "y", "angle"), ("x", "y", "angle")),
        Kind("spherical", 6, _Q, _W),
        Kind("free", 7, ("x", "y", "z", *_Q), ("x", "y", "z", *_W)),
    )
}


def kind(place: str, name: str) -> Kind:
    """The kind of that name; `SettingError` with the nearest match if there is none."""
    if name not in KINDS:
        raise SettingError(
            place, f"there is no joint of kind {name!r}.", did_you_mean(name, KINDS)
        )
    return KINDS[name]
