"""Stopping: the first Ctrl-C or SIGTERM asks, the second one insists."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bondline.cli.voice import Voice


class Stop:
    """Whether somebody asked to stop."""

    def __init__(self, voice: Voice) -> None:
        self.voice, self.asked = voice, False

    def __call__(self) -> bool:
        """Yes or no; a run asks between windows."""
        return self.asked

    def hear(self, number: int, frame: FrameType | None) -> None:
        """A signal came."""
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
        self.voice.note("finishing the window ... (once more to stop at once)")


@contextmanager
def listening(voice: Voice) -> Iterator[Stop]:
    """Hear SIGINT and SIGTERM while the block runs."""
    stop = Stop(voice)
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, stop.hear) for number in numbers]
    try:
        yield stop
    finally:
        for number, old in zip(numbers, before, strict=True):
            signal.signal(number, old)
