"""Memory of this process: gRPC gives a partner more of it than we can limit.

Headers that never end (CONTINUATION frames) are read as fast as they come, and no
option of gRPC's bounds what is kept of them meanwhile. So we look how much there is.
"""

from __future__ import annotations

import ctypes
import gc
import logging
import resource
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event

log = logging.getLogger("bondline.leaf")
_STATM = Path("/proc/self/statm")
_EVERY = 0.05  # s: a flood brings much between two looks


def resident() -> int:
    """Bytes of this process that are in memory; 0 where nobody says."""
    try:
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 0


def give_back() -> None:
    """What was freed, to the machine: the C library would keep it."""
    gc.collect()
    with suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


def watch(most: int, over: Event, shed: Callable[[], None]) -> None:
    """Call `shed` whenever so many bytes have come on; until it is over.

    What stays after that is the models' own, and from then on counts as before.
    """
    before = resident()
    while not over.wait(_EVERY):
        now = resident() or before  # 0: nobody could be asked just now
        before = min(before, now)
        if now - before > most:
            try:
                shed()
            except OSError:  # no file can be opened just now: at the next look
                log.exception("Connections could not be looked at.")
                continue
            over.wait(_EVERY)  # until what was dropped is freed
            give_back()
            before = resident()
