"""Whether there is a way to a partner who does not answer."""

from __future__ import annotations

import socket
from queue import Empty, SimpleQueue
from threading import Thread

from bondline.remote.trust.address import there

_PATIENCE = 0.7  # s


class Knock:
    """A connection that is tried beside everything else, and dropped at once.

    The kernel of a machine takes one also where the server on it hangs. So who takes
    none is not hung: the network is cut, and may come back.
    """

    def __init__(self, address: str) -> None:
        self._there = there(address)
        self._found = SimpleQueue[str]()
        Thread(target=self._try, daemon=True).start()  # names take time to resolve

    def _try(self) -> None:
        try:
            socket.create_connection(self._there, _PATIENCE).close()
        except ConnectionRefusedError:
            self._found.put("refused")
        except OSError:
            self._found.put("unreachable")
        else:
            self._found.put("hung")

    def cause(self) -> str:
        """Of the silence: `hung`, `refused` or `unreachable`."""
        try:
            return self._found.get(timeout=_PATIENCE)
        except Empty:
            return "unreachable"


def why_silent(address: str, before: Knock | None = None) -> str:
    """The same for now; only who could be reached before as well is hung.

    Else the network was away while we waited, and has just come back.
    """
    then = "hung" if before is None else before.cause()
    return then if then != "hung" else Knock(address).cause()
