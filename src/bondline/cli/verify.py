"""`bondline verify`: is every bit of a run what it was?"""

from __future__ import annotations

from dataclasses import asdict

import typer

from bondline.cli.options import Json, RunName
from bondline.cli.voice import green, voice


def verify(ctx: typer.Context, name: RunName = "latest", json: Json = False) -> None:
    """Check that a run is what it was, to the bit.

    File, model, hash chain of the windows, checkpoints and certificate.
    """
    from bondline.run import find
    from bondline.run import verify as check

    mine = voice(ctx)
    verdict = check(find(mine.runs, name))
    mine.answer(
        {"ok": True, **asdict(verdict)},
        lambda: mine.say(
            f"{green('ok')}  {verdict.run}: {max(verdict.windows, 0)} windows, "
            f"{verdict.checkpoints} checkpoints\n    sha-256 {verdict.sha256}"
        ),
    )
