"""When slopes are asked for: mostly where they were in the window before."""

from __future__ import annotations

from collections.abc import Mapping

from bondline.core import Flexibility, Signal, Window

Key = tuple[int, Window, tuple[tuple[str, bytes], ...]]


def key_of(state: int, window: Window, inputs: Mapping[str, Signal]) -> Key:
    """What a slope belongs to."""
    told = ((port, s.coefficients.tobytes()) for port, s in inputs.items())
    return state, window, tuple(told)


class Habit:
    """Counts the advances of a window, and those after which a slope was wanted.

    If it was wanted after the second one, it is asked for along with the second one of
    the next window: one round trip less. A wrong guess costs the owner a slope, once.
    """

    def __init__(self) -> None:
        self._window: Window | None = None
        self._places: dict[Key, int] = {}
        self._wanted: set[int] = set()
        self._before: set[int] = set()
        self._known: tuple[Key, Flexibility] | None = None

    def advancing(self, key: Key) -> bool:
        """Whether the slope will probably be wanted, too."""
        if key[1] != self._window:
            self._window, self._places = key[1], {}
            self._before, self._wanted = self._wanted, set()
        self._places.setdefault(key, len(self._places))
        return self._places[key] in self._before

    def came(self, key: Key, G: Flexibility) -> None:
        """A slope that was asked for along with an advance."""
        self._known = (key, G)

    def wanted(self, key: Key) -> Flexibility | None:
        """The slope, if it is here already."""
        if key in self._places:
            self._wanted.add(self._places[key])
        if self._known is not None and self._known[0] == key:
            return self._known[1]
        return None
