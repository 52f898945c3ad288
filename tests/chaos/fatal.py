"""A server whose model ends its process by SIGKILL, once, before or after a solve."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bondline.core import Model
from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host, Open
from bondline.remote.owner.server import serve
from bondline.remote.owner.shelf import Shelf
from bondline.remote.trust.tls import Credentials
from tests.remote.conftest import parts_of

SOLVES = ("advance", "respond", "linearise")


def serve_fatal(
    service: tuple[Path, Path, Credentials, Limits],
    at: tuple[str, int],
    told: Connection,
) -> None:
    """Serve the parts of a model; the process dies `at` before or after solve n."""
    model, store, secrets, limits = service
    left = [at[1]]
    parts = {
        name: replace(part, make=lambda part=part: fatal(part.make(), at[0], left))
        for name, part in parts_of(model).items()
    }
    host = Host(parts, Open(), limits, Shelf(store))
    server = serve(host, "127.0.0.1:0", secrets)
    told.send(server.port)
    server.wait()


def fatal(model: Model, when: str, left: list[int]) -> Model:
    """The same model; `left` counts its solves down."""
    mine = copy(model)
    solves = {n: _dying(n, when, left) for n in SOLVES if hasattr(model, n)}
    kind = type(type(model).__name__, (type(model),), solves)
    object.__setattr__(mine, "__class__", kind)  # a frozen value
    return mine


def _dying(name: str, when: str, left: list[int]) -> Callable[..., Any]:
    def solve(self: Any, *args: Any, **more: Any) -> Any:
        left[0] -= 1
        if left[0] == 0 and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        done = getattr(super(type(self), self), name)(*args, **more)
        if left[0] == 0 and when == "after":
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    return solve
