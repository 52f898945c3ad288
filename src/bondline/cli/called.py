"""How a tool of the environment is called from where the user is."""

from __future__ import annotations

import os
import shlex

THROUGH = "BONDLINE_RUN"  # the ./run script that called us, as it was called


def called(tool: str = "bondline") -> str:
    """The words that call a tool: of a clone, `./run bondline`."""
    script = os.environ.get(THROUGH, "")
    return f"{shlex.quote(script)} {tool}" if script else tool
