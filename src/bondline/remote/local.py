"""The same protocol with a process of our own: another core, and contained crashes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

from bondline.remote.host import Host
from bondline.remote.line import Busy, LineDown, never
from bondline.wire.pipes import Child, ChildDied, ChildSilent, Frames

_ONE_THREAD = {
    name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
}
_CONVERSE, _DESCRIBE, _PULSE = range(3)


class Pipe:
    """A line to a child process."""

    def __init__(self, command: Sequence[str]) -> None:
        self._child = Child(command, _ONE_THREAD)
        self.place = f"process {self._child.pid}"

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._child.pid

    def exchange(self, raw: bytes, patience: float, busy: Busy = never) -> bytes:
        """The reply to a request; a child that neither answers nor works is ended."""
        with self._explained():
            self._child.send(_CONVERSE, raw)
            while True:
                with contextlib.suppress(ChildSilent):
                    return self._child.receive(_CONVERSE, patience)
                if not busy():
                    self._child.close(0.0)
                    raise LineDown("hung", f"no reply within {patience:.3g} s", True)

    def describe(self, raw: bytes, patience: float) -> bytes:
        """The process has to read its model first, which may take long."""
        with self._explained():
            return self._child.call(_DESCRIBE, raw, max(patience, 600.0))

    def pulse(self, raw: bytes, patience: float) -> bytes:
        """The reply to a `PulseRequest`, also while the child works."""
        with self._explained():
            return self._child.call(_PULSE, raw, patience)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except ChildDied as died:
            raise LineDown("died", str(died), True) from None
        except ChildSilent:
            raise LineDown("hung", "its process does not answer") from None

    def while_idle(self, every: float, call: Callable[[], None]) -> None:
        """Nobody else can have the session of a child."""

    def explain(self) -> None:
        """There is nobody to distrust."""

    def hang_up(self) -> None:
        """A pipe has one stream only."""

    def close(self) -> None:
        """End the process."""
        self._child.close()


def serve_pipe(frames: Frames, host: Host) -> None:
    """Answer what comes in, until the other end is closed."""

    def quick(kind: int, raw: bytes) -> bytes | None:
        return host.pulse(raw, "") if kind == _PULSE else None

    def slow(kind: int, raw: bytes) -> bytes:
        if kind == _DESCRIBE:
            return host.describe(raw, "")
        return host.answer(raw, "")[0]

    frames.answer(quick, slow)
