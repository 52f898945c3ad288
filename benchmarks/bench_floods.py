"""What does an honest session keep of its rate while somebody floods its server?

Each flood goes to the server of the session and, by turns, to another server on the
same machine: whoever floods takes processors from all. Windows of the session are
counted over all turns, and what is printed is their ratio. The flood is a process of
its own, with a certificate (none for half-open connections), and sends a hundred frames
at a time.
"""

from __future__ import annotations

import multiprocessing
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.chaos.test_memory import Going
from tests.remote.certificates import authority
from tests.remote.test_serve_command import flags, served
from tests.security import test_sec_17_floods as floods

from bondline.remote.client.dial import Dial
from bondline.remote.client.remote import remote_model
from bondline.remote.trust.tls import Credentials

HALF_OPEN = 500
FORKS = multiprocessing.get_context("forkserver")  # not a copy of gRPC's threads
FORKS.set_forkserver_preload(["tests.security.test_sec_17_floods"])
Flood = Callable[[str, Credentials, float], None]


def framed(name: str) -> Flood:
    def go(address: str, secrets: Credentials, seconds: float) -> None:
        made = getattr(floods, name)
        many = 1 if name == "continuations" else 100  # those are long already

        def batches():
            frames = made()
            while True:
                yield b"".join(next(frames) for _ in range(many))

        floods.flood(address, secrets, batches, seconds)

    return go


def half_open(address: str, secrets: Credentials, seconds: float) -> None:
    """Connections of whom nothing is heard."""
    host, _, port = address.partition(":")
    with ExitStack() as stack:
        for _ in range(HALF_OPEN):
            line = socket.create_connection((host, int(port)), 10.0)
            stack.enter_context(line)
        time.sleep(seconds)


FLOODS: dict[str, Flood] = {
    **{name: framed(name) for name in ("resets", "settings", "pings", "continuations")},
    "half-open": half_open,
}


def flooding(kind: str, address: str, secrets: Credentials, seconds: float) -> None:
    FLOODS[kind](address, secrets, seconds)


def windows(going: Going, kind: str, where: tuple[str, Credentials, float]) -> int:
    """Of the session, while a flood goes there."""
    before = going.n
    process = FORKS.Process(target=flooding, args=(kind, *where))
    process.start()
    while process.is_alive():
        going(1)
    process.join()
    return going.n - before


def share(kind: str, turns: int, seconds: float) -> tuple[int, int]:
    """Windows beside a flood of another server, and of the session's own."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        ca = authority(Path(name))
        owner, partner = ca.issue("owner"), ca.issue("integrator")
        addresses = []
        for each in ("mine", "other"):
            folder = Path(name, each)
            folder.mkdir()
            server = served(folder, "chain", *flags(owner))
            addresses.append(stack.enter_context(server)[0])
        mine, other = addresses
        part = remote_model("chain", Dial(mine, partner), "chain")
        going, beside, within = Going(part), 0, 0
        going(5)
        for _ in range(turns):
            beside += windows(going, kind, (other, partner, seconds))
            within += windows(going, kind, (mine, partner, seconds))
        part.close()
    return beside, within


def main(*words: str) -> None:
    """Print a table."""
    turns, seconds = (1, 0.3) if "--short" in words else (5, 1.0)
    print("flood          beside  within  share")
    for kind in FLOODS:
        beside, within = share(kind, turns, seconds)
        print(f"{kind:13}  {beside:6}  {within:6}  {within / beside:5.0%}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
