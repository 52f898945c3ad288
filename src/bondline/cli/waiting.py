"""What is said while a partner is waited for, on stderr."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from bondline.cli.voice import Voice, dim, fit


class _Shown(logging.Handler):
    """Passes on what the client says of partners who are away."""

    def __init__(self, voice: Voice) -> None:
        super().__init__()
        self.voice = voice

    def emit(self, record: logging.LogRecord) -> None:
        """One note; a stream that is closed stops no run."""
        with contextlib.suppress(OSError, ValueError):
            text = fit(record.getMessage(), 9, err=True)
            self.voice.note(f"{dim('waiting')}  {text}")


@contextmanager
def waiting_shown(voice: Voice) -> Iterator[None]:
    """While the block runs, the person hears who is waited for."""
    log, shown = logging.getLogger("bondline.partners"), _Shown(voice)
    before = log.propagate
    log.addHandler(shown)
    log.propagate = False  # said once
    try:
        yield
    finally:
        log.removeHandler(shown)
        log.propagate = before
