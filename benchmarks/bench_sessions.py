"""Many sessions on one server: windows a second of all together, against one alone."""

from __future__ import annotations

import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from bondline.build import open_model
from bondline.remote.client import remote_model
from bondline.remote.dial import Dial
from bondline.remote.host import Host
from bondline.remote.limits import Limits
from bondline.remote.served import Served
from bondline.remote.server import serve
from bondline.remote.shelf import Shelf
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


def rate(port: int, sessions: int) -> float:
    """Windows a second of so many sessions at a time."""
    began = time.perf_counter()
    with ThreadPoolExecutor(sessions) as pool:
        list(pool.map(lambda _: session(port), range(sessions)))
    return sessions * WINDOWS / (time.perf_counter() - began)


def main(most: str = "64") -> None:
    """Print a table."""
    bar = Served("lower", lambda: open_model(MODEL).model.parts["lower"])
    with tempfile.TemporaryDirectory() as folder:
        host = Host(
            {"lower": bar}, limits=Limits(sessions=64), shelf=Shelf(Path(folder))
        )
        server = serve(host, "127.0.0.1:0", None)
        rate(server.port, 1)
        print("sessions  windows a second")
        for sessions in (n for n in (1, 8, 64) if n <= int(most)):
            print(f"{sessions:8d}  {rate(server.port, sessions):8.0f}")
        server.stop(1.0)


if __name__ == "__main__":
    main(*sys.argv[1:])
