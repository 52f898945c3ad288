"""The door: light enough that Ctrl-C hardly ever comes before it is open."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from bondline.cli.halted import halted
from bondline.cli.signals import heeding, leave


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; its exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    with heeding(for_good=argv is None):
        try:
            from bondline.cli.entry import enter  # slow enough to be interrupted

            code = enter(args)
        except KeyboardInterrupt:
            code = halted(args)
        if argv is None:
            leave(code)
        return code
