"""What a server says on standard error, on its way out: failed handshakes are noted.

A process of its own reads it and passes it on. A thread would lose the last words of a
server that crashes, which are the ones that count; this process goes on until it has
read everything.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from bondline.remote.log.audit import AuditLog
from bondline.remote.privacy.knocks import Knocks
from bondline.remote.trust.handshakes import Hearing

_CHUNK = 65536
_WAIT = 5.0  # s for the listener's end
_ERROR = 2


@contextmanager
def overheard(audit: Path, hidden: str = "") -> Iterator[None]:
    """While this holds, standard error goes through a listener."""
    out = os.dup(_ERROR)
    process = _started(audit, hidden, out)
    assert process.stdin is not None
    over = Event()
    os.dup2(process.stdin.fileno(), _ERROR)
    process.stdin.close()
    guard = Thread(target=_guard, args=(process, out, over), daemon=True)
    guard.start()
    try:
        yield
    finally:
        over.set()
        sys.stderr.flush()
        os.dup2(out, _ERROR)  # the listener hears the end, unless a child goes on
        guard.join(_WAIT)
        if not guard.is_alive():
            os.close(out)


def _started(audit: Path, hidden: str, out: int) -> subprocess.Popen[bytes]:
    words = [str(audit.absolute()), hidden]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", __name__, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=out,
        start_new_session=True,  # Ctrl-C is for the server
    )


def _guard(process: subprocess.Popen[bytes], out: int, over: Event) -> None:
    """If the listener dies, standard error is again what it was."""
    process.wait()
    if not over.is_set():
        os.dup2(out, _ERROR)
        _pass_on(b"warning  failed handshakes are no longer written down\n", _ERROR)


def listen(source: int, out: int, hearing: Hearing, knocks: Knocks) -> None:
    """Pass on until the other end is closed; note what there is to note."""
    while True:
        if select.select([source], [], [], knocks.due)[0]:
            raw = os.read(source, _CHUNK)
            if not raw:
                break
            _pass_on(hearing.hear(raw), out)
        _note(hearing, knocks)
    _pass_on(hearing.end(), out)
    _note(hearing, knocks)


def _note(hearing: Hearing, knocks: Knocks) -> None:
    for each in hearing.taken():
        knocks.enter(each)
    knocks.settle()


def _pass_on(raw: bytes, out: int) -> None:
    """All of it; whoever does not listen any more shall not stop the server."""
    left = memoryview(raw)
    while left:
        try:
            left = left[os.write(out, left) :]
        except BlockingIOError:
            select.select([], [out], [])
        except OSError:
            return


def main(audit: str, hidden: str) -> None:
    """Listen on standard input; it ends when nobody can speak any more."""
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)

    def lament(text: str) -> None:
        _pass_on(f"failed handshakes: {text}\n".encode(), _ERROR)

    knocks = Knocks(AuditLog(Path(audit), "owner"), lament=lament)
    listen(0, _ERROR, Hearing(hidden), knocks)
    knocks.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
