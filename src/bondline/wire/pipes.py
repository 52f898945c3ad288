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
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from threading import Event, Lock, Thread
from time import monotonic
from typing import TypeAlias

_HEAD = struct.Struct("<IB")
_PIECE = 1 << 16  # bytes that are read at a time
_LOOK = 0.05  # s between looks whether somebody works
_Frame: TypeAlias = tuple[int, bytes]
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
        self._from = os.dup(sys.stdin.fileno())
        self._reading, self._writing = Lock(), Lock()
        self._busy = False  # what is slow is at work: who looks after it reads
        self._put_off: deque[_Frame] = deque()  # slow ones that came meanwhile
        self._over = Event()

    def answer_each(self, answering: Callable[[int, bytes], bytes]) -> None:
        """Answer frames one after the other until the other end is closed."""
        while (each := self._frame()) is not None:
            self._reply(each[0], answering(*each))

    def answer(self, quick: Answering, slow: Answering) -> None:
        """The same; `quick` answers at once, or says None: then it is for `slow`.

        Who reads a frame also works on it, since to wake another thread takes longer
        than many an answer. This one looks after it: while it works, this one reads,
        so that what is quick is answered, and ends with the other end.
        """
        Thread(target=self._work, args=(quick, slow), daemon=True).start()
        while not self._over.wait(_LOOK):
            while self._busy and not self._over.is_set():
                self._attend(quick)

    def _work(self, quick: Answering, slow: Answering) -> None:
        try:
            while (each := self._next()) is not None:
                reply = quick(*each)
                if reply is None:
                    self._busy = True
                    reply = slow(*each) or b""
                    with self._reading:  # not before a frame that has begun is read
                        self._busy = False
                self._reply(each[0], reply)
        finally:
            self._over.set()

    def _next(self) -> _Frame | None:
        if self._put_off:
            return self._put_off.popleft()
        with self._reading:
            return self._frame()

    def _attend(self, quick: Answering) -> None:
        """Read a frame that comes while somebody works, if one does."""
        if not self._comes(_LOOK):
            return
        with self._reading:
            if not (self._busy and self._comes(0.0)):
                return
            each = self._frame()
            if each is None:
                self._over.set()
                return
            reply = quick(*each)
            if reply is None:
                self._put_off.append(each)
                return
        self._reply(each[0], reply)

    def _comes(self, patience: float) -> bool:
        return bool(select.select([self._from], [], [], patience)[0])

    def _frame(self) -> _Frame | None:
        """The next one; None at the end."""
        head = self._read(_HEAD.size)
        if len(head) < _HEAD.size:
            return None
        size, kind = _HEAD.unpack(head)
        payload = self._read(size) if size <= MOST else b""
        return (kind, payload) if len(payload) == size else None

    def _read(self, size: int) -> bytes:
        """So many bytes; fewer at the end."""
        pieces: list[bytes] = []
        while size > 0 and (piece := os.read(self._from, min(size, _PIECE))):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def _reply(self, kind: int, reply: bytes) -> None:
        with self._writing, contextlib.suppress(BrokenPipeError):
            _write(self._to, _HEAD.pack(len(reply), kind) + reply)
