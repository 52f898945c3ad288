"""The door: light enough that Ctrl-C hardly ever comes before it is open."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from bondline.cli.halted import halted


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; its exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    try:
        from bondline.cli.entry import enter  # slow enough to be interrupted

        return enter(args)
    except KeyboardInterrupt:
        return halted(args)
