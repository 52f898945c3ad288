"""Cross-sections of beams from their dimensions.

Widths are along axis 1, heights along axis 2. Shear areas are those of no transverse
strain (ν = 0): of Cowper (1966) for solid shapes, from the energy of the shear flow for
thin walls. Walls are thin: their middle lines make the area and the moments exactly,
warping is free, so that torsion is Saint-Venant's.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, pi, tanh

import numpy as np

from bondline.core import Matrix, Vector
from bondline.errors import SettingError
from bondline.leaves.fe.sections import BeamSection, Material


@dataclass(frozen=True, eq=False)
class Profile:
    """What a cross-section is, about its centroid.

    `fibres` (k × 2) are the points at its edge, in axes 1 and 2, where stress is
    largest. `shear_centre` is from the centroid: beams twist about the centroid, so
    a load there turns a channel, as it should, only if its arm is modelled.
    """

    area: float
    I11: float
    I22: float
    J: float
    shear1: float = inf
    shear2: float = inf
    fibres: Matrix = field(default_factory=lambda: np.zeros((1, 2)))
    shear_centre: tuple[float, float] = (0.0, 0.0)

    def section(
        self,
        material: Material,
        direction: Vector,
        offset: tuple[float, float] = (0, 0),
    ) -> BeamSection:
        """A beam's section with axis 1 in this direction."""
        return BeamSection(
            material,
            self.area,
            self.I11,
            self.I22,
            self.J,
            np.asarray(direction, dtype=np.float64),
            self.shear1,
            self.shear2,
            offset,
        )

    def stress(self, resultants: Matrix) -> Matrix:
        """Axial stress at the fibres: N/A + M₁ x₂ / I₁₁ − M₂ x₁ / I₂₂.

        From N V1 V2 T M1 M2 along the last axis to one stress a fibre.
        """
        N, M1, M2 = (resultants[..., j, None] for j in (0, 4, 5))
        x1, x2 = self.fibres.T
        return np.asarray(N / self.area + M1 * x2 / self.I11 - M2 * x1 / self.I22)


def rectangle(width: float, height: float) -> Profile:
    """A full rectangle; its J is the series of Saint-Venant."""
    _positive("rectangle", width=width, height=height)
    b, h = width, height
    area, fibres = b * h, _corners(b, h)
    shear = 5.0 / 6.0 * area
    J = _rectangle_torsion(max(b, h), min(b, h))
    return Profile(area, b * h**3 / 12.0, h * b**3 / 12.0, J, shear, shear, fibres)


def circle(radius: float) -> Profile:
    """A full circle."""
    _positive("circle", radius=radius)
    return pipe(radius, radius)


def pipe(radius: float, wall: float) -> Profile:
    """A tube of any wall up to its outer radius."""
    _positive("pipe", radius=radius, wall=wall)
    _fits("pipe", wall <= radius, "the wall is thicker than the radius.")
    inner = radius - wall
    area = pi * (radius**2 - inner**2)
    second = pi * (radius**4 - inner**4) / 4.0
    m = (inner / radius) ** 2
    shear = area * 6.0 * (1.0 + m) ** 2 / (7.0 * (1.0 + m) ** 2 + 20.0 * m)
    ring = radius * np.array([(1, 0), (0, 1), (-1, 0), (0, -1)], dtype=np.float64)
    return Profile(area, second, second, 2.0 * second, shear, shear, ring)


def box(width: float, height: float, wall1: float, wall2: float) -> Profile:
    """A closed box, outer sizes; plates along axis 1 have `wall1`, along 2 `wall2`."""
    _positive("box", width=width, height=height, wall1=wall1, wall2=wall2)
    fits = 2 * wall1 < height and 2 * wall2 < width
    _fits("box", fits, "the walls fill the box.")
    b, h = width - wall2, height - wall1
    inner = (width - 2.0 * wall2, height - 2.0 * wall1)
    I11 = (width * height**3 - inner[0] * inner[1] ** 3) / 12.0
    I22 = (height * width**3 - inner[1] * inner[0] ** 3) / 12.0
    J = 2.0 * (b * h) ** 2 / (b / wall1 + h / wall2)  # Bredt, 4 A² / ∮ ds/t
    return Profile(
        width * height - inner[0] * inner[1],
        I11,
        I22,
        J,
        _box_shear(h, b, wall2, wall1),
        _box_shear(b, h, wall1, wall2),
        _corners(width, height),
    )


def i_profile(width: float, height: float, flange: float, web: float) -> Profile:
    """An I of equal flanges along axis 1 and a web along axis 2, outer sizes."""
    _positive("i_profile", width=width, height=height, flange=flange, web=web)
    fits = 2 * flange < height and web < width
    _fits("i_profile", fits, "the plates fill the rectangle.")
    clear, h = height - 2.0 * flange, height - flange
    I11 = (width * height**3 - (width - web) * clear**3) / 12.0
    I22 = (2.0 * flange * width**3 + clear * web**3) / 12.0
    J = (2.0 * width * flange**3 + clear * web**3) / 3.0
    along_flanges = 2.0 * _leg(width, flange, 0.0, flange * width**2 / 8.0, 0.0)
    half = flange * width / 2.0 * h / 2.0  # first moment where a flange meets the web
    up = 4.0 * _leg(width / 2.0, flange, 0.0, half / 2.0, half)
    up += _leg(h, web, 2.0 * half, 2.0 * half + web * h**2 / 8.0, 2.0 * half)
    thin1, thin2 = flange * width**3 / 6.0, 2.0 * width * flange * (h / 2.0) ** 2
    thin2 += web * h**3 / 12.0
    return Profile(
        2.0 * width * flange + clear * web,
        I11,
        I22,
        J,
        thin1**2 / along_flanges,
        thin2**2 / up,
        _corners(width, height),
    )


def channel(width: float, height: float, flange: float, web: float) -> Profile:
    """A channel: a web along axis 2 and two flanges that point along axis 1."""
    _positive("channel", width=width, height=height, flange=flange, web=web)
    fits = 2 * flange < height and web < width
    _fits("channel", fits, "the plates fill the rectangle.")
    clear, reach = height - 2.0 * flange, width - web
    area = height * web + 2.0 * reach * flange
    c = (height * web**2 / 2.0 + 2.0 * reach * flange * (web + reach / 2.0)) / area
    I11 = (width * height**3 - reach * clear**3) / 12.0
    I22 = (height * web**3 + 2.0 * flange * width**3 - 2.0 * flange * web**3) / 3.0
    I22 -= area * c**2
    J = (2.0 * reach * flange**3 + height * web**3) / 3.0
    b, h = width - web / 2.0, height - flange
    shear1, shear2, arm = _channel_shear(b, h, flange, web)
    edge = [(-c, -height / 2), (width - c, -height / 2)]
    edge += [(width - c, height / 2), (-c, height / 2)]
    centre = (web / 2.0 - c - arm, 0.0)
    return Profile(area, I11, I22, J, shear1, shear2, np.array(edge), centre)


def _channel_shear(
    b: float, h: float, flange: float, web: float
) -> tuple[float, float, float]:
    """Shear areas, and how far behind the web the shear centre is (middle lines)."""
    end = flange * b * h / 2.0
    I11 = 2.0 * end * h / 2.0 + web * h**3 / 12.0
    up = 2.0 * _leg(b, flange, 0.0, end / 2.0, end)
    up += _leg(h, web, end, end + web * h**2 / 8.0, end)
    area = 2.0 * b * flange + h * web
    c = b**2 * flange / area  # from the web
    I22 = 2.0 * flange * b**3 / 3.0 - area * c**2
    tip, middle = flange * b * (b / 2.0 - c), flange * b / 2.0 * (0.75 * b - c)
    along = 2.0 * _leg(b, flange, 0.0, middle, tip) + _leg(h, web, tip, 0.0, -tip)
    return I22**2 / along, I11**2 / up, flange * b**2 * h**2 / (4.0 * I11)


def _box_shear(b: float, h: float, flange: float, web: float) -> float:
    """The shear area along h of a closed box of middle lines b × h, by symmetry."""
    end = flange * b / 2.0 * h / 2.0
    second = 2.0 * b * flange * (h / 2.0) ** 2 + 2.0 * web * h**3 / 12.0
    flow = 4.0 * _leg(b / 2.0, flange, 0.0, end / 2.0, end)
    flow += 2.0 * _leg(h, web, end, end + web * h**2 / 8.0, end)
    return second**2 / flow


def _leg(length: float, wall: float, start: float, middle: float, end: float) -> float:
    """∫ Q²/t ds along a wall; its first moment Q is a parabola of three values."""
    linear, bend = end - start, start + end - 2.0 * middle
    mean = (start + 4.0 * middle + end) / 6.0
    return length / wall * (mean**2 + linear**2 / 12.0 + bend**2 / 45.0)


def _rectangle_torsion(a: float, b: float) -> float:
    """J of a × b, a ≥ b."""
    odd = range(1, 40, 2)
    series = sum(tanh(n * pi * a / (2.0 * b)) / n**5 for n in odd)
    return a * b**3 * (1.0 / 3.0 - 64.0 / pi**5 * b / a * series)


def _corners(width: float, height: float) -> Matrix:
    half = np.array([width, height]) / 2.0
    return np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) * half


def _positive(place: str, **sizes: float) -> None:
    for name, value in sizes.items():
        if not value > 0.0:
            raise SettingError(
                f"profile {place}",
                f"{name} = {value:g} is not a size.",
                "Give metres, more than zero.",
            )


def _fits(place: str, good: bool, finding: str) -> None:
    if not good:
        raise SettingError(
            f"profile {place}",
            finding,
            "Use `rectangle` or `circle`, or thinner walls.",
        )
