"""Secrets of the page: a link that works once, and the sessions it opens.

All are 256 random bits. Only their SHA-256 is kept, which suffices for random secrets,
and they are compared in constant time.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable

LINK_LIFE = 15 * 60.0  # s
SESSION_LIFE = 12 * 3600.0  # s
TRIES, SPAN = 10, 60.0  # wrong guesses that are heard in so many seconds


class Limit:
    """At most `tries` failures in `span` seconds; then nobody is heard for a while."""

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        tries: int = TRIES,
        span: float = SPAN,
    ) -> None:
        self.now, self.tries, self.span = now, tries, span
        self.failed: deque[tuple[float, bytes]] = deque()

    @property
    def reached(self) -> bool:
        """Whether there were too many failures lately."""
        while self.failed and self.now() - self.failed[0][0] > self.span:
            self.failed.popleft()
        return len(self.failed) >= self.tries

    def fail(self, what: bytes = b"") -> None:
        """Count one; the same thing once more is no new guess."""
        if not self.reached and not (what and any(w == what for _, w in self.failed)):
            self.failed.append((self.now(), what))


class Vault:
    """Hands out links and sessions, and knows them again."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self.limit = Limit(now)
        self.links: dict[bytes, float] = {}  # SHA-256: when it ends
        self.sessions: dict[bytes, float] = {}

    def link(self) -> str:
        """A token that opens one session."""
        return self._new(self.links, LINK_LIFE)

    def redeem(self, token: str) -> str | None:
        """The session that a token opens; None if it is wrong, spent or old.

        While the limit is reached no token is right.
        """
        if self.limit.reached:
            return None
        found = self._found(self.links, token)
        if found is None:
            self.limit.fail()
            return None
        del self.links[found]
        return self._new(self.sessions, SESSION_LIFE)

    def knows(self, session: str) -> bool:
        """Whether a session is open; a wrong one counts as a guess, once.

        A page that was left open asks on with a session that has ended.
        """
        if self._found(self.sessions, session) is not None:
            return True
        self.limit.fail(_digest(session))
        return False

    def close(self, session: str) -> None:
        """End a session."""
        found = self._found(self.sessions, session)
        if found is not None:
            del self.sessions[found]

    def _new(self, kept: dict[bytes, float], life: float) -> str:
        token = secrets.token_urlsafe(32)
        kept[_digest(token)] = self.now() + life
        return token

    def _found(self, kept: dict[bytes, float], token: str) -> bytes | None:
        for old in [d for d, end in kept.items() if end <= self.now()]:
            del kept[old]
        asked, found = _digest(token), None
        for known in kept:  # all of them, whichever it is
            if hmac.compare_digest(known, asked):
                found = known
        return found


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
