"""What `bondline leaf serve` was given, checked before anything is served."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from bondline.errors import UsageError


def check_seconds(given: Mapping[str, float]) -> None:
    """Refuse times that are not above 0, or never end."""
    for flag, value in given.items():
        if not 0.0 < value < math.inf:
            raise UsageError(
                f"{flag} {value:g}",
                "this is not a number above 0 that a server can count to.",
                f"Give seconds, for example {flag} 60, or leave it out.",
            )


def check_names(names: Sequence[str]) -> None:
    """Refuse names that no policy and no partner should have to spell."""
    from bondline.description.stored import NAME  # loads numpy, which takes long

    served = re.compile(rf"{NAME.pattern}(\.{NAME.pattern})*")  # rear.axle is a part
    for k, name in enumerate(names):
        if not served.fullmatch(name):
            raise UsageError(
                f"bondline leaf serve {name!r}",
                "this cannot be the name of a served model.",
                "Give one as NAME=MODEL: a-z, 0-9, _ and -, at most 64 of them, the "
                "first a letter or a digit.",
            )
        if name in names[:k]:
            raise UsageError(
                f"bondline leaf serve {name!r}",
                "two models have this name, and only one could be served.",
                "Give each a name of its own: NAME=MODEL.",
            )
