"""Halted: Ctrl-C where there is no run to keep."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from bondline.cli.signals import HEARD

CODE = 130  # what shells expect of a program that SIGINT ended; SIGTERM has 143


def halted(args: Sequence[str]) -> int:
    """Say that nothing came of the command; its exit code.

    Plain prints: the modules that speak may not be loaded yet.
    """
    what = "before a run began" if "run" in args else "before the command was done"
    if "--json" in args:
        print(json.dumps(_document(what, HEARD.code or CODE), indent=2))
    else:
        print(f"stopped  {what}", file=sys.stderr)
    return HEARD.code or CODE


def _document(what: str, code: int) -> dict[str, dict[str, str | int]]:
    return {
        "error": {
            "code": code,
            "kind": "Interrupted",
            "place": "bondline",
            "finding": f"stopped {what}.",
            "remedy": "Give the command again.",
        }
    }
