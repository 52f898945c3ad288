"""What `bondline sweep` and `bondline sweeps` show."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bondline.cli.called import called
from bondline.cli.files import short
from bondline.cli.voice import Voice, bold, dim, fit, green, red, yellow

if TYPE_CHECKING:
    from bondline.sweep import Standing, Sweep

_MOST = 5  # reasons that are told


def plain(standing: Standing) -> dict[str, Any]:
    """Where a sweep stands, as JSON."""
    return {
        "sweep": standing.id,
        "path": str(standing.path.resolve()),
        "model": standing.model,
        "created": standing.created,
        "status": standing.status,
        "message": standing.message,
        "total": standing.total,
        "counts": dict(standing.counts),
    }


def counts(standing: Standing) -> str:
    """How many variants have which status, coloured."""
    paint = {"done": green, "failed": red}
    pairs = standing.counts.items()
    return ", ".join(paint.get(s, yellow)(f"{n} {s}") for s, n in pairs if n)


def outcome(
    voice: Voice, sweep: Sweep, standing: Standing, files: Sequence[Path]
) -> None:
    """What came of a sweep, and where it is."""
    voice.print(
        f"{bold(standing.status)}  {standing.total} variants: {counts(standing)}"
    )
    failures(voice, sweep)
    for file in files:
        voice.say(f"wrote {short(file)}")
    done = next(iter(sweep.variants("done")), None)
    if done:
        words = f"{called()} sweeps show {sweep.id}   {called()} report {done.run}"
        voice.say(f"next  {words}")


def failures(voice: Voice, sweep: Sweep) -> None:
    """Why variants failed, the most frequent reason first."""
    failed = sweep.variants("failed")
    numbers = {v.why: v.k for v in reversed(failed)}
    reasons = Counter(v.why for v in failed)
    for why, n in reasons.most_common(_MOST):
        words = fit(f"{n} × {why} (first: variant {numbers[why]})", 8)
        voice.print(f"{red('failed')}  {words}")
    if len(reasons) > _MOST:
        voice.print(dim(f"        {len(reasons) - _MOST} more reasons in the table"))


@contextmanager
def watching(
    voice: Voice, sweep: Sweep, wanted: bool
) -> Iterator[Callable[[Standing], None] | None]:
    """A bar of variants where somebody looks; None where nobody does."""
    if not (wanted and sys.stderr.isatty()) or voice.quiet:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Left

    with Progress(
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("variants {task.fields[said]}"),
        Left(compact=True),
        console=Console(stderr=True, no_color=voice.color is False),
        expand=True,
        transient=True,
    ) as bars:
        now = sweep.standing
        task = bars.add_task("sweep", total=now.total, completed=now.finished, said="")

        def show(standing: Standing) -> None:
            failed = standing.counts.get("failed", 0)
            said = f"({failed} failed)" if failed else ""
            bars.update(task, completed=standing.finished, said=said)

        yield show
