"""The three streams of a process, also where somebody closed them."""

from __future__ import annotations

import os
import sys


def open_streams() -> None:
    """Let every closed stream lead nowhere.

    Python has None in place of a stream that was closed before it started. In this
    order the three get their own numbers back, and no file of a run gets one.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


def hush() -> None:
    """Nobody reads stdout any more: let the interpreter flush into nothing."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
