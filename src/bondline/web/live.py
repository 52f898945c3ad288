"""Live: one WebSocket a run tells that it moved on, with a picture of the instant."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.concurrency import run_in_threadpool

from bondline.errors import BondlineError
from bondline.run import Run
from bondline.web import scene
from bondline.web.desk import Desk
from bondline.web.routes_home import standing

live = APIRouter()
OFTEN = 0.1  # s between two looks


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
    before: dict[str, Any] = {}
    while not gone.done():
        now, picture = await run_in_threadpool(_look, desk, run, before)
        if now != before:
            await socket.send_json(now)
            if picture:
                await socket.send_bytes(picture)
        before = now
        await asyncio.wait([gone], timeout=OFTEN)


def _look(desk: Desk, run: str, before: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    try:
        found = desk.project.run(run)
        now = standing(desk, found.summary)
        moved = now.get("windows") != before.get("windows")
        return now, _picture(found) if moved else b""
    except BondlineError as error:
        starting = desk.processes.starting(run)
        if not starting and (words := desk.processes.last_words(run)):
            return {"id": run, "status": "failed", "error": words}, b""
        return {"id": run, "status": "starting" if starting else str(error)}, b""


def _picture(run: Run) -> bytes:
    return scene.motion(run, last=True) if run.summary.windows is not None else b""
