"""The page on this machine: first paint, frames a second, live lag, a million windows.

A real Chromium draws in software here, as on a machine without a graphics card; the
numbers are of a busy machine unless it is quiet. Needs the development packages and a
browser.
"""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bondline.build import Given, open_model, plan_of
from bondline.core import Skin
from bondline.run import create
from bondline.run.chain import digest
from bondline.run.layout import Layout
from bondline.run.skins import SCHEMA, dump

MODEL = Path(__file__).resolve().parents[1] / "examples" / "double_pendulum"
QUIETLY = (
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
)
SIDE = 159  # 2 × 158 × 158 triangles: 50,000


def long_run(folder: Path, windows: int) -> str:
    """A stored run of so many windows, put into its tables at once."""
    opened = open_model(MODEL, Given())
    run = create(folder / "runs", opened.model, plan_of(opened, 1e-3 * windows), "long")
    values = tuple((f"part.x{k}", "m") for k in range(8))
    layout = Layout(values, (), (), False, ("iterations", "residual"))
    t = 1e-3 * np.arange(windows)
    waves = np.stack([np.sin((k + 1) * t) for k in range(8)], axis=1)
    rest = np.stack([np.full(windows, 3.0), np.full(windows, 1e-12)], axis=1)
    rows = np.concatenate([waves, rest], axis=1)
    rows[windows // 3, 0] = 40.0  # one window that no plot may lose
    with closing(sqlite3.connect(run.file)) as db:
        db.execute("INSERT INTO layouts VALUES (0, ?)", (layout.dump(),))
        given = ((n, t[n], 0, rows[n].tobytes(), b"") for n in range(windows))
        db.executemany("INSERT INTO windows VALUES (?, ?, ?, ?, ?)", given)
        db.execute("UPDATE run SET status = 'done', head = ?", (windows - 1,))
        db.commit()
    return run.id


def plate_run(folder: Path, states: int = 60) -> str:
    """A run that shows a plate of 50,000 triangles as it waves."""
    opened = open_model(MODEL, Given())
    run = create(folder / "runs", opened.model, plan_of(opened, 1e-2 * states), "plate")
    x, y = np.meshgrid(np.linspace(0, 1, SIDE), np.linspace(0, 1, SIDE), indexing="ij")
    k = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    corners = (k[:-1, :-1], k[1:, :-1], k[1:, 1:], k[:-1, 1:])
    quads = np.stack([c.ravel() for c in corners], axis=1)
    points = np.stack([x.ravel(), y.ravel(), np.zeros(SIDE * SIDE)], axis=1)
    none = np.zeros(0, dtype=np.intp)
    skin = Skin(points, none.reshape(0, 3), quads, none.reshape(0, 2), none)
    layout = Layout((("z", "m"),), (), (), False, ())
    with closing(sqlite3.connect(run.file)) as db:
        db.executescript(SCHEMA)
        db.execute("INSERT INTO layouts VALUES (0, ?)", (layout.dump(),))
        blob = dump(skin)
        db.execute("INSERT INTO skins VALUES ('plate', ?, ?)", (blob, digest(blob)))
        for n in range(states):
            u = np.zeros((SIDE * SIDE, 3), dtype="<f4")
            u[:, 2] = 0.05 * np.sin(6 * points[:, 0] + 0.2 * n) * points[:, 1]
            row = (n, 1e-2 * n, 0, np.array([float(n)]).tobytes(), b"")
            db.execute("INSERT INTO windows VALUES (?, ?, ?, ?, ?)", row)
            db.execute("INSERT INTO moved VALUES (?, ?, ?)", (n, u.tobytes(), b""))
        db.execute("UPDATE run SET status = 'done', head = ?", (states - 1,))
        db.commit()
    return run.id


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The link of a page over `folder`."""
    command = [sys.executable, "-m", "bondline", "--json", "--project", str(folder)]
    process = subprocess.Popen(
        [*command, "ui", "--port", "0"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    text = ""
    while not text.rstrip().endswith("}"):
        text += process.stdout.readline()
    try:
        yield json.loads(text)["url"]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)


def waited(tab: Any, words: str, limit: float = 120.0) -> float:
    """Seconds until something holds on the page."""
    began = time.perf_counter()
    while not tab.evaluate(words):
        if time.perf_counter() - began > limit:
            raise TimeoutError(words)
        tab.wait_for_timeout(5)
    return time.perf_counter() - began


PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"
FRAMES = """new Promise((done) => {
  const view = window.bondline.view, [a, b] = [view.t[0], view.t[view.t.length - 1]];
  const began = performance.now();
  let frames = 0;
  const next = () => {
    view.show(a + ((b - a) * (frames % 200)) / 200);
    frames += 1;
    if (performance.now() - began < 4000) requestAnimationFrame(next);
    else done(frames / ((performance.now() - began) / 1000));
  };
  requestAnimationFrame(next);
})"""


def first_paint(tab: Any, home: str) -> str:
    """Of five loads of the first screen, nothing cached (the server forbids it)."""
    times = []
    for _ in range(5):
        tab.goto("about:blank")
        tab.goto(home)
        waited(tab, f"({PAINT}) > 0")
        times.append(tab.evaluate(PAINT) / 1000)
    middle = statistics.median(times)
    return f"first paint          {middle:.2f} s, at most {max(times):.2f} s of 5"


def frame_rate(tab: Any, home: str, run: str) -> str:
    tab.goto(f"{home}#/results/{run}")
    waited(tab, "(window.bondline?.view?.t.length ?? 0) > 50")
    triangles = 2 * (SIDE - 1) ** 2
    rate = tab.evaluate(FRAMES)
    return f"{triangles} triangles     {rate:.1f} frames a second, drawn in software"


def million(tab: Any, home: str, run: str, windows: int) -> list[str]:
    tab.goto("about:blank")
    began = time.perf_counter()
    tab.goto(f"{home}#/results/{run}")
    waited(tab, "document.querySelectorAll('.u-over').length > 0")
    first = time.perf_counter() - began
    began = time.perf_counter()
    tab.reload()
    waited(tab, "document.querySelectorAll('.u-over').length > 0")
    again = time.perf_counter() - began
    path = f"/api/runs/{run}/series?name=part.x0&most=2000"
    size = tab.evaluate(
        f"fetch('{path}').then((a) => a.arrayBuffer()).then((b) => b.byteLength)"
    )
    return [
        f"{windows} windows     plotted after {first:.2f} s, read anew; "
        f"after {again:.2f} s with the page loaded again",
        f"                     {size} bytes for one signal of them",
    ]


LIVE = """(run) => new Promise((done) => {
  const seen = [];
  const socket = new WebSocket(`ws://${location.host}/api/runs/${run}/live`);
  socket.onmessage = (e) => {
    if (typeof e.data !== "string") return;
    const told = JSON.parse(e.data);
    seen.push([Date.now() / 1000, told.windows ?? 0, told.status]);
    if (seen.length > 25 || told.status === "done") { socket.close(); done(seen); }
  };
})"""


def live_lag(tab: Any, folder: Path) -> str:
    """From the commit of a window to the message about it on the page."""
    command = [sys.executable, "-m", "bondline", "--project", str(folder), "--quiet"]
    process = subprocess.Popen(
        [*command, "run", str(MODEL), "--until", "60s", "--name", "live"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    file = folder / "runs" / "live" / "run.sqlite"
    while not file.is_file():
        time.sleep(0.02)
    seen = tab.evaluate(LIVE, "live")
    gaps = np.diff([at for at, _, _ in seen])
    process.send_signal(signal.SIGINT)
    process.wait(60)
    return (
        f"live                 a message every {statistics.median(gaps):.2f} s, "
        f"at most {max(gaps):.2f} s"
    )


def main(windows: int = 1_000_000) -> None:
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("no chromium here: nothing to measure")
        return
    with tempfile.TemporaryDirectory() as made, sync_playwright() as playwright:
        folder = Path(made)
        long, plate = long_run(folder, windows), plate_run(folder)
        browser = playwright.chromium.launch(executable_path=chromium, args=[*QUIETLY])
        with served(folder) as url:
            context = browser.new_context(viewport={"width": 1440, "height": 860})
            tab, home = context.new_page(), url.partition("?")[0]
            tab.goto(url)
            print(first_paint(tab, home))
            print(frame_rate(tab, home, plate))
            print("\n".join(million(tab, home, long, windows)))
            print(live_lag(tab, folder))
            context.close()
        browser.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
