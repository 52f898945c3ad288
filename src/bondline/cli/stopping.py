"""Stopping: the first Ctrl-C or SIGTERM asks, the second one insists."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bondline.cli.signals import HEARD, NUMBERS
from bondline.cli.voice import Voice
from bondline.errors import Interrupted


class Stop:
    """Whether somebody asked to stop; `words` are what is said to that."""

    def __init__(self, voice: Voice, words: str) -> None:
        self.voice, self.words = voice, words
        self.asked, self.told = bool(HEARD.number), False  # perhaps before we listened

    def __call__(self) -> bool:
        """Yes or no; a run asks between windows."""
        if self.asked and not self.told:
            self.told = True
            self.voice.note(f"{self.words} ... (once more to stop at once)")
        return self.asked

    def hear(self, number: int, frame: FrameType | None) -> None:
        """A signal came.

        Nothing is said here: the signal may have come in the middle of a write to the
        same stream, which must not be entered twice.
        """
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        HEARD.note(number, Interrupted.exit_code)


@contextmanager
def listening(voice: Voice, words: str = "keeping what is done") -> Iterator[Stop]:
    """Hear SIGINT and SIGTERM while the block runs."""
    stop = Stop(voice, words)
    before = [signal.signal(number, stop.hear) for number in NUMBERS]
    try:
        yield stop
    finally:
        for number, old in zip(NUMBERS, before, strict=True):
            signal.signal(number, old)
