"""A bar for work that has a known number of steps, where somebody watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bondline.cli.voice import Voice


@contextmanager
def steps(
    voice: Voice, total: int, what: str = "studies"
) -> Iterator[Callable[[], None]]:
    """Call what you get after each step."""
    if voice.quiet or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        console=Console(stderr=True, no_color=voice.color is False),
        expand=True,
        transient=True,
    ) as bars:
        task = bars.add_task(what, total=total)
        yield lambda: bars.advance(task)
