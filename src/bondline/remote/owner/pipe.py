"""A host for the process that started this one, over a pipe."""

from __future__ import annotations

from bondline.remote.owner.host import Host
from bondline.remote.protocol import DESCRIBE, PULSE
from bondline.wire.pipes import Frames


def serve_pipe(frames: Frames, host: Host) -> None:
    """Answer what comes in, until the other end is closed."""

    def quick(kind: int, raw: bytes) -> bytes | None:
        return host.pulse(raw, "") if kind == PULSE else None

    def slow(kind: int, raw: bytes) -> bytes:
        if kind == DESCRIBE:
            return host.describe(raw, "")
        return host.answer(raw, "")[0]

    frames.answer(quick, slow)
