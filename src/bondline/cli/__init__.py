"""The command line: one small file a command, heavy imports inside the commands."""

from bondline.cli.entry import main

__all__ = ["main"]
