"""Processes of our own, talked to over pipes: one frame there, one frame back.

A frame is its length (uint32, little-endian), one byte that says what it is, and its
bytes. The child's standard output carries frames only; what it prints goes to its
standard error.
"""

from __future__ import annotations

import os
import select
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from time import monotonic

_HEAD = struct.Struct("<IB")
MOST = 256 * 2**20  # bytes of a frame


class ChildDied(Exception):
    """The process ended; the text says how."""


class ChildSilent(Exception):
    """The process did not answer in time."""


class Child:
    """A process that answers frames."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str] | None = None):
        self._process = subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, **(env or {})},
            start_new_session=True,  # a Ctrl-C is for us; we end it in order
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to = self._process.stdin.fileno()
        self._from = self._process.stdout.fileno()

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    def call(self, kind: int, payload: bytes, patience: float) -> bytes:
        """What the process answers to a frame, within `patience` seconds."""
        until = monotonic() + patience
        try:
            _write(self._to, _HEAD.pack(len(payload), kind) + payload)
            size, _ = _HEAD.unpack(self._read(_HEAD.size, until))
            if size > MOST:
                raise ChildDied(f"it answered with a frame of {size} bytes")
            return self._read(size, until)
        except (BrokenPipeError, EOFError):
            raise ChildDied(self.epitaph()) from None

    def _read(self, size: int, until: float) -> bytes:
        data = bytearray()
        while len(data) < size:
            left = until - monotonic()
            if left <= 0.0 or not select.select([self._from], [], [], left)[0]:
                raise ChildSilent
            piece = os.read(self._from, min(size - len(data), 1 << 20))
            if not piece:
                raise EOFError
            data += piece
        return bytes(data)

    def epitaph(self) -> str:
        """How the process ended."""
        try:
            code = self._process.wait(2.0)
        except subprocess.TimeoutExpired:
            return "its pipe is closed"
        if code < 0:
            return f"ended by {signal.Signals(-code).name}"
        return f"ended with exit code {code}"

    def close(self, patience: float = 5.0) -> None:
        """End it: closed pipes first, then by force."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _write(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


class Frames:
    """The child's side. From now on, what anybody prints goes to standard error."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._to = os.dup(sys.stdout.fileno())
        os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
        self._from = os.fdopen(os.dup(sys.stdin.fileno()), "rb")

    def answer(self, answer: Callable[[int, bytes], bytes]) -> None:
        """Answer frames until the other end is closed."""
        while len(head := self._from.read(_HEAD.size)) == _HEAD.size:
            size, kind = _HEAD.unpack(head)
            if size > MOST:
                return
            reply = answer(kind, self._from.read(size))
            try:
                _write(self._to, _HEAD.pack(len(reply), kind) + reply)
            except BrokenPipeError:
                return
