"""What a server puts up with."""

from __future__ import annotations

from dataclasses import dataclass

MESSAGE = 4 * 2**20  # bytes of one request or reply
GROWTH = 512 * 2**20  # bytes of memory, after which connections are made anew
REMEMBERED = 16  # flexibilities that both sides keep, one a window length


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Sizes, counts and times; beyond them is RESOURCE_EXHAUSTED."""

    message: int = MESSAGE
    sessions: int = 8
    states: int = 4096  # named and not released, in one session
    per_second: float = float("inf")  # requests of one session
    lease: float = 60.0  # s that a session may be silent
    silence: float = 20.0  # s until who connects, or calls, must have said something
    growth: int = GROWTH
