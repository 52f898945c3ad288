"""Imported once by the process that others are forked from: they have it at once."""

from __future__ import annotations

from importlib import import_module

from bondline.build import open_model
from bondline.cli.duration import seconds
from tests.chaos.conftest import EXAMPLES

for _name in (
    *("pytest", "psutil", "typer._adapters", "bondline.build.outline"),
    *("bondline.cli.entry", "bondline.cli.app", "bondline.cli.drive"),
    *("bondline.cli.serve", "bondline.run.refine"),
    *("bondline.remote.owner.server", "bondline.remote.client.placement"),
):
    import_module(_name)
open_model(EXAMPLES / "double_pendulum")
seconds("--step", "10ms")  # the table of units is long
