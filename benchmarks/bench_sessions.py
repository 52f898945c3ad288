"""Many sessions on one server: windows a second of all together, against one alone.

The server is a process of its own; all coordinators share another, with its one
interpreter. What a window takes of either processor says which of the two is the limit.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from bondline.build import open_model
from bondline.remote.client.dial import Dial
from bondline.remote.client.remote import remote_model
from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served
from bondline.remote.owner.server import serve
from bondline.remote.owner.shelf import Shelf
from bondline.run import simulate

MODEL = Path(__file__).resolve().parents[1] / "examples" / "double_pendulum"
WINDOWS = 20


def session(port: int) -> None:
    """A run of its own, with its lower bar on the server."""
    lower = remote_model("lower", Dial(f"127.0.0.1:{port}", None), "lower")
    model = open_model(MODEL).model
    whole = replace(model, parts={**model.parts, "lower": lower})
    simulate(whole, 0.01 * WINDOWS, 0.01)
    lower.close()


def be_server() -> None:
    """The other process; says how long it worked whenever it is asked."""
    bar = Served("lower", lambda: open_model(MODEL).model.parts["lower"])
    with tempfile.TemporaryDirectory() as folder:
        limits, shelf = Limits(sessions=64), Shelf(Path(folder))
        server = serve(
            Host({"lower": bar}, limits=limits, shelf=shelf), "127.0.0.1:0", None
        )
        print(server.port, flush=True)
        for _ in sys.stdin:
            print(time.process_time(), flush=True)
        server.stop(1.0)


class Other:
    """The server's process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._ask, self._answer = process.stdin, process.stdout
        self.port = int(self._answer.readline())

    def worked(self) -> float:
        """Seconds on a processor."""
        self._ask.write("?\n")
        self._ask.flush()
        return float(self._answer.readline())


@contextmanager
def other_process() -> Iterator[Other]:
    command = [sys.executable, __file__, "--serve"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        yield Other(process)


def row(other: Other, sessions: int) -> str:
    """So many sessions at a time: windows a second, milliseconds a window."""
    began, here, there = time.perf_counter(), time.process_time(), other.worked()
    with ThreadPoolExecutor(sessions) as pool:
        list(pool.map(lambda _: session(other.port), range(sessions)))
    windows = sessions * WINDOWS
    rate = windows / (time.perf_counter() - began)
    ours = 1e3 * (time.process_time() - here) / windows
    theirs = 1e3 * (other.worked() - there) / windows
    return f"{sessions:8d}  {rate:16.0f}  {ours:15.2f}  {theirs:9.2f}"


def main(most: str = "64") -> None:
    """Print a table."""
    with other_process() as other:
        row(other, 1)
        print("sessions  windows a second  coordinators ms  server ms")
        for sessions in (n for n in (1, 8, 64) if n <= int(most)):
            print(row(other, sessions))
        print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--serve"]:
        be_server()
    else:
        main(*sys.argv[1:])
