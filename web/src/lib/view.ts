/** The 3-D view: bars and surfaces of a run, where they are at an instant. */
import * as three from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Bundle } from "./api";
import { inSoftware, Pace } from "./pace";
import { bend, body, contour, dye, type Contour } from "./surface";
import { color } from "./words";

export interface Look {
  scale: number;
  ghost: boolean;
  contour: Contour;
  arrows: boolean;
}

interface Part {
  name: string;
  kind: "line" | "surface";
  points: number;
  stressed?: boolean;
  strained?: boolean;
  ports?: Record<string, number[]>;
}

interface Point {
  part: string;
  port: string;
  at: (t: number) => three.Vector3;
}

export interface Arrow {
  at: (t: number) => three.Vector3 | null;
  force: (t: number) => three.Vector3;
}

const UP = new three.Vector3(0, 1, 0);

export class View {
  readonly scene = new three.Scene();
  readonly camera = new three.PerspectiveCamera(35, 1, 0.001, 1e5);
  readonly renderer: three.WebGLRenderer;
  readonly controls: OrbitControls;
  readonly pace: Pace;
  parts: Part[] = [];
  planar = false;
  t: Float64Array = new Float64Array();
  drawn = 0;
  range = { displacement: 1, stress: 1, plastic: 1 };
  chosen = ""; // a part; the others fade
  look: Look = { scale: 1, ghost: true, contour: "parts", arrows: true };
  natural = 1;
  private frames: Float32Array[] = [];
  private widths: number[] = [];
  private rest: Float32Array[] = [];
  private meshes: three.Mesh[] = [];
  private wires: { mesh: three.InstancedMesh; part: number; ends: Uint32Array }[] = [];
  private ghosts: three.Object3D[] = [];
  private bars: { mesh: three.InstancedMesh; part: number; first: number; count: number }[] = [];
  private knobs: three.InstancedMesh[] = [];
  private arrowMesh: { helper: three.ArrowHelper; arrow: Arrow }[] = [];
  private grid: three.Group | undefined;
  private size = 1;
  private time = 0;
  private asked = false;
  private dark = false;

  constructor(canvas: HTMLCanvasElement) {
    const software = inSoftware();
    this.renderer = new three.WebGLRenderer({ canvas, antialias: !software, alpha: true, preserveDrawingBuffer: true });
    this.pace = new Pace(this.renderer, software, () => this.render());
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.ask());
    this.controls.addEventListener("start", () => (this.held = true));
    this.scene.add(new three.HemisphereLight(0xffffff, 0x9aa4ae, 1.6));
    const sun = new three.DirectionalLight(0xffffff, 1.8);
    sun.position.set(-1, -2, 3);
    this.scene.add(sun);
  }

  resize(width: number, height: number) {
    if (width < 2 || height < 2) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.ask();
  }

  setDark(dark: boolean) {
    this.dark = dark;
    this.paint();
  }

  geometry(bundle: Bundle) {
    this.clear();
    this.parts = bundle.about.parts;
    this.planar = bundle.about.planar;
    this.parts.forEach((part, k) => {
      this.rest[k] = part.kind === "surface" ? (bundle.arrays[`${k}.points`] as Float32Array) : new Float32Array();
      if (part.kind === "surface") this.surface(k, bundle);
      else this.line(k, part);
    });
  }

  private clear() {
    for (const one of [...this.meshes, ...this.wires.map((w) => w.mesh), ...this.ghosts, ...this.bars.map((b) => b.mesh), ...this.knobs]) {
      this.scene.remove(one);
    }
    [this.meshes, this.wires, this.ghosts, this.bars, this.knobs] = [[], [], [], [], []];
    [this.frames, this.rest, this.t] = [[], [], new Float64Array()];
  }

  private surface(k: number, bundle: Bundle) {
    const points = this.rest[k];
    const mesh = body(points, bundle.arrays[`${k}.triangles`] as Uint32Array);
    mesh.userData.part = k;
    this.meshes.push(mesh);
    this.scene.add(mesh);
    const bars = bundle.arrays[`${k}.bars`] as Uint32Array;
    if (bars.length) {
      const stick = new three.InstancedMesh(new three.CylinderGeometry(1, 1, 1, 8), new three.MeshLambertMaterial(), bars.length / 2);
      stick.frustumCulled = false;
      this.wires.push({ mesh: stick, part: k, ends: bars });
      this.scene.add(stick);
    }
    const still = new three.BufferGeometry();
    still.setAttribute("position", new three.BufferAttribute(points, 3));
    still.setIndex(mesh.geometry.getIndex());
    const edges = new three.EdgesGeometry(still, 30);
    const ghost = new three.LineSegments(edges, new three.LineBasicMaterial({ transparent: true, opacity: 0.45 }));
    this.ghosts.push(ghost);
    this.scene.add(ghost);
  }

  private line(k: number, part: Part) {
    const count = Math.max(part.points - 1, 1);
    const mesh = new three.InstancedMesh(new three.CylinderGeometry(1, 1, 1, 12), new three.MeshLambertMaterial(), count);
    mesh.frustumCulled = false;
    this.bars.push({ mesh, part: k, first: 0, count });
    const knob = new three.InstancedMesh(new three.SphereGeometry(1, 16, 12), new three.MeshLambertMaterial(), part.points);
    knob.frustumCulled = false;
    this.knobs.push(knob);
    this.scene.add(mesh, knob);
  }

  /** All frames anew, or more of them behind those that are there. */
  motion(bundle: Bundle, more = false) {
    const t = bundle.arrays.t as Float64Array;
    if (!t.length) return;
    const first = this.t.length === 0;
    if (first || !more) [this.box, this.range] = [this.still(), { displacement: 0, stress: 0, plastic: 0 }];
    this.parts.forEach((_, k) => {
      const x = bundle.arrays[`${k}.x`] as Float32Array;
      this.widths[k] = bundle.shapes[`${k}.x`][2];
      this.frames[k] = more && this.frames[k] ? concat(this.frames[k], x) : x;
      this.measure(k, x);
    });
    this.t = more ? concat64(this.t, t) : t;
    this.settle();
    if (first || (more && !this.held && !this.fitted.containsBox(this.box))) this.fit();
    this.paint();
    this.show(this.t[this.t.length - 1]);
  }

  /** The box of all surfaces at rest. */
  private still(): three.Box3 {
    const box = new three.Box3();
    const p = new three.Vector3();
    for (const x of this.rest) for (let i = 0; i < x.length; i += 3) box.expandByPoint(p.set(x[i], x[i + 1], x[i + 2]));
    return box;
  }

  /** How far the numbers of part `k` go; new ones only, while a run is watched. */
  private measure(k: number, x: Float32Array) {
    const { kind, stressed, strained } = this.parts[k];
    const [w, p, range] = [this.widths[k], new three.Vector3(), this.range];
    if (kind === "line") {
      for (let i = 0; i < x.length; i += 3) this.box.expandByPoint(p.set(x[i], x[i + 1], x[i + 2]));
      return;
    }
    let most = 0;
    for (let i = 0; i < x.length; i += w) {
      most = Math.max(most, x[i] * x[i] + x[i + 1] * x[i + 1] + x[i + 2] * x[i + 2]);
      if (stressed) range.stress = Math.max(range.stress, x[i + 3]);
      if (strained) range.plastic = Math.max(range.plastic, x[i + (stressed ? 4 : 3)]);
    }
    range.displacement = Math.max(range.displacement, Math.sqrt(most));
  }

  private settle() {
    const { box, range } = this;
    this.size = Math.max(box.isEmpty() ? 1 : box.getSize(new three.Vector3()).length(), 1e-9);
    const wanted = (0.06 * this.size) / (range.displacement || 1);
    this.natural = range.displacement === 0 || wanted < 1.5 ? 1 : nice(wanted);
  }
  private box = new three.Box3();
  private fitted = new three.Box3();
  private held = false; // somebody turned it: it stays

  fit() {
    this.fitted.copy(this.box).expandByScalar(0.15 * this.size);
    const middle = this.box.getCenter(new three.Vector3());
    const flat = this.planar;
    const way = flat ? new three.Vector3(0.0, -1, 0.12) : new three.Vector3(-0.75, -1.15, 0.7);
    const far = (0.58 * this.size) / Math.tan((this.camera.fov * Math.PI) / 360) / Math.min(1, this.camera.aspect);
    this.camera.near = this.size / 100;
    this.camera.far = this.size * 40;
    this.camera.position.copy(middle).addScaledVector(way.normalize(), far);
    this.controls.target.copy(middle);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.floor();
  }

  private floor() {
    if (this.grid) this.scene.remove(this.grid);
    const span = nice(this.size * 1.6);
    const lines = new three.GridHelper(span, 16, 0x888888, 0x888888);
    (lines.material as three.Material).transparent = true;
    (lines.material as three.Material).opacity = 0.22;
    this.grid = new three.Group();
    this.grid.add(lines);
    const middle = this.box.getCenter(new three.Vector3());
    lines.rotation.x = Math.PI / 2; // z is up
    this.grid.position.set(middle.x, middle.y, this.box.min.z - 0.03 * this.size);
    this.scene.add(this.grid);
  }

  arrows(given: Arrow[]) {
    for (const { helper } of this.arrowMesh) this.scene.remove(helper);
    this.arrowMesh = given.map((arrow) => {
      const helper = new three.ArrowHelper(UP, new three.Vector3(), 1, this.dark ? 0xf0b429 : 0xb03a00);
      this.scene.add(helper);
      return { helper, arrow };
    });
    this.show(this.time);
  }

  /** Where a point of a part is: an end of a line, or a port of a surface. */
  points(name: string): Point[] {
    const found: Point[] = [];
    this.parts.forEach((part, k) => {
      if (part.name !== name && !part.name.startsWith(`${name}.`)) return;
      if (part.kind === "line") {
        for (const end of [0, part.points - 1]) found.push({ part: part.name, port: "", at: (t) => this.point(k, end, t) });
      }
      for (const [port, rest] of Object.entries(part.ports ?? {})) {
        const near = this.nearest(k, rest);
        found.push({ part: part.name, port, at: (t) => this.point(k, near, t) });
      }
    });
    return found;
  }

  private nearest(k: number, at: number[]): number {
    const x = this.rest[k];
    let [best, most] = [0, Infinity];
    for (let i = 0; i < x.length / 3; i++) {
      const d = Math.hypot(x[3 * i] - at[0], x[3 * i + 1] - at[1], x[3 * i + 2] - at[2]);
      if (d < most) [best, most] = [i, d];
    }
    return best;
  }

  private point(k: number, i: number, t: number): three.Vector3 {
    const { a, b, w } = this.between(t);
    const width = this.widths[k];
    const n = this.parts[k].points;
    const x = this.frames[k];
    const p = new three.Vector3();
    const at = (f: number, c: number) => x[(f * n + i) * width + c];
    p.set(...([0, 1, 2].map((c) => (1 - w) * at(a, c) + w * at(b, c)) as [number, number, number]));
    if (this.parts[k].kind === "surface") {
      const rest = this.rest[k];
      p.multiplyScalar(this.look.scale).add(new three.Vector3(rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]));
    }
    return p;
  }

  private between(t: number) {
    const times = this.t;
    let [low, high] = [0, times.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle;
      else high = middle;
    }
    const span = times[high] - times[low];
    return { a: low, b: high, w: span > 0 ? Math.min(Math.max((t - times[low]) / span, 0), 1) : 0 };
  }

  show(t: number) {
    this.time = t;
    if (!this.t.length) return;
    const frame = this.between(t);
    this.parts.forEach((part, k) => {
      if (part.kind === "surface") this.bend(k, frame);
    });
    for (const wire of this.wires) this.stick(wire);
    for (const bar of this.bars) this.turn(bar, frame);
    this.push(t);
    this.ask();
  }

  private bend(k: number, { a, b, w }: { a: number; b: number; w: number }) {
    const { stressed, strained } = this.parts[k];
    const mesh = this.meshes.find((m) => m.userData.part === k)!;
    const shape = { rest: this.rest[k], frames: this.frames[k], width: this.widths[k], mesh };
    const { contour: kind, scale } = this.look;
    bend(shape, a, b, w, scale);
    if (kind === "displacement") contour(shape, a, b, w, kind, -1, this.range[kind]);
    if (kind === "stress" && stressed) contour(shape, a, b, w, kind, 3, this.range[kind]);
    if (kind === "plastic" && strained) contour(shape, a, b, w, kind, stressed ? 4 : 3, this.range[kind]);
  }

  /** Beams of a surface, as sticks between its points, in their colours. */
  private stick({ mesh, part, ends }: { mesh: three.InstancedMesh; part: number; ends: Uint32Array }) {
    const body = this.meshes.find((m) => m.userData.part === part)!.geometry;
    const [x, c] = [body.getAttribute("position"), body.getAttribute("tint")];
    const [p, r, way, turn, matrix, paint] = [new three.Vector3(), new three.Vector3(), new three.Vector3(), new three.Quaternion(), new three.Matrix4(), new three.Color()];
    const thick = this.size * (ends.length > 400 ? 0.003 : 0.008);
    for (let i = 0; i < ends.length / 2; i++) {
      p.fromBufferAttribute(x, ends[2 * i]);
      r.fromBufferAttribute(x, ends[2 * i + 1]);
      way.subVectors(r, p);
      const long = way.length() || 1e-12;
      turn.setFromUnitVectors(UP, way.divideScalar(long));
      matrix.compose(p.add(r).multiplyScalar(0.5), turn, way.set(thick, long * 1.02, thick));
      mesh.setMatrixAt(i, matrix);
      mesh.setColorAt(i, paint.setRGB(c.getX(ends[2 * i]), c.getY(ends[2 * i]), c.getZ(ends[2 * i]), three.SRGBColorSpace));
    }
    mesh.instanceMatrix.needsUpdate = true;
    if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
  }

  private turn(bar: { mesh: three.InstancedMesh; part: number }, { a, b, w }: { a: number; b: number; w: number }) {
    const k = bar.part;
    const [x, n] = [this.frames[k], this.parts[k].points];
    const many = this.bars.length > 12;
    const thick = this.size * (many ? 0.004 : 0.011);
    const [p, r, matrix, way, turn] = [new three.Vector3(), new three.Vector3(), new three.Matrix4(), new three.Vector3(), new three.Quaternion()];
    const read = (i: number, into: three.Vector3) => {
      const [oa, ob] = [(a * n + i) * 3, (b * n + i) * 3];
      return into.set(x[oa] + w * (x[ob] - x[oa]), x[oa + 1] + w * (x[ob + 1] - x[oa + 1]), x[oa + 2] + w * (x[ob + 2] - x[oa + 2]));
    };
    const knobs = this.knobs[this.bars.indexOf(bar as any)];
    const round = new three.Vector3().setScalar(thick * (many ? 1.2 : 1.7));
    for (let i = 0; i < n; i++) {
      read(i, p);
      const end = i === 0 || i === n - 1 ? 1 : 0.6;
      matrix.compose(p, turn.identity(), way.copy(round).multiplyScalar(end));
      knobs.setMatrixAt(i, matrix);
      if (i === n - 1) continue;
      read(i + 1, r);
      way.subVectors(r, p);
      const long = way.length() || 1e-12;
      turn.setFromUnitVectors(UP, way.divideScalar(long));
      matrix.compose(p.add(r).multiplyScalar(0.5), turn, way.set(thick, long, thick));
      bar.mesh.setMatrixAt(i, matrix);
    }
    knobs.instanceMatrix.needsUpdate = true;
    bar.mesh.instanceMatrix.needsUpdate = true;
  }

  private push(t: number) {
    let most = 0;
    for (const { arrow } of this.arrowMesh) most = Math.max(most, (arrow as any).most ?? 0);
    for (const { helper, arrow } of this.arrowMesh) {
      const at = this.look.arrows ? arrow.at(t) : null;
      const force = arrow.force(t);
      const long = (0.3 * this.size * force.length()) / (most || 1);
      helper.visible = at !== null && long > 0.004 * this.size;
      if (!helper.visible) continue;
      helper.position.copy(at!);
      helper.setDirection(force.normalize());
      helper.setLength(long, Math.min(0.3 * long, 0.04 * this.size), Math.min(0.16 * long, 0.022 * this.size));
    }
  }

  paint() {
    const ink = this.dark ? 0x9aa7b5 : 0x5a6672;
    for (const ghost of this.ghosts) {
      ghost.visible = this.look.ghost;
      ((ghost as three.LineSegments).material as three.LineBasicMaterial).color.set(ink);
    }
    for (const mesh of this.meshes) {
      const k = mesh.userData.part as number;
      dye(mesh, this.faded(this.parts[k].name, new three.Color(color(k, this.dark)).lerp(new three.Color(0xffffff), 0.25)));
    }
    const owners = [...new Set(this.parts.map((p) => p.name.split(".")[0]))];
    this.bars.forEach(({ mesh, part }, i) => {
      const own = owners.indexOf(this.parts[part].name.split(".")[0]);
      (mesh.material as three.MeshLambertMaterial).color.copy(this.faded(this.parts[part].name, new three.Color(color(own, this.dark))));
      (this.knobs[i].material as three.MeshLambertMaterial).color.set(this.bars.length > 12 ? color(own, this.dark) : this.dark ? 0xdfe6ec : 0x33404d);
    });
    if (this.t.length) this.show(this.time);
  }

  /** The colour of a part, pale if another one is chosen. */
  private faded(name: string, own: three.Color): three.Color {
    const mine = !this.chosen || name === this.chosen || name.startsWith(`${this.chosen}.`);
    return mine ? own : own.lerp(new three.Color(this.dark ? 0x2a333c : 0xe4e8ec), 0.82);
  }

  choose(name: string) {
    this.chosen = name;
    this.paint();
  }

  /** Balls and names at places that stay; the chosen one is red. */
  mark(places: { name: string; at: three.Vector3; chosen: boolean }[]) {
    for (const one of this.marks) this.scene.remove(one);
    this.marks = places.flatMap(({ name, at, chosen }) => {
      const paint = chosen ? 0xd03030 : this.dark ? 0xf0b429 : 0x9a5b00;
      const ball = new three.Mesh(new three.SphereGeometry(this.size * (chosen ? 0.019 : 0.015), 16, 12), new three.MeshBasicMaterial({ color: paint, depthTest: false, transparent: true, opacity: 0.85 }));
      const label = words(name, chosen ? "#d03030" : this.dark ? "#dfe6ec" : "#33404d");
      for (const one of [ball, label]) one.position.copy(at);
      ball.renderOrder = 1;
      return [ball, label];
    });
    if (this.marks.length) this.scene.add(...this.marks);
    this.ask();
  }
  private marks: three.Object3D[] = [];

  /** Where a joint is: a port of its ends or name, or where ends of its two parts stay together. */
  where(joint: string, sides: string[], ports: string[] = []): Point["at"] | null {
    const ends = sides.map((s) => this.points(s));
    const all = ends.flat();
    const named = all.find((p) => ports.includes(`${p.part}.${p.port}`)) ?? all.find((p) => p.port === joint);
    if (named) return named.at;
    const times = [this.t[0], this.t[this.t.length >> 1], this.t[this.t.length - 1]];
    let [best, most] = [null as Point["at"] | null, 1e-2 * this.size];
    for (const a of ends[0] ?? [])
      for (const b of ends[1] ?? []) {
        const apart = Math.max(...times.map((t) => a.at(t).distanceTo(b.at(t))));
        if (apart < most) [best, most] = [a.at, apart];
      }
    return best;
  }

  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame((began) => {
      this.asked = false;
      this.pace.before(began);
      this.render();
    });
  }

  private render() {
    this.renderer.render(this.scene, this.camera);
    this.drawn += 1;
  }

  dispose() {
    this.pace.stop();
    this.controls.dispose();
    this.renderer.dispose();
  }
}

function concat(a: Float32Array, b: Float32Array): Float32Array {
  const both = new Float32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function concat64(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** A name that always faces you, of one size on the screen. */
function words(text: string, paint: string): three.Sprite {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d")!;
  const font = "600 30px system-ui, DejaVu Sans, sans-serif";
  pen.font = font;
  canvas.width = Math.ceil(pen.measureText(text).width) + 8;
  canvas.height = 40;
  pen.font = font;
  pen.fillStyle = paint;
  pen.fillText(text, 4, 29);
  const map = new three.CanvasTexture(canvas);
  map.colorSpace = three.SRGBColorSpace;
  const face = new three.SpriteMaterial({ map, depthTest: false, sizeAttenuation: false });
  const sprite = new three.Sprite(face);
  const high = 0.022;
  sprite.scale.set((high * canvas.width) / canvas.height, high, 1);
  sprite.center.set(-0.12, -0.25);
  sprite.renderOrder = 2;
  return sprite;
}

/** 1, 2 or 5 times a power of ten. */
export function nice(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const lead = x / power;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}
