"""Things of a deck by name, whatever the case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from bondline.errors import DeckError, nearest

T = TypeVar("T")
SHOWN = 12


@dataclass
class Names(Generic[T]):
    """What has been defined; `what` says what it is, such as 'material'."""

    what: str
    found: dict[str, tuple[str, T]] = field(default_factory=dict)

    def put(self, name: str, thing: T) -> None:
        """Define a name, or define it anew; its first spelling stays."""
        spelt = self.found[name.upper()][0] if name.upper() in self.found else name
        self.found[name.upper()] = spelt, thing

    def find(self, name: str, scope: str = "") -> T | None:
        """The thing with that name, of an instance if it is there, if there is one."""
        inner = self.found.get(f"{scope}.{name}".upper()) if scope else None
        outer = self.found.get(name.upper())
        entry = inner or outer
        return entry[1] if entry else None

    def get(self, name: str, place: str, scope: str = "") -> T:
        """The thing with that name."""
        thing = self.find(name, scope)
        if thing is None:
            raise DeckError(
                place, f"there is no {self.what} {name!r}.", self._remedy(name)
            )
        return thing

    def spelt(self) -> Mapping[str, T]:
        """All things by their names as the deck spells them."""
        return dict(self.found.values())

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.found.values())

    def _remedy(self, name: str) -> str:
        names = list(self)
        close = nearest(name.upper(), [known.upper() for known in names[:1000]])
        hint = f"Did you mean {self.found[close][0]!r}? " if close else ""
        more = ", ..." if len(names) > SHOWN else ""
        known = ", ".join(sorted(names)[:SHOWN]) or "none"
        return f"{hint}Known: {known}{more}."
