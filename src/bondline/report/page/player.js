"use strict";
const scene = JSON.parse(document.getElementById("scene").textContent);
const [stage, clock, play, slider, speed, trace] =
  ["stage", "clock", "play", "slider", "speed", "trace"].map((id) => document.getElementById(id));
const pen = stage.getContext("2d");
const dark = matchMedia("(prefers-color-scheme: dark)");
const last = scene.t.length - 1;
const start = scene.t[0];
const span = scene.t[last] - start;
let now = start, playing = !matchMedia("(prefers-reduced-motion: reduce)").matches, before = null;
slider.max = last;
if (![...speed.options].some((o) => Number(o.value) === scene.speed)) {
  speed.add(new Option(scene.speed + " ×", scene.speed));
}
speed.value = String(scene.speed);

const frame = () => (span > 0 ? Math.min(last, Math.round(((now - start) / span) * last)) : 0);
const ink = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();

function fit() {
  const ratio = devicePixelRatio || 1, box = stage.getBoundingClientRect();
  stage.width = Math.max(1, box.width * ratio);
  stage.height = Math.max(1, box.height * ratio);
  const [l, r, b, t] = scene.box;
  const scale = Math.min(box.width / (r - l), box.height / (t - b));
  const x0 = box.width / 2 - (scale * (l + r)) / 2, y0 = box.height / 2 + (scale * (b + t)) / 2;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { at: ([x, y]) => [x0 + scale * x, y0 - scale * y], width: box.width, height: box.height };
}

function circle(p, r, fill) {
  pen.beginPath();
  pen.arc(p[0], p[1], r, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
  pen.lineWidth = 2;
  pen.strokeStyle = ink("ink");
  pen.stroke();
}

function trails(view, k) {
  pen.strokeStyle = ink("muted");
  pen.lineWidth = 1.5;
  const from = Math.max(0, k - Math.round(1.2 * scene.fps));
  for (let tip = 0; tip < scene.tips[0].length; tip++) {
    for (let n = 1; n <= k; n++) {
      const p = view.at(scene.tips[n - 1][tip]), q = view.at(scene.tips[n][tip]);
      pen.globalAlpha = n > from ? 0.25 + (0.75 * (n - from)) / (k - from) : 0.25;
      pen.beginPath();
      pen.moveTo(...p);
      pen.lineTo(...q);
      pen.stroke();
    }
  }
  pen.globalAlpha = 1;
}

function draw() {
  const k = frame(), view = fit();
  pen.clearRect(0, 0, view.width, view.height);
  if (trace.checked) trails(view, k);
  pen.lineCap = pen.lineJoin = "round";
  for (const part of scene.parts) {
    pen.strokeStyle = dark.matches ? part.dark : part.light;
    pen.lineWidth = 7;
    pen.beginPath();
    part.points[k].forEach((p, n) => (n ? pen.lineTo(...view.at(p)) : pen.moveTo(...view.at(p))));
    pen.stroke();
  }
  for (const p of scene.supports[k]) circle(view.at(p), 9, ink("grid"));
  for (const p of [...scene.supports[k], ...scene.joints[k]]) circle(view.at(p), 5.5, ink("paper"));
  slider.value = k;
  clock.textContent = "t = " + scene.t[k].toFixed(2) + " s";
  play.textContent = playing ? "Pause" : "Play";
}

function tick(at) {
  if (playing && before !== null) {
    now += ((at - before) / 1000) * Number(speed.value);
    if (now > start + span) now = start;
  }
  before = at;
  if (playing) draw();
  requestAnimationFrame(tick);
}

function toggle() { playing = !playing; draw(); }
function go(k) {
  playing = false;
  const n = Math.max(0, Math.min(last, k));
  now = start + (last ? (span * n) / last : 0);
  draw();
}
play.addEventListener("click", toggle);
slider.addEventListener("input", () => go(Number(slider.value)));
trace.addEventListener("change", draw);
addEventListener("resize", draw);
dark.addEventListener("change", draw);
addEventListener("keydown", (event) => {
  const step = event.shiftKey ? 10 : 1;
  if (event.target.tagName === "SELECT") return;
  if (event.key === " ") { event.preventDefault(); if (event.target !== play) toggle(); else play.click(); }
  if (event.key === "ArrowRight") { event.preventDefault(); go(frame() + step); }
  if (event.key === "ArrowLeft") { event.preventDefault(); go(frame() - step); }
});
draw();
requestAnimationFrame(tick);
