"""The same protocol with a process of our own: another core, and contained crashes."""

from __future__ import annotations

from collections.abc import Sequence

from bondline.remote.host import Host
from bondline.remote.line import LineDown
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

    def exchange(self, raw: bytes, patience: float) -> bytes:
        """The reply to a request."""
        return self._call(_CONVERSE, raw, patience)

    def describe(self, raw: bytes, patience: float) -> bytes:
        """The process has to read its model first, which may take long."""
        return self._call(_DESCRIBE, raw, max(patience, 600.0))

    def pulse(self, raw: bytes, patience: float) -> bytes:
        """The reply to a `PulseRequest`."""
        return self._call(_PULSE, raw, patience)

    def _call(self, kind: int, raw: bytes, patience: float) -> bytes:
        try:
            return self._child.call(kind, raw, patience)
        except ChildDied as died:
            raise LineDown("died", str(died)) from None
        except ChildSilent:
            # what comes later would be taken for the answer to something else
            self._child.close(0.0)
            raise LineDown("died", f"no reply within {patience:.3g} s") from None

    def explain(self) -> None:
        """There is nobody to distrust."""

    def hang_up(self) -> None:
        """A pipe has one stream only."""

    def close(self) -> None:
        """End the process."""
        self._child.close()


def serve_pipe(frames: Frames, host: Host) -> None:
    """Answer what comes in, until the other end is closed."""
    answers = {
        _CONVERSE: lambda raw: host.answer(raw, "")[0],
        _DESCRIBE: lambda raw: host.describe(raw, ""),
        _PULSE: lambda raw: host.pulse(raw, ""),
    }
    frames.answer(lambda kind, raw: answers[kind](raw) if kind in answers else b"")
