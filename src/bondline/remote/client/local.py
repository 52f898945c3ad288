"""The same protocol with a process of our own: another core, and contained crashes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence

from bondline.remote.client.line import Busy, LineDown, never
from bondline.remote.protocol import CONVERSE, DESCRIBE, PULSE
from bondline.wire.pipes import Child, ChildDied, ChildSilent
from bondline.wire.turns import others_first

_ONE_THREAD = {
    name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
}
_READING = 600.0  # s for a process to read its model
_LIVES = 3  # crashes of a process after which it is started again


class Pipe:
    """A line to a child process."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command, self._deaths, self._described = command, 0, b""
        self._child = Child(command, _ONE_THREAD)
        self.place = f"process {self._child.pid}"
        self._closed = False

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._child.pid

    def exchange(self, raw: bytes, patience: float, busy: Busy = never) -> bytes:
        """The reply to a request; a child that neither answers nor works is ended."""
        with self._explained():
            self._child.send(CONVERSE, raw)
            others_first()
            while True:
                with contextlib.suppress(ChildSilent):
                    return self._child.receive(CONVERSE, patience)
                if not busy():
                    self._closed = True
                    self._child.close(0.0)
                    raise LineDown("hung", f"no reply within {patience:.3g} s", True)

    def describe(self, raw: bytes, patience: float) -> bytes:
        """The process has to read its model first, which may take long."""
        self._described = raw
        with self._explained():
            return self._child.call(DESCRIBE, raw, max(patience, _READING))

    def pulse(self, raw: bytes, patience: float) -> bytes:
        """The reply to a `PulseRequest`, also while the child works."""
        with self._explained():
            return self._child.call(PULSE, raw, patience)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except ChildDied as died:
            final = self._closed or not self._described or not self._again()
            raise LineDown("died", str(died), final) from None
        except ChildSilent:
            raise LineDown("hung", "its process does not answer") from None

    def _again(self) -> bool:
        """Start another one, as somebody would a server; not again and again."""
        while self._deaths < _LIVES and not self._closed:
            self._deaths += 1
            self._child.close(0.0)
            self._child = Child(self._command, _ONE_THREAD)
            if self._closed:  # by another thread, which knew of the old one only
                self._child.close(0.0)
                return False
            self.place = f"process {self._child.pid}"
            with contextlib.suppress(ChildDied, ChildSilent):
                self._child.call(DESCRIBE, self._described, _READING)  # it is ready
                return True
        return False

    def while_idle(self, every: float, call: Callable[[], None]) -> None:
        """Nobody else can have the session of a child."""

    def explain(self) -> None:
        """There is nobody to distrust."""

    def hang_up(self) -> None:
        """A pipe has one stream only."""

    def close(self) -> None:
        """End the process."""
        self._closed = True
        self._child.close()
