"""The decks of the truck frame, read by a few lines of the test's own."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "truck_frame"
PARTS = (
    *("left_rail", "right_rail"),
    *("connector_1", "connector_2", "connector_3", "connector_4"),
)


@dataclass
class Plain:
    """Nodes, elements and node sets by the owner's numbers."""

    nodes: dict[int, np.ndarray] = field(default_factory=dict)
    elements: dict[int, tuple[int, ...]] = field(default_factory=dict)
    sets: dict[str, list[int]] = field(default_factory=dict)

    def points(self, nodes: list[int]) -> np.ndarray:
        return np.array([self.nodes[n] for n in nodes])


def text(part: str) -> str:
    return (FOLDER / "resources" / f"{part}.inp").read_text()


def plain(part: str) -> Plain:
    found, card, options = Plain(), "", {}
    for line in text(part).splitlines():
        if line.startswith("**"):
            continue
        words = [word.strip() for word in line.split(",")]
        if line.startswith("*"):
            card = words[0]
            options = dict(word.split("=") for word in words[1:] if "=" in word)
        elif card == "*NODE":
            found.nodes[int(words[0])] = np.array(words[1:], dtype=float)
        elif card == "*ELEMENT":
            found.elements[int(words[0])] = tuple(map(int, words[1:]))
        elif card == "*NSET":
            found.sets.setdefault(options["NSET"], []).extend(map(int, words))
    return found
