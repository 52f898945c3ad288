"""A rung of the ladder: what was found, what it should be, and how close is enough."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rung:
    """One case on one mesh.

    `value` is that of the uncut model; it passes if value / reference is in `gate`.
    `glued` is how far the glued model is from the uncut one, relative; `deck` the same
    for the model written as a deck and read again. Where gluing refuses, `glued` is
    infinite. `excuse` says why a rung does not pass: it has one if and only if.
    """

    case: str
    name: str
    reference: float
    value: float
    gate: tuple[float, float]
    glued: float | None
    gluing_gate: float
    cut: str
    dofs: int
    source: str
    deck: float | None = None
    excuse: str = ""

    @property
    def ratio(self) -> float:
        """Value by reference; the value itself where the reference is zero."""
        return self.value / self.reference if self.reference else self.value

    @property
    def meets(self) -> bool:
        """The uncut model meets the reference."""
        return self.gate[0] <= self.ratio <= self.gate[1]

    @property
    def sticks(self) -> bool:
        """The glued model is the uncut one, and so is the deck."""
        glued = self.glued is None or self.glued <= self.gluing_gate
        most = max(DECK, self.gluing_gate)
        return glued and (self.deck is None or self.deck <= most)

    @property
    def passes(self) -> bool:
        """Both."""
        return self.meets and self.sticks


DECK = 1e-8  # decks have all digits, but another order of nodes and elements


def within(share: float) -> tuple[float, float]:
    """A gate around 1."""
    return 1.0 - share, 1.0 + share
