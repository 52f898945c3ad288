"""A process that serves a chain and once wants more memory than there is.

`python -m tests.chaos.hungry raise|die MARK`: in its 20th window it allocates until its
limit of address space is reached. Then it raises what Python raises, or it ends by
SIGKILL, as the kernel ends whoever exhausts a cgroup. The file MARK says that this has
been; nothing happens twice.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from pathlib import Path

import numpy as np

from bondline.core import Model
from bondline.leaves import chain
from bondline.remote.owner.host import Host
from bondline.remote.owner.pipe import serve_pipe
from bondline.remote.owner.served import Served
from bondline.wire.pipes import Frames

MORE = 64 * 2**20  # bytes beyond what the process has
WINDOW = 20


class Hungry:
    """A chain, once hungry."""

    def __init__(self, inner: Model, end: str, mark: Path) -> None:
        self.inner, self.end, self.mark = inner, end, mark

    def __getattr__(self, name: str):
        return getattr(self.inner, name)

    def respond(self, state, window, inputs):
        if window.t0 >= WINDOW * window.h and not self.mark.exists():
            self.mark.touch()
            self.exhaust()
        return self.inner.respond(state, window, inputs)

    def exhaust(self) -> None:
        before = resource.getrlimit(resource.RLIMIT_AS)
        size = resource.getpagesize() * int(
            Path("/proc/self/statm").read_text().split()[0]
        )
        resource.setrlimit(resource.RLIMIT_AS, (size + MORE, before[1]))
        rows = []
        try:
            while True:
                rows.append(np.ones(2**20))
        except MemoryError:
            if self.end == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            raise
        finally:
            rows.clear()
            resource.setrlimit(resource.RLIMIT_AS, before)


if __name__ == "__main__":
    _, end, mark = sys.argv
    model = Hungry(chain("chain"), end, Path(mark))
    serve_pipe(Frames(), Host({"chain": Served("chain", lambda: model)}))
