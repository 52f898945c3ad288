"""How many conversations each partner has at a time: nobody can have them all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock


@dataclass
class Crowd:
    """Who talks to a server; at most `most` conversations each."""

    most: int
    _talking: Counter[str] = field(default_factory=Counter)
    _lock: Lock = field(default_factory=Lock)

    @contextmanager
    def one_more(self, who: str) -> Iterator[bool]:
        """Whether there is room for another one of theirs, which lasts as long."""
        with self._lock:
            room = self._talking[who] < self.most
            if room:
                self._talking[who] += 1
        try:
            yield room
        finally:
            with self._lock:
                if room:
                    self._talking[who] -= 1
                if not self._talking[who]:
                    del self._talking[who]
