"""A model while a command needs it, with its parts at partners' if it has some there.

What is asked here keeps no run: a log of what partners sent is kept by `bondline run`
and `bondline static`, and by the partners themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bondline.cli.partners import Where, partners
from bondline.cli.say import warn
from bondline.cli.voice import Voice
from bondline.errors import SettingError

if TYPE_CHECKING:
    from bondline.build import Given, Opened
    from bondline.core import Model


@dataclass(frozen=True)
class Reached:
    """A model, and those of its parts that are not in this process."""

    opened: Opened
    elsewhere: Mapping[str, Model]

    def require(self, able: Callable[[Model], bool], what: str) -> None:
        """Refuse with the partner's name where its model does not offer `what`.

        The gluing would say so, too; but it does not know who is to be asked.
        """
        from bondline.remote.client.asking import Asking

        for model in self.elsewhere.values():
            if isinstance(model, Asking) and not able(model):
                raise SettingError(
                    str(model.link.partner),
                    f"its model does not offer {what}.",
                    "Ask its owner for a model that does (a linear structure, for "
                    "example), or simulate it in time with bondline run.",
                )

    def require_harmonic(self) -> None:
        """For whatever is asked at frequencies."""
        from bondline.core import Harmonic

        def swings(model: Model) -> bool:
            return isinstance(model, Harmonic) and model.capabilities.linear

        self.require(swings, "its answer at a frequency (receptance, of linear parts)")

    def require_static(self) -> None:
        """For rest under loads."""
        from bondline.core import Static

        rest = "where it rests under loads (equilibrium)"
        self.require(lambda model: isinstance(model, Static), rest)


@contextmanager
def reached(
    voice: Voice, model: Path, given: Given, placement: Path | None
) -> Iterator[Reached]:
    """The model of a file; sessions with partners end with the block."""
    from bondline.build import open_model, unheard

    store = voice.runs / ".leaves"  # as bondline run has it
    where = Where(placement, model=model, set=given.set, store=store)
    with partners(where, voice) as elsewhere:
        opened = open_model(model, given, elsewhere)
        warn(voice, unheard(opened, elsewhere))
        yield Reached(opened, elsewhere)
