"""Processes of our own, talked to over pipes: one frame there, one frame back.

A frame is its length (uint32, little-endian), one byte that says what it is, and its
bytes. The child's standard output carries frames only; what it prints goes to its
standard error.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from queue import SimpleQueue
from threading import Lock, Thread
from time import monotonic

_HEAD = struct.Struct("<IB")
Answering = Callable[[int, bytes], bytes | None]
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
        self._data = bytearray()
        self._early: dict[int, bytes] = {}  # answers that came before they were read

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    def call(self, kind: int, payload: bytes, patience: float) -> bytes:
        """What the process answers to a frame, within `patience` seconds."""
        self.send(kind, payload)
        return self.receive(kind, patience)

    def send(self, kind: int, payload: bytes) -> None:
        """Ask for something."""
        if self._to < 0:
            raise ChildDied("it was ended")
        try:
            _write(self._to, _HEAD.pack(len(payload), kind) + payload)
        except BrokenPipeError:
            raise ChildDied(self.epitaph()) from None

    def receive(self, kind: int, patience: float) -> bytes:
        """The answer to what was asked; `ChildSilent` leaves it to be waited for."""
        until = monotonic() + patience
        try:
            while kind not in self._early:
                self._fill(_HEAD.size, until)
                size, what = _HEAD.unpack_from(self._data)
                if size > MOST:
                    raise ChildDied(f"it answered with a frame of {size} bytes")
                self._fill(_HEAD.size + size, until)
                self._early[what] = bytes(self._data[_HEAD.size : _HEAD.size + size])
                del self._data[: _HEAD.size + size]
        except EOFError:
            raise ChildDied(self.epitaph()) from None
        return self._early.pop(kind)

    def _fill(self, size: int, until: float) -> None:
        """Read until so many bytes are there; what came stays, whatever happens."""
        while len(self._data) < size:
            left = until - monotonic()
            if left <= 0.0 or not select.select([self._from], [], [], left)[0]:
                raise ChildSilent
            piece = os.read(self._from, 1 << 20)
            if not piece:
                raise EOFError
            self._data += piece

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
        self._to = self._from = -1  # their numbers may be somebody else's soon
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
        self._lock = Lock()

    def answer(self, quick: Answering, slow: Answering) -> None:
        """Answer frames until the other end is closed.

        `quick` answers at once, or says None; then it is for `slow`, one at a time.
        """
        todo: SimpleQueue[tuple[int, bytes] | None] = SimpleQueue()
        worker = Thread(target=self._work, args=(todo, slow), daemon=True)
        worker.start()
        while len(head := self._from.read(_HEAD.size)) == _HEAD.size:
            size, kind = _HEAD.unpack(head)
            if size > MOST:
                break
            payload = self._from.read(size)
            reply = quick(kind, payload)
            if reply is None:
                todo.put((kind, payload))
            else:
                self._reply(kind, reply)
        todo.put(None)

    def _work(
        self, todo: SimpleQueue[tuple[int, bytes] | None], slow: Answering
    ) -> None:
        while (each := todo.get()) is not None:
            self._reply(each[0], slow(*each) or b"")

    def _reply(self, kind: int, reply: bytes) -> None:
        with self._lock, contextlib.suppress(BrokenPipeError):
            _write(self._to, _HEAD.pack(len(reply), kind) + reply)
