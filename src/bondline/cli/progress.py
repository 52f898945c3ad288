"""The progress of a run, on stderr and only where somebody watches."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bondline.cli.voice import Voice

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    from bondline.core import Frame

OFTEN = 0.05  # s between two looks


class Bar:
    """One line: time, bar, share, windows, iterations, gap, time left."""

    def __init__(self, bars: Bars, task: TaskID) -> None:
        self.bars, self.task = bars, task
        self.windows, self.iterations, self.gap, self.shown = 0, 0.0, 0.0, 0.0

    def __call__(self, frame: Frame) -> None:
        """Count, and redraw now and then."""
        if frame.window is not None:
            self.windows += 1
            self.iterations += frame.stats.get("iterations", 0.0)
            self.gap = frame.stats.get("gap", 0.0)
        now = time.monotonic()
        if now - self.shown >= OFTEN:
            self.shown = now
            self.draw(frame)

    def draw(self, frame: Frame) -> None:
        """Show where the run is."""
        mean = self.iterations / max(self.windows, 1)
        self.bars.update(
            self.task,
            completed=frame.n,
            t=f"{frame.t:.3f}",
            mean=f"{mean:.1f}",
            gap=f"{self.gap:.1e}",
        )


@contextmanager
def watching(
    voice: Voice, total: int, done: int = 0, wanted: bool = True
) -> Iterator[Bar | None]:
    """Something that shows progress, or None where nobody looks."""
    if not (wanted and sys.stderr.isatty()) or voice.quiet:
        yield None
        return
    with _bars(voice) as bars:
        task = bars.add_task("run", total=total, completed=done, t="0", mean="", gap="")
        yield Bar(bars, task)


def _bars(voice: Voice) -> Bars:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("t = {task.fields[t]} s"),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn("{task.completed}/{task.total} windows"),
        TextColumn("{task.fields[mean]} it"),
        TextColumn("gap {task.fields[gap]}"),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True, no_color=voice.color is False),
        expand=True,
        transient=True,
    )
