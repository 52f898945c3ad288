"""Ctrl-C and SIGTERM: the first one is remembered, a second one ends at once.

Until a run or a server listens for itself, the first raises `KeyboardInterrupt`. Code
of others may swallow that, in an import for example; so whoever listens later asks
whether there was one. Plain and light: this comes before everything else.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

NUMBERS = (signal.SIGINT, signal.SIGTERM)


class Heard:
    """The signal that came to this process, if one did."""

    listens = False  # only while a command does
    number = 0
    code = 0  # to leave with if there is another one

    def hear(self, number: int, frame: FrameType | None) -> None:
        """A signal came."""
        if self.number:
            os._exit(self.code)  # nothing is lost: what is kept is on the disk
        self.note(number, 128 + number)  # as shells have it
        raise KeyboardInterrupt

    def note(self, number: int, code: int) -> None:
        """One that is being answered: the next one ends the process with `code`."""
        if self.listens:
            self.number, self.code = number, code

    def begin(self, listens: bool) -> None:
        """With nothing heard: another command in this process, or none."""
        self.listens, self.number, self.code = listens, 0, 0


HEARD = Heard()


@contextmanager
def heeding(for_good: bool) -> Iterator[None]:
    """Hear both signals; `for_good`: also while Python ends.

    Who was started deaf to one (nohup, a job in the background) stays so, until a run
    or a server listens for itself.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say who hears signals
        return
    HEARD.begin(listens=True)
    mine = [n for n in NUMBERS if signal.getsignal(n) is not signal.SIG_IGN]
    before = {number: signal.signal(number, HEARD.hear) for number in mine}
    try:
        yield
    finally:
        if not for_good:
            HEARD.begin(listens=False)
            for number, old in before.items():
                signal.signal(number, old)


def leave(code: int) -> None:
    """End the process here with that code, where Python by itself might find another.

    While it ends, it hears signals no more: a second one would kill it, and an
    interrupt inside an `exec` makes it end as if SIGINT had. And threads of gRPC that
    are still in C++ then are unwound, which aborts the process (134). Closing channels
    is not enough: their threads end some time later.
    """
    if not HEARD.number and "grpc" not in sys.modules:
        return
    # what Python would do; there are no public names for it
    if not HEARD.number:
        with suppress(KeyboardInterrupt):  # who gives one waits for no thread
            threading._shutdown()  # type: ignore[attr-defined]
    HEARD.code = code
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)
