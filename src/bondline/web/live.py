"""Live: one WebSocket a run tells that it moved on, with a picture of the instant."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.concurrency import run_in_threadpool

from bondline.errors import BondlineError
from bondline.run import Run
from bondline.web import scene
from bondline.web.desk import Desk
from bondline.web.routes_home import standing

live = APIRouter()
OFTEN = 0.03  # s between two glances at the clock of the record
SELDOM = 0.3  # s between two looks into it, when that stands still


@live.websocket("/api/runs/{run}/live")
async def watch(socket: WebSocket, run: str) -> None:
    """Words about where the run stands, then the instant it reached, as it changes."""
    desk: Desk = socket.app.state.desk
    await socket.accept()
    listener = asyncio.create_task(_until_gone(socket))
    try:
        await _tell(socket, desk, run, listener)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page was closed in the middle of a word
    finally:
        listener.cancel()


async def _until_gone(socket: WebSocket) -> None:
    try:
        while True:
            await socket.receive_text()
    except (WebSocketDisconnect, RuntimeError, KeyError):
        return


async def _tell(socket: WebSocket, desk: Desk, run: str, gone: Any) -> None:
    eye = Eye(desk, run)
    while not gone.done():
        if eye.due():
            before = eye.seen
            picture = await run_in_threadpool(eye.look)
            if eye.seen != before:
                await socket.send_json(eye.seen)
                if picture:
                    await socket.send_bytes(picture)
        await asyncio.wait([gone], timeout=OFTEN)


@dataclass
class Eye:
    """What one watcher saw of a run so far; surfaces at rest are read once."""

    desk: Desk
    run: str
    seen: dict[str, Any] = field(default_factory=dict)
    shown: scene.Shown | None = None
    file: Path | None = None
    looked: float = -math.inf

    def due(self) -> bool:
        """Whether to look: something was written, or it is a while ago."""
        fresh = self.file is not None and written(self.file) != self.seen.get("at")
        return fresh or time.monotonic() - self.looked >= SELDOM

    def look(self) -> bytes:
        """Look again: `seen` is what there is now, the answer a picture of it."""
        before, self.looked = self.seen, time.monotonic()
        try:
            found = self.desk.project.run(self.run)
            self.file = found.file
            at = written(found.file)  # before the look: never later than what is seen
            self.seen = {**standing(self.desk, found.summary), "at": at}
            moved = self.seen["windows"] != before.get("windows")
            return self._picture(found) if moved else b""
        except BondlineError as error:
            self.seen = self._absent(error)
            return b""

    def _absent(self, error: BondlineError) -> dict[str, Any]:
        processes = self.desk.processes
        starting = processes.starting(self.run)
        if not starting and (words := processes.last_words(self.run)):
            return {"id": self.run, "status": "failed", "error": words}
        return {"id": self.run, "status": "starting" if starting else str(error)}

    def _picture(self, run: Run) -> bytes:
        if self.seen["windows"] is None:
            return b""
        self.shown = self.shown or scene.shown_by(run)
        return scene.latest(run, self.shown)


def written(file: Path) -> float | None:
    """When something was last written to a record, in seconds since 1970."""
    try:
        return file.with_name(f"{file.name}-wal").stat().st_mtime
    except OSError:
        return None
