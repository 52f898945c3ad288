"""What `bondline advise` says of partners: how long a run waits for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from bondline.cli.duration import show
from bondline.cli.tables import table
from bondline.cli.voice import Voice, bold, fit

if TYPE_CHECKING:
    from bondline.core import Model

_BLOCK = 50  # windows


@dataclass(frozen=True)
class _Far:
    """One part that is elsewhere."""

    part: str
    partner: str
    round_trip: float  # s, the shortest so far
    blocks: bool  # whether its model is linear, and goes many windows at once


@dataclass(frozen=True)
class Waiting:
    """For partners, who are asked at the same time, once a window or once a block."""

    windows: int
    each: tuple[_Far, ...]

    @classmethod
    def of(cls, elsewhere: Mapping[str, Model], windows: int) -> Waiting:
        """After they were asked something."""
        from bondline.core import Blocked
        from bondline.remote.client.asking import Asking

        far = [
            _Far(
                name,
                model.link.partner.place,
                model.link.shortest,
                isinstance(model, Blocked) and model.capabilities.linear,
            )
            for name, model in elsewhere.items()
            if isinstance(model, Asking)
        ]
        return cls(windows, tuple(far))

    @property
    def longest(self) -> float:
        """Round trip, s: the others have answered by then."""
        return max(far.round_trip for far in self.each)

    @property
    def least(self) -> float:
        """How long a run waits for them at least, window by window, s."""
        return self.windows * self.longest

    def plain(self) -> dict[str, Any]:
        """As plain data; nothing without partners."""
        if not self.each:
            return {}
        parts = {
            far.part: {
                "partner": far.partner,
                "round_trip": far.round_trip,
                "blocks": far.blocks,
            }
            for far in self.each
        }
        told = {"parts": parts, "windows": self.windows, "least": self.least}
        return {"partners": told}

    def show(self, mine: Voice) -> None:
        """In words, and a table."""
        if not self.each:
            return
        mine.print(bold("Partners"))
        for sentence in (self._one_by_one(), self._in_blocks()):
            mine.print(f"  {fit(sentence, 2)}")
        rows = [(f.part, f.partner, _about(f.round_trip)) for f in self.each]
        table(mine, ("part", "at", "shortest round trip"), rows, indent=4)

    def _one_by_one(self) -> str:
        return (
            f"Every window asks them at least once, all at the same time: "
            f"{self.windows:,} windows wait for {_about(self.least)} or longer."
        )

    def _in_blocks(self) -> str:
        bound = [far.part for far in self.each if not far.blocks]
        if bound:
            names = ", ".join(bound)
            return f"Windows go one by one: {names} cannot go many at once."
        least = _about(ceil(self.windows / _BLOCK) * self.longest)
        return (
            f"With --block {_BLOCK} they are asked once for {_BLOCK} windows: {least}. "
            f"Their owners have to grant that (blocks = {_BLOCK} in a policy)."
        )


def _about(duration: float) -> str:
    return show(float(f"{duration:.2g}"))
