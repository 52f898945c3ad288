"""Colours: the Okabe-Ito palette and the inks, for light and for dark surroundings."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

INK, MUTED, GRID, PAPER = "#1f2933", "#66727f", "#dfe4ea", "#ffffff"

BLUE, VERMILION, GREEN = "#0072b2", "#d55e00", "#009e73"
PURPLE, ORANGE, SKY = "#cc79a7", "#e69f00", "#56b4e9"
SERIES = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)

# Okabe-Ito again, lifted so that every line keeps its hue and at least 5:1 on PAPER.
DARK: Mapping[str, str] = MappingProxyType(
    {
        INK: "#e6eaf0",
        MUTED: "#9aa7b4",
        GRID: "#323b46",
        PAPER: "#12161c",
        BLUE: "#4aa8e0",
        VERMILION: "#f07f3c",
        GREEN: "#2fc79a",
        PURPLE: "#e39ac2",
        ORANGE: "#f0b429",
        SKY: "#9bd6f7",
    }
)
"""What each light colour becomes in dark surroundings."""


def dark_rules() -> str:
    """CSS that recolours a drawing made in the light colours.

    Selects by the colour a style attribute names, so that the drawing itself stays
    plain and also shows in viewers that know nothing of CSS. No ancestor may be named
    here: markers live in the shadow tree of their `<use>`.
    """
    rules = [
        f'[style*="{prop}: {light}"]{{{prop}:{dark}!important}}'
        for light, dark in DARK.items()
        for prop in ("fill", "stroke")
    ]
    return "@media screen and (prefers-color-scheme:dark){" + "".join(rules) + "}"
