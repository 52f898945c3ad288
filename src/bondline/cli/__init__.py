"""The command line: one small file a command, heavy imports inside the commands."""

from bondline.cli.door import main

__all__ = ["main"]
