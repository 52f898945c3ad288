"""Pictures of models with surfaces: at rest, moving, vibrating."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import pi

import numpy as np

from bondline.core import Deformed, Matrix, Skin, Vector
from bondline.errors import UsageError, did_you_mean
from bondline.report.camera import Camera
from bondline.report.figures import Plate
from bondline.report.render import Field, Picture, check_seen, draw, natural_scale
from bondline.report.words import number
from bondline.run.skins import Seen

COLORS = ("parts", "displacement", "stress", "plastic")
_LENGTHS = ((1.0, "m"), (1e-3, "mm"), (1e-6, "µm"), (1e-9, "nm"))
_STRESSES = ((1e6, "MPa"), (1e3, "kPa"), (1.0, "Pa"))
_STRAINS = ((1e-2, "%"), (1e-6, "µm/m"))
_FIELDS = {
    "displacement": ("displacement", _LENGTHS, "viridis"),
    "stress": ("von Mises stress", _STRESSES, "YlOrRd"),
    "plastic": ("equivalent plastic strain", _STRAINS, "YlOrRd"),
}


@dataclass(frozen=True)
class Look:
    """How to look: colours, how much larger displacements are, and from where.

    Without a `scale` one is chosen; without colours, parts where nothing moves and
    displacements where something does.
    """

    color: str = ""
    scale: float | None = None
    camera: Camera = Camera()  # noqa: RUF009 - a frozen value
    marks: bool = True
    ghost: bool = True

    def __post_init__(self) -> None:
        if self.color and self.color not in COLORS:
            raise UsageError(
                f"color {self.color!r}",
                "there is no such colouring.",
                did_you_mean(self.color, COLORS),
            )


def at_rest(title: str, skins: Mapping[str, Skin], look: Look | None = None) -> Picture:
    """All parts where nothing has moved."""
    look = look or Look()
    check_seen(title, skins)
    if look.color not in ("", "parts"):
        raise UsageError(
            f"color {look.color!r}",
            "nothing moves in a model at rest.",
            "Give a run, or a mode: --mode 1.",
        )
    nodes = sum(len(s.points) for s in skins.values())
    facets = sum(s.facets + len(s.bars) for s in skins.values())
    note = f"{_parts(len(skins))}, {nodes} nodes, {facets} elements on the surface"
    return Picture(title, skins, camera=look.camera, marks=look.marks, note=note)


def _parts(count: int) -> str:
    return "1 part" if count == 1 else f"{count} parts"


def moved(
    title: str,
    skins: Mapping[str, Skin],
    seen: Seen,
    look: Look | None = None,
    most: float | None = None,
) -> Picture:
    """All parts at one instant of a run; `most` is where the colours end, in SI."""
    look = look or Look()
    check_seen(title, skins)
    u = {n: d.displacement for n, d in seen.parts.items()}
    scale = look.scale  # motions that can be seen are drawn as they are
    if scale is None:
        scale = max(1.0, natural_scale(skins, size_of(seen.parts)))
    return Picture(
        title,
        skins,
        u,
        scale,
        _field(title, seen.parts, look.color or "displacement", most),
        look.camera,
        look.ghost,
        look.marks,
        f"t = {seen.t:.6g} s, displacement × {scale:g}",
    )


def vibrating(
    title: str,
    skins: Mapping[str, Skin],
    shape: Mapping[str, Deformed],
    omega: float,
    look: Look | None = None,
) -> Picture:
    """All parts in a mode; its size means nothing, so that its largest is 1."""
    look = look or Look()
    check_seen(title, skins)
    largest = size_of(shape)
    if not largest > 0.0:
        raise UsageError(
            title,
            "no part that shows its surface moves in this mode.",
            'The parts that move are not shown; their owners may say draw="mesh".',
        )
    one = {n: Deformed(d.displacement / largest) for n, d in shape.items()}
    scale = natural_scale(skins, 1.0) if look.scale is None else look.scale
    plain = replace(look, color=_plain(look), scale=scale)
    seen = moved(title, skins, Seen(0, 0.0, one), plain, 1.0)
    shown = seen.shown and replace(seen.shown, name="amplitude, largest = 1", unit="")
    return replace(seen, shown=shown, note=f"{omega / (2.0 * pi):.5g} Hz")


def _plain(look: Look) -> str:
    if look.color in ("stress", "plastic"):
        raise UsageError(
            f"color {look.color!r}",
            f"a mode has no size, and its {_FIELDS[look.color][0]} neither.",
            "Colour it by displacement, or by parts.",
        )
    return look.color


def size_of(parts: Mapping[str, Deformed]) -> float:
    """The largest displacement."""
    return max((float(length(d).max(initial=0.0)) for d in parts.values()), default=0.0)


def length(moved: Deformed) -> Vector:
    """How far points have moved."""
    return np.asarray(np.linalg.norm(moved.displacement, axis=1), dtype=np.float64)


def largest(seen: Sequence[Seen]) -> Seen:
    """The instant of the largest motion; the first of equals."""
    return max(seen, key=lambda s: size_of(s.parts))


def nearest(title: str, seen: Sequence[Seen], t: float) -> Seen:
    """Parts at an instant, straight between the two that were kept around it."""
    times = np.array([s.t for s in seen])
    slack = 1e-9 * max(float(np.ptp(times)), 1e-30)
    if not times[0] - slack <= t <= times[-1] + slack:
        raise UsageError(
            f"{title} at t = {t:g} s",
            f"it was recorded from {times[0]:g} s to {times[-1]:g} s.",
            f"Give an instant in between, such as {times[-1]:g}s.",
        )
    k = min(int(np.searchsorted(times, t, side="right")) - 1, len(seen) - 2)
    if k < 0 or len(seen) == 1:
        return seen[0]
    a, b = seen[k], seen[k + 1]
    w = min(max((t - a.t) / (b.t - a.t), 0.0), 1.0)
    parts = {n: _between(d, b.parts[n], w) for n, d in a.parts.items()}
    return Seen(a.n, t, parts)


def _between(a: Deformed, b: Deformed, w: float) -> Deformed:
    u: Matrix = (1.0 - w) * a.displacement + w * b.displacement
    return Deformed(u, _mixed(a.mises, b.mises, w), _mixed(a.plastic, b.plastic, w))


def _mixed(a: Vector | None, b: Vector | None, w: float) -> Vector | None:
    return None if a is None or b is None else (1.0 - w) * a + w * b


def values_of(
    title: str, parts: Mapping[str, Deformed], color: str
) -> dict[str, Vector]:
    """What colours stand for, in SI; `UsageError` where it is not shown."""
    if color == "displacement":
        return {n: length(d) for n, d in parts.items()}
    if color == "plastic":
        return _flowed(title, parts)
    stress = {n: d.mises for n, d in parts.items() if d.mises is not None}
    if len(stress) < len(parts):
        hidden = next(n for n in parts if n not in stress)
        raise UsageError(
            f"{title}: color 'stress'",
            f"{hidden} shows no stress.",
            'Its owner may show it by draw="stress"; colour by displacement instead.',
        )
    return stress


def _flowed(title: str, parts: Mapping[str, Deformed]) -> dict[str, Vector]:
    """Plastic strain; parts that show none have none, if there is one that does."""
    if all(d.plastic is None for d in parts.values()):
        raise UsageError(
            f"{title}: color 'plastic'",
            "no part shows plastic strain.",
            "Nonlinear finite-element parts may; colour by displacement instead.",
        )
    return {
        n: np.zeros(len(d.displacement)) if d.plastic is None else d.plastic
        for n, d in parts.items()
    }


def _field(
    title: str, parts: Mapping[str, Deformed], color: str, most: float | None
) -> Field | None:
    """The values in the unit that suits the largest of them."""
    if color == "parts":
        return None
    values = values_of(title, parts, color)
    name, units, colors = _FIELDS[color]
    if most is None:
        most = max((float(v.max(initial=0.0)) for v in values.values()), default=0.0)
    fitting = [pair for pair in units if most >= pair[0]] or [units[-1]]
    size, unit = fitting[0] if most > 0.0 else units[0]
    scaled = {n: v / size for n, v in values.items()}
    return Field(name, unit, scaled, colors, most / size)


def plates_of(
    title: str, skins: Mapping[str, Skin], seen: Sequence[Seen]
) -> list[Plate]:
    """The pictures of a report: the parts, and the instant of the largest motion."""
    if not any(s.facets or len(s.bars) for s in skins.values()):
        return []
    rest = at_rest(title, skins)
    words = f"What the parts show of their surfaces: {rest.note}."
    found = [Plate("mesh", "Parts and interfaces", words, draw(rest))]
    if seen and size_of((most := largest(seen)).parts) > 0.0:
        found += _moving(title, skins, most)
    return found


def _moving(title: str, skins: Mapping[str, Skin], most: Seen) -> list[Plate]:
    shown = moved(title, skins, most)
    size = number(size_of(most.parts), "m")
    words = f"The largest displacement of the run, {size}, is at t = {most.t:.6g} s. "
    words += f"Drawn {shown.scale:g} times as large."
    found = [Plate("moved", "Largest motion", words, draw(shown))]
    if all(d.mises is not None for d in most.parts.values()):
        stress = draw(moved(title, skins, most, Look("stress")))
        words = "At the same instant; of shells the largest over the thickness."
        found.append(Plate("stress", "von Mises stress", words, stress))
    return found
