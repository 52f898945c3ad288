"""How a state came about: what time it is there, and what moved the ports until then.

That belongs to the state, not to the order of requests: who goes on from an older
state, or calls its windows by other times, has the trail of that state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from bondline.core import Matrix, Signal
from bondline.wire import CodecError, pack, unpack

_LEAST = 4  # trails that are kept where nobody watches, for who begins to


class Moved(NamedTuple):
    """One window, and how it moves the ports."""

    t0: float
    step: float
    inputs: Mapping[str, Signal]


class Channel(NamedTuple):
    """What a port was told, before which it was at rest."""

    past: Matrix  # the last inputs, oldest first
    peak: float = 0.0  # the largest norm that as many inputs ever had
    seen: int = 0


Channels: TypeAlias = Mapping[str, Channel]


@dataclass(eq=False)
class Trail:
    """Of one state; a value, but for what its owner's gate has found of it.

    `moved` are the windows since `before`. Who watches them takes them in: from then on
    `channels` is all that is known.
    """

    t: float | None = None  # s; None: nobody knows
    moved: Sequence[Moved] = ()
    before: Trail | None = None
    channels: Channels | None = None

    def after(self, t: float, moved: Sequence[Moved]) -> Trail:
        """Of a state that these windows lead to."""
        return Trail(t, moved, self._cut(_LEAST))

    def due(self) -> list[Trail]:
        """Trails that nobody has taken in, oldest first; this one is the last."""
        found: list[Trail] = []
        trail: Trail | None = self
        while trail is not None and trail.channels is None:
            found.append(trail)
            trail = trail.before
        return found[::-1]

    def take_in(self, channels: Channels) -> None:
        """What is known of it, with its own windows."""
        self.channels, self.moved, self.before = channels, (), None

    def _cut(self, most: int) -> Trail:
        """The same; what is older than so many trails is forgotten."""
        due = self.due()
        if len(due) > most:
            due[0].before, due[-most].before = None, None
        return self


def packed(trail: Trail) -> bytes:
    """For a checkpoint: what is due is kept as it was told."""
    due = trail.due()
    last = due[0].before if due else trail
    known = last.channels if last is not None else None
    tree: Any = {
        "t": trail.t,
        "channels": {
            port: [c.past, c.peak, c.seen] for port, c in (known or {}).items()
        },
        "moved": [
            [m.t0, m.step, {port: s.coefficients for port, s in m.inputs.items()}]
            for each in due
            for m in each.moved
        ],
    }
    return pack(tree)


def unpacked(raw: bytes) -> Trail:
    """What `packed` wrote; raises `CodecError`."""
    tree: Any = unpack(raw)
    try:
        channels = {port: Channel(*told) for port, told in tree["channels"].items()}
        moved = [
            Moved(t0, step, {port: Signal(told) for port, told in inputs.items()})
            for t0, step, inputs in tree["moved"]
        ]
        return Trail(tree["t"], moved, Trail(channels=channels))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CodecError(f"This is no trail: {error!r}.") from error
