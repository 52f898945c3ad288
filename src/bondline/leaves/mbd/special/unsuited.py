"""Why a mechanism, or a part of its equations, has no kernel of its own."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Unsuited:
    """The general kernel does it; `why` continues "because ...", without a stop."""

    why: str
