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
FRAMES = """(sharp) => new Promise((done) => {
  const view = window.bondline.view, [a, b] = [view.t[0], view.t[view.t.length - 1]];
  const began = performance.now(), before = view.drawn;
  let frames = 0;
  const next = () => {
    if (sharp) view.pace.moving = 1;
    view.show(a + ((b - a) * (frames % 200)) / 200);
    frames += 1;
    if (performance.now() - began < 4000) return requestAnimationFrame(next);
    const size = view.renderer.domElement, took = (performance.now() - began) / 1000;
    done([(view.drawn - before) / took, size.width, size.height]);
  };
  requestAnimationFrame(next);
})"""

# the same triangles, still, flat and unlit, with nothing but a uniform that changes
FLOOR = """([side, width, height]) => new Promise((done) => {
  document.body.innerHTML = "<canvas></canvas>";
  const canvas = document.querySelector("canvas");
  [canvas.width, canvas.height] = [width, height];
  const gl = canvas.getContext("webgl2", { antialias: false });
  const shader = (kind, text) => {
    const made = gl.createShader(kind);
    gl.shaderSource(made, `#version 300 es\nprecision highp float;${text}`);
    gl.compileShader(made);
    return made;
  };
  const program = gl.createProgram();
  gl.attachShader(program, shader(gl.VERTEX_SHADER, `in vec2 p; uniform float t;
    void main() { gl_Position = vec4(1.6 * p.x - 0.8,
      0.6 * p.y - 0.3 + 0.05 * t * p.x, p.x * p.y, 1.0); }`));
  gl.attachShader(program, shader(gl.FRAGMENT_SHADER,
    "out vec4 c; void main() { c = vec4(0.2, 0.5, 0.7, 1.0); }"));
  gl.linkProgram(program);
  gl.useProgram(program);
  const points = new Float32Array(2 * side * side), three = [];
  for (let i = 0; i < side; i++) for (let j = 0; j < side; j++) {
    const k = i * side + j;
    points.set([i / (side - 1), j / (side - 1)], 2 * k);
    const [b, c, d] = [k + side, k + side + 1, k + 1];
    if (i < side - 1 && j < side - 1) three.push(k, b, c, k, c, d);
  }
  for (const [place, data] of [[gl.ARRAY_BUFFER, points],
      [gl.ELEMENT_ARRAY_BUFFER, new Uint32Array(three)]]) {
    gl.bindBuffer(place, gl.createBuffer());
    gl.bufferData(place, data, gl.STATIC_DRAW);
  }
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.enable(gl.DEPTH_TEST);
  const t = gl.getUniformLocation(program, "t"), began = performance.now();
  let frames = 0;
  const next = () => {
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniform1f(t, Math.sin(frames));
    gl.drawElements(gl.TRIANGLES, three.length, gl.UNSIGNED_INT, 0);
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


def frame_rate(tab: Any, home: str, run: str) -> list[str]:
    """As people see it, at one pixel a point, and what the triangles alone allow."""
    tab.goto(f"{home}#/results/{run}")
    waited(tab, "(window.bondline?.view?.t.length ?? 0) > 50")
    tab.wait_for_timeout(1000)  # until plots and the picture at rest are drawn
    full, width, height = tab.evaluate(FRAMES, True)
    rate, *size = tab.evaluate(FRAMES, False)
    tab.goto("about:blank")
    floor = tab.evaluate(FLOOR, [SIDE, width, height])
    least = tab.evaluate(FLOOR, [SIDE, *size])
    triangles = 2 * (SIDE - 1) ** 2
    return [
        f"{triangles} triangles      {rate:.1f} frames a second, drawn in software at "
        f"{size[0]} x {size[1]} while they move; {full:.1f} at {width} x {height}",
        f"                     {least:.1f} and {floor:.1f} without our code: bare "
        "WebGL, no light, nothing uploaded",
    ]


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


HEAR = """(() => {
  const Real = window.WebSocket;
  window.heard = [];
  window.WebSocket = class extends Real {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", (event) => {
        if (typeof event.data === "string") window.heard.push(JSON.parse(event.data));
      });
    }
  };
})()"""

# for every instant that was drawn: when it was, and when what it shows was written
SEEN = """(most) => new Promise((done) => {
  const seen = [];
  let last = -1;
  const look = () => {
    const view = window.bondline?.view, t = view?.t[view.t.length - 1] ?? -1;
    const told = window.heard.find((h) => h.t === t && h.at);
    if (told && t > last) {
      last = t;
      const drawn = view.drawn;
      const check = () => view.drawn > drawn
        ? seen.push((performance.timeOrigin + performance.now()) / 1000 - told.at)
        : requestAnimationFrame(check);
      check();
    }
    if (seen.length < most && window.heard.at(-1)?.status !== "done")
      requestAnimationFrame(look);
    else done(seen);
  };
  look();
})"""


def live_lag(tab: Any, home: str, folder: Path) -> str:
    """From the commit of a window until the page has drawn it: one clock.

    The time of a commit is when the file was last written before the server looked, so
    that it is never told too late.
    """
    command = [sys.executable, "-m", "bondline", "--project", str(folder), "--quiet"]
    process = subprocess.Popen(
        [*command, "run", str(MODEL), "--until", "600s", "--name", "live", "--watch"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    file = folder / "runs" / "live" / "run.sqlite"
    while not file.is_file():
        time.sleep(0.02)
    tab.add_init_script(HEAR)
    tab.goto("about:blank")
    tab.goto(f"{home}#/run/live")
    waited(tab, "(window.bondline?.view?.t.length ?? 0) > 3")
    lags = tab.evaluate(SEEN, 60)
    process.send_signal(signal.SIGINT)
    process.wait(60)
    return (
        f"live                 drawn {statistics.median(lags):.2f} s after its commit, "
        f"at most {max(lags):.2f} s of {len(lags)} (a commit every 0.25 s or sooner)"
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
            print("\n".join(frame_rate(tab, home, plate)))
            print("\n".join(million(tab, home, long, windows)))
            print(live_lag(tab, home, folder))
            context.close()
        browser.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
