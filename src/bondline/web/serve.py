"""Serving: the application on a socket of this machine until somebody stops it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import uvicorn

from bondline.errors import UsageError
from bondline.web.app import make_app
from bondline.web.guard import Door
from bondline.web.vault import Vault


def serve(folder: Path, door: Door, ready: Callable[[str], None]) -> None:
    """Serve the page; `ready` gets the link that opens it, once.

    Port 0 takes any that is free.
    """
    with closing(_bound(door)) as bound:
        door = Door(door.host, bound.getsockname()[1], door.read_only)
        vault = Vault()
        app = make_app(folder, door, vault)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,  # it would tell tokens
            server_header=False,
            ws_max_size=65_536,
            timeout_graceful_shutdown=2,
        )
        ready(f"http://{door.hosts[0]}/?token={vault.link()}")
        with suppress(KeyboardInterrupt):  # Ctrl-C is how one ends it
            uvicorn.Server(config).run(sockets=[bound])


def _bound(door: Door) -> socket.socket:
    own = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        own.bind((door.host, door.port))
    except OSError as error:
        own.close()
        raise UsageError(
            f"bondline ui --port {door.port}",
            f"the port cannot be had ({error.strerror}).",
            "Take another one, or 0 for any; another page may be open already.",
        ) from error
    own.listen(128)
    return own
